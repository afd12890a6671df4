"""Heterogeneity of a set of metrics: how often two of them contradict each other (Amigo et al. 2011, section 6).

    H(X) = P( exist x, x' in X: x(s) > x(s') and x'(s) < x'(s') )

over the pairs of `pairs.compare`. One metric has H = 0; H never falls when a metric is added.
"""

from __future__ import annotations

from collections.abc import Sequence

from synteval.meta.pairs import Pairs


def heterogeneity(pairs: Pairs, metrics: Sequence[str]) -> float:
    """H(X): contradiction is the same in both directions, so unordered pairs suffice."""
    d = pairs.differences[pairs.index(metrics)]
    contradicted = (d > 0).any(axis=0) & (d < 0).any(axis=0)
    return float(contradicted.mean())
