"""Tree kernels with a similarity of nodes in place of equal labels (Croce, Moschitti & Basili 2011).

Two kernels, for a similarity s of two nodes between 0 and 1 and K(T1, T2) the sum of C(n1, n2) over all pairs of nodes:

`sst`, the subset-tree kernel of `tree_kernel`, smoothed. A fragment weighs the product of the similarities of its
nodes; a child is a leaf of the fragment, weighing s, or expanded further, weighing C:

    C(n1, n2) = decay * s(n1, n2) * product over children i of (s(c_i, c'_i) + C(c_i, c'_i))
                where both have the same number of children, at least one; else 0

`partial`, the partial tree kernel of Moschitti (2006), smoothed (SPTK): any subsequences of children may match,

    C(n1, n2) = mu * s(n1, n2) * (lambda ** 2 + sum over subsequences I, J of the children, of one length, of
                                  lambda ** (d(I) + d(J)) * product over k of C(c_{I_k}, c'_{J_k}))
    C(n1, n2) = mu * lambda * s(n1, n2)   where either is a leaf

with d the width of a subsequence from its first to its last child and mu = lambda = decay. The sum over subsequences is
the kernel of `soft_sequences`.

With similarities of 0 and 1 they are the exact kernels. `sst` is computed in logarithms: trees may be of any size.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from synteval.metrics.clipping import Floats
from synteval.metrics.forest import Forest
from synteval.metrics.layout import Ints
from synteval.metrics.scaled import Kernels
from synteval.metrics.soft_sequences import soft_kernel

# The similarities of all nodes of two segments, by their numbers.
Similarity = Callable[[int, int], Floats]


class _Tree:
    """The trees of one segment: children of every node, and the nodes, children before their parents."""

    def __init__(self, forest: Forest, nodes: Ints) -> None:
        self.children: list[list[int]] = [[] for _ in nodes]
        first = int(nodes[0]) if len(nodes) else 0
        order = nodes if forest.ranks is None else nodes[np.argsort(forest.ranks[nodes], kind="stable")]
        for node in order.tolist():
            parent = int(forest.parents[node])
            if parent >= 0:
                self.children[parent - first].append(node - first)
        self.upwards = (nodes[np.argsort(forest.heights[nodes], kind="stable")] - first).tolist()
        self.by_count: dict[int, Ints] = {}
        for count in {len(found) for found in self.children} - {0}:
            self.by_count[count] = np.array([n for n, found in enumerate(self.children) if len(found) == count])


def smoothed_kernels(
    forest: Forest, alike: Similarity, left: Ints, right: Ints, kernel: str, decay: float, single_nodes: bool
) -> Kernels:
    """The kernel of each pair of segments `left[i]`, `right[i]` of the forest."""
    bounds = np.searchsorted(forest.segments, np.arange(int(max(left.max(initial=-1), right.max(initial=-1))) + 2))
    trees = [_Tree(forest, np.arange(start, end)) for start, end in itertools.pairwise(bounds)]
    logs = np.full(len(left), -np.inf)
    for place, (one, other) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        similarity = alike(one, other)
        if similarity.size:
            if kernel == "partial":
                logs[place] = _log(_partial(trees[one], trees[other], similarity, decay))
            else:
                logs[place] = _subset_trees(trees[one], trees[other], similarity, decay, single_nodes)
    twos = logs / np.log(2)
    exponents = np.where(np.isfinite(twos), np.floor(np.where(np.isfinite(twos), twos, 0)) + 1, 0)
    mantissas = np.where(np.isfinite(twos), np.exp2(np.where(np.isfinite(twos), twos, 0) - exponents), 0.0)
    return Kernels(mantissas, exponents.astype(np.int64))


def _log(value: float) -> float:
    return float(np.log(value)) if value > 0 else -np.inf


def _subset_trees(one: _Tree, other: _Tree, alike: Floats, decay: float, single_nodes: bool) -> float:
    """The logarithm of the smoothed subset-tree kernel."""
    with np.errstate(divide="ignore"):
        similar = np.log(alike)
    common = np.full(alike.shape, -np.inf)
    # log(s + C), for pairs of nodes as children.
    either = similar.copy()
    for node in one.upwards:
        children = one.children[node]
        partners = other.by_count.get(len(children))
        if partners is None:
            continue
        values = np.log(decay) + similar[node, partners]
        expanded = np.array([other.children[partner] for partner in partners.tolist()])
        for place, child in enumerate(children):
            values = values + either[child, expanded[:, place]]
        common[node, partners] = values
        either[node, partners] = np.logaddexp(similar[node, partners], values)
    total = np.logaddexp.reduce(common, axis=None)
    return float(np.logaddexp(total, _log(float(alike.sum())))) if single_nodes else float(total)


def _partial(one: _Tree, other: _Tree, alike: Floats, decay: float) -> float:
    """The smoothed partial tree kernel."""
    common = decay * decay * alike
    inner = [node for node in other.upwards if other.children[node]]
    for node in one.upwards:
        children = one.children[node]
        if not children:
            continue
        for partner in inner:
            if alike[node, partner] > 0:
                partners = other.children[partner]
                value = decay**2 * common[np.ix_(children, partners)]
                sequences = soft_kernel(value, min(len(children), len(partners)), decay) if value.any() else 0.0
                common[node, partner] = decay * alike[node, partner] * (decay**2 + sequences)
    return float(common.sum())
