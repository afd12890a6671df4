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
from itertools import pairwise

import numpy as np

from synteval.metrics.clipping import Floats
from synteval.metrics.distinct import DistinctSubtrees, Occurrences, changes, joined_items, ranges_of
from synteval.metrics.forest import Forest, Subtrees
from synteval.metrics.interning import intern
from synteval.metrics.large_kernel import LargeSegments, same_labels
from synteval.metrics.layout import Ints
from synteval.metrics.scaled import LARGE, Kernels, sums

# Pairs of subtrees that are looked at together: bounds memory where large segments have much in common.
BLOCK = 2_000_000


def kernels(forest: Forest, left: Ints, right: Ints, decay: float, single_nodes: bool = False) -> Kernels:
    """The kernel of each pair of segments `left[i]`, `right[i]` of the forest."""
    subtrees = DistinctSubtrees.of(forest)
    nodes = Occurrences.of(forest.segments, forest.labels, np.arange(forest.bound)) if single_nodes else None
    table = subtrees.occurrences
    joined = table.joined_sizes(left, right)
    if joined.sum() <= BLOCK:
        return _block(subtrees, nodes, left, right, decay)
    mantissas, exponents = np.zeros(len(left)), np.zeros(len(left), dtype=np.int64)
    common = LargeSegments(subtrees, decay)
    for start, end in _blocks(joined):
        part = (subtrees, nodes, left[start:end], right[start:end])
        values = _block(*part, decay) if joined[start:end].sum() <= BLOCK else common.kernels(*part[1:])
        mantissas[start:end], exponents[start:end] = values.mantissas, values.exponents
    return Kernels(mantissas, exponents)


def _block(subtrees: DistinctSubtrees, nodes: Occurrences | None, left: Ints, right: Ints, decay: float) -> Kernels:
    pairs, first, second, weights = joined_items(subtrees.occurrences, left, right)
    # C is symmetric: a pair of subtrees is known by the smaller and the larger number.
    low, high = np.minimum(first, second), np.maximum(first, second)
    keys = low * subtrees.count + high
    places, count = intern(keys)
    distinct = np.empty(count, dtype=np.int64)
    distinct[places] = keys
    common = _evaluated(subtrees, distinct, decay)
    return sums(pairs, weights, common[places], same_labels(nodes, left, right))


def _blocks(joined: Floats) -> list[tuple[int, int]]:
    """Ranges of pairs that have at most BLOCK subtrees to join, or that are a single pair."""
    ends, full = [0], 0.0
    for pair, size in enumerate(joined.tolist()):
        full += size
        if full > BLOCK and pair > ends[-1]:
            ends.append(pair)
            full = size
    return list(pairwise([*ends, len(joined)]))


def _evaluated(subtrees: DistinctSubtrees, distinct: Ints, decay: float) -> Kernels:
    """C for each pair of subtrees, given sorted as low * count + high."""
    low, high = np.divmod(distinct, max(subtrees.count, 1))
    counts = subtrees.child_counts[low]
    parents, one = ranges_of(subtrees.child_starts[low], counts)
    other = ranges_of(subtrees.child_starts[high], counts)[1]
    one, other = subtrees.children[one], subtrees.children[other]
    productions = np.append(subtrees.productions, -1)
    # Only children that are expanded alike have a C of their own; for the others 1 + C is 1.
    alike = np.flatnonzero((productions[one] == productions[other]) & (one >= 0) & (other >= 0))
    parents, one, other = parents[alike], one[alike], other[alike]
    children = np.searchsorted(distinct, np.minimum(one, other) * subtrees.count + np.maximum(one, other))
    heights = np.maximum(subtrees.heights[low], subtrees.heights[high])
    by_height = np.argsort(heights[parents], kind="stable")
    parents, children = parents[by_height], children[by_height]
    levels = changes(heights[parents])
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
            firsts = changes(above)
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
        firsts = changes(above)
        sizes = np.diff(np.append(firsts, end - start))
        longest_first = np.argsort(-sizes, kind="stable")
        firsts, sizes = firsts[longest_first], sizes[longest_first]
        product, power = np.full(len(firsts), 0.5), np.ones(len(firsts), dtype=np.int64)
        for position in range(int(sizes[0])):
            longer = int(np.searchsorted(-sizes, -position))
            child = below[firsts[:longer] + position]
            small = np.ldexp(mantissa[child], np.minimum(exponents[child], LARGE).astype(np.int32))
            factor, shift = np.frexp(1 + small)
            step, more = np.frexp(product[:longer] * factor)
            product[:longer] = step
            power[:longer] += more + np.where(exponents[child] > LARGE, exponents[child] - LARGE, 0) + shift
        step, more = np.frexp(decay * product)
        mantissa[above[firsts]], exponents[above[firsts]] = step, power + more
    return Kernels(mantissa, exponents)


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
