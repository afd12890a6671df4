"""Coordinations of a parse: which words are conjuncts, which conjunction stands for them, what they share.

DepBank makes the conjunction the head: `(conj and build) (conj and sell) (xcomp to was and)`. Carroll et al. 1998
repeat the relation for every conjunct. A dependent of the first conjunct is shared when it stands before it and the
other conjuncts have none like it (`[coordination] shared_before` of the rule file), or after the last one
(`shared_after`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from synteval.relations.words import Words, matches
from synteval.structures import ROOT


@dataclass(frozen=True)
class Coordination:
    """Conjuncts in order, the first being the one that the tree attaches; the conjunction, or None."""

    members: tuple[int, ...]
    conjunction: int | None


@dataclass(frozen=True)
class Coordinations:
    """The coordinations of a sentence by their first conjunct."""

    words: Words
    settings: Mapping[str, Any]
    by_first: Mapping[int, Coordination] = field(default_factory=dict)

    def members(self, word: int) -> tuple[int, ...]:
        """The conjuncts that a word begins: itself alone where it begins none."""
        coordination = self.by_first.get(word)
        return coordination.members if coordination else (word,)

    def as_dependent(self, word: int, distribute: bool) -> tuple[int, ...]:
        """What fills the dependent slot for a word."""
        return self._whole(word, distribute)

    def as_head(self, word: int, dependent: int, distribute: bool) -> tuple[int, ...]:
        """What fills the head slot for a word: the whole coordination where the dependent is shared."""
        return self._whole(word, distribute) if self.is_shared(word, dependent) else (word,)

    def _whole(self, word: int, distribute: bool) -> tuple[int, ...]:
        coordination = self.by_first.get(word)
        if coordination is None:
            return (word,)
        if distribute or coordination.conjunction is None:
            return coordination.members
        return (coordination.conjunction,)

    def is_shared(self, word: int, dependent: int) -> bool:
        """Whether all conjuncts share a dependent of the first."""
        coordination = self.by_first.get(word)
        if coordination is None or dependent in coordination.members or len(coordination.members) < 2:
            return False
        words = self.words
        label = words.labels[dependent]
        last = coordination.members[-1]
        if dependent > last:
            return matches(label, self.settings["shared_after"])
        if dependent > word or words.heads[dependent] != word:
            return False
        for group in self.settings["shared_before"]:
            if matches(label, group):
                others = coordination.members[1:]
                return not any(
                    matches(words.labels[child], group) and child < other
                    for other in others
                    for child in words.children(other)
                )
        return False


def find_coordinations(words: Words, settings: Mapping[str, Any]) -> Coordinations:
    """The coordinations of a sentence; `settings` is `[coordination]` of the rule file."""
    found: dict[int, Coordination] = {}
    for word in range(len(words)):
        if matches(words.labels[word], settings["conj"]) and words.heads[word] != ROOT and settings["chain"]:
            continue
        members = _members(words, word, settings)
        conjunctions = sorted(
            child
            for member in members
            for child in words.children(member)
            if matches(words.labels[child], settings["cc"])
        )
        if len(members) == 1:
            # A sentence that begins with a conjunction: (conj But contends).
            if conjunctions and conjunctions[0] == 0 and conjunctions[0] < word:
                found[word] = Coordination((word,), conjunctions[0])
            continue
        inside = [word for word in conjunctions if members[0] < word < members[-1]]
        found[word] = Coordination(tuple(members), inside[-1] if inside else _separator(words, members, settings))
    return Coordinations(words, settings, found)


def _members(words: Words, word: int, settings: Mapping[str, Any]) -> list[int]:
    members = [word]
    for member in members:
        for child in words.children(member):
            if matches(words.labels[child], settings["conj"]) and (settings["chain"] or member == word):
                members.append(child)
    return sorted(members)


def _separator(words: Words, members: Sequence[int], settings: Mapping[str, Any]) -> int | None:
    """The mark that stands for a conjunction between the last two conjuncts."""
    for word in range(members[-1] - 1, members[-2], -1):
        if words.forms[word] in settings["separators"]:
            return word
    return None
