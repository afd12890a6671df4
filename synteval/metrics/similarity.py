"""How alike two words are: the cosine of their vectors, at least 0.

Vectors are 8-bit integers, so dot products are exact, and a word has similarity 1 with itself, to the last bit. With
vectors of one component each (one-hot) similarity is equality, 1 or 0, and soft metrics are their exact versions.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from synteval.errors import MissingLayerError
from synteval.metrics.base import Chunk
from synteval.metrics.layout import Layout
from synteval.structures import Segment

# What the best partner of a word in an unrelated sentence reaches on average, with the shipped vectors.
CHANCE = 0.4

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]


class WordVectors:
    """The vectors of all words of a segment, with their squared lengths."""

    __slots__ = ("lengths", "rows")

    rows: Singles
    lengths: Floats

    def __init__(self, rows: npt.NDArray[np.generic]) -> None:
        # Sums of 8-bit products stay below 2 ** 24 for 1,040 components: exact in single precision.
        self.rows = rows.astype(np.float32)
        self.lengths = np.einsum("ij,ij->i", self.rows, self.rows).astype(np.float64)

    @classmethod
    def of(cls, segment: Segment) -> WordVectors:
        """Of a segment whose sentences have the layer."""
        rows = []
        for sentence in segment:
            if sentence.vectors is None:
                raise MissingLayerError("a sentence has no token vectors; give text, or parses that went through them")
            if len(sentence):
                rows.append(sentence.vectors)
        return cls(np.concatenate(rows) if rows else np.zeros((0, 0), np.int8))

    def __len__(self) -> int:
        return len(self.rows)


def similarities(one: WordVectors, other: WordVectors) -> Floats:
    """The similarity of every word of one segment (rows) with every word of another (columns)."""
    if not len(one) or not len(other):
        return np.zeros((len(one), len(other)))
    # The root of a product of equals is exact: words with one vector have similarity 1.
    norms = np.sqrt(np.multiply.outer(one.lengths, other.lengths))
    cosines: Floats = np.divide(one.rows @ other.rows.T, norms, out=np.zeros(norms.shape), where=norms > 0)
    np.clip(cosines, 0.0, 1.0, out=cosines)
    return cosines


def above_chance(one: WordVectors, other: WordVectors) -> Floats:
    """The similarity as soft structure counts it: what any word finds by chance is 0.

    Structures pair everything with something, or add up over all pairs, so that small similarities of unrelated words
    would count as much as a match.
    """
    alike = similarities(one, other)
    return np.maximum(alike - CHANCE, 0.0) / (1 - CHANCE)


def vectors_of(chunk: Chunk) -> list[WordVectors]:
    """The vectors of each segment of a chunk, hypotheses first, made once for all metrics."""
    return chunk.shared("vectors", lambda: [WordVectors.of(segment) for segment in Layout.of(chunk).segments])


def assigned(alike: Floats) -> float:
    """The largest sum of similarities when every row has at most one column and every column at most one row."""
    if not alike.size:
        return 0.0
    from scipy.optimize import linear_sum_assignment

    return float(alike[linear_sum_assignment(alike, maximize=True)].sum())
