"""ROUGE-1 to ROUGE-4 and ROUGE-L (Lin 2004; Hirao et al. 2005, eqs 10-13, 17-19), 0 to 1, through rouge-score.

    recall = matched / in the reference,  precision = matched / in the candidate
    F = (1 + beta^2) R P / (R + beta^2 P)

matched: n-grams for N, words of the longest common subsequence for L. The score of a corpus is the mean over segments.
Words are rouge-score's: lower-case ASCII letters and digits, Porter-stemmed with `stem`. Precision, recall and F
(beta 1) are equal to rouge-score's to 1e-9.

measure     recall for N and f for L, as Hirao et al. define them; or precision
multi_ref   mean over references (Hirao et al., eq. 9), or best: those of the reference with the highest F (Lin's
            package and rouge-score's score_multi)
union       ROUGE-L of summaries: a line is a sentence, and a reference sentence is matched by the union of its longest
            common subsequences with all candidate sentences (rouge-score's rougeLsum)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from synteval.errors import NotInstalledError, OptionError
from synteval.metrics.base import Chunk, FloatArray
from synteval.metrics.lexical.preprocess import TextMetric, Words
from synteval.metrics.lexical.stemmer import stem as porter
from synteval.metrics.options import choice

_WORD = re.compile(r"[a-z0-9]+")
MEASURES = ("precision", "recall", "f")
PrecisionRecall = tuple[float, float]


def f_score(precision: float, recall: float, beta: float) -> float:
    """F, 0 where precision and recall are."""
    divisor = recall + beta**2 * precision
    return (1 + beta**2) * precision * recall / divisor if divisor else 0.0


@dataclass(frozen=True)
class Rouge(TextMetric):
    """What all of ROUGE share: a precision and a recall for each reference, their F, and means."""

    measure: str = "f"
    beta: float = 1.0
    multi_ref: str = "mean"
    stem: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self, "measure", MEASURES)
        choice(self, "multi_ref", ("mean", "best"))
        if not 0 <= self.beta < float("inf"):
            raise OptionError(f"{self.name}:beta={self.beta:g} is not possible; it is 0 or above")

    @property
    def columns(self) -> tuple[str, ...]:
        return (*MEASURES, "segments")

    def pairs(self, chunk: Chunk) -> list[list[PrecisionRecall]]:
        """Precision and recall of every hypothesis against each of its references."""
        raise NotImplementedError

    def statistics(self, chunk: Chunk) -> FloatArray:
        rows = np.ones((len(chunk), 4))
        for row, found in zip(rows, self.pairs(chunk), strict=True):
            row[:3] = self._combined([(p, r, f_score(p, r, self.beta)) for p, r in found])
        return rows

    def _combined(self, triples: Sequence[tuple[float, float, float]]) -> Sequence[float]:
        if self.multi_ref == "best":
            return max(triples, key=lambda triple: triple[2])
        return [sum(values) / len(triples) for values in zip(*triples, strict=True)]

    def score_rows(self, sums: FloatArray, *, segment: bool = False) -> FloatArray:
        return np.asarray(sums[:, MEASURES.index(self.measure)] / np.maximum(sums[:, 3], 1.0))


@lru_cache(maxsize=1 << 14)
def rouge_words(text: str, stem: bool) -> Words:
    """The words of rouge-score, written here because ROUGE-S needs no library and several metrics share them."""
    words = _WORD.findall(text.lower())
    return [porter(word) if len(word) > 3 else word for word in words] if stem else words


class _Tokenizer(NamedTuple):
    """What rouge-score asks for words."""

    stem: bool

    def tokenize(self, text: str) -> Words:
        return rouge_words(text, self.stem)


@dataclass(frozen=True)
class _ScoredByRougeScore(Rouge):
    def _kind(self) -> str:
        """rouge-score's name of the metric."""
        return self.name

    def signature(self, refs: int | str = 1, parser: str | None = None, **more: Any) -> str:
        return super().signature(refs, parser, **more, **{"rouge-score": _version()})

    def pairs(self, chunk: Chunk) -> list[list[PrecisionRecall]]:
        kind = self._kind()
        scorer = _rouge_scorer()([kind], tokenizer=_Tokenizer(self.stem))
        result = []
        for hypothesis, references in zip(chunk.hypothesis_texts, chunk.reference_texts, strict=True):
            scores = [scorer.score(reference, hypothesis)[kind] for reference in references]
            result.append([(float(score.precision), float(score.recall)) for score in scores])
        return result


@dataclass(frozen=True)
class ROUGE1(_ScoredByRougeScore):
    """ROUGE of words."""

    name: ClassVar[str] = "rouge1"

    measure: str = "recall"


@dataclass(frozen=True)
class ROUGE2(ROUGE1):
    """ROUGE of bigrams."""

    name: ClassVar[str] = "rouge2"


@dataclass(frozen=True)
class ROUGE3(ROUGE1):
    """ROUGE of trigrams."""

    name: ClassVar[str] = "rouge3"


@dataclass(frozen=True)
class ROUGE4(ROUGE1):
    """ROUGE of 4-grams."""

    name: ClassVar[str] = "rouge4"


@dataclass(frozen=True)
class ROUGEL(_ScoredByRougeScore):
    """ROUGE of the longest common subsequence."""

    name: ClassVar[str] = "rougeL"

    union: bool = False

    def _kind(self) -> str:
        return "rougeLsum" if self.union else "rougeL"


def _rouge_scorer() -> Any:
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError as error:
        raise NotInstalledError(
            "ROUGE-N and ROUGE-L need rouge-score; install: pip install 'synteval[lexical]'"
        ) from error
    return RougeScorer


@cache
def _version() -> str:
    from importlib.metadata import version

    _rouge_scorer()
    return version("rouge-score")
