"""wellformed: how well formed a text is, going by the doubts of the parser. It reads no reference.

    score of a sentence = 1 / (1 + exp(-(b + sum over doubts d of w_d d)))

The doubts (`parsing.en.doubts`) are read from the scores behind the embedded parser's parse: how probable the chosen
tags, heads, relations and constituents are, on average and in the worst fifth of the sentence; the entropy among the
alternatives; spans that score high but fit into no tree; labels and relations for what is no syntax; relations between
words that seldom have them (`parsing.en.agreement`); constituents that have several heads, going by the dependencies.
All are means, so that long sentences are not worse for being long. The weights (models/wellformed/) are those of a
logistic regression that tells sentences from broken copies of themselves (`scripts/train_wellformed.py`). No language
model is involved: unusual words cost nothing, unusual structure does.

The score of a segment is the mean of its sentences' scores, each by its number of words; that of a corpus the mean over
its segments. An empty segment scores 0.

The metric runs the embedded parser itself, whatever parser the run uses, on the text of the hypothesis.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from synteval.metrics.base import Chunk, FloatArray, Metric
from synteval.model_files import ModelFiles

if TYPE_CHECKING:
    from synteval.parsing.en.doubts import Doubts
    from synteval.parsing.en.pipeline import Pipeline


@dataclass(frozen=True)
class WellFormed(Metric):
    """The probability that a sentence is whole, not broken."""

    name: ClassVar[str] = "wellformed"
    reads: ClassVar[Literal["parses", "texts"]] = "texts"
    needs_references: ClassVar[bool] = False

    @property
    def columns(self) -> tuple[str, ...]:
        return ("score", "segments")

    def statistics(self, chunk: Chunk) -> FloatArray:
        pipeline, doubts = _parser()
        words: list[list[str]] = []
        owners: list[int] = []
        for number, text in enumerate(chunk.hypothesis_texts):
            for spans in pipeline.sentences(text):
                words.append([text[start:end] for start, end in spans])
                owners.append(number)
        rows = np.zeros((len(chunk.hypothesis_texts), 2))
        rows[:, 1] = 1
        if words:
            intercept, weights = _weights()
            # Row by row: a product of matrices may round differently in another batch.
            scores = 1 / (1 + np.exp(-(intercept + (doubts.of(words) * weights).sum(axis=1))))
            sizes = np.array([len(sentence) for sentence in words], dtype=np.float64)
            sums = np.bincount(owners, weights=scores * sizes, minlength=len(rows))
            totals = np.bincount(owners, weights=sizes, minlength=len(rows))
            rows[:, 0] = np.divide(sums, totals, out=np.zeros(len(rows)), where=totals > 0)
        return rows

    def score_rows(self, sums: FloatArray, *, segment: bool = False) -> FloatArray:
        return np.divide(sums[:, 0], sums[:, 1], out=np.zeros(len(sums)), where=sums[:, 1] > 0)

    def signature(self, refs: int | str = 1, parser: str | None = None, **more: Any) -> str:
        own, english = _files(), ModelFiles("en")
        doubts = f"en@{english.version}-{english.digest}"
        return super().signature(0, None, weights=f"{own.version}-{own.digest}", doubts=doubts)


def _files() -> ModelFiles:
    return ModelFiles("wellformed")


@lru_cache(maxsize=1)
def _parser() -> tuple[Pipeline, Doubts]:
    from synteval.parsing.en.agreement import PairTable
    from synteval.parsing.en.doubts import Doubts
    from synteval.parsing.en.parser import EnglishParser

    pipeline = EnglishParser().pipeline
    return pipeline, Doubts(pipeline, PairTable(_files().read_json("pairs.json.gz")))


@lru_cache(maxsize=1)
def _weights() -> tuple[float, FloatArray]:
    from synteval.parsing.en.doubts import DOUBTS

    content = _files().read_json("weights.json")
    return content["intercept"], np.array([content["weights"][name] for name in DOUBTS])
