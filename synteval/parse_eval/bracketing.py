"""Labelled bracketing (Parseval; Black et al. 1991) as the program evalb computes it with its parameters COLLINS.prm.

A bracket is a constituent: its category and the words it covers. Left out are the wrapper around the tree (TOP, ROOT,
S1), empty elements, preterminals, and punctuation (tags , : `` '' .), whose words are not counted as positions either.
PRT counts as ADVP. Function tags are cut: NP-SBJ is NP.

    precision = matching brackets / brackets of the test,  recall = matching / brackets of the gold,  F = 2PR / (P + R)
    complete = sentences whose brackets all match,  crossing = test brackets that cross a gold bracket, a sentence
    tagging = words with the right tag, punctuation aside

Counts are added up over sentences. A sentence whose words are not those of the gold is left out of every count and
counted as `skipped`, as evalb does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from synteval.errors import InputError, MissingLayerError
from synteval.parse_eval.attachment import Ratio
from synteval.structures import NONTERMINAL, Sentence, Tree
from synteval.structures.tree import WRAPPERS

DELETED_TAGS = frozenset({",", ":", "``", "''", ".", "-NONE-"})
EQUAL = {"PRT": "ADVP"}
Bracket = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Bracketing:
    """The scores of a test file."""

    brackets: Ratio
    tagging: Ratio
    complete: int
    crossing: int
    sentences: int
    skipped: int

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        scored = self.sentences - self.skipped
        return {
            **self.brackets.as_dict(),
            "tagging": self.tagging.recall,
            "complete": self.complete / scored if scored else 0.0,
            "crossing": self.crossing / scored if scored else 0.0,
            "sentences": self.sentences,
            "skipped": self.skipped,
        }


def bracketing(gold: Iterable[Sentence], test: Iterable[Sentence]) -> Bracketing:
    """Score the constituency trees of the test sentences, one by one."""
    golds, tests = list(gold), list(test)
    if len(golds) != len(tests):
        raise InputError(f"the gold has {len(golds)} trees, the test {len(tests)}; they must be the same sentences")
    right = tried = standard = tags_right = words = complete = crossing = skipped = 0
    for number, (mine, theirs) in enumerate(zip(golds, tests, strict=True), 1):
        gold_tags, gold_forms, gold_brackets = _read(mine, number, "gold")
        test_tags, test_forms, test_brackets = _read(theirs, number, "test")
        if gold_forms != test_forms:
            skipped += 1
            continue
        matching = (gold_brackets & test_brackets).total()
        right, tried, standard = right + matching, tried + test_brackets.total(), standard + gold_brackets.total()
        complete += gold_brackets == test_brackets
        crossing += sum(
            count for bracket, count in test_brackets.items() if any(_cross(bracket, other) for other in gold_brackets)
        )
        tags_right += sum(a == b for a, b in zip(gold_tags, test_tags, strict=True))
        words += len(gold_tags)
    return Bracketing(
        Ratio(right, tried, standard), Ratio(tags_right, words, words), complete, crossing, len(golds), skipped
    )


def _cross(first: Bracket, second: Bracket) -> bool:
    return first[1] < second[1] < first[2] < second[2] or second[1] < first[1] < second[2] < first[2]


def _read(sentence: Sentence, number: int, name: str) -> tuple[list[str], list[str], Counter[Bracket]]:
    """Tags, words and brackets without what is left out."""
    if sentence.tree is None:
        raise MissingLayerError(f"sentence {number} of the {name} has no constituency tree")
    tree = sentence.tree.normalised()
    if tree is None:
        return [], [], Counter()
    tags = _tags(tree, len(sentence))
    kept = [tag not in DELETED_TAGS for tag in tags]
    position = [0]
    for keep in kept:
        position.append(position[-1] + keep)
    forms = [form for form, keep in zip(sentence.forms.list(), kept, strict=True) if keep]
    brackets: Counter[Bracket] = Counter()
    preterminals = {
        parent for parent, token in zip(tree.parents.tolist(), tree.tokens.tolist(), strict=True) if token >= 0
    }
    nodes = [node for node, token in enumerate(tree.tokens.tolist()) if token == NONTERMINAL]
    for node, (label, first, last) in zip(nodes, tree.constituents(), strict=True):
        start, end = position[first], position[last]
        if node in preterminals or start == end or label in WRAPPERS:
            continue
        brackets[EQUAL.get(label, label), start, end] += 1
    return [tag for tag, keep in zip(tags, kept, strict=True) if keep], forms, brackets


def _tags(tree: Tree, count: int) -> list[str]:
    """The category right above every word."""
    tags = [""] * count
    labels = tree.labels
    for node, token in enumerate(tree.tokens.tolist()):
        if token >= 0 and node:
            tags[token] = labels[int(tree.parents[node])]
    return tags
