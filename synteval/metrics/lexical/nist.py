"""NIST (Doddington 2002; Leusch et al. 2005, section 2.1.4): n-gram precision weighed by information, from 0 up.

    NIST = lp * sum_{m=1..5} (1 / total_m) * sum_k sum_e min(n_e,k, n~_e,k) * Info(e)
    Info(e_1..e_m) = log2 count(e_1..e_{m-1}) - log2 count(e_1..e_m), for words log2 (reference words / count)
    lp = exp(beta * ln^2 min(1, I / I*)),  beta = ln 0.5 / ln^2 1.5

n~ is the largest count in any one reference of the segment. Counts of Info are pooled over all references of the
corpus, so a score is comparable on the same references only; the weights are made in `prepared`. beta makes lp 0.5 at
two thirds of the reference length, as Doddington has it; what Leusch et al. print would give 0.873. I* is by default
the average reference length. With one reference scores are equal to those of nltk.translate.nist_score.
A segment is weighed by the corpus it stands in; scored alone, it is a corpus of size one.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from synteval.errors import OptionError, SyntevalError
from synteval.metrics.base import Chunk, FloatArray
from synteval.metrics.lexical.levenshtein import distances
from synteval.metrics.lexical.ngrams import ngrams
from synteval.metrics.lexical.preprocess import BOUNDARIES, WordMetric, Words, bounded
from synteval.metrics.lexical.reference_length import NEEDS_DISTANCE, REFERENCE_LENGTH, reference_length
from synteval.metrics.options import choice

Weights = Mapping[tuple[str, ...], float]
BETA = math.log(0.5) / math.log(1.5) ** 2


@dataclass(frozen=True)
class NIST(WordMetric):
    """NIST with Doddington's penalty."""

    name: ClassVar[str] = "nist"

    max_ngram_order: int = 5
    boundaries: str = "none"
    reference_length: str = "average"

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self, "boundaries", BOUNDARIES)
        choice(self, "reference_length", REFERENCE_LENGTH)
        if self.max_ngram_order < 1:
            raise OptionError(f"nist:max_ngram_order={self.max_ngram_order} is not possible; it takes 1 or more")

    @property
    def columns(self) -> tuple[str, ...]:
        orders = range(1, self.max_ngram_order + 1)
        return ("length", "reference_length", *(f"information_{m}" for m in orders), *(f"total_{m}" for m in orders))

    def prepared(self, references: Sequence[Sequence[str]]) -> WeighedNIST:
        _, words = self.words(Chunk(reference_texts=references))
        counts: Counter[tuple[str, ...]] = Counter()
        total = 0
        for others in words:
            for other in others:
                sequence = bounded(other, self.boundaries)
                total += len(sequence)
                for order in range(1, self.max_ngram_order + 1):
                    counts.update(ngrams(sequence, order))
        weights = {gram: math.log2((counts[gram[:-1]] if gram[:-1] else total) / n) for gram, n in counts.items()}
        options = {option.name: getattr(self, option.name) for option in dataclasses.fields(NIST)}
        return WeighedNIST(**options, weights=weights)

    def statistics(self, chunk: Chunk) -> FloatArray:
        raise SyntevalError("nist weighs n-grams by all references: take the statistics of nist.prepared(references)")

    def score_rows(self, sums: FloatArray, *, segment: bool = False) -> FloatArray:
        orders = self.max_ngram_order
        length, wanted = sums[:, 0], sums[:, 1]
        information, total = sums[:, 2 : 2 + orders], sums[:, 2 + orders :]
        precision = np.where(total > 0, information / np.maximum(total, 1.0), 0.0)
        ratio = np.where((length > 0) & (length < wanted), length / np.maximum(wanted, 1e-300), 1.0)
        scores: FloatArray = np.exp(BETA * np.log(ratio) ** 2) * precision.sum(axis=1)
        return scores


@dataclass(frozen=True)
class WeighedNIST(NIST):
    """NIST with the weights of a reference corpus."""

    unsigned: ClassVar[frozenset[str]] = frozenset({"weights"})

    weights: Weights = field(default_factory=dict, repr=False, compare=False)

    def prepared(self, references: Sequence[Sequence[str]]) -> WeighedNIST:
        return self

    def statistics(self, chunk: Chunk) -> FloatArray:
        hypotheses, references = self.words(chunk)
        far: list[list[int]] = [[] for _ in hypotheses]
        if self.reference_length in NEEDS_DISTANCE:
            far = distances(hypotheses, references)
        rows = [self._row(words, others, near) for words, others, near in zip(hypotheses, references, far, strict=True)]
        return np.array(rows, dtype=np.float64).reshape(-1, len(self.columns))

    def _row(self, words: Words, others: Sequence[Words], far: Sequence[float]) -> list[float]:
        words = bounded(words, self.boundaries)
        others = [bounded(other, self.boundaries) for other in others]
        information, totals = [], []
        for order in range(1, self.max_ngram_order + 1):
            found: Counter[tuple[str, ...]] = Counter()
            for other in others:
                found |= Counter(ngrams(other, order))
            clipped = Counter(ngrams(words, order)) & found
            information.append(math.fsum(self.weights[gram] * n for gram, n in clipped.items()))
            totals.append(float(max(len(words) - order + 1, 0)))
        wanted = reference_length(self.reference_length, len(words), [len(other) for other in others], far)
        return [float(len(words)), wanted, *information, *totals]
