"""The best dependency tree with a single root.

Most sentences' best heads form such a tree already; that is checked for all sentences of a batch at once. The others
go through the algorithm of Chu & Liu and Edmonds. One root is had by lowering all arcs from the root by more than
any tree can differ from another (Stanojević & Cohen 2021): the best tree then takes as few of them as it can, one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
_IMPOSSIBLE = np.float32(-1e30)


def best_heads(arcs: NDArray[np.float32], lengths: IntArray) -> IntArray:
    """Heads from arcs[sentence, dependent, head]; 0 is the root, the words are 1..n. heads[:, 0] means nothing."""
    posts = arcs.shape[1]
    positions = np.arange(posts)
    outside = positions[None, :] > lengths[:, None]
    arcs = np.where(outside[:, None, :], _IMPOSSIBLE, arcs)
    arcs[:, positions, positions] = _IMPOSSIBLE
    heads: IntArray = arcs.argmax(axis=2)
    heads[:, 0] = 0
    heads[outside] = 0
    single = ((heads[:, 1:] == 0) & ~outside[:, 1:]).sum(axis=1) == 1
    reached = heads
    for _ in range(int(posts).bit_length()):
        reached = np.take_along_axis(reached, reached, axis=1)
    for row in np.flatnonzero(~(single & (reached == 0).all(axis=1))):
        size = int(lengths[row]) + 1
        heads[row, :size] = single_root_tree(arcs[row, :size, :size])
    return heads


def single_root_tree(arcs: NDArray[np.float32]) -> IntArray:
    """The maximum arborescence among those in which exactly one word hangs from the root."""
    scores = arcs.astype(np.float64)
    np.fill_diagonal(scores, -np.inf)
    heads = arborescence(scores)
    if (heads[1:] == 0).sum() > 1:
        scores[1:, 0] -= (np.ptp(scores[1:][np.isfinite(scores[1:])]) + 1) * len(scores)
        heads = arborescence(scores)
    return heads


def arborescence(scores: NDArray[np.float64]) -> IntArray:
    """The maximum spanning arborescence from node 0 over scores[dependent, head]."""
    heads: IntArray = scores.argmax(axis=1)
    heads[0] = 0
    cycle = find_cycle(heads.tolist())
    if cycle is None:
        return heads
    # Contract the cycle into one node, the last of a smaller graph.
    inside = np.array(cycle)
    outside = np.setdiff1d(np.arange(len(heads)), inside)  # node 0 stays first
    count = len(outside)
    gains = scores[np.ix_(inside, outside)] - scores[inside, heads[inside]][:, None]
    entered = gains.argmax(axis=0)
    leaving = scores[np.ix_(outside, inside)]
    left = leaving.argmax(axis=1)
    smaller = np.full((count + 1, count + 1), -np.inf)
    smaller[:count, :count] = scores[np.ix_(outside, outside)]
    smaller[:count, count] = leaving.max(axis=1)
    smaller[count, :count] = gains.max(axis=0)
    contracted = arborescence(smaller)
    within = contracted[:count] == count
    heads[outside] = np.where(within, inside[left], outside[np.minimum(contracted[:count], count - 1)])
    heads[0] = 0
    source = contracted[count]
    heads[inside[entered[source]]] = outside[source]
    return heads


def find_cycle(heads: list[int]) -> list[int] | None:
    """Nodes of one cycle among the heads, if there is any; node 0 is the root."""
    seen = [0] * len(heads)
    seen[0] = -1
    for start in range(1, len(heads)):
        node = start
        while not seen[node]:
            seen[node] = start
            node = heads[node]
        if seen[node] == start:
            cycle = [node]
            while heads[cycle[-1]] != node:
                cycle.append(heads[cycle[-1]])
            return cycle
    return None
