"""chrF and chrF++ (Popović 2015, 2017), 0 to 100, as sacrebleu computes them.

The F score of character n-grams (and of word n-grams with `word_order`) of orders 1 to N, recall weighing `beta` times
as much as precision; precision and recall are first averaged over the orders that both sides have. Of several
references the one with the best F score of the segment enters the sums. With `eps_smoothing` the F scores of all orders
are averaged instead, as in chrF++.py. Scores are equal to sacrebleu's to 1e-9, at corpus and at segment level.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from sacrebleu.metrics import chrf as sacrebleu

from synteval.errors import OptionError
from synteval.metrics.base import Chunk, FloatArray
from synteval.metrics.lexical.from_sacrebleu import SacrebleuMetric, count

EPSILON = 1e-16


@dataclass(frozen=True)
class CHRF(SacrebleuMetric):
    """chrF of sacrebleu; chrF++ is `word_order=2`."""

    name: ClassVar[str] = "chrf"

    char_order: int = 6
    word_order: int = 0
    beta: int = 2
    case: bool = True
    whitespace: bool = False
    eps_smoothing: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.char_order < 0 or self.word_order < 0 or self.char_order + self.word_order == 0:
            raise OptionError(
                f"chrf:char_order={self.char_order},word_order={self.word_order} is not possible; "
                "both take 0 or more, and one of them 1 or more"
            )

    @property
    def columns(self) -> tuple[str, ...]:
        kinds = [f"char_{n}" for n in range(1, self.char_order + 1)]
        kinds += [f"word_{n}" for n in range(1, self.word_order + 1)]
        return tuple(f"{what}_{kind}" for kind in kinds for what in ("hypothesis", "reference", "match"))

    def statistics(self, chunk: Chunk) -> FloatArray:
        options = (self.char_order, self.word_order, self.beta, self.case, self.whitespace, self.eps_smoothing)
        return count(_counter(*options), chunk.hypothesis_texts, chunk.reference_texts, len(self.columns))

    def score_rows(self, sums: FloatArray, *, segment: bool = False) -> FloatArray:
        hypothesis, reference, match = (sums[:, part::3] for part in range(3))
        none = 0.0 if not self.eps_smoothing else EPSILON
        precision = np.where(hypothesis > 0, match / np.maximum(hypothesis, 1.0), none)
        recall = np.where(reference > 0, match / np.maximum(reference, 1.0), none)
        if self.eps_smoothing:
            return np.asarray(100.0 * self._f(precision, recall, EPSILON).mean(axis=1))
        both = (hypothesis > 0) & (reference > 0)
        orders = np.maximum(both.sum(axis=1), 1)
        return 100.0 * self._f((precision * both).sum(axis=1) / orders, (recall * both).sum(axis=1) / orders, 0.0)

    def _f(self, precision: FloatArray, recall: FloatArray, otherwise: float) -> FloatArray:
        factor = float(self.beta**2)
        divisor = factor * precision + recall
        some = divisor > 0
        return np.where(some, (1 + factor) * precision * recall / np.where(some, divisor, 1.0), otherwise)


@lru_cache(maxsize=16)
def _counter(chars: int, words: int, beta: int, case: bool, whitespace: bool, smoothed: bool) -> sacrebleu.CHRF:
    return sacrebleu.CHRF(chars, words, beta, not case, whitespace, smoothed)
