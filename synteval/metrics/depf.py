"""Dependency F-score: how many dependencies of a hypothesis are in a reference (Riezler & Maxwell 2005).

    P = matched / system,  R = matched / reference,  F = 2 P R / (P + R) = 2 matched / (system + reference)

A dependency is (head, relation, dependent); those of a segment are a set with repetitions, and one of the hypothesis
matches at most one of the reference. Over a corpus the three numbers are added up and one F is taken at the end, as
in the paper.

Defaults and why: relations count (`labelled=True`; the paper matches grammatical relations); words are lemmas,
lower-cased (`form="lemma"`, `case=False`), the form where there is no lemma; the arc to the root and arcs to
punctuation (relation punct, or p) are left out: they say nothing of grammatical relations. `multi_ref="best"` takes
the reference with the highest F (of equals the one with most
matches, then the one with the fewest dependencies), and its numbers enter the sum.
`multi_ref="mean"` takes the mean of the Fs of all references for a segment, and the mean of their numbers for the
sum. `aggregate="mean"` takes the mean of the segments' Fs as the score of a corpus.

`match="soft"` matches dependencies of one relation by the vectors of their words (`soft_triples`); "exact", the
default, by equality.

Two segments without dependencies have 0/0: F is 1 where their words are equal, else 0. In the sum over a corpus they
have no part, unless it has no dependency at all: then its score is the mean over its segments. An empty hypothesis
scores 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from synteval.metrics.base import Chunk, FloatArray, Metric
from synteval.metrics.clipping import Counts, count
from synteval.metrics.constituency import PUNCTUATION as PUNCTUATION_TAGS
from synteval.metrics.dependencies import WordView, heads_of, missing, sentences_of, tree_arrays
from synteval.metrics.interning import intern, intern_strings
from synteval.metrics.layout import Ints, Layout, is_small
from synteval.metrics.options import choice
from synteval.structures import Segment, Sentence, Strings

# How UD, ClearNLP and older CoNLL schemes name the relation of a punctuation mark; head rules give it its tag.
PUNCTUATION = frozenset({"punct", "p", "P"}) | PUNCTUATION_TAGS


@dataclass(frozen=True)
class DependencyF(Metric):
    """F-score of dependencies; `Score.counts` has precision and recall too."""

    name: ClassVar[str] = "depf"

    labelled: bool = True
    form: str = "lemma"
    case: bool = False
    multi_ref: str = "best"
    aggregate: str = "counts"
    match: str = "exact"

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self, "match", ("exact", "soft"))
        choice(self, "form", ("lemma", "surface", "pos"))
        choice(self, "multi_ref", ("best", "mean"))
        choice(self, "aggregate", ("counts", "mean"))

    @property
    def needs(self) -> frozenset[str]:
        return self.view.needs | ({"vectors"} if self.match == "soft" else frozenset())

    @property
    def view(self) -> WordView:
        """What stands for a token."""
        return WordView(self.form, self.case)

    @property
    def columns(self) -> tuple[str, ...]:
        return ("matched", "system", "reference", "f", "segments")

    def statistics(self, chunk: Chunk) -> FloatArray:
        layout = Layout.of(chunk)
        if self.match == "soft":
            from synteval.metrics.soft_triples import count_softly

            return self._rows(layout, count_softly(chunk, layout, *self.arcs(chunk)))
        if is_small(chunk):
            return self._statistics_directly(layout)
        return self._rows(layout, count(layout, [self._arcs(chunk)], each_reference=True))

    def arcs(self, chunk: Chunk) -> tuple[Ints, Ints]:
        """The tokens that depend on another by a relation that counts; the number of each token's relation, or 0s."""
        parents, _ = tree_arrays(chunk)
        names, relations = self._relations(chunk)
        left_out = np.array([name in PUNCTUATION for name in relations] or [False])
        return np.flatnonzero((parents >= 0) & ~left_out[names]), names if self.labelled else 0 * names

    def _arcs(self, chunk: Chunk) -> tuple[Ints, Ints]:
        """The segment and the number of every dependency."""
        parents, segments = tree_arrays(chunk)
        words, table = self.view.units(chunk)
        arcs, relations = self.arcs(chunk)
        keys, bound = words[parents[arcs]] * len(table) + words[arcs], len(table) ** 2
        if self.labelled:
            names = int(relations.max(initial=0)) + 1
            keys, bound = keys * names + relations[arcs], bound * names
        return segments[arcs], intern(keys, bound)[0]

    def _relations(self, chunk: Chunk) -> tuple[Ints, list[str]]:
        sentences = sentences_of(Layout.of(chunk).segments)
        return intern_strings([self._column(sentence) for sentence in sentences])

    def _column(self, sentence: Sentence) -> Strings:
        if sentence.relations is not None:
            return sentence.relations
        if self.labelled:
            raise missing("dependency relations")
        return Strings(("",), np.zeros(len(sentence), dtype=np.int32))

    def _arcs_directly(self, segment: Segment) -> Counter[Hashable]:
        arcs: Counter[Hashable] = Counter()
        for sentence in segment:
            words, heads, relations = self.view.words(sentence), heads_of(sentence), self._column(sentence)
            arcs.update(
                (words[head], relation if self.labelled else "", word)
                for word, head, relation in zip(words, heads.tolist(), relations.list(), strict=True)
                if head >= 0 and relation not in PUNCTUATION
            )
        return arcs

    def _statistics_directly(self, layout: Layout) -> FloatArray:
        arcs = [self._arcs_directly(segment) for segment in layout.segments]
        owners = layout.owners.tolist()
        rows = np.zeros((layout.pairs, 5))
        for pair, own in enumerate(arcs[: layout.pairs]):
            system, found = own.total(), []
            for reference in range(layout.pairs, len(arcs)):
                if owners[reference] == pair:
                    other = arcs[reference]
                    matched, total = sum([min(times, other[arc]) for arc, times in own.items()]), other.total()
                    either = system + total
                    f = 2 * matched / either if either else self._equal(layout, pair, reference)
                    found.append((f, matched, -total))
            f, matched, total = (0, 0, 0) if not found else max(found)
            if found and self.multi_ref == "mean":
                f, matched, total = (sum(column) / len(found) for column in zip(*found, strict=True))
            rows[pair] = (matched, system, -total, f, 1)
        return rows

    def _rows(self, layout: Layout, counts: Counts) -> FloatArray:
        references = layout.references
        owners = layout.owners[references]
        matched, reference = counts.matched[references, 0], counts.totals[references, 0]
        system = counts.totals[owners, 0]
        f = _f(matched, system, reference)
        for place in np.flatnonzero(system + reference == 0).tolist():
            f[place] = self._equal(layout, int(owners[place]), int(references[place]))
        columns = np.stack([matched, reference, f], axis=1)
        rows = np.zeros((layout.pairs, 5))
        rows[:, 1], rows[:, 4] = counts.totals[: layout.pairs, 0], 1
        if self.multi_ref == "mean":
            number = np.maximum(np.bincount(owners, minlength=layout.pairs), 1)
            for column, values in zip((0, 2, 3), columns.T, strict=True):
                rows[:, column] = np.bincount(owners, weights=values, minlength=layout.pairs) / number
        elif len(owners):
            # The last of each owner has the highest F, of equals the most matches, of equals the fewest dependencies.
            order = np.lexsort((-reference, matched, f, owners))
            last = np.flatnonzero(np.append(np.diff(owners) != 0, True))
            rows[owners[last][:, None], np.array([0, 2, 3])] = columns[order[last]]
        return rows

    def _equal(self, layout: Layout, hypothesis: int, reference: int) -> float:
        """1.0 where two segments without dependencies have the same words."""
        one, other = (
            [word for sentence in layout.segments[number] for word in self.view.words(sentence)]
            for number in (hypothesis, reference)
        )
        return float(bool(one) and one == other)

    def score_rows(self, sums: FloatArray, *, segment: bool = False) -> FloatArray:
        if segment or self.aggregate == "mean":
            return _share(sums[:, 3], sums[:, 4])
        f = _f(sums[:, 0], sums[:, 1], sums[:, 2])
        # Where there is no dependency at all, what is left is the share of equal segments.
        return np.where(sums[:, 1] + sums[:, 2] == 0, _share(sums[:, 3], sums[:, 4]), f)

    def counts(self, summed: FloatArray) -> dict[str, Any]:
        """The numbers of dependencies, precision and recall."""
        matched, system, reference = summed[:3].tolist()
        named = super().counts(summed)
        named["precision"] = matched / system if system else 0.0
        named["recall"] = matched / reference if reference else 0.0
        return named


def _f(matched: FloatArray, system: FloatArray, reference: FloatArray) -> FloatArray:
    return _share(2 * matched, system + reference)


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0)
