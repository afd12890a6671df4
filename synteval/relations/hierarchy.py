"""Hierarchies of grammatical relations, read from grammars/relations/hierarchy.toml: which relation stands under which,
and the slots of each. A preset is a hierarchy with the conventions of the paper it comes from.

    briscoe2006  Briscoe & Carroll 2006, the relations of DepBank (default)
    carroll1998  Carroll, Briscoe & Sanfilippo 1998, twenty relations
    molla2003    Molla & Hutchinson 2003, four of them: SUBJ, OBJ, XCOMP, MOD
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from synteval.errors import unknown
from synteval.resources import resource

SLOTS = ("type", "head", "dependent", "initial")


@dataclass(frozen=True)
class Options:
    """How extraction treats what the schemes of annotation disagree about.

    distribute_conj: a relation of a coordination is one of every conjunct; otherwise the conjunction is its head.
    resolve_relatives: the antecedent stands for the relative pronoun.
    share_control: the subject of a verb is also that of its subjectless clauses.
    collapse_prepositions: a preposition is the type of one relation to its object; otherwise a word with a dobj.
    adjunct_clause: "xmod", or "xcomp" as Molla & Hutchinson 2003 have it.
    """

    distribute_conj: bool = False
    resolve_relatives: bool = True
    share_control: bool = False
    collapse_prepositions: bool = False
    adjunct_clause: str = "xmod"


@dataclass(frozen=True)
class Hierarchy:
    """Relations in printing order, their slots, the relations above each (itself included), and its depth."""

    name: str
    slots: Mapping[str, tuple[str, ...]]
    above: Mapping[str, frozenset[str]]
    depth: Mapping[str, int]
    unscored: frozenset[str]
    wild_types: frozenset[str]
    lenient: frozenset[str]
    parents: Mapping[str, tuple[str, ...]]
    args: str
    notation: str
    options: Options
    rename: Mapping[str, str]

    @property
    def relations(self) -> tuple[str, ...]:
        """The relations that are scored, in printing order."""
        return tuple(name for name in self.slots if name not in self.unscored)

    def subsumes(self, general: str, specific: str) -> bool:
        """Whether `general` is `specific` or stands above it."""
        return general in self.above[specific]

    def common(self, first: str, second: str) -> str:
        """The deepest relation that subsumes both; every relation is under `dependent`."""
        shared = self.above[first] & self.above[second]
        return max((name for name in self.slots if name in shared), key=lambda name: self.depth[name])

    def is_leaf(self, relation: str) -> bool:
        """Whether no relation stands under it."""
        return not any(relation in above for name, above in self.above.items() if name != relation)


@functools.lru_cache(maxsize=1)
def _tables() -> dict[str, dict[str, Any]]:
    return tomllib.loads(resource("grammars", "relations", "hierarchy.toml").read_text(encoding="utf-8"))


def presets() -> tuple[str, ...]:
    """The names of the hierarchies."""
    return tuple(_tables())


@functools.cache
def load_hierarchy(preset: str = "briscoe2006") -> Hierarchy:
    """The hierarchy of that name."""
    tables = _tables()
    if preset not in tables:
        raise unknown("preset", preset, tables)
    table = tables[preset]
    entries: dict[str, dict[str, list[str]]] = table["relations"]
    parents = {name: tuple(entry["under"]) for name, entry in entries.items()}

    def above(name: str) -> frozenset[str]:
        return frozenset({name}).union(*(above(parent) for parent in parents[name]))

    def depth(name: str) -> int:
        return 1 + depth(parents[name][0]) if parents[name] else 0

    return Hierarchy(
        name=preset,
        slots={name: tuple(entry["slots"]) for name, entry in entries.items()},
        above={name: above(name) for name in entries},
        depth={name: depth(name) for name in entries},
        unscored=frozenset(table["unscored"]),
        wild_types=frozenset(table["wild_types"]),
        lenient=frozenset(table["lenient"]),
        parents=parents,
        args=table["args"],
        notation=table["notation"],
        options=Options(**table["options"]),
        rename=table.get("rename", {}),
    )
