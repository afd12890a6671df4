"""Levenshtein distances between word sequences, many pairs at a time.

The row of the dynamic programme is one array over all cells and all pairs of a group. What runs along the row,
    row[j] = min(above[j] + 1, above[j-1] + differs, row[j-1] + 1),
is a running minimum once j is subtracted: row[j] - j = min over i <= j of (candidate[i] - i).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

# Pairs a group: of like length, as they are sorted, so that little is padding.
GROUP = 64


def distances(hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]]) -> list[list[int]]:
    """The distance of every hypothesis from each of its references."""
    numbers: dict[str, int] = {}

    def encode(words: Sequence[str]) -> npt.NDArray[np.int32]:
        return np.array([numbers.setdefault(word, len(numbers)) for word in words], dtype=np.int32)

    left, right = [], []
    for words, others in zip(hypotheses, references, strict=True):
        code = encode(words)
        for other in others:
            left.append(code)
            right.append(encode(other))
    found = iter(_pairs(left, right))
    return [[next(found) for _ in others] for others in references]


def _pairs(left: list[npt.NDArray[np.int32]], right: list[npt.NDArray[np.int32]]) -> list[int]:
    order = sorted(range(len(left)), key=lambda pair: (len(right[pair]), len(left[pair])))
    result = [0] * len(left)
    for start in range(0, len(order), GROUP):
        group = order[start : start + GROUP]
        for pair, distance in zip(group, _group([left[p] for p in group], [right[p] for p in group]), strict=True):
            result[pair] = distance
    return result


def _group(left: list[npt.NDArray[np.int32]], right: list[npt.NDArray[np.int32]]) -> list[int]:
    heights = np.array([len(words) for words in left])
    widths = np.array([len(words) for words in right])
    # Padding equals no word of the other side.
    rows, columns = _padded(left, -1), _padded(right, -2)
    index = np.arange(columns.shape[1] + 1)
    above = np.broadcast_to(index, (len(left), len(index))).astype(np.int32)
    result = np.where(heights == 0, widths, 0)
    for height in range(1, rows.shape[1] + 1):
        row = above + 1
        diagonal = above[:, :-1] + (columns != rows[:, height - 1, None])
        np.minimum(row[:, 1:], diagonal, out=row[:, 1:])
        above = np.minimum.accumulate(row - index, axis=1) + index
        done = np.flatnonzero(heights == height)
        result[done] = above[done, widths[done]]
    return [int(value) for value in result]


def _padded(sequences: list[npt.NDArray[np.int32]], filling: int) -> npt.NDArray[np.int32]:
    table = np.full((len(sequences), max(len(sequence) for sequence in sequences)), filling, dtype=np.int32)
    for line, sequence in zip(table, sequences, strict=True):
        line[: len(sequence)] = sequence
    return table
