"""Clusters of metrics that say the same (Amigo et al. 2005, section 4.1).

    sim(X, X') = P( H(X) <-> H(X') ),   H(X) = x(a, m) > x(m', m'') for all x in X

over the peers a and the triples of distinct models. The paper names no linkage; here it is average linkage on 1 -
sim, with ties broken by the order of the metrics. A cluster is represented by its member with the highest KING.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from synteval.errors import OptionError
from synteval.meta.matrix import FloatArray
from synteval.meta.qarla import TestCase, beyond_models, mean_king


def cluster_similarity(cases: Sequence[TestCase]) -> FloatArray:
    """sim of every two metrics (metrics x metrics), the mean over test cases."""
    total: FloatArray | None = None
    for case in cases:
        beyond = beyond_models(case).astype(np.float64)
        n = beyond.shape[1]
        both = beyond @ beyond.T
        neither = (1 - beyond) @ (1 - beyond).T
        share = (both + neither) / n
        total = share if total is None else total + share
    assert total is not None
    return total / len(cases)


def cluster_metrics(similarity: FloatArray, n_clusters: int, *, linkage: str = "average") -> npt.NDArray[np.intp]:
    """The cluster of each metric, numbered from 0 in order of first appearance."""
    from scipy.cluster.hierarchy import fcluster
    from scipy.cluster.hierarchy import linkage as join
    from scipy.spatial.distance import squareform

    n = similarity.shape[0]
    if not 1 <= n_clusters <= n:
        raise OptionError(f"n_clusters={n_clusters} is not possible for {n} metrics")
    if n == 1:
        return np.zeros(1, dtype=np.intp)
    distance = np.clip(1 - (similarity + similarity.T) / 2, 0, None)
    np.fill_diagonal(distance, 0)
    labels = fcluster(join(squareform(distance, checks=False), method=linkage), n_clusters, criterion="maxclust")
    numbers: dict[int, int] = {}
    return np.array([numbers.setdefault(int(label), len(numbers)) for label in labels], dtype=np.intp)


def representatives(cases: Sequence[TestCase], clusters: npt.NDArray[np.intp]) -> list[int]:
    """The metric with the highest KING of each cluster; ties: the earlier one."""
    kings = [mean_king(case.only([metric]) for case in cases) for metric in range(len(clusters))]
    chosen = []
    for cluster in range(int(clusters.max()) + 1):
        members = [int(m) for m in np.flatnonzero(clusters == cluster)]
        chosen.append(max(members, key=lambda metric: (kings[metric], -metric)))
    return chosen
