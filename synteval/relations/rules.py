"""The rule language of grammars/relations/*.toml: patterns over a graph of words, and the relations they stand for.

    H >nsubj:pass D                          -> ncsubj H D obj
    H >obl D & D >case P & H+P in @governs   -> iobj H P ; dobj P D
    H >advcl D[xpos=VBG|VBN] & !D >nsubj* _  -> xmod _ H D
    H >det D & D < H                         -> det H D

Capitals are words of the sentence. The first clause is an edge of the graph, from head to dependent, with one or more
labels; `*` stands for any letters. Further clauses, joined by `&`, must hold too: another edge (`_` is any word), the
order of two words (`D < H`; `D . H`: directly before, which also finds a word that is not yet known), a pair of lemmas
in a list (`H+P in @governs`), or the tests of one word (`H[...]`). Tests are on form, lemma, upos, xpos, label (that
of the edge to its head): `lemma=be|get`, `xpos!=VB*`, `lemma=@list`; several are joined by commas. `!` before a
clause: it must not hold.

Each edge goes to the first rule that matches it, and that rule writes its relations, once for every way it matches. A
rule that begins with `+` adds its relations and leaves the edge to the rules after it. A right side that is empty
takes the edge and writes nothing. In the type slot a word stands for its lower-case form.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

import networkx as nx

from synteval.errors import SyntevalError
from synteval.resources import resource

ATTRIBUTES = ("form", "lemma", "upos", "xpos", "label")
Binding = dict[str, int]

_NODE = r"([A-Z_]\d?)(?:\[([^\]]*)\])?"
_EDGE = re.compile(rf"^{_NODE}\s*>([^\s>]+)\s+{_NODE}$")
_ORDER = re.compile(r"^([A-Z]\d?)\s*([<.])\s*([A-Z]\d?)$")
_PAIR = re.compile(r"^([A-Z]\d?)\+([A-Z]\d?)\s+in\s+@(\w+)$")
_WORD = re.compile(rf"^{_NODE}$")
_TEST = re.compile(r"^(\w+)(!?=)(.+)$")


@dataclass(frozen=True, slots=True)
class Test:
    """A test of one attribute of a word against patterns."""

    attribute: str
    negated: bool
    exact: frozenset[str]
    patterns: tuple[str, ...]

    def holds(self, value: str) -> bool:
        found = value in self.exact or any(fnmatchcase(value, pattern) for pattern in self.patterns)
        return found != self.negated


@dataclass(frozen=True, slots=True)
class Clause:
    """One condition of a rule: an edge, an order, a pair of lemmas, or (with no second word) tests alone."""

    kind: str
    negated: bool
    first: str
    second: str = "_"
    labels: Test | None = None
    tests: Mapping[str, tuple[Test, ...]] = field(default_factory=dict)
    pairs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Rule:
    """Clauses, and the relations they stand for as (relation, slot, ...)."""

    text: str
    clauses: tuple[Clause, ...]
    emits: tuple[tuple[str, ...], ...]
    adds: bool


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of a scheme, and the names that the steps of extraction need (see grammars/relations/*.toml)."""

    scheme: str
    rules: tuple[Rule, ...]
    settings: Mapping[str, Any]
    # The rules whose first clause has a label, found once a label.
    _by_label: dict[str, tuple[Rule, ...]] = field(default_factory=dict, repr=False, compare=False)

    def _rules_for(self, label: str) -> tuple[Rule, ...]:
        if label not in self._by_label:
            self._by_label[label] = tuple(
                rule for rule in self.rules if (test := rule.clauses[0].labels) is not None and test.holds(label)
            )
        return self._by_label[label]

    def apply(self, graph: nx.DiGraph[int]) -> Iterator[tuple[str, Binding, tuple[str, ...]]]:
        """(edge label, words, relation with slots) of everything that the rules find."""
        for head, dependent, label in sorted(graph.edges(data="label"), key=lambda edge: edge[1]):
            for rule in self._rules_for(label):
                found = False
                for binding in _solve(rule.clauses, 0, {}, graph, (head, dependent)):
                    found = True
                    for emit in rule.emits:
                        yield label, binding, emit
                if found and not rule.adds:
                    break


def _solve(
    clauses: tuple[Clause, ...], at: int, bound: Binding, graph: nx.DiGraph[int], edge: tuple[int, int] | None
) -> Iterator[Binding]:
    if at == len(clauses):
        yield bound
        return
    clause = clauses[at]
    solutions = _hold(clause, bound, graph, edge)
    if clause.negated:
        if next(solutions, None) is None:
            yield from _solve(clauses, at + 1, bound, graph, None)
        return
    for solution in solutions:
        yield from _solve(clauses, at + 1, solution, graph, None)


