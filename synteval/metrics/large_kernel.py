"""The subset-tree kernel for segments that have very many pairs of subtrees with one production.

A chain of 3,000 equal labels has nine million of them. Here they are not listed: C of one subtree with all others of
its production is one row, found from the rows of its children.
"""

from __future__ import annotations

import numpy as np

from synteval.metrics.clipping import Floats
from synteval.metrics.distinct import DistinctSubtrees, Occurrences, joined_items
from synteval.metrics.layout import Ints
from synteval.metrics.scaled import LARGE, Kernels, sums


def same_labels(nodes: Occurrences | None, left: Ints, right: Ints) -> Floats:
    """How many pairs of nodes with one label the pairs of segments have; 0 where `nodes` is None."""
    if nodes is None:
        return np.zeros(len(left))
    pairs, _, _, times = joined_items(nodes, left, right)
    return np.bincount(pairs, weights=times, minlength=len(left)).astype(np.float64)


class LargeSegments:
    """Kernels of pairs of segments, one at a time; rows are kept for the next pair with the same subtrees."""

    def __init__(self, subtrees: DistinctSubtrees, decay: float) -> None:
        self._subtrees = subtrees
        self._decay = decay
        self._members = np.zeros(0, dtype=np.int64)
        self._rows: dict[int, Kernels] = {}

    def kernels(self, nodes: Occurrences | None, left: Ints, right: Ints) -> Kernels:
        """The kernels of the pairs."""
        found = [self._sum(int(one), int(other)) for one, other in zip(left, right, strict=True)]
        values = Kernels(
            np.array([values.mantissas[0] for values in found]), np.array([values.exponents[0] for values in found])
        )
        return sums(np.arange(len(left)), np.ones(len(left)), values, same_labels(nodes, left, right))

    def _sum(self, one: int, other: int) -> Kernels:
        own, times = self._subtrees.occurrences.of_segment(one)
        others, other_times = self._subtrees.occurrences.of_segment(other)
        members = np.union1d(own, others)
        if not np.array_equal(members, self._members):
            self._members, self._rows = members, self._evaluated(members)
        weights = np.zeros(len(members))
        weights[np.searchsorted(members, others)] = other_times
        groups = self._groups(members)
        parts = []
        for subtree, count in zip(own.tolist(), times.tolist(), strict=True):
            first, last = groups[subtree]
            row = self._rows[subtree]
            parts.append(sums(np.zeros(last - first, dtype=np.int64), count * weights[first:last], row, np.zeros(1)))
        values = Kernels(
            np.array([part.mantissas[0] for part in parts]), np.array([part.exponents[0] for part in parts])
        )
        return sums(np.zeros(len(parts), dtype=np.int64), np.ones(len(parts)), values, np.zeros(1))

    def _groups(self, members: Ints) -> dict[int, tuple[int, int]]:
        """Where in `members` the subtrees with the production of each one are; they stand together."""
        productions = self._subtrees.productions[members]
        firsts = np.searchsorted(productions, productions).tolist()
        lasts = np.searchsorted(productions, productions, side="right").tolist()
        return dict(zip(members.tolist(), zip(firsts, lasts, strict=True), strict=True))

    def _evaluated(self, members: Ints) -> dict[int, Kernels]:
        """C of each subtree with all of its production, children first."""
        subtrees, groups = self._subtrees, self._groups(members)
        rows: dict[int, Kernels] = {}
        for subtree in members[np.argsort(subtrees.heights[members], kind="stable")].tolist():
            first, last = groups[subtree]
            starts = subtrees.child_starts[members[first:last]]
            product, power = np.full(last - first, 0.5), np.ones(last - first, dtype=np.int64)
            for place in range(int(subtrees.child_counts[subtree])):
                child = int(subtrees.children[subtrees.child_starts[subtree] + place])
                if child < 0:
                    continue
                children = subtrees.children[starts + place]
                alike = np.flatnonzero(
                    (children >= 0) & (subtrees.productions[children] == subtrees.productions[child])
                )
                values = rows[child][np.searchsorted(members, children[alike]) - groups[child][0]]
                factor, shift = np.frexp(
                    1 + np.ldexp(values.mantissas, np.minimum(values.exponents, LARGE).astype(np.int32))
                )
                step, more = np.frexp(product[alike] * factor)
                product[alike] = step
                power[alike] += more + np.maximum(values.exponents - LARGE, 0) + shift
            step, more = np.frexp(self._decay * product)
            rows[subtree] = Kernels(step, power + more)
        return rows
