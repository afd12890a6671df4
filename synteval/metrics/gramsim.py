"""GRAMSIM: how alike the distributions of part-of-speech tags are (Amigo et al. 2005, the QARLA paper).

    d(c, r) = Euclidean distance between the relative frequencies of the tags of candidate and reference
    GRAMSIM = 1 / (1 + d)

The paper takes the inverse of the distance, which has no value for equal distributions; 1 / (1 + d) has the same order
and is 1 there. Tags NOUN VERB against NOUN NOUN NOUN VERB: d = sqrt(1/8) = .3536, GRAMSIM = .7388. The largest distance
is sqrt(2), so scores are at least .414, unless candidate or reference is empty, which scores 0.

- `tags`, `upos` (universal tags, 17 classes, any language) or `xpos` (the treebank's own, finer).
- `multi_ref`, `best`: the nearest reference, or `mean`.

The score of a corpus is the mean of the segments' scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from synteval.metrics.base import Chunk, FloatArray, Metric
from synteval.metrics.options import choice
from synteval.structures import Segment


@dataclass(frozen=True)
class GramSim(Metric):
    """Similarity of tag distributions."""

    name: ClassVar[str] = "gramsim"

    tags: str = "upos"
    multi_ref: str = "best"

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self, "tags", ("upos", "xpos"))
        choice(self, "multi_ref", ("best", "mean"))

    @property
    def needs(self) -> frozenset[str]:
        return frozenset({self.tags})

    @property
    def columns(self) -> tuple[str, ...]:
        return ("similarity", "segments")

    def statistics(self, chunk: Chunk) -> FloatArray:
        owners = np.repeat(np.arange(len(chunk.references)), [len(refs) for refs in chunk.references])
        references = [segment for segments in chunk.references for segment in segments]
        shares = self._distributions([*chunk.hypotheses, *references])
        hypothesis, reference = shares[owners], shares[len(chunk.hypotheses) :]
        similarity = 1.0 / (1.0 + np.sqrt(((hypothesis - reference) ** 2).sum(axis=1)))
        # A segment without tokens has no distribution.
        similarity[(hypothesis.sum(axis=1) == 0) | (reference.sum(axis=1) == 0)] = 0.0
        rows = np.zeros((len(chunk.hypotheses), 2))
        rows[:, 1] = 1
        if self.multi_ref == "best":
            np.maximum.at(rows[:, 0], owners, similarity)
        else:
            counts = np.bincount(owners, minlength=len(rows))
            rows[:, 0] = np.bincount(owners, weights=similarity, minlength=len(rows)) / np.maximum(counts, 1)
        return rows

    def _distributions(self, segments: Sequence[Segment]) -> FloatArray:
        """The relative frequency of every tag, one row a segment."""
        index: dict[str, int] = {}
        rows, tags = [], []
        for row, segment in enumerate(segments):
            for sentence in segment:
                column = sentence.upos if self.tags == "upos" else sentence.xpos
                if column is None:
                    self.require(segment)
                    continue
                rows += [row] * len(column)
                tags += [index.setdefault(tag, len(index)) for tag in column]
        counts = np.zeros((len(segments), max(1, len(index))))
        np.add.at(counts, (np.array(rows, dtype=np.int64), np.array(tags, dtype=np.int64)), 1.0)
        shares: FloatArray = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0)
        return shares

    def score_rows(self, sums: FloatArray, *, segment: bool = False) -> FloatArray:
        scores: FloatArray = np.divide(sums[:, 0], sums[:, 1], out=np.zeros(len(sums)), where=sums[:, 1] > 0)
        return scores
