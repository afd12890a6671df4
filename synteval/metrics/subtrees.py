"""Subtrees of a given depth: what STM and DSTM count.

The subtree of depth n at a node is what hangs from it, cut after n levels; it exists only where some path really has
n levels. A branch that ends earlier is kept as it is. So a node of height h has one subtree of every depth up to h.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np

from synteval.metrics.forest import Forest, Nodes
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


def cut_subtrees_directly(segments: Sequence[Nodes], depth: int, ordered: bool = True) -> list[list[Counter[Hashable]]]:
    """For every segment a counter of the subtrees of each depth."""
    index: dict[Hashable, int] = {}
    found = []
    for nodes in segments:
        labels, children, heights = nodes.labels, nodes.children, nodes.heights
        current: list[int] = [index.setdefault(label, len(index)) for label in labels]
        counters: list[Counter[Hashable]] = [Counter(current)]
        level = [node for node, height in enumerate(heights) if height > 1]
        base = current
        for number in range(2, depth + 1):
            level = [node for node in level if heights[node] >= number]
            deeper = []
            for node in level:
                below = [current[child] for child in children[node]]
                key = (base[node], *(below if ordered else sorted(below)))
                deeper.append(index.setdefault(key, len(index)))
            current = current.copy()
            for node, subtree in zip(level, deeper, strict=True):
                current[node] = subtree
            counters.append(Counter(deeper))
        found.append(counters)
    return found
