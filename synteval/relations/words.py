"""The words of a parse, made ready for the rules: words that were split joined, function words promoted to heads.

Schemes differ in what is a word and which word is the head. DepBank writes `cable-TV` as one word; it makes the copula,
the preposition and the currency sign heads, where UD makes them dependents. A rule file says which dependents are
promoted; everything else is left to its rules.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import networkx as nx

from synteval.errors import MissingLayerError
from synteval.structures import ROOT, Sentence

HYPHENS = frozenset("-–/")


@dataclass
class Words:
    """Columns of a sentence and its tree, a word an item. `tokens` is the position of each in the sentence."""

    forms: list[str]
    lemmas: list[str]
    upos: list[str]
    xpos: list[str]
    heads: list[int]
    labels: list[str]
    tokens: list[int]

    @classmethod
    def of(cls, sentence: Sentence) -> Words:
        """The words of a parsed sentence."""
        if sentence.heads is None or sentence.relations is None:
            raise MissingLayerError("grammatical relations need dependencies; choose a parser that makes them")
        forms = sentence.forms.list()
        empty = [""] * len(forms)
        return cls(
            forms=forms,
            lemmas=[form.lower() for form in forms] if sentence.lemmas is None else sentence.lemmas.list(),
            upos=empty[:] if sentence.upos is None else sentence.upos.list(),
            xpos=empty[:] if sentence.xpos is None else sentence.xpos.list(),
            heads=sentence.heads.tolist(),
            labels=sentence.relations.list(),
            tokens=list(range(len(forms))),
        )

    def __len__(self) -> int:
        return len(self.forms)

    def children(self, word: int) -> list[int]:
        """The dependents of a word, in order."""
        return [other for other, head in enumerate(self.heads) if head == word]

    def depth(self, word: int) -> int:
        """How many heads are above a word."""
        depth = 0
        while self.heads[word] != ROOT:
            word, depth = self.heads[word], depth + 1
        return depth

    def graph(self) -> nx.DiGraph[int]:
        """The tree as a graph: an edge from each head to each dependent, with its label."""
        graph: nx.DiGraph[int] = nx.DiGraph()
        for word in range(len(self)):
            graph.add_node(
                word,
                form=self.forms[word],
                lemma=self.lemmas[word],
                upos=self.upos[word],
                xpos=self.xpos[word],
                label=self.labels[word],
            )
        for word, head in enumerate(self.heads):
            if head != ROOT:
                graph.add_edge(head, word, label=self.labels[word])
        return graph


def join_split(words: Words, sentence: Sentence, abbreviations: Container[str]) -> Words:
    """Words that a tokenizer has split at hyphens (cable - TV) or before the stop of an abbreviation, made one.

    The part nearest the root stands for it.
    """
    if sentence.spans is None:
        return words
    spans = sentence.spans.tolist()
    groups: list[list[int]] = []
    for word in range(len(words)):
        touches = bool(groups) and spans[groups[-1][-1]][1] == spans[word][0]
        if touches and _joins(words.forms, groups[-1][-1], word, abbreviations):
            groups[-1].append(word)
        else:
            groups.append([word])
    if len(groups) == len(words):
        return words
    group_of = {word: index for index, group in enumerate(groups) for word in group}
    # The stop of an abbreviation hangs from the root.
    tops = [min(group, key=lambda word: (words.forms[word] == ".", words.depth(word), -word)) for group in groups]
    joined = ["".join(words.forms[word] for word in group) for group in groups]
    heads = []
    for index, top in enumerate(tops):
        # Two parts of a word may hang from different words; a way up that comes back to the word itself goes on.
        head = words.heads[top]
        while head != ROOT and group_of[head] == index:
            head = words.heads[head]
        heads.append(ROOT if head == ROOT else group_of[head])
    return Words(
        forms=joined,
        lemmas=[
            words.lemmas[top] if len(group) == 1 else form.lower() for top, group, form in _zip(tops, groups, joined)
        ],
        upos=[words.upos[top] for top in tops],
        xpos=[words.xpos[top] for top in tops],
        heads=_acyclic(heads),
        labels=[words.labels[top] for top in tops],
        tokens=[group[0] for group in groups],
    )


def _zip(tops: list[int], groups: list[list[int]], joined: list[str]) -> list[tuple[int, list[int], str]]:
    return list(zip(tops, groups, joined, strict=True))


def _joins(forms: Sequence[str], left: int, right: int, abbreviations: Container[str]) -> bool:
    def word(form: str) -> bool:
        return form[0].isalnum() or form[-1].isalnum()

    if forms[right] == ".":
        return forms[left] in abbreviations
    if forms[right] in HYPHENS:
        return word(forms[left]) and right + 1 < len(forms) and word(forms[right + 1])
    return forms[left] in HYPHENS and left > 0 and word(forms[right])


def _acyclic(heads: list[int]) -> list[int]:
    """Joining words may close a circle; its first word then hangs from the root, or is it."""
    root = heads.index(ROOT) if ROOT in heads else ROOT
    for word in range(len(heads)):
        seen, at = {word}, heads[word]
        while at != ROOT and at not in seen:
            seen.add(at)
            at = heads[at]
        if at != ROOT:
            heads[word] = root
            root = word if root == ROOT else root
    return heads


def promote(words: Words, promotions: Sequence[Mapping[str, Any]]) -> None:
    """Make dependents heads, as `[[promote]]` of a rule file says. Of several candidates under a head, the first one.

    label      labels of the dependents to promote
    which      "last": the last candidate under a head instead
    tags       only words with these tags; form: only these forms
    under      only below heads with these tags; under_form: with these forms
    as         the label of the former head under its new head
    moves      labels of the former head's other dependents that go over to the new head
    moves_before, moves_after  labels of those that go over if they stand before the new head, after the former one
    together   labels of those that go over if they were promoted themselves, or have one of the tags `if_tags`
    """
    promoted: set[int] = set()
    for promotion in promotions:
        for word in sorted(range(len(words)), key=words.depth, reverse=True):
            head = words.heads[word]
            if head != ROOT and _applies(promotion, words, word, head):
                _swap(words, word, head, promotion, promoted)
                promoted.add(word)


def relabel(words: Words, changes: Sequence[Mapping[str, Any]]) -> None:
    """Give words another label, as `[[relabel]]` of a rule file says: parsers attach some phrases anywhere (5 a share).

    label   labels to change; lemma: only words with these lemmas
    after   forms of the word directly before, and after_tags the tags that the word before that may have
    as      the new label
    """
    for change in changes:
        for word in range(2, len(words)):
            if (
                matches(words.labels[word], change["label"])
                and words.lemmas[word] in change["lemma"]
                and words.forms[word - 1].lower() in change["after"]
                and matches(words.xpos[word - 2], change["after_tags"])
            ):
                words.labels[word] = change["as"]


def _applies(promotion: Mapping[str, Any], words: Words, word: int, head: int) -> bool:
    if not _candidate(promotion, words, word):
        return False
    if "under" in promotion and not matches(words.xpos[head], promotion["under"]):
        return False
    if "under_form" in promotion and words.forms[head].lower() not in promotion["under_form"]:
        return False
    rivals = [other for other in words.children(head) if _candidate(promotion, words, other)]
    return word == rivals[-1 if promotion.get("which") == "last" else 0]


def _candidate(promotion: Mapping[str, Any], words: Words, word: int) -> bool:
    return (
        matches(words.labels[word], promotion["label"])
        and ("tags" not in promotion or matches(words.xpos[word], promotion["tags"]))
        and ("form" not in promotion or words.forms[word] in promotion["form"])
    )


def _swap(words: Words, word: int, head: int, promotion: Mapping[str, Any], promoted: set[int]) -> None:
    for other in words.children(head):
        label = words.labels[other]
        together = matches(label, promotion.get("together", ())) and (
            other in promoted or matches(words.xpos[other], promotion.get("if_tags", ()))
        )
        before = other < word and matches(label, promotion.get("moves_before", ()))
        after = other > head and matches(label, promotion.get("moves_after", ()))
        if other != word and (together or before or after or matches(label, promotion.get("moves", ()))):
            words.heads[other] = word
    words.heads[word], words.labels[word] = words.heads[head], words.labels[head]
    words.heads[head], words.labels[head] = word, promotion["as"]


def matches(value: str, patterns: Sequence[str]) -> bool:
    """Whether a label or tag is one of the patterns (`*`: any letters)."""
    return any(value == pattern or ("*" in pattern and fnmatchcase(value, pattern)) for pattern in patterns)
