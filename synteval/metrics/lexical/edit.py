"""Error rates of words and sentences, 0 for a perfect output, lower is better (Leusch et al. 2005; Tomás et al. 2003).

    WER = sum_k min_r lev(E_k, E~_rk) / sum_k I*_k
    PER = the same with d(E, E~) = 1/2 (|I - I~| + sum_e |n_e - n~_e|) = max(I, I~) - overlap: order does not count
    SER = share of the segments that equal none of their references

`per:order=m` is m-PER: counts of m-grams instead of words, lengths their numbers. A segment is a corpus of size one.
`reference_length` says which of several references gives I*; the default `best` is Leusch et al.'s best for both rates,
and with it the distance is that of the chosen reference. References without words cannot be divided by: an error,
unless the hypothesis is empty too.

    the cat the cat on the mat  |  the cat is on the mat  |  there is a cat on the mat
    lev 2 and 3, WER 2/6 (best), 2/6.5 (average); PER distances 2 and 3
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from synteval.errors import InputError, OptionError
from synteval.metrics.base import Chunk, FloatArray
from synteval.metrics.lexical.levenshtein import distances
from synteval.metrics.lexical.ngrams import ngrams
from synteval.metrics.lexical.preprocess import BOUNDARIES, WordMetric, Words, bounded
from synteval.metrics.lexical.reference_length import REFERENCE_LENGTH, distance_and_length
from synteval.metrics.options import choice


def error_rate(errors: FloatArray, length: FloatArray) -> FloatArray:
    """Errors by length; nothing to divide by is 1 where there are errors and 0 where there are none."""
    some = length > 0
    return np.where(some, errors / np.where(some, length, 1.0), (errors > 0).astype(np.float64))


class ErrorRate(WordMetric):
    """A metric with two statistics: errors, and what they are divided by."""

    higher_is_better: ClassVar[bool] = False

    def score_rows(self, sums: FloatArray, *, segment: bool = False) -> FloatArray:
        return error_rate(sums[:, 0], sums[:, 1])


@dataclass(frozen=True)
class WER(ErrorRate):
    """Word error rate."""

    name: ClassVar[str] = "wer"

    reference_length: str = "best"

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self, "reference_length", REFERENCE_LENGTH)

    @property
    def columns(self) -> tuple[str, ...]:
        return ("distance", "reference_length")

    def statistics(self, chunk: Chunk) -> FloatArray:
        hypotheses, references = self.words(chunk)
        _refuse_empty(self.name, hypotheses, references)
        lengths = [[len(words) for words in others] for others in references]
        rows = [
            distance_and_length(self.reference_length, len(words), lengths_k, far)
            for words, lengths_k, far in zip(hypotheses, lengths, distances(hypotheses, references), strict=True)
        ]
        return np.array(rows, dtype=np.float64).reshape(-1, 2)


@dataclass(frozen=True)
class PER(ErrorRate):
    """Position-independent error rate; of m-grams with `order`."""

    name: ClassVar[str] = "per"

    order: int = 1
    boundaries: str = "none"
    reference_length: str = "best"

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self, "boundaries", BOUNDARIES)
        choice(self, "reference_length", REFERENCE_LENGTH)
        if self.order < 1:
            raise OptionError(f"per:order={self.order} is not possible; it takes 1 or more")

    @property
    def columns(self) -> tuple[str, ...]:
        return ("distance", "reference_length")

    def statistics(self, chunk: Chunk) -> FloatArray:
        hypotheses, references = self.words(chunk)
        _refuse_empty(self.name, hypotheses, references)
        rows = [self._row(words, others) for words, others in zip(hypotheses, references, strict=True)]
        return np.array(rows, dtype=np.float64).reshape(-1, 2)

    def _row(self, words: Words, others: Sequence[Words]) -> tuple[float, float]:
        grams = self._count(words)
        length = grams.total()
        counts = [self._count(other) for other in others]
        lengths = [other.total() for other in counts]
        far = [max(length, other.total()) - (grams & other).total() for other in counts]
        return distance_and_length(self.reference_length, length, lengths, far)

    def _count(self, words: Words) -> Counter[tuple[str, ...]]:
        return Counter(ngrams(bounded(words, self.boundaries), self.order))


@dataclass(frozen=True)
class SER(ErrorRate):
    """Sentence error rate."""

    name: ClassVar[str] = "ser"

    @property
    def columns(self) -> tuple[str, ...]:
        return ("wrong", "segments")

    def statistics(self, chunk: Chunk) -> FloatArray:
        pairs = zip(*self.words(chunk), strict=True)
        return np.array([(words not in others, 1) for words, others in pairs], dtype=np.float64).reshape(-1, 2)


def _refuse_empty(metric: str, hypotheses: Sequence[Words], references: Sequence[Sequence[Words]]) -> None:
    for words, others in zip(hypotheses, references, strict=True):
        if words and not any(others):
            raise InputError(
                f"{metric} divides by the length of the reference, and that of {' '.join(words)[:60]!r} has no words; "
                "give it a reference or leave the segment out"
            )
