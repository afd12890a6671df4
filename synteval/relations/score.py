"""Precision, recall and F of grammatical relations, for every relation, micro- and macro-averaged.

For each relation R: precision = match / test, recall = match / gold, F = 2PR / (P + R); a ratio with nothing under it
is 0.

The counts of a relation include those of the relations under it. With match="hier" a pair counts as a match from the
deepest relation above both upwards, so that `mod` is right when an ncmod was taken for an xmod, and `dependent` is the
unlabelled score; the micro-average is the ratio of the counts *summed over all rows*, and the macro-average the mean
over the rows that have gold relations. That is how the official scorer of DepBank prints them (Watson, RASP Evaluation
Schemes, whose text describes the micro-average otherwise than its tables). With match="dependent" the one relation that
is compared is `dependent`, and both averages are its (Watson's unlabelled scores). In every other mode the averages are
over the relations that occur themselves: micro is the ratio of totals, macro the mean over the relations with gold
(Molla & Hutchinson 2003, Table 3).

Gold `passive` is not scored: it says what the initial relation `obj` of ncsubj says, and sets it where it is not
given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from synteval.errors import InputError
from synteval.relations.grs import GR, GRSentence
from synteval.relations.hierarchy import Hierarchy
from synteval.relations.match import Matcher, without_passives

Counts = npt.NDArray[np.int64]
MATCH, TEST, GOLD = 0, 1, 2


@dataclass(frozen=True, slots=True)
class PRF:
    """Precision, recall, F in [0, 1] and the counts behind them (none behind a macro-average)."""

    precision: float
    recall: float
    f: float
    gold: int | None = None
    test: int | None = None
    match: int | None = None

    @classmethod
    def of(cls, counts: Sequence[int] | Counts) -> PRF:
        """From (match, test, gold)."""
        match, test, gold = (int(count) for count in counts)
        precision, recall = ratio(match, test), ratio(match, gold)
        return cls(precision, recall, f_score(precision, recall), gold, test, match)

    def as_dict(self) -> dict[str, float | int]:
        """For JSON."""
        named = {"precision": self.precision, "recall": self.recall, "f": self.f}
        counts = {"gold": self.gold, "test": self.test, "match": self.match}
        return named | {name: count for name, count in counts.items() if count is not None}


def ratio(part: float, whole: float) -> float:
    """part / whole, 0 where the whole is 0."""
    return part / whole if whole else 0.0


def f_score(precision: float, recall: float) -> float:
    """The harmonic mean, 0 where both are 0."""
    return ratio(2 * precision * recall, precision + recall)


@dataclass(frozen=True)
class RelationScores:
    """The score of a test: `own` are the counts (match, test, gold) of each sentence by relation, additive."""

    matcher: Matcher
    own: Counts  # sentences x relations x 3
    confusion: Counter[tuple[str, str]]
    pairs: tuple[tuple[tuple[int, int, str], ...], ...]

    @property
    def hierarchy(self) -> Hierarchy:
        return self.matcher.hierarchy

    def totals(self) -> Counts:
        """relations x 3, of the relations themselves."""
        totals: Counts = self.own.sum(axis=0)
        return totals

    def percolated(self) -> Counts:
        """relations x 3, with the counts of the relations below."""
        return percolate(self.totals(), self.hierarchy)

    def relations(self) -> dict[str, PRF]:
        """Every relation of the hierarchy, in printing order."""
        return {name: PRF.of(counts) for name, counts in zip(self.hierarchy.relations, self.percolated(), strict=True)}

    def micro(self) -> PRF:
        """The ratio of counts; see the module for `hier`."""
        return PRF.of(self._averaged().sum(axis=0))

    def macro(self) -> PRF:
        """The mean over the relations that have gold."""
        counts = self._averaged()
        scored = int((counts[:, GOLD] > 0).sum())
        precision = ratio(sum(ratio(match, test) for match, test, _ in counts.tolist()), scored)
        recall = ratio(sum(ratio(match, gold) for match, _, gold in counts.tolist()), scored)
        return PRF(precision, recall, f_score(precision, recall))

    def _averaged(self) -> Counts:
        """The rows that the averages are over."""
        if self.matcher.match == "dependent":
            whole: Counts = self.own.sum(axis=(0, 1))
            return whole[np.newaxis]
        return self.percolated() if self.matcher.match == "hier" else self.totals()

    def sentence_counts(self) -> Counts:
        """sentences x 3: what the micro-average sums, a row a sentence."""
        counts: Counts
        if self.matcher.match == "hier":
            weights = np.array([len(self.hierarchy.above[name]) for name in self.hierarchy.relations])
            counts = np.einsum("srk,r->sk", self.own, weights)
        else:
            counts = self.own.sum(axis=1)
        return counts

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "relations": {name: prf.as_dict() for name, prf in self.relations().items()},
            "micro": self.micro().as_dict(),
            "macro": self.macro().as_dict(),
        }


def percolate(own: Counts, hierarchy: Hierarchy) -> Counts:
    """Counts by relation with those of every relation below it."""
    names = hierarchy.relations
    above = np.array([[upper in hierarchy.above[lower] for lower in names] for upper in names], dtype=np.int64)
    summed: Counts = above @ own
    return summed


def score_relations(
    gold: Iterable[GRSentence | Sequence[GR]], test: Iterable[GRSentence | Sequence[GR]], matcher: Matcher
) -> RelationScores:
    """Score the relations of each test sentence against those of the gold sentence in the same place."""
    standards, tries = list(gold), list(test)
    if not standards:
        raise InputError("the gold has no sentences; there is nothing to score against")
    if len(standards) != len(tries):
        raise InputError(
            f"the gold has {len(standards)} sentences, the test {len(tries)}; they must be the same sentences"
        )
    _check_order(standards, tries)
    golds, tests = [_plain(item) for item in standards], [_plain(item) for item in tries]
    hierarchy = matcher.hierarchy
    index = {name: position for position, name in enumerate(hierarchy.relations)}
    own = np.zeros((len(golds), len(index), 3), dtype=np.int64)
    confusion: Counter[tuple[str, str]] = Counter()
    all_pairs = []
    for sentence, (gold_grs, test_grs) in enumerate(zip(golds, tests, strict=True)):
        standard, tried = without_passives(gold_grs, hierarchy), without_passives(test_grs, hierarchy)
        for gr in standard:
            own[sentence, index[gr.relation], GOLD] += 1
        for gr in tried:
            own[sentence, index[gr.relation], TEST] += 1
        pairs = matcher.pairs(standard, tried)
        for mine, theirs, relation in pairs:
            own[sentence, index[relation], MATCH] += 1
            confusion[standard[mine].relation, tried[theirs].relation] += 1
        all_pairs.append(tuple(pairs))
    return RelationScores(matcher, own, confusion, tuple(all_pairs))


def _check_order(gold: Sequence[GRSentence | Sequence[GR]], test: Sequence[GRSentence | Sequence[GR]]) -> None:
    """Files with the same identifiers must have them in the same order."""
    first, second = (
        [str(item.fields.get("id", "")) for item in items if isinstance(item, GRSentence)] for items in (gold, test)
    )
    if first != second and sorted(first) == sorted(second):
        at = next(place for place, names in enumerate(zip(first, second, strict=True)) if names[0] != names[1])
        raise InputError(
            f"sentence {at + 1} is {first[at]} in the gold and {second[at]} in the test; sort the files alike"
        )


def _plain(item: GRSentence | Sequence[GR]) -> Sequence[GR]:
    return item.relations if isinstance(item, GRSentence) else item
