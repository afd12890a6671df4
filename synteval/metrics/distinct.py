"""Equal subtrees as one: the whole subtrees of a forest, how often a segment has each, and what two segments share."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from synteval.metrics.clipping import Floats
from synteval.metrics.forest import Forest
from synteval.metrics.layout import Ints


@dataclass(frozen=True, eq=False)
class Occurrences:
    """How often an item occurs in a segment, sorted by segment, then by item; only items of one kind are joined."""

    items: Ints
    counts: Ints
    starts: Ints  # of each (segment, kind) in the two arrays above, and their end
    keys: Ints  # segment * bound + kind of each start
    bound: int

    @classmethod
    def of(cls, segments: Ints, items: Ints, kinds: Ints) -> Occurrences:
        """`kinds[item]` never falls from one item to the next."""
        size, bound = max(len(kinds), 1), int(kinds.max(initial=0)) + 1
        found = np.sort(segments * size + items)
        firsts = changes(found)
        counts = np.diff(np.append(firsts, len(found)))
        owners, items = np.divmod(found[firsts], size)
        keys = owners * bound + kinds[items]
        starts = changes(keys)
        return cls(items, counts, np.append(starts, len(keys)), keys[starts], bound)

    def joined_sizes(self, left: Ints, right: Ints) -> Floats:
        """For each pair of segments how many pairs of items of one kind they have."""
        pairs, groups, found = common_groups(self, left, right)
        sizes = np.diff(self.starts)
        joined = np.bincount(pairs, weights=sizes[groups] * sizes[found], minlength=len(left))
        return joined.astype(np.float64)

    def of_segment(self, segment: int) -> tuple[Ints, Ints]:
        """The items of a segment and their counts."""
        first, last = np.searchsorted(self.keys, [segment * self.bound, (segment + 1) * self.bound])
        items = slice(self.starts[first], self.starts[last])
        return self.items[items], self.counts[items]


@dataclass(frozen=True, eq=False)
class DistinctSubtrees:
    """The distinct whole subtrees of more than one node: production, height and children of each."""

    count: int
    productions: Ints
    heights: Ints
    child_starts: Ints
    child_counts: Ints
    children: Ints  # subtree numbers, -1 for a leaf
    occurrences: Occurrences

    @classmethod
    def of(cls, forest: Forest) -> DistinctSubtrees:
        inner = forest.inner
        # Leaves keep their labels; a taller subtree is numbered from those of its children.
        numbers, bound = forest.labels.copy(), forest.bound
        heights = forest.heights[inner]
        by_height = inner[np.argsort(heights, kind="stable")]
        ends = np.cumsum(np.bincount(heights, minlength=2)).tolist()
        for start, end in pairwise(ends[1:]):
            nodes = by_height[start:end]
            found, count = forest.rewritten(nodes, numbers, bound)
            numbers[nodes] = found + bound
            bound += count
        # Numbered anew, so that subtrees with one production stand together.
        count = bound - forest.bound
        productions = np.empty(count, dtype=np.int64)
        productions[numbers[inner] - forest.bound] = forest.productions[0]
        order = np.argsort(productions, kind="stable")
        ranks = np.empty(count, dtype=np.int64)
        ranks[order] = np.arange(count)
        own = np.full(len(numbers), -1)
        own[inner] = ranks[numbers[inner] - forest.bound]
        examples = np.empty(count, dtype=np.int64)
        examples[own[inner]] = inner
        return cls(
            count,
            productions[order],
            forest.heights[examples],
            forest.child_starts[examples],
            forest.child_counts[examples],
            own[forest.children],
            Occurrences.of(forest.segments[inner], own[inner], productions[order]),
        )


def changes(values: Ints) -> Ints:
    """Where runs of equal values begin."""
    return np.flatnonzero(np.append(True, values[1:] != values[:-1])) if len(values) else values


def common_groups(table: Occurrences, left: Ints, right: Ints) -> tuple[Ints, Ints, Ints]:
    """All (pair, group of the left segment, group of the right segment) of one kind."""
    bounds = np.searchsorted(table.keys, np.stack([left, left + 1]) * table.bound)
    pairs, groups = ranges_of(bounds[0], bounds[1] - bounds[0])
    wanted = table.keys[groups] + (right - left)[pairs] * table.bound
    found = np.searchsorted(table.keys, wanted)
    hit = np.append(table.keys, -1)[found] == wanted
    return pairs[hit], groups[hit], found[hit]


def joined_items(table: Occurrences, left: Ints, right: Ints) -> tuple[Ints, Ints, Ints, Floats]:
    """All (pair, item of the left segment, item of the right segment, product of counts) with items of one kind."""
    pairs, groups, found = common_groups(table, left, right)
    sizes = np.diff(table.starts)
    # Every item of the one group with every item of the other.
    which, first = ranges_of(table.starts[groups], sizes[groups])
    cells, second = ranges_of(table.starts[found[which]], sizes[found[which]])
    first, which = first[cells], which[cells]
    weights = (table.counts[first] * table.counts[second]).astype(np.float64)
    return pairs[which], table.items[first], table.items[second], weights


def ranges_of(starts: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """The numbers of the ranges, each repeated by its size, and the positions inside all ranges."""
    which = np.repeat(np.arange(len(sizes)), sizes)
    return which, np.arange(len(which)) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
