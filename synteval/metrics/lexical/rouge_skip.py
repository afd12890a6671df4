"""ROUGE-S and ROUGE-SU (Lin & Och 2004; Hirao et al. 2005, eqs 11, 12, 14-16), 0 to 1: pairs of words in order.

A skip-bigram is any two words of a text in their order with at most `skip` words between them (none: any number).
ROUGE-S is the F score of skip-bigrams, ROUGE-SU that of skip-bigrams and words counted together:
    P = matched / in the candidate,  R = matched / in the reference,  F = (1 + beta^2) R P / (R + beta^2 P)
A skip-bigram that occurs several times matches as often as it occurs on both sides. Words, `measure` and `multi_ref`
are those of the other ROUGE (see rouge.py). The default skip is 4, that of the usual ROUGE-SU4; the paper reports 4, 9
and any.

    Becoming a cosmonaut is my great dream  |  Becoming an astronaut is my ambition
    skip any: S 1/7 1/5 1/6, SU 3/14 2/7 12/49; skip 4: S 3/20 3/15 6/35
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from synteval.errors import OptionError
from synteval.metrics.base import Chunk
from synteval.metrics.lexical.preprocess import Words
from synteval.metrics.lexical.rouge import PrecisionRecall, Rouge, rouge_words

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ROUGES(Rouge):
    """ROUGE of skip-bigrams."""

    name: ClassVar[str] = "rougeS"
    unigrams: ClassVar[bool] = False

    skip: int | None = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.skip is not None and self.skip < 0:
            raise OptionError(
                f"{self.name}:skip={self.skip} is not possible; it takes 0 or more, or none for any number"
            )

    def pairs(self, chunk: Chunk) -> list[list[PrecisionRecall]]:
        return [
            [
                self._pair(rouge_words(hypothesis, self.stem), rouge_words(reference, self.stem))
                for reference in references
            ]
            for hypothesis, references in zip(chunk.hypothesis_texts, chunk.reference_texts, strict=True)
        ]

    def _pair(self, candidate: Words, reference: Words) -> PrecisionRecall:
        matched = self._matched(candidate, reference)
        return matched / max(self._size(len(candidate)), 1), matched / max(self._size(len(reference)), 1)

    def _size(self, words: int) -> int:
        """The number of skip-bigrams (and words) of a text."""
        reach = min(words - 1, words if self.skip is None else self.skip + 1)
        pairs = reach * words - reach * (reach + 1) // 2 if reach > 0 else 0
        return pairs + words * self.unigrams

    def _matched(self, candidate: Words, reference: Words) -> int:
        numbers = {word: number for number, word in enumerate(dict.fromkeys(candidate))}
        if numbers.keys().isdisjoint(reference):
            return 0
        left = np.array([numbers[word] for word in candidate], dtype=np.int64)
        # Words that the candidate lacks share one number, which never matches.
        right = np.array([numbers.get(word, -1) for word in reference], dtype=np.int64)
        matched = _overlap(self._bigrams(left, len(numbers)), self._bigrams(right, len(numbers)))
        if self.unigrams:
            matched += _overlap(left, right[right >= 0])
        return matched

    def _bigrams(self, words: Codes, vocabulary: int) -> Codes:
        reach = len(words) if self.skip is None else self.skip + 2
        parts = [np.zeros(0, dtype=np.int64)]
        for distance in range(1, min(reach, len(words))):
            first, second = words[:-distance], words[distance:]
            known = (first >= 0) & (second >= 0)
            parts.append(first[known] * vocabulary + second[known])
        return np.concatenate(parts)


@dataclass(frozen=True)
class ROUGESU(ROUGES):
    """ROUGE of skip-bigrams and words."""

    name: ClassVar[str] = "rougeSU"
    unigrams: ClassVar[bool] = True


def _overlap(left: Codes, right: Codes) -> int:
    """The size of the multiset intersection."""
    values, counts = np.unique(left, return_counts=True)
    others, other_counts = np.unique(right, return_counts=True)
    _, mine, theirs = np.intersect1d(values, others, assume_unique=True, return_indices=True)
    return int(np.minimum(counts[mine], other_counts[theirs]).sum())
