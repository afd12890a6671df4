"""The subset-tree kernel of Collins & Duffy (2001), Convolution Kernels for Natural Language.

A fragment of a tree is a node with all its children or none, each of which is again expanded in full or not at all.
The kernel is the dot product of two trees' counts of fragments, found without enumerating them:

    K(T1, T2) = sum over nodes n1 of T1 and n2 of T2 of C(n1, n2)
    C(n1, n2) = 0                                            where the productions (label and child labels) differ
              = decay * product over children i of (1 + C(child_i(n1), child_i(n2)))           otherwise

so a fragment weighs decay ** (number of its productions). A leaf has no production and C = 0. With `single_nodes`
every pair of nodes with one label adds 1: fragments of a single node.

How it is computed: equal subtrees are one subtree with a count. Pairs of subtrees that have one production and meet
in some pair of segments are collected over the whole chunk, numbered once, and evaluated by height, children first.
The number of fragments grows exponentially with the size of a tree, so a kernel is a mantissa and a binary exponent;
where no value leaves the range of floating point, plain arithmetic gives the very same bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from synteval.metrics.clipping import Floats
from synteval.metrics.forest import Forest, Subtrees
from synteval.metrics.interning import intern
from synteval.metrics.layout import Ints

# Beyond this, 1 + x is x to the last bit, and x is kept as mantissa and exponent.
_LARGE = 1000


@dataclass(frozen=True, eq=False)
class Kernels:
    """Kernel values as `mantissas * 2 ** exponents`."""

    mantissas: Floats
    exponents: Ints

    @classmethod
    def of(cls, values: Floats) -> Kernels:
        """Plain numbers."""
        mantissas, exponents = np.frexp(values)
        return cls(mantissas, exponents.astype(np.int64))

    def values(self) -> Floats:
        """Plain numbers; inf beyond the range of floating point."""
        with np.errstate(over="ignore"):
            return np.asarray(np.ldexp(self.mantissas, np.clip(self.exponents, -2000, 2000).astype(np.int32)))

    def __getitem__(self, key: slice | Ints) -> Kernels:
        return Kernels(self.mantissas[key], self.exponents[key])


def cosines(between: Kernels, left: Kernels, right: Kernels) -> Floats:
    """K(l, r) / sqrt(K(l, l) K(r, r)), 0 where a self-kernel is 0."""
    norms = left.mantissas * right.mantissas
    odd = (left.exponents + right.exponents) % 2
    # sqrt(x * x) is x in binary floating point: equal trees have a cosine of exactly 1.
    roots = np.sqrt(np.where(odd == 1, 2 * norms, norms))
    shifts = between.exponents - (left.exponents + right.exponents - odd) // 2
    quotients = np.divide(between.mantissas, roots, out=np.zeros_like(roots), where=roots > 0)
    cosine = np.ldexp(quotients, np.clip(shifts, -2000, 2000).astype(np.int32))
    return np.asarray(np.minimum(cosine, 1.0))


def kernels(forest: Forest, left: Ints, right: Ints, decay: float, single_nodes: bool = False) -> Kernels:
    """The kernel of each pair of segments `left[i]`, `right[i]` of the forest."""
    subtrees = _Subtrees.of(forest)
    pairs, first, second, weights = _joined(subtrees.occurrences, left, right)
    # C is symmetric: a pair of subtrees is known by the smaller and the larger number.
    low, high = np.minimum(first, second), np.maximum(first, second)
    keys = low * subtrees.count + high
    places, count = intern(keys)
    distinct = np.empty(count, dtype=np.int64)
    distinct[places] = keys
    common = _evaluated(subtrees, distinct, decay)
    singles: Floats = np.zeros(len(left))
    if single_nodes:
        nodes = _Occurrences.of(forest.segments, forest.labels, np.arange(forest.bound))
        numbers, _, _, times = _joined(nodes, left, right)
        singles = np.bincount(numbers, weights=times, minlength=len(left)).astype(np.float64)
    return _summed(pairs, weights, common[places], singles)


@dataclass(frozen=True, eq=False)
class _Occurrences:
    """How often an item occurs in a segment, sorted by segment, then by item; only items of one kind are joined."""

    items: Ints
    counts: Ints
    starts: Ints  # of each (segment, kind) in the two arrays above, and their end
    keys: Ints  # segment * bound + kind of each start
    bound: int

    @classmethod
    def of(cls, segments: Ints, items: Ints, kinds: Ints) -> _Occurrences:
        """`kinds[item]` never falls from one item to the next."""
        size, bound = max(len(kinds), 1), int(kinds.max(initial=0)) + 1
        found = np.sort(segments * size + items)
        firsts = _changes(found)
        counts = np.diff(np.append(firsts, len(found)))
        owners, items = np.divmod(found[firsts], size)
        keys = owners * bound + kinds[items]
        starts = _changes(keys)
        return cls(items, counts, np.append(starts, len(keys)), keys[starts], bound)


@dataclass(frozen=True, eq=False)
class _Subtrees:
    """The distinct whole subtrees of more than one node: production, height and children of each."""

    count: int
    productions: Ints
    heights: Ints
    child_starts: Ints
    child_counts: Ints
    children: Ints  # subtree numbers, -1 for a leaf
    occurrences: _Occurrences

    @classmethod
    def of(cls, forest: Forest) -> _Subtrees:
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
            _Occurrences.of(forest.segments[inner], own[inner], productions[order]),
        )


def _changes(values: Ints) -> Ints:
    """Where runs of equal values begin."""
    return np.flatnonzero(np.append(True, values[1:] != values[:-1])) if len(values) else values


def _joined(table: _Occurrences, left: Ints, right: Ints) -> tuple[Ints, Ints, Ints, Floats]:
    """All (pair, item of the left segment, item of the right segment, product of counts) with items of one kind."""
    # The (segment, kind) groups of the left segments, each looked up in the right segment.
    bounds = np.searchsorted(table.keys, np.stack([left, left + 1]) * table.bound)
    pairs, groups = _ranges(bounds[0], bounds[1] - bounds[0])
    wanted = table.keys[groups] + (right - left)[pairs] * table.bound
    found = np.searchsorted(table.keys, wanted)
    hit = np.append(table.keys, -1)[found] == wanted
    pairs, groups, found = pairs[hit], groups[hit], found[hit]
    sizes = np.diff(table.starts)
    # Every item of the one group with every item of the other.
    which, first = _ranges(table.starts[groups], sizes[groups])
    cells, second = _ranges(table.starts[found[which]], sizes[found[which]])
    first, which = first[cells], which[cells]
    weights = (table.counts[first] * table.counts[second]).astype(np.float64)
    return pairs[which], table.items[first], table.items[second], weights


def _ranges(starts: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """The numbers of the ranges, each repeated by its size, and the positions inside all ranges."""
    which = np.repeat(np.arange(len(sizes)), sizes)
    return which, np.arange(len(which)) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)


def _evaluated(subtrees: _Subtrees, distinct: Ints, decay: float) -> Kernels:
    """C for each pair of subtrees, given sorted as low * count + high."""
    low, high = np.divmod(distinct, max(subtrees.count, 1))
    counts = subtrees.child_counts[low]
    parents, one = _ranges(subtrees.child_starts[low], counts)
    other = _ranges(subtrees.child_starts[high], counts)[1]
    one, other = subtrees.children[one], subtrees.children[other]
    productions = np.append(subtrees.productions, -1)
    # Only children that are expanded alike have a C of their own; for the others 1 + C is 1.
    alike = np.flatnonzero((productions[one] == productions[other]) & (one >= 0) & (other >= 0))
    parents, one, other = parents[alike], one[alike], other[alike]
    children = np.searchsorted(distinct, np.minimum(one, other) * subtrees.count + np.maximum(one, other))
    heights = np.maximum(subtrees.heights[low], subtrees.heights[high])
    by_height = np.argsort(heights[parents], kind="stable")
    parents, children = parents[by_height], children[by_height]
    levels = _changes(heights[parents])
    ranges = list(pairwise([*levels.tolist(), len(parents)]))
    plain = _plain_values(len(distinct), parents, children, ranges, decay)
    if np.isfinite(plain).all():
        return Kernels.of(plain)
    return _scaled_values(len(distinct), parents, children, ranges, decay)


def _plain_values(count: int, parents: Ints, children: Ints, ranges: Sequence[tuple[int, int]], decay: float) -> Floats:
    values = np.full(count, decay)
    with np.errstate(over="ignore"):
        for start, end in ranges:
            above = parents[start:end]
            firsts = _changes(above)
            factors = 1 + values[children[start:end]]
            values[above[firsts]] = decay * np.multiply.reduceat(factors, firsts)
    return values


def _scaled_values(
    count: int, parents: Ints, children: Ints, ranges: Sequence[tuple[int, int]], decay: float
) -> Kernels:
    """The same with mantissas and exponents, one child at a time so that no product overflows."""
    mantissa, exponent = np.frexp(np.full(count, decay))
    exponents = exponent.astype(np.int64)
    for start, end in ranges:
        above, below = parents[start:end], children[start:end]
        firsts = _changes(above)
        sizes = np.diff(np.append(firsts, end - start))
        longest_first = np.argsort(-sizes, kind="stable")
        firsts, sizes = firsts[longest_first], sizes[longest_first]
        product, power = np.full(len(firsts), 0.5), np.ones(len(firsts), dtype=np.int64)
        for position in range(int(sizes[0])):
            longer = int(np.searchsorted(-sizes, -position))
            child = below[firsts[:longer] + position]
            small = np.ldexp(mantissa[child], np.minimum(exponents[child], _LARGE).astype(np.int32))
            factor, shift = np.frexp(1 + small)
            step, more = np.frexp(product[:longer] * factor)
            product[:longer] = step
            power[:longer] += more + np.where(exponents[child] > _LARGE, exponents[child] - _LARGE, 0) + shift
        step, more = np.frexp(decay * product)
        mantissa[above[firsts]], exponents[above[firsts]] = step, power + more
    return Kernels(mantissa, exponents)


def _summed(pairs: Ints, weights: Floats, values: Kernels, singles: Floats) -> Kernels:
    """The sums of the weighted values of each pair, and its single nodes."""
    count = len(singles)
    if values.exponents.max(initial=0) < _LARGE - 60:
        return Kernels.of(np.bincount(pairs, weights=weights * values.values(), minlength=count) + singles)
    tops = np.zeros(count, dtype=np.int64)
    np.maximum.at(tops, pairs, values.exponents)
    shifts = np.maximum(values.exponents - tops[pairs], -2000).astype(np.int32)
    sums = np.bincount(pairs, weights=weights * np.ldexp(values.mantissas, shifts), minlength=count)
    mantissas, exponents = np.frexp(sums + np.ldexp(singles, np.maximum(-tops, -2000).astype(np.int32)))
    return Kernels(mantissas, exponents + tops)


def kernels_directly(
    subtrees: Subtrees, left: Sequence[int], right: Sequence[int], decay: float, single_nodes: bool = False
) -> list[float]:
    """The same for a few small segments; inf where a value leaves the range of floating point."""
    labels, parts = subtrees.labels, subtrees.parts
    # C of every subtree with all those of its production. Parts come before the whole, so their values are there.
    common: list[dict[int, float]] = []
    alike: dict[Hashable, list[int]] = {}
    for number, below in enumerate(parts):
        own: dict[int, float] = {}
        common.append(own)
        if below:
            group = alike.setdefault((labels[number], *[labels[part] for part in below]), [])
            group.append(number)
            for other in group:
                value = decay
                for p, q in zip(below, parts[other], strict=True):
                    value *= 1 + common[p].get(q, 0.0)
                own[other] = common[other][number] = value
    totals = []
    for one, other in zip(left, right, strict=True):
        total, counts = 0.0, subtrees.occurrences[other]
        for number, times in subtrees.occurrences[one].items():
            for partner, value in common[number].items():
                if partner in counts:
                    total += times * counts[partner] * value
        totals.append(total)
    if single_nodes:
        nodes = [Counter(dict.fromkeys(labels, 0)) for _ in subtrees.occurrences]
        for counter, occurrences in zip(nodes, subtrees.occurrences, strict=True):
            for number, times in occurrences.items():
                counter[labels[number]] += times
        for place, (one, other) in enumerate(zip(left, right, strict=True)):
            totals[place] += sum([times * nodes[other][label] for label, times in nodes[one].items()])
    return totals
