"""BLEU (Papineni et al. 2002), 0 to 100, as sacrebleu computes it, with Leusch et al.'s (2005) variations as options.

    BLEU = 100 * lp * (prod_{m=1..N} (s_m + clipped_m) / (s_m + total_m))^(1/N)
    lp = min(1, exp(1 - I* / I)),  I the candidate length, I* the reference length, both summed over segments

A candidate's m-gram counts up to its largest count in any one reference. The defaults are those of sacrebleu, to which
scores are equal to 1e-9: at corpus level sacrebleu's corpus_bleu, at segment level its sentence_bleu, which leaves out
orders longer than the candidate (`effective_order=segment`; `never` and `always` do the same at both levels).

smooth      what a zero precision becomes: exp (mteval), floor, add-k, none are sacrebleu's; lin_och is BLEU-S of Lin &
            Och 2004, s_1 = 0 and s_m = 1 above; leusch_printed is what Leusch et al. print for it, s_1 = 1 and s_m = 0
            above, which cannot rescue a zero 4-gram count; epsilon puts 1e-3 for a zero precision (Liu & Gildea 2005).
            On the command line it may be written smoothing too
tokenize    any of sacrebleu's tokenisers, or Leusch et al.'s strip, mteval, expand
boundaries  none | initial | both
reference_length    closest (BLEU), or average, nearest, best, shortest; nearest and best by Levenshtein distance
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from sacrebleu.metrics import bleu as sacrebleu

from synteval.errors import OptionError
from synteval.metrics.base import Chunk, FloatArray
from synteval.metrics.lexical.from_sacrebleu import Prepare, SacrebleuMetric, count
from synteval.metrics.lexical.levenshtein import distances
from synteval.metrics.lexical.preprocess import BOUNDARIES, mark, splitter
from synteval.metrics.lexical.reference_length import NEEDS_DISTANCE, REFERENCE_LENGTH, reference_length
from synteval.metrics.options import choice

LEUSCH = ("strip", "mteval", "expand")
SMOOTH_VALUE = {"floor": 0.1, "add-k": 1.0, "lin_och": 1.0, "leusch_printed": 1.0, "epsilon": 1e-3}
SACREBLEU_SMOOTH = ("exp", "floor", "add-k", "none")
SMOOTH = (*SACREBLEU_SMOOTH, "lin_och", "leusch_printed", "epsilon")


@dataclass(frozen=True)
class BLEU(SacrebleuMetric):
    """BLEU of sacrebleu; see the module for its options."""

    name: ClassVar[str] = "bleu"
    synonyms: ClassVar[Mapping[str, str]] = {"smoothing": "smooth"}

    tokenize: str = "13a"
    case: bool = True
    smooth: str = "exp"
    smooth_value: float | None = None
    max_ngram_order: int = 4
    effective_order: str = "segment"
    boundaries: str = "none"
    reference_length: str = "closest"

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self, "tokenize", (*sacrebleu.BLEU.TOKENIZERS, *LEUSCH))
        choice(self, "smooth", SMOOTH)
        choice(self, "effective_order", ("never", "segment", "always"))
        choice(self, "boundaries", BOUNDARIES)
        choice(self, "reference_length", REFERENCE_LENGTH)
        if self.max_ngram_order < 1:
            raise OptionError(f"bleu:max_ngram_order={self.max_ngram_order} is not possible; it takes 1 or more")

    @property
    def columns(self) -> tuple[str, ...]:
        orders = range(1, self.max_ngram_order + 1)
        return ("length", "reference_length", *(f"clipped_{m}" for m in orders), *(f"total_{m}" for m in orders))

    def statistics(self, chunk: Chunk) -> FloatArray:
        counter = _counter(self.tokenize, self.case, self.max_ngram_order)
        prepare = self._prepare(counter)
        rows = count(counter, chunk.hypothesis_texts, chunk.reference_texts, len(self.columns), prepare)
        if self.reference_length != "closest":
            rows[:, 1] = self._reference_lengths(chunk, prepare)
        return rows

    def _prepare(self, counter: sacrebleu.BLEU) -> Prepare:
        if self.tokenize in LEUSCH:
            split = splitter(self.tokenize, self.case)
            return lambda text: mark(" ".join(split(text)), self.boundaries)
        return lambda text: mark(counter._preprocess_segment(text), self.boundaries)

    def _reference_lengths(self, chunk: Chunk, prepare: Prepare) -> list[float]:
        hypotheses = [prepare(text).split() for text in chunk.hypothesis_texts]
        references = [[prepare(text).split() for text in texts] for texts in chunk.reference_texts]
        far: list[list[int]] = [[] for _ in hypotheses]
        if self.reference_length in NEEDS_DISTANCE:
            far = distances(hypotheses, references)
        return [
            reference_length(self.reference_length, len(words), [len(other) for other in others], near)
            for words, others, near in zip(hypotheses, references, far, strict=True)
        ]

    def score_rows(self, sums: FloatArray, *, segment: bool = False) -> FloatArray:
        orders = self.max_ngram_order
        length, wanted = sums[:, 0], sums[:, 1]
        matched = sums[:, 2 : 2 + orders].any(axis=1)
        added = self._added()
        clipped, total = sums[:, 2 : 2 + orders] + added, sums[:, 2 + orders :] + added

        # An order is possible where the candidates are long enough for it and for all below it.
        possible = np.logical_and.accumulate(total > 0, axis=1)
        missed = possible & (clipped == 0)
        divisor = np.where(possible, total, 1.0)
        precision = np.where(possible, clipped, 0.0) / divisor
        if self.smooth == "exp":
            precision = np.where(missed, 0.5 ** missed.cumsum(axis=1) / divisor, precision)
        elif self.smooth == "floor":
            precision = np.where(missed, self._value() / divisor, precision)
        elif self.smooth == "epsilon":
            precision = np.where(precision == 0, self._value(), precision)

        with np.errstate(divide="ignore"):
            logs = np.log(precision)
            penalty = np.where(length > 0, np.exp(np.minimum(0.0, 1.0 - wanted / np.maximum(length, 1e-300))), 0.0)
        penalty[length >= wanted] = 1.0
        if self.effective_order == "always" or (segment and self.effective_order == "segment"):
            number = possible.sum(axis=1)
            mean = np.where(number > 0, np.where(possible, logs, 0.0).sum(axis=1) / np.maximum(number, 1), -np.inf)
        else:
            mean = logs.mean(axis=1)
        scores: FloatArray = 100.0 * penalty * np.exp(mean)
        # sacrebleu: without a single match the score is 0, however zero precisions are smoothed.
        return np.where(matched, scores, 0.0) if self.smooth in SACREBLEU_SMOOTH else scores

    def _value(self) -> float:
        return SMOOTH_VALUE[self.smooth] if self.smooth_value is None else self.smooth_value

    def _added(self) -> FloatArray:
        """s_m for each order."""
        added = np.zeros(self.max_ngram_order)
        if self.smooth in ("add-k", "lin_och"):
            added[1:] = self._value()
        elif self.smooth == "leusch_printed":
            added[0] = self._value()
        return added


@lru_cache(maxsize=16)
def _counter(tokenize: str, case: bool, order: int) -> sacrebleu.BLEU:
    tokenizer = "none" if tokenize in LEUSCH else tokenize
    return sacrebleu.BLEU(tokenize=tokenizer, lowercase=not case, max_ngram_order=order, force=True)
