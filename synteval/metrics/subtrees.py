"""Subtrees of a given depth: what STM and DSTM count.

The subtree of depth n at a node is what hangs from it, cut after n levels; it exists only where some path really has
n levels. A branch that ends earlier is kept as it is. So a node of height h has one subtree of every depth up to h.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from synteval.metrics.forest import Forest, Subtrees
from synteval.metrics.layout import Ints


def cut_subtrees(forest: Forest, depth: int, ordered: bool = True) -> list[tuple[Ints, Ints]]:
    """For depths 1..`depth` the segment and the number of every subtree."""
    found = [(forest.segments, forest.labels)]
    # The number of each node's subtree, as deep as it has been followed; numbers of different depths differ.
    current, bound = forest.labels.copy(), forest.bound
    for level in range(1, depth):
        nodes = forest.levels[level] if level < len(forest.levels) else np.zeros(0, dtype=np.int64)
        if level == 1 and ordered:
            numbers, count = forest.productions
        else:
            numbers, count = forest.rewritten(nodes, current, bound, ordered)
        current[nodes] = numbers + bound
        bound += count
        found.append((forest.segments[nodes], numbers))
    return found


def cut_subtrees_directly(subtrees: Subtrees, depth: int, ordered: bool = True) -> list[list[dict[Hashable, int]]]:
    """For every segment and depth how often it has which subtree."""
    labels, parts, heights = subtrees.labels, subtrees.parts, subtrees.heights
    index: dict[Hashable, int] = {}
    current = [index.setdefault(label, len(index)) for label in labels]
    found: list[list[dict[Hashable, int]]] = [[] for _ in subtrees.occurrences]
    tall: Sequence[int] = range(len(labels))
    for height in range(1, depth + 1):
        if height > 1:
            tall = [number for number in tall if heights[number] >= height]
            number_of, deeper = current.__getitem__, current.copy()
            for number in tall:
                below = map(number_of, parts[number])
                key = (labels[number], tuple(below if ordered else sorted(below)))
                deeper[number] = index.setdefault(key, len(index))
            current = deeper
        for counts, occurrences in zip(found, subtrees.occurrences, strict=True):
            times: dict[Hashable, int] = {}
            for number in tall:
                if number in occurrences:
                    times[current[number]] = times.get(current[number], 0) + occurrences[number]
            counts.append(times)
    return found
