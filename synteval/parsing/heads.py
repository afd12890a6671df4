"""Headword dependencies from a constituency tree by the head rules of Collins (1999), as Liu & Gildea (2005) make them.

Every constituent hands the headword of its head child up; the headwords of the other children depend on it. The
relation is the label of the largest constituent that the dependent heads. The rules are data,
`grammars/heads/*.toml`.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from synteval.errors import MissingLayerError, StructureError, unknown
from synteval.resources import resource
from synteval.structures import NONTERMINAL, ROOT, Segment, Sentence, Strings

# A direction and the categories it looks for, in order of priority.
Rule = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class HeadRules:
    """A head table, read from its file."""

    name: str
    rules: Mapping[str, Rule]
    default: Rule
    noun_phrases: frozenset[str]
    possessive: str
    # Each step takes the first child, from its end, that is of any of its categories.
    noun_phrase_steps: tuple[tuple[str, frozenset[str]], ...]
    conjunctions: frozenset[str]
    punctuation: frozenset[str]

    def head(self, parent: str, children: Sequence[str]) -> int:
        """The position of the head among the categories of the children."""
        if len(children) == 1:
            return 0
        words = [i for i, child in enumerate(children) if child not in self.punctuation] or list(range(len(children)))
        labels = [children[i] for i in words]
        found = self._noun_phrase(labels) if parent in self.noun_phrases else self._search(parent, labels)
        # Collins (1999), p. 238: the head after a conjunction gives way to the one before it.
        if found >= 2 and labels[found - 1] in self.conjunctions:
            found -= 2
        return words[found]

    def _search(self, parent: str, labels: Sequence[str]) -> int:
        direction, wanted = self.rules.get(parent, self.default)
        order = range(len(labels)) if direction == "left" else range(len(labels) - 1, -1, -1)
        for category in wanted:
            for position in order:
                if labels[position] == category:
                    return position
        return order[0]

    def _noun_phrase(self, labels: Sequence[str]) -> int:
        last = len(labels) - 1
        if labels[last] == self.possessive:
            return last
        for direction, wanted in self.noun_phrase_steps:
            for position in range(last + 1) if direction == "left" else range(last, -1, -1):
                if labels[position] in wanted:
                    return position
        return last


@functools.cache
def head_rules(name: str = "collins") -> HeadRules:
    """The head table of that name."""
    folder = resource("grammars", "heads")
    path = folder / f"{name}.toml"
    if not path.is_file():
        raise unknown("head table", name, [file.stem for file in folder.glob("*.toml")])
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return HeadRules(
        name=data["name"],
        rules={category: _rule(rule) for category, rule in data["rules"].items()},
        default=_rule(data["default"]["rule"]),
        noun_phrases=frozenset(data["noun_phrase"]["categories"]),
        possessive=data["noun_phrase"]["possessive"],
        noun_phrase_steps=tuple((step[0], frozenset(step[1:])) for step in data["noun_phrase"]["steps"]),
        conjunctions=frozenset(data["coordination"]["conjunction"]),
        punctuation=frozenset(data["punctuation"]["tags"]),
    )


def _rule(values: Sequence[str]) -> Rule:
    return values[0], tuple(values[1:])


def headword_dependencies(sentence: Sentence, table: str = "collins") -> Sentence:
    """The sentence with headword dependencies in place of its own; their scheme is the table's name."""
    if sentence.tree is None:
        raise MissingLayerError(
            "headword dependencies need a constituency tree; choose a parser that makes one (see `synteval parsers`)"
        )
    if not len(sentence):
        return sentence
    tree = sentence.tree.normalised()
    if tree is None or (tree.tokens >= 0).sum() != len(sentence):
        raise StructureError("headword dependencies need a tree with words")
    rules = head_rules(table)
    labels = tree.labels.list()
    parents = tree.parents.tolist()
    tokens = tree.tokens.tolist()
    children: list[list[int]] = [[] for _ in labels]
    headword = list(tokens)
    heads = [ROOT] * len(sentence)
    relations = [""] * len(sentence)
    # Children stand after their parents, so going backwards a node's children are complete when it is reached.
    for node in range(len(labels) - 1, -1, -1):
        inner = children[node]
        if tokens[node] == NONTERMINAL:
            inner.reverse()
            if not inner:
                raise StructureError(f"headword dependencies need words: {labels[node]!r} has none")
            head = inner[rules.head(labels[node], [labels[child] for child in inner])]
            headword[node] = headword[head]
            for child in inner:
                if child != head:
                    dependent = headword[child]
                    heads[dependent] = headword[node]
                    relations[dependent] = labels[child] if tokens[child] == NONTERMINAL else labels[node]
        if parents[node] >= 0:
            children[parents[node]].append(node)
    relations[headword[0]] = labels[0]
    return replace(sentence, heads=np.array(heads, dtype=np.int32), relations=Strings.of(relations), scheme=rules.name)


def with_headword_dependencies(segment: Segment, table: str = "collins") -> Segment:
    """The same for every sentence of a segment."""
    return tuple(headword_dependencies(sentence, table) for sentence in segment)
