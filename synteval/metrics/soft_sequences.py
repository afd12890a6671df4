"""The extended string subsequence kernel with vectors for senses: `esk:senses=vectors`.

The kernel is that of `subsequence_kernel`, but what two nodes share is

    val(t, u) = [t and u are the same word] + sim(t, u)

with the similarity of their vectors (above chance, `similarity`) in place of the number of common senses. With
similarities of 0 and 1 that is ESK with one sense a word. Values are no longer sparse, so the decayed sums are products
with matrices of decays:

    K_m = val * (D K_{m-1} D'),   D[i, i'] = decay ** (i - i' - 1) for i' < i, else 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from synteval.metrics.similarity import Floats, WordVectors, above_chance


def soft_kernels(
    words: Sequence[Sequence[str]],
    vectors: Sequence[WordVectors],
    left: Sequence[int],
    right: Sequence[int],
    d: int,
    decay: float,
) -> Floats:
    """The kernel of every pair (left[p], right[p]) of sequences of words with vectors."""
    index: dict[str, int] = {}
    codes = [np.array([index.setdefault(word, len(index)) for word in sequence]) for sequence in words]
    return np.array(
        [
            soft_kernel(np.equal.outer(codes[i], codes[j]) + above_chance(vectors[i], vectors[j]), d, decay)
            for i, j in zip(left, right, strict=True)
        ]
    )


def soft_kernel(value: Floats, d: int, decay: float) -> float:
    """The kernel of two sequences from the value of each pair of their nodes."""
    if not value.size:
        return 0.0
    before, before_other = _decays(len(value), decay), _decays(value.shape[1], decay)
    kernel = value
    total = float(kernel.sum())
    for _ in range(1, d):
        kernel = value * (before @ kernel @ before_other.T)
        total += float(kernel.sum())
    return total


@lru_cache(maxsize=128)
def _decays(size: int, decay: float) -> Floats:
    positions = np.arange(size)
    gaps = positions[:, None] - positions[None, :] - 1
    return np.where(gaps >= 0, np.power(float(decay), np.maximum(gaps, 0)), 0.0)
