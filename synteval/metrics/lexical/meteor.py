"""METEOR as Banerjee & Lavie (2005) define it, 0 to 1.

    P = m / |hypothesis|,  R = m / |reference|,  Fmean = 10 P R / (R + 9 P)
    penalty = 0.5 (chunks / m)^3,  METEOR = Fmean (1 - penalty)

m is the number of mapped words, see `alignment`: in stages, by the same word (`exact`), the same Porter stem (`stem`),
a common synset of WordNet 3.0, whatever the part of speech and without disambiguation (`synonym`). Where m = 0 the
score is 0. Equal texts of n words score 1 - 0.5 / n^3, never 1.

    hypothesis  the president spoke to the audience
    reference   the president then spoke to the audience
    6 matches, 2 chunks, Fmean 60/69 = .8696, penalty 1/54, METEOR .8535

Several references: the one with the best score of the segment. Corpus: P, R and penalty of the summed matches, chunks
and lengths, each segment with its best reference's.

NLTK's `meteor_score` has the same formulas, but maps greedily, from the end of the hypothesis, each word to the last
one of the reference that fits: it finds neither the largest mapping by synonyms nor the one with the fewest crossings.
The two agree where no word can be mapped in two ways; for "a b a" against "a b", NLTK finds 2 chunks and this one 1.
Its stemmer and its reader of WordNet are the ones used here.

Options: `stages` (those to use, joined by +), `wordnet` (`shipped`, `nltk`, or a path), `tokenize` and `case` as in
`preprocess`. `stopwords=remove` leaves out function words in the stage `exact`, which the paper's section 3.6 mentions
and section 2 does not; the default is `keep`. WordNet is English: for other languages take stages=exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from synteval.errors import OptionError
from synteval.metrics.base import Chunk, FloatArray
from synteval.metrics.lexical.alignment import Stage, align, chunks
from synteval.metrics.lexical.preprocess import WordMetric
from synteval.metrics.lexical.stemmer import stem
from synteval.metrics.options import choice
from synteval.metrics.stopwords import stopwords

STAGES = ("exact", "stem", "synonym")


@dataclass(frozen=True)
class METEOR(WordMetric):
    """Unigram alignment in stages, recall-weighted mean, and a penalty for fragmentation."""

    name: ClassVar[str] = "meteor"
    # The signature has the fingerprint of the inventory in its place.
    unsigned: ClassVar[frozenset[str]] = frozenset({"wordnet"})

    stages: str = "exact+stem+synonym"
    stopwords: str = "keep"
    wordnet: str = "shipped"

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self, "stopwords", ("keep", "remove"))
        chosen = self.stages.split("+")
        if not set(chosen) <= set(STAGES) or len(set(chosen)) < len(chosen):
            raise OptionError(f"meteor:stages={self.stages} is not possible; join some of {', '.join(STAGES)} by +")

    @property
    def columns(self) -> tuple[str, ...]:
        return ("matches", "chunks", "hypothesis_words", "reference_words")

    def statistics(self, chunk: Chunk) -> FloatArray:
        hypotheses, references = self.words(chunk)
        stages = [self._stage(name) for name in self.stages.split("+")]
        rows = np.zeros((len(hypotheses), 4))
        for row, hypothesis, many in zip(rows, hypotheses, references, strict=True):
            candidates = np.array([_counts(hypothesis, reference, stages) for reference in many], dtype=np.float64)
            if len(candidates):
                row[:] = candidates[int(np.argmax(_scores(candidates)))]
        return rows

    def score_rows(self, sums: FloatArray, *, segment: bool = False) -> FloatArray:
        return _scores(sums)

    def signature(self, refs: int | str = 1, parser: str | None = None, **more: Any) -> str:
        if "synonym" in self.stages:
            from synteval.senses.inventory import fingerprint

            more = {"inventory": fingerprint(self.wordnet), **more}
        return super().signature(refs, parser, **more)

    def _stage(self, name: str) -> Stage:
        if name == "stem":
            return _stem
        if name == "synonym":
            return _synsets(self.wordnet)
        return _exact_without_stopwords if self.stopwords == "remove" else _exact


def _exact(word: str) -> tuple[str, ...]:
    return (word,)


def _exact_without_stopwords(word: str) -> tuple[str, ...]:
    return () if word.lower() in stopwords() else (word,)


def _stem(word: str) -> tuple[str, ...]:
    return (stem(word),)


@cache
def _synsets(wordnet: str) -> Stage:
    from synteval.senses.inventory import load_inventory

    return load_inventory(wordnet).synsets


def _counts(hypothesis: Sequence[str], reference: Sequence[str], stages: Sequence[Stage]) -> tuple[int, int, int, int]:
    mapped = align(hypothesis, reference, stages)
    return len(mapped), chunks(mapped), len(hypothesis), len(reference)


def _scores(rows: FloatArray) -> FloatArray:
    matches, runs, hypothesis, reference = rows.T
    # 10 P R / (R + 9 P), with P = m / h and R = m / r.
    mean = 10 * matches / np.maximum(hypothesis + 9 * reference, 1)
    penalty = 0.5 * (runs / np.maximum(matches, 1)) ** 3
    scores: FloatArray = mean * (1 - penalty)
    return scores
