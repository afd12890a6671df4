"""When a test relation matches a gold relation, and which of them are paired.

Relations match (`match`, spec of the mode):
    equal      the same relation
    subsume    the test relation is the gold one or stands above it
    carroll    the same, or the test relation is one level more general than a gold leaf, or any number of levels more
               specific (Carroll's gramreleval; "original" in Watson's report)
    hier       any two; they agree from their deepest common relation upwards (the official scorer of DepBank)
    dependent  any two; unlabelled
Slots match (`slots`): "all" compares the slots that both relations have, "head-dependent" those two, "ncsubj" those
two and the initial relation of ncsubj where either is obj. Two values match when they are equal, when one is `ellip`,
or when one is a multiword (`Securities_and_Exchange_Commission`) that contains the other. `_` matches anything in the
slots of `wild`: by default in the type of the relations that the hierarchy lists. Case counts, as in the official
scorer. Where both files give positions, these must be equal too.

Pairs are one to one. matching="max" finds as many pairs as there can be, and among those the most specific agreement,
so that order does not matter. matching="greedy" is the official procedure: gold relations from last to first, each
taking the test relation with the most specific agreement. It is the default of `hier` alone, where printed figures are
compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from synteval.errors import unknown
from synteval.relations.grs import ELLIPSIS, GR, NOWHERE, UNFILLED
from synteval.relations.hierarchy import Hierarchy

MATCHES = ("equal", "subsume", "carroll", "hier", "dependent")
SLOT_CHOICES = ("all", "head-dependent", "ncsubj")
MATCHINGS = ("auto", "max", "greedy")
# What RASP writes for a word it has lost; the official scorer passes such relations over.
LOST = "NIL"


@dataclass(frozen=True)
class Matcher:
    """The definition of a match; see the module."""

    hierarchy: Hierarchy
    match: str = "equal"
    slots: str = "all"
    wild: frozenset[str] = frozenset({"type"})
    matching: str = "auto"

    def __post_init__(self) -> None:
        for kind, name, valid in (
            ("match", self.match, MATCHES),
            ("slots", self.slots, SLOT_CHOICES),
            ("matching", self.matching, MATCHINGS),
        ):
            if name not in valid:
                raise unknown(kind, name, valid)

    def agreement(self, gold: GR, test: GR) -> str | None:
        """The relation at which the two agree, or None."""
        if not self.slots_match(gold, test):
            return None
        return self.relation_match(gold.relation, test.relation)

    def relation_match(self, gold: str, test: str) -> str | None:
        """The relation at which two relations agree, or None. A looser match than equality counts for the test's."""
        hierarchy = self.hierarchy
        if self.match in ("hier", "dependent"):
            return hierarchy.common(gold, test)
        if gold == test:
            return test
        if self.match == "subsume" and hierarchy.subsumes(test, gold):
            return test
        if self.match == "carroll":
            general = test in hierarchy.lenient and test in hierarchy.parents[gold] and hierarchy.is_leaf(gold)
            if general or hierarchy.subsumes(gold, test):
                return test
        return None

    def slots_match(self, gold: GR, test: GR) -> bool:
        """Whether the values in the compared slots match."""
        test_slots = self.hierarchy.slots[test.relation]
        for index, slot in enumerate(self.hierarchy.slots[gold.relation]):
            if slot not in test_slots:
                continue
            other = test_slots.index(slot)
            mine, theirs = gold.values[index], test.values[other]
            if not self._compared(slot, gold, mine, theirs):
                continue
            if gold.positions and test.positions:
                here, there = gold.positions[index], test.positions[other]
                if NOWHERE not in (here, there) and here != there:
                    return False
            if not (values_match(mine, theirs) or self._wild(slot, test.relation, mine, theirs)):
                return False
        return True

    def _compared(self, slot: str, gold: GR, mine: str, theirs: str) -> bool:
        if self.slots == "all" or slot in ("head", "dependent"):
            return True
        return self.slots == "ncsubj" and slot == "initial" and gold.relation == "ncsubj" and "obj" in (mine, theirs)

    def _wild(self, slot: str, relation: str, mine: str, theirs: str) -> bool:
        if UNFILLED not in (mine, theirs) or slot not in self.wild:
            return False
        return slot != "type" or relation in self.hierarchy.wild_types

    def pairs(self, gold: Sequence[GR], test: Sequence[GR]) -> list[tuple[int, int, str]]:
        """(gold index, test index, relation of agreement) of every match."""
        table = [[self.agreement(standard, tried) for tried in test] for standard in gold]
        greedy = self.matching == "greedy" or (self.matching == "auto" and self.match == "hier")
        return self._greedy(table) if greedy else self._maximum(table)

    def _greedy(self, table: list[list[str | None]]) -> list[tuple[int, int, str]]:
        pairs = []
        free = list(range(len(table[0]) if table else 0))[::-1]
        for standard in range(len(table) - 1, -1, -1):
            best: tuple[int, str] | None = None
            for tried in free:
                relation = table[standard][tried]
                # A later one of equal rank replaces an earlier one, as in the official scorer.
                if relation is not None and (best is None or self.hierarchy.subsumes(best[1], relation)):
                    best = tried, relation
            if best is not None:
                free.remove(best[0])
                pairs.append((standard, *best))
        return pairs[::-1]

    def _maximum(self, table: list[list[str | None]]) -> list[tuple[int, int, str]]:
        import numpy as np
        from scipy.optimize import linear_sum_assignment

        if not table or not table[0]:
            return []
        # One more pair outweighs every difference of depth.
        pair = 1 + (1 + max(self.hierarchy.depth.values())) * len(table)
        weights = np.array(
            [[0 if name is None else pair + self.hierarchy.depth[name] for name in row] for row in table], dtype=float
        )
        found = zip(*linear_sum_assignment(weights, maximize=True), strict=True)
        return [(int(i), int(j), name) for i, j in found if (name := table[i][j]) is not None]


def values_match(first: str, second: str) -> bool:
    """Whether two slot values are the same word, an ellipsis, or a multiword and a part of it."""
    if first == second:
        return True
    if UNFILLED in (first, second):
        return False
    if ELLIPSIS in (first, second):
        return True
    return ("_" in second and first in second) or ("_" not in second and "_" in first and second in first)


def without_passives(grs: Sequence[GR], hierarchy: Hierarchy) -> list[GR]:
    """The scored relations; a passive verb's subject is marked as its initial object, the mark itself goes."""
    passive = {gr.values[0] for gr in grs if gr.relation == "passive"}
    kept = []
    for gr in grs:
        if gr.relation in hierarchy.unscored or LOST in gr.values:
            continue
        if gr.relation == "ncsubj" and gr.values[0] in passive and gr.values[2] == UNFILLED:
            gr = replace(gr, values=(*gr.values[:2], "obj"))
        kept.append(gr)
    return kept