def _hold(clause: Clause, bound: Binding, graph: nx.DiGraph[int], edge: tuple[int, int] | None) -> Iterator[Binding]:
    if clause.kind == "order":
        if bound[clause.first] < bound[clause.second]:
            yield bound
    elif clause.kind == "adjacency":
        first, second = bound.get(clause.first), bound.get(clause.second)
        first = second - 1 if first is None and second is not None else first
        second = first + 1 if second is None and first is not None else second
        if first is not None and second is not None and first + 1 == second and first in graph and second in graph:
            yield bound | {clause.first: first, clause.second: second}
    elif clause.kind == "pair":
        first, second = graph.nodes[bound[clause.first]], graph.nodes[bound[clause.second]]
        if f"{first['lemma']} {second['lemma']}" in clause.pairs or f"* {second['lemma']}" in clause.pairs:
            yield bound
    elif clause.kind == "word":
        if _tested(clause, clause.first, bound[clause.first], graph):
            yield bound
    else:
        for head, dependent in [edge] if edge else list(_edges(clause, bound, graph)):
            assert clause.labels is not None
            if not clause.labels.holds(graph.edges[head, dependent]["label"]):
                continue
            new = dict(bound)
            for name, word in ((clause.first, head), (clause.second, dependent)):
                if name != "_" and new.setdefault(name, word) != word:
                    break
                if not _tested(clause, name, word, graph):
                    break
            else:
                yield new


def _edges(clause: Clause, bound: Binding, graph: nx.DiGraph[int]) -> Iterator[tuple[int, int]]:
    if clause.first in bound:
        head = bound[clause.first]
        yield from ((head, dependent) for dependent in graph.successors(head))
    elif clause.second in bound:
        dependent = bound[clause.second]
        yield from ((head, dependent) for head in graph.predecessors(dependent))


def _tested(clause: Clause, name: str, word: int, graph: nx.DiGraph[int]) -> bool:
    node = graph.nodes[word]
    return all(test.holds(node[test.attribute]) for test in clause.tests.get(name, ()))


def parse_rule(text: str, lists: Mapping[str, list[str]]) -> Rule:
    """The rule that a line writes."""
    left, arrow, right = text.partition("->")
    if not arrow:
        raise SyntevalError(f"rule without ->: {text}")
    adds = left.lstrip().startswith("+")
    clauses = tuple(_parse_clause(part.strip(), lists, text) for part in left.strip().lstrip("+").split("&"))
    if clauses[0].kind != "edge" or clauses[0].negated:
        raise SyntevalError(f"a rule begins with an edge: {text}")
    emits = tuple(tuple(part.split()) for part in right.split(";") if part.strip())
    return Rule(text, clauses, emits, adds)


def _parse_clause(text: str, lists: Mapping[str, list[str]], rule: str) -> Clause:
    negated = text.startswith("!")
    text = text.lstrip("! ")
    if edge := _EDGE.match(text):
        first, first_tests, labels, second, second_tests = edge.groups()
        tests = {first: _parse_tests(first_tests, lists, rule), second: _parse_tests(second_tests, lists, rule)}
        return Clause("edge", negated, first, second, _patterns("label", False, labels, lists, rule), tests)
    if order := _ORDER.match(text):
        return Clause("order" if order[2] == "<" else "adjacency", negated, order[1], order[3])
    if pair := _PAIR.match(text):
        return Clause("pair", negated, pair[1], pair[2], pairs=frozenset(_list(pair[3], lists, rule)))
    if word := _WORD.match(text):
        return Clause("word", negated, word[1], tests={word[1]: _parse_tests(word[2], lists, rule)})
    raise SyntevalError(f"cannot read {text!r} in the rule {rule}")


def _parse_tests(text: str | None, lists: Mapping[str, list[str]], rule: str) -> tuple[Test, ...]:
    tests = []
    for part in (text or "").split(","):
        if not part.strip():
            continue
        found = _TEST.match(part.strip())
        if not found or found[1] not in ATTRIBUTES:
            raise SyntevalError(f"cannot read the test {part!r} in the rule {rule}; attributes: {' '.join(ATTRIBUTES)}")
        tests.append(_patterns(found[1], found[2] == "!=", found[3], lists, rule))
    return tuple(tests)


def _patterns(attribute: str, negated: bool, text: str, lists: Mapping[str, list[str]], rule: str) -> Test:
    values: list[str] = []
    for part in text.split("|"):
        values += _list(part[1:], lists, rule) if part.startswith("@") else [part]
    globs = tuple(value for value in values if "*" in value)
    return Test(attribute, negated, frozenset(values) - set(globs), globs)


def _list(name: str, lists: Mapping[str, list[str]], rule: str) -> list[str]:
    if name not in lists:
        raise SyntevalError(f"no list @{name} for the rule {rule}; there are {' '.join(sorted(lists))}")
    return lists[name]


@functools.cache
def load_rules(scheme: str) -> RuleSet:
    """The rules of a scheme: grammars/relations/SCHEME.toml, with the word lists of words.toml."""
    words = tomllib.loads(resource("grammars", "relations", "words.toml").read_text(encoding="utf-8"))
    table = tomllib.loads(resource("grammars", "relations", f"{scheme}.toml").read_text(encoding="utf-8"))
    table["abbreviations"] = frozenset(words.pop("abbreviations"))
    lists = words | table.pop("lists", {})
    texts = [line.strip() for line in table.pop("rules").splitlines()]
    rules = tuple(parse_rule(line, lists) for line in texts if line and not line.startswith("#"))
    return RuleSet(scheme, rules, table)
