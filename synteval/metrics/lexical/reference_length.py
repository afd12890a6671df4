"""The length of "the" reference where there are several (Leusch et al. 2005, section 3.3).

average     the mean length (NIST)
closest     the length closest to the candidate's, of two the shorter (BLEU)
nearest     the mean length of the references at the least distance ("average nearest-sentence length")
best        the length of the reference with the least *relative* error; its distance is then the one that counts,
            although another reference may be nearer in absolute terms
shortest    the least length

For a candidate of 5 words and references of 4, 6 and 9 words, the second of them nearest: 6.33, 4, 6, 6, 4.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

REFERENCE_LENGTH = ("average", "closest", "nearest", "best", "shortest")

# These methods compare the words; the others need the lengths alone.
NEEDS_DISTANCE = frozenset({"nearest", "best"})


def reference_length(method: str, length: int, lengths: Sequence[int], distances: Sequence[float] = ()) -> float:
    """The reference length of a candidate of `length` words; `distances[i]` is its distance from reference `i`."""
    if method == "average":
        return sum(lengths) / len(lengths)
    if method == "closest":
        return min(lengths, key=lambda other: (abs(other - length), other))
    if method == "shortest":
        return min(lengths)
    if method == "nearest":
        least = min(distances)
        near = [other for other, distance in zip(lengths, distances, strict=True) if distance == least]
        return sum(near) / len(near)
    return best(lengths, distances)[1]


def distance_and_length(
    method: str, length: int, lengths: Sequence[int], distances: Sequence[float]
) -> tuple[float, float]:
    """The distance and the reference length that enter an error rate."""
    if method == "best":
        return best(lengths, distances)
    return min(distances), reference_length(method, length, lengths, distances)


def best(lengths: Sequence[int], distances: Sequence[float]) -> tuple[float, int]:
    """Distance and length of the reference with the least relative error; of equal ones the shortest."""
    return min(zip(distances, lengths, strict=True), key=lambda pair: (_relative(*pair), pair[1]))


def _relative(distance: float, length: int) -> float:
    if length:
        return distance / length
    return math.inf if distance else 0.0
