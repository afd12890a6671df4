"""Exact CKY over span scores, for many sentences of one length at once.

The score of a tree is the sum of its nodes' label scores; a node of the binary tree may have no label (score 0) and
then vanishes, so trees of any arity are reached (Stern et al. 2017). Only additions and comparisons of one
sentence's own scores are made: the trees do not depend on which sentences share the batch.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def best_splits(scores: NDArray[np.float32]) -> NDArray[np.int32]:
    """The best split point of every span, from scores[sentence, start, end] with fenceposts 0..n.

    A chart of sentences shorter than n is filled past their ends; what is inside a sentence is not touched by that.
    """
    count, posts = scores.shape[:2]
    n = posts - 1
    # One copy of the chart by (start, width) and one by (end, width), so that the two sides of all splits of all
    # spans of a width are plain slices.
    by_start = np.zeros((count, posts, posts), np.float32)
    by_end = np.zeros((count, posts, posts), np.float32)
    splits = np.zeros((count, posts, posts), np.int32)
    starts = np.arange(n)
    by_start[:, starts, 1] = by_end[:, starts + 1, n - 1] = scores[:, starts, starts + 1]
    for width in range(2, n + 1):
        starts = np.arange(n - width + 1)
        # by_end is stored by descending width, so that both slices run in the order of the split point.
        sums = by_start[:, : n - width + 1, 1:width] + by_end[:, width:, n - width + 1 : n]
        best = sums.argmax(axis=2)
        total = np.take_along_axis(sums, best[:, :, None], axis=2)[:, :, 0] + scores[:, starts, starts + width]
        by_start[:, starts, width] = by_end[:, starts + width, n - width] = total
        splits[:, starts, starts + width] = best + starts + 1
    return splits


def read_tree(splits: list[list[int]], scores: list[list[float]], length: int) -> list[tuple[int, int]]:
    """The constituents (start, end) of one sentence in preorder: the spans of the best tree that score above 0.

    The whole sentence is a constituent always.
    """
    found = []
    stack = [(0, length)]
    while stack:
        span = stack.pop()
        start, end = span
        if scores[start][end] > 0 or end - start == length:
            found.append(span)
        if end - start > 1:
            split = splits[start][end]
            stack.append((split, end))
            stack.append((start, split))
    return found
