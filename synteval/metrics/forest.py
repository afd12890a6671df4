"""A forest in arrays: all trees of a chunk's segments, whatever they are trees of.

Several sentences of a segment stand side by side. A root that joins them would never be counted, so there is none.
`Forest` is for chunks; `Nodes` is one segment in plain lists, for the direct path of a few small segments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from synteval.metrics.interning import intern_sequences
from synteval.metrics.layout import Ints


@dataclass(frozen=True, eq=False)
class Forest:
    """Nodes, segment by segment: the number of a label, a parent (-1 for a root) and a segment each.

    Labels are < `bound`. Children of a node are in the order of their `ranks`, or of their positions where it is None.
    """

    labels: Ints
    parents: Ints
    segments: Ints
    bound: int
    ranks: Ints | None = None

    @cached_property
    def levels(self) -> list[Ints]:
        """`levels[n - 1]`: the nodes of height n or more, a leaf having height 1."""
        levels = [np.arange(len(self.parents))]
        is_parent = np.zeros(len(self.parents), dtype=bool)
        while len(levels[-1]):
            parents = self.parents[levels[-1]]
            is_parent[parents[parents >= 0]] = True
            # All that is left to scan are the nodes of the level below: heights fall along no path upwards.
            level = levels[-1][is_parent[levels[-1]]]
            is_parent[level] = False
            levels.append(level)
        return levels[:-1]

    @cached_property
    def heights(self) -> Ints:
        """The height of every node in levels."""
        heights = np.zeros(len(self.parents), dtype=np.int64)
        for height, nodes in enumerate(self.levels, start=1):
            heights[nodes] = height
        return heights

    @cached_property
    def child_counts(self) -> Ints:
        """The number of children of every node."""
        return np.bincount(self.parents[self.parents >= 0], minlength=len(self.parents))

    @cached_property
    def child_starts(self) -> Ints:
        """Where in `children` those of a node begin."""
        return np.cumsum(self.child_counts) - self.child_counts

    @cached_property
    def children(self) -> Ints:
        """The children of the first node in order, then those of the second, and so on."""
        count = len(self.parents)
        inner = np.flatnonzero(self.parents >= 0)
        children = np.sort(self.parents[inner] * count + inner) % max(count, 1)
        return children if self.ranks is None else self._sorted(children, self.ranks)

    @cached_property
    def productions(self) -> tuple[Ints, int]:
        """Numbers of label and child labels for the inner nodes, and how many different ones there are."""
        return self.rewritten(self.inner, self.labels, self.bound)

    @property
    def inner(self) -> Ints:
        """The nodes that have children."""
        return self.levels[1] if len(self.levels) > 1 else np.zeros(0, dtype=np.int64)

    def rewritten(self, nodes: Ints, values: Ints, bound: int, ordered: bool = True) -> tuple[Ints, int]:
        """Numbers of label and values of the children (all < `bound`) for these nodes, and how many there are."""
        children = self.children if ordered else self._sorted(self.children, values)
        return intern_sequences(
            self.labels[nodes], self.child_starts[nodes], self.child_counts[nodes], children, values, bound
        )

    def _sorted(self, children: Ints, values: Ints) -> Ints:
        """The children of each node sorted by their values."""
        return children[np.lexsort((values[children], self.parents[children]))]

    def canonical(self) -> Forest:
        """The forest with siblings in canonical order; labels must be numbered in the order of their strings."""
        ends = np.cumsum(self.child_counts).tolist()
        children = self.children.tolist()
        lists = [children[start:end] for start, end in zip(self.child_starts.tolist(), ends, strict=True)]
        ranks = canonical_ranks(self.labels.tolist(), lists, self.heights.tolist())
        return Forest(self.labels, self.parents, self.segments, self.bound, np.array(ranks, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Nodes:
    """One segment in lists: a label and a parent (-1 for a root) for every node.

    `upwards` has all nodes, children before their parents and siblings from last to first.
    """

    labels: Sequence[Hashable]
    parents: list[int]
    upwards: Sequence[int]

    @cached_property
    def children(self) -> list[list[int]]:
        """The children of every node, in order."""
        children: list[list[int]] = [[] for _ in self.labels]
        for node in reversed(self.upwards):
            if self.parents[node] >= 0:
                children[self.parents[node]].append(node)
        return children

    @cached_property
    def heights(self) -> list[int]:
        """The height of every node in levels."""
        heights = [1] * len(self.labels)
        for node in self.upwards:
            parent = self.parents[node]
            if parent >= 0 and heights[parent] <= heights[node]:
                heights[parent] = heights[node] + 1
        return heights

    def canonical(self) -> Nodes:
        """The segment with siblings in canonical order."""
        ranks = canonical_ranks(self.labels, self.children, self.heights)
        downwards = [node for node, parent in enumerate(self.parents) if parent < 0]
        for node in downwards:
            downwards += sorted(self.children[node], key=ranks.__getitem__)
        return Nodes(self.labels, self.parents, downwards[::-1])


@dataclass(frozen=True, eq=False)
class Subtrees:
    """The distinct whole subtrees of a few segments: label, children and height of each, children before parents.

    `occurrences` says for every segment how often it has which subtree.
    """

    labels: list[Hashable]
    parts: list[list[int]]
    heights: list[int]
    occurrences: list[Counter[int]]

    @classmethod
    def of(cls, segments: Sequence[Nodes]) -> Subtrees:
        """Number the subtrees of the segments."""
        index: dict[Hashable, int] = {}
        found = cls([], [], [], [])
        parts, heights = found.parts, found.heights
        for nodes in segments:
            labels, parents = nodes.labels, nodes.parents
            numbers = []
            waiting: dict[int, list[int]] = {}  # the children of a node, the last first
            for node in nodes.upwards:
                label, below = labels[node], waiting.get(node)
                number = index.setdefault((label, *below) if below else label, len(index))
                numbers.append(number)
                if number == len(parts):
                    parts.append(below[::-1] if below else [])
                    found.labels.append(label)
                    heights.append(1 + max([heights[part] for part in below]) if below else 1)
                parent = parents[node]
                if parent in waiting:
                    waiting[parent].append(number)
                else:
                    waiting[parent] = [number]
            found.occurrences.append(Counter(numbers))
        return found


def canonical_ranks(labels: Sequence[Any], children: Sequence[Sequence[int]], heights: Sequence[int]) -> list[int]:
    """Ranks that order siblings by label, then height, then their own children in this order.

    Two trees that differ in the order of siblings alone are the same once sorted, and the order of two subtrees does
    not depend on what else is in the forest.
    """
    by_height: dict[int, list[int]] = {}
    for node, height in enumerate(heights):
        by_height.setdefault(height, []).append(node)
    keys: list[tuple[Any, int, int]] = [(label, 0, 0) for label in labels]
    for height in sorted(by_height):
        nodes = by_height[height]
        shapes = [(labels[node], sorted([keys[child] for child in children[node]])) for node in nodes]
        place = -1
        last: object = None
        for shape, node in sorted(zip(shapes, nodes, strict=True)):
            place += shape != last
            keys[node], last = (labels[node], height, place), shape
    ranks = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    return [ranks[key] for key in keys]
