"""Agreement in order: which share of pairs a metric puts in the order in which humans put them.

Pairwise system accuracy (Kocmi et al. 2021): over all pairs of systems, the share where the differences of the mean
scores have the same sign.

Pairwise accuracy with ties, acc_eq (Deutsch, Foster & Freitag 2023): over pairs of outputs of the same segment,

    acc_eq = (concordant + tied in both) / all pairs.

Metrics on a continuous scale never tie while humans do, so a pair counts as tied in the metric where its difference
is at most epsilon, and tie calibration takes the epsilon that gives the highest accuracy. Epsilon is chosen over the
pairs of all segments together from 0 and every observed difference: the search is exact. Several epsilons with the
same accuracy: the smallest. tau_b is printed in the same counts by `correlation.kendall`.

Differences are compared with a tolerance of 1e-12, so that .3 - .2 equals .2 - .1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from synteval.errors import unknown
from synteval.meta.matrix import FloatArray, matrices, system_means

Pairs: TypeAlias = Literal["by_segment", "by_system", "pooled"]
PAIRS: tuple[Pairs, ...] = ("by_segment", "by_system", "pooled")
TOLERANCE = 1e-12


@dataclass(frozen=True)
class PairwiseAccuracy:
    """Share of `pairs` that metric and humans order alike."""

    accuracy: float
    pairs: int


@dataclass(frozen=True)
class TieCalibration:
    """The best accuracy, the epsilon that reaches it, and the accuracy without calibration (epsilon 0)."""

    accuracy: float
    epsilon: float
    uncalibrated: float
    pairs: int


def system_accuracy(metric: Any, human: Any) -> PairwiseAccuracy:
    """Pairwise accuracy over systems; pairs that humans score exactly alike are left out."""
    x, y = matrices(("metric", metric), ("human", human))
    both = ~np.isnan(x) & ~np.isnan(y)
    x_mean, y_mean = (system_means(np.where(both, scores, np.nan)) for scores in (x, y))
    i, j = np.triu_indices(len(x_mean), 1)
    dx, dy = x_mean[i] - x_mean[j], y_mean[i] - y_mean[j]
    kept = ~np.isnan(dx) & (np.abs(dy) > TOLERANCE)
    agree = np.sign(dx[kept]) == np.sign(dy[kept])
    return PairwiseAccuracy(float(agree.mean()) if agree.size else math.nan, int(agree.size))


def accuracy_with_ties(
    metric: Any, human: Any, *, epsilon: float = 0.0, pairs: Pairs = "by_segment"
) -> PairwiseAccuracy:
    """acc_eq, where differences of the metric of at most `epsilon` count as ties."""
    dx, dy = _differences(metric, human, pairs)
    tied_x, tied_y = np.abs(dx) <= epsilon + TOLERANCE, np.abs(dy) <= TOLERANCE
    right = (tied_x & tied_y) | (~tied_x & ~tied_y & (np.sign(dx) == np.sign(dy)))
    return PairwiseAccuracy(float(right.mean()) if right.size else math.nan, int(right.size))


def calibrate_ties(metric: Any, human: Any, *, pairs: Pairs = "by_segment") -> TieCalibration:
    """The epsilon that makes acc_eq highest."""
    dx, dy = _differences(metric, human, pairs)
    if not dx.size:
        return TieCalibration(math.nan, 0.0, math.nan, 0)
    tied_y = np.abs(dy) <= TOLERANCE
    concordant = ~tied_y & (np.sign(dx) == np.sign(dy)) & (np.abs(dx) > TOLERANCE)
    size = np.abs(dx)
    order = np.argsort(size, kind="stable")
    size = size[order]
    # With epsilon at the k-th smallest difference the first k pairs are ties in the metric.
    ties_right = np.concatenate([[0], np.cumsum(tied_y[order])])
    order_right = concordant.sum() - np.concatenate([[0], np.cumsum(concordant[order])])
    ends = np.concatenate([[np.searchsorted(size, TOLERANCE, side="right")], _run_ends(size)])
    right = ties_right[ends] + order_right[ends]
    best = int(np.argmax(right))
    epsilon = 0.0 if best == 0 else float(size[ends[best] - 1])
    return TieCalibration(float(right[best] / dx.size), epsilon, float(right[0] / dx.size), int(dx.size))


def _run_ends(ordered: FloatArray) -> Any:
    """How many values stand up to the end of each run of equal values above zero."""
    ends = np.concatenate([np.flatnonzero(np.diff(ordered) > TOLERANCE) + 1, [len(ordered)]])
    return ends[ordered[ends - 1] > TOLERANCE]


def _differences(metric: Any, human: Any, pairs: Pairs) -> tuple[FloatArray, FloatArray]:
    """Differences of metric and human scores over unordered pairs."""
    if pairs not in PAIRS:
        raise unknown("kind of pairs", pairs, PAIRS)
    x, y = matrices(("metric", metric), ("human", human))
    if pairs == "by_system":
        x, y = x.T, y.T
    elif pairs == "pooled":
        x, y = x.reshape(-1, 1), y.reshape(-1, 1)
    i, j = np.triu_indices(x.shape[0], 1)
    dx, dy = (x[i] - x[j]).ravel(), (y[i] - y[j]).ravel()
    kept = ~np.isnan(dx) & ~np.isnan(dy)
    return dx[kept], dy[kept]
