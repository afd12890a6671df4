"""Reliability and sensitivity of a set of metrics (Amigo, Gonzalo, Gimenez & Verdejo 2011, sections 5 and 7).

    R(X)    = P( Q(s) >= Q(s') | x(s) >= x(s') for all x in X )
    S(X)    = P( x(s) >= x(s') for all x in X | Q(s) >= Q(s') )
    R_th(x) = P( Q(s) >= Q(s') | x(s) - x(s') >= th )
    S_th(x) = P( x(s) - x(s') >= th | Q(s) >= Q(s') )

over the ordered pairs of `pairs.compare`. A condition that no pair meets leaves the probability undefined: NaN.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from synteval.meta.matrix import FloatArray
from synteval.meta.pairs import DECIMALS, Pairs


@dataclass(frozen=True)
class Reliability:
    """Reliability and sensitivity, with the number of ordered pairs on which the set agrees."""

    reliability: float
    sensitivity: float
    agreed: int


@dataclass(frozen=True, eq=False)
class ThresholdCurve:
    """R_th and S_th of one metric at every threshold that makes a difference, from the highest down."""

    thresholds: FloatArray
    reliability: FloatArray
    sensitivity: FloatArray


def reliability(pairs: Pairs, metrics: Sequence[str]) -> Reliability:
    """R(X) and S(X)."""
    better, worse = pairs.agreed(pairs.index(metrics))
    agreed = int(better.sum() + worse.sum())
    hits = int((better & pairs.human_better).sum() + (worse & pairs.human_worse).sum())
    return Reliability(_ratio(hits, agreed), _ratio(hits, _improved(pairs)), agreed)


def thresholded(pairs: Pairs, metric: str, threshold: float) -> Reliability:
    """R_th(x) and S_th(x)."""
    d = pairs.differences[pairs.index([metric])[0]]
    threshold = round(threshold, DECIMALS)
    better, worse = d >= threshold, -d >= threshold
    agreed = int(better.sum() + worse.sum())
    hits = int((better & pairs.human_better).sum() + (worse & pairs.human_worse).sum())
    return Reliability(_ratio(hits, agreed), _ratio(hits, _improved(pairs)), agreed)


def threshold_curve(pairs: Pairs, metric: str) -> ThresholdCurve:
    """R_th(x) and S_th(x) at every observed difference, negative ones included: one sort."""
    d = pairs.differences[pairs.index([metric])[0]]
    ordered = np.concatenate([d, -d])
    real = np.concatenate([pairs.human_better, pairs.human_worse])
    order = np.argsort(-ordered, kind="stable")
    ordered = ordered[order]
    ends = np.concatenate([np.flatnonzero(np.diff(ordered)) + 1, [len(ordered)]])
    hits = np.cumsum(real[order])[ends - 1]
    return ThresholdCurve(
        ordered[ends - 1] + 0.0,  # no -0.0
        cast(FloatArray, hits / ends),
        cast(FloatArray, hits / max(_improved(pairs), 1)),
    )


def _improved(pairs: Pairs) -> int:
    return int(pairs.human_better.sum() + pairs.human_worse.sum())


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else math.nan
