"""Soft matching of words by the similarity of their vectors, as BERTScore (Zhang et al. 2020) does it.

    P = sum over hypothesis words h of w(h) max over reference words r of sim(h, r) / sum of w(h)
    R = sum over reference words r of w(r) max over hypothesis words h of sim(h, r) / sum of w(r)
    F = 2 P R / (P + R)

sim is the cosine of two word vectors, at least 0 (`similarity`); vectors are those of the shipped encoder
(models/encoder/), which reads a segment as a whole: a word's vector depends on its context.

- `assignment="greedy"` takes the best partner of each word, as above. "optimal" pairs words one to one so that the sum
  of similarities is largest; P and R then divide that one sum. With similarities of 0 and 1 it is the clipped F of
  single words.
- `weights="none"`, w = 1. "rarity" takes w = log((N + 2) / (n + 1)) for a word that n of the run's N references have
  (lower-cased): rare words count more. Scores are then comparable on the same references only.
- `mode="f1"`; "precision" and "recall" take P and R alone.
- `multi_ref="best"` takes the reference with the highest F, "mean" the mean over the references.
- `aggregate="mean"`, the mean of the segments' scores, as BERTScore. "counts" adds up both sides of the quotients over
  the corpus, with the best reference of each segment.

Two empty segments score 0, as does an empty hypothesis: there is nothing to reward.

Defaults and why: on WMT17 (cs, de, ru, zh to English) greedy matching of all words by F correlates best with human
adequacy among the combinations of these options; rarity does not help there. `scripts/reproduce_soft.py` prints the
table.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from synteval.metrics.base import Chunk, FloatArray, Metric
from synteval.metrics.layout import Layout
from synteval.metrics.options import choice
from synteval.metrics.similarity import similarities, vectors_of
from synteval.parsing.en.tokenizer import Knowledge, Tokenizer
from synteval.structures import Segment


@dataclass(frozen=True)
class Soft(Metric):
    """F of words matched by the similarity of their vectors."""

    name: ClassVar[str] = "soft"

    assignment: str = "greedy"
    weights: str = "none"
    mode: str = "f1"
    multi_ref: str = "best"
    aggregate: str = "mean"

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self, "assignment", ("greedy", "optimal"))
        choice(self, "weights", ("none", "rarity"))
        choice(self, "mode", ("f1", "precision", "recall"))
        choice(self, "multi_ref", ("best", "mean"))
        choice(self, "aggregate", ("mean", "counts"))

    @property
    def needs(self) -> frozenset[str]:
        return frozenset({"vectors"})

    @property
    def columns(self) -> tuple[str, ...]:
        """Weight found and there on each side with the best reference; the sum of scores; segments."""
        return ("hypothesis_found", "hypothesis", "reference_found", "reference", "score", "segments")

    def prepared(self, references: Sequence[Sequence[str]]) -> Metric:
        if self.weights == "none":
            return self
        tokenizer = Tokenizer(Knowledge({}, frozenset(), frozenset()))
        texts = [text.lower() for item in references for text in item]
        seen = Counter(word for text in texts for word in {text[i:j] for i, j in tokenizer.spans(text)})
        options = {option.name: getattr(self, option.name) for option in dataclasses.fields(Soft)}
        rarity = {word: math.log((len(texts) + 2) / (n + 1)) for word, n in seen.items()}
        return WeighedSoft(**options, rarity=rarity, unseen=math.log(len(texts) + 2))

    def word_weights(self, segment: Segment) -> FloatArray:
        """The weight of each word of a segment."""
        return np.ones(sum(map(len, segment)))

    def statistics(self, chunk: Chunk) -> FloatArray:
        layout = Layout.of(chunk)
        vectors = vectors_of(chunk)
        weights = [self.word_weights(segment) for segment in layout.segments]
        owners = layout.owners.tolist()
        rows = np.zeros((layout.pairs, 6))
        found: list[list[tuple[float, ...]]] = [[] for _ in range(layout.pairs)]
        for number in range(layout.pairs, len(owners)):
            pair = owners[number]
            alike = similarities(vectors[pair], vectors[number])
            found[pair].append(self._matched(alike, weights[pair], weights[number]))
        for row, sides in zip(rows, found, strict=True):
            scores = self._scores(np.array(sides).reshape(-1, 4))
            if len(scores):
                best = int(scores.argmax())
                row[:4] = sides[best]
                row[4] = scores[best] if self.multi_ref == "best" else scores.mean()
            row[5] = 1
        return rows

    def _matched(self, alike: FloatArray, left: FloatArray, right: FloatArray) -> tuple[float, float, float, float]:
        """Of either side the weight that is found on the other, and all of it."""
        if not alike.size:
            return 0.0, float(left.sum()), 0.0, float(right.sum())
        if self.assignment == "greedy":
            return float(alike.max(1) @ left), float(left.sum()), float(alike.max(0) @ right), float(right.sum())
        from scipy.optimize import linear_sum_assignment

        # With weights, a pair counts as much as its words weigh together.
        one, other = linear_sum_assignment(alike * np.add.outer(left, right), maximize=True)
        partners = alike[one, other]
        return float(partners @ left[one]), float(left.sum()), float(partners @ right[other]), float(right.sum())

    def _scores(self, sides: FloatArray) -> FloatArray:
        precision, recall = _share(sides[:, 0], sides[:, 1]), _share(sides[:, 2], sides[:, 3])
        if self.mode != "f1":
            return precision if self.mode == "precision" else recall
        return _share(2 * precision * recall, precision + recall)

    def score_rows(self, sums: FloatArray, *, segment: bool = False) -> FloatArray:
        if segment or self.aggregate == "mean":
            return _share(sums[:, 4], sums[:, 5])
        return self._scores(sums[:, :4])

    def counts(self, summed: FloatArray) -> dict[str, Any]:
        """The statistics, with precision and recall."""
        precision, recall = _share(summed[[0, 2]], summed[[1, 3]]).tolist()
        return super().counts(summed) | {"precision": precision, "recall": recall}


@dataclass(frozen=True)
class WeighedSoft(Soft):
    """Soft with the rarities of the words of a reference corpus."""

    unsigned: ClassVar[frozenset[str]] = frozenset({"rarity", "unseen"})

    rarity: Mapping[str, float] = field(default_factory=dict, repr=False, compare=False)
    unseen: float = 1.0

    def prepared(self, references: Sequence[Sequence[str]]) -> WeighedSoft:
        return self

    def word_weights(self, segment: Segment) -> FloatArray:
        words = [form.lower() for sentence in segment for form in sentence.forms.list()]
        return np.array([self.rarity.get(word, self.unseen) for word in words])


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
