"""The experiments of Amigo et al. 2011 as functions: all pairs of metrics, random sets, lexical against mixed sets.

Each gives one `SetResult` a set of metrics; `figures` draws them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from synteval.errors import InputError
from synteval.meta.gain import Match, curves, gain
from synteval.meta.heterogeneity import heterogeneity
from synteval.meta.pairs import Pairs
from synteval.meta.reliability import reliability


@dataclass(frozen=True)
class SetResult:
    """What the paper measures of one set of metrics; `additive` = R(X) - the highest R of its members."""

    metrics: tuple[str, ...]
    reliability: float
    sensitivity: float
    heterogeneity: float
    gain: float
    additive: float


def measure_sets(
    pairs: Pairs, sets: Iterable[Sequence[str]], *, sensitivity_match: Match = "nearest"
) -> list[SetResult]:
    """Reliability, sensitivity, heterogeneity and gain of each set."""
    alone = {name: reliability(pairs, [name]).reliability for name in pairs.names}
    thresholds = curves(pairs)
    results = []
    for metrics in sets:
        g = gain(pairs, metrics, sensitivity_match=sensitivity_match, curves=thresholds)
        best = max(alone[name] for name in metrics)
        results.append(
            SetResult(
                tuple(metrics),
                g.reliability,
                g.sensitivity,
                heterogeneity(pairs, metrics),
                g.gain,
                g.reliability - best,
            )
        )
    return results


def metric_pairs(pairs: Pairs) -> list[SetResult]:
    """Every set of two metrics (Figure 1)."""
    return measure_sets(pairs, itertools.combinations(pairs.names, 2))


def random_sets(
    pairs: Pairs,
    sizes: Sequence[int] = (2, 3, 5, 10, 20, 40),
    *,
    n_sets: int = 100,
    metrics: Sequence[str] | None = None,
    rng: np.random.Generator | int | None = None,
) -> list[SetResult]:
    """`n_sets` random sets of each size that `metrics` (default: all) can fill (Figures 2, 3, 5 and 6)."""
    names = tuple(metrics) if metrics is not None else pairs.names
    return measure_sets(pairs, draw_sets(names, sizes, n_sets, rng=rng))


def lexical_and_mixed(
    pairs: Pairs,
    lexical: Sequence[str],
    linguistic: Sequence[str],
    sizes: Sequence[int] = range(1, 11),
    *,
    n_sets: int = 100,
    rng: np.random.Generator | int | None = None,
) -> tuple[list[SetResult], list[SetResult]]:
    """Random sets of lexical metrics, and of lexical and linguistic ones together (Figure 4)."""
    generator = np.random.default_rng(rng)
    both = [*lexical, *linguistic]
    return (
        random_sets(pairs, sizes, n_sets=n_sets, metrics=lexical, rng=generator),
        random_sets(pairs, sizes, n_sets=n_sets, metrics=both, rng=generator),
    )


def draw_sets(
    names: Sequence[str], sizes: Sequence[int], n_sets: int, *, rng: np.random.Generator | int | None = None
) -> list[tuple[str, ...]]:
    """`n_sets` random sets of each size; sizes that the names cannot fill are passed over."""
    generator = np.random.default_rng(rng)
    possible = [size for size in sizes if 1 <= size <= len(names)]
    if not possible:
        raise InputError(f"{len(names)} metrics cannot fill a set of {min(sizes, default=0)}")
    return [
        tuple(names[k] for k in sorted(generator.choice(len(names), size=size, replace=False)))
        for size in possible
        for _ in range(n_sets)
    ]
