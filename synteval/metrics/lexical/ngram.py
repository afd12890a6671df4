"""Ngram(i, j), the n-gram co-occurrence of Lin & Hovy 2003, from which ROUGE-N came: recall of n-grams, 0 to 1.

    C_n = sum over model units of the matched n-grams / sum over model units of their n-grams
    Ngram(i, j) = BB * exp(sum_{n=i..j} log C_n / (j - i + 1)),  BB = 1

An n-gram of a unit counts up to its number in the candidate. Every reference of a segment is a model unit, counted
separately. Any C_n of 0 makes the score 0. Words are stemmed by Porter's algorithm, as in the paper, and stop words
kept or removed (grammars/stopwords.txt); punctuation is no word (`tokenize=strip`).

    unit "United States, Japan, and Taiwan", candidate "United States, Taiwan, and Japan", stop words removed:
    C_1 = 1, C_2 = 1/3 (the paper says 0.5), C_3 = C_4 = 0, Ngram(1, 4) = 0
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from synteval.errors import OptionError
from synteval.metrics.base import Chunk, FloatArray
from synteval.metrics.lexical.ngrams import ngrams
from synteval.metrics.lexical.preprocess import BOUNDARIES, WordMetric, Words, bounded
from synteval.metrics.lexical.stemmer import stem
from synteval.metrics.options import choice
from synteval.metrics.stopwords import stopwords


@dataclass(frozen=True)
class Ngram(WordMetric):
    """Ngram(i, j) of Lin & Hovy."""

    name: ClassVar[str] = "ngram"

    tokenize: str = "strip"
    i: int = 1
    j: int = 4
    stem: bool = True
    stopwords: str = "keep"
    boundaries: str = "none"

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self, "stopwords", ("keep", "remove"))
        choice(self, "boundaries", BOUNDARIES)
        if not 1 <= self.i <= self.j:
            raise OptionError(f"ngram:i={self.i},j={self.j} is not possible; it takes 1 <= i <= j")

    @property
    def columns(self) -> tuple[str, ...]:
        orders = range(self.i, self.j + 1)
        return (*(f"match_{n}" for n in orders), *(f"total_{n}" for n in orders))

    def statistics(self, chunk: Chunk) -> FloatArray:
        hypotheses, references = self.words(chunk)
        orders = self.j - self.i + 1
        rows = np.zeros((len(hypotheses), 2 * orders))
        for row, words, units in zip(rows, hypotheses, references, strict=True):
            candidate = self._terms(words)
            models = [self._terms(unit) for unit in units]
            for place, order in enumerate(range(self.i, self.j + 1)):
                grams = Counter(ngrams(candidate, order))
                for model in models:
                    counts = Counter(ngrams(model, order))
                    row[place] += (counts & grams).total()
                    row[orders + place] += counts.total()
        return rows

    def _terms(self, words: Words) -> Words:
        if self.stopwords == "remove":
            stop = stopwords()
            words = [word for word in words if word.lower() not in stop]
        return bounded([stem(word) for word in words] if self.stem else words, self.boundaries)

    def score_rows(self, sums: FloatArray, *, segment: bool = False) -> FloatArray:
        orders = self.j - self.i + 1
        coverage = sums[:, :orders] / np.maximum(sums[:, orders:], 1.0)
        with np.errstate(divide="ignore"):
            scores: FloatArray = np.exp(np.log(coverage).mean(axis=1))
        return scores
