"""Reliability gain: is agreement of several metrics worth more than a larger difference of one?

Amigo et al. 2011, section 7:

    Gain(X) = R(X) - max{ R_th(x) : x in X, S_th(x) = S(X) }

On finite data no threshold may give exactly the sensitivity of the set; `sensitivity_match` then takes the nearest
achievable one ("nearest") or the lowest that is not below it ("at_least"), and the mismatch is returned. Several
thresholds with that sensitivity: the highest reliability. Two sensitivities equally near: the one with the higher
reliability.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from synteval.errors import unknown
from synteval.meta.pairs import Pairs
from synteval.meta.reliability import ThresholdCurve, reliability, threshold_curve

Match: TypeAlias = Literal["nearest", "at_least"]


@dataclass(frozen=True)
class Matched:
    """The threshold of a metric whose sensitivity is that of the set."""

    metric: str
    threshold: float
    sensitivity: float
    reliability: float


@dataclass(frozen=True)
class Gain:
    """The gain, the set's reliability and sensitivity, and what each metric reaches alone at that sensitivity.

    `mismatch` is the largest distance between a matched sensitivity and the set's.
    """

    gain: float
    reliability: float
    sensitivity: float
    matched: tuple[Matched, ...]
    mismatch: float


def curves(pairs: Pairs) -> dict[str, ThresholdCurve]:
    """The threshold curve of every metric, made once for many sets."""
    return {name: threshold_curve(pairs, name) for name in pairs.names}


def gain(
    pairs: Pairs,
    metrics: Sequence[str],
    *,
    sensitivity_match: Match = "nearest",
    curves: Mapping[str, ThresholdCurve] | None = None,
) -> Gain:
    """Gain(X); give `curves(pairs)` when many sets are asked for."""
    if sensitivity_match not in ("nearest", "at_least"):
        raise unknown("sensitivity match", sensitivity_match, ("nearest", "at_least"))
    of_set = reliability(pairs, metrics)
    if math.isnan(of_set.reliability):
        return Gain(math.nan, math.nan, of_set.sensitivity, (), math.nan)
    matched = tuple(
        _match(name, curves[name] if curves else threshold_curve(pairs, name), of_set.sensitivity, sensitivity_match)
        for name in metrics
    )
    alone = max(m.reliability for m in matched)
    mismatch = max(abs(m.sensitivity - of_set.sensitivity) for m in matched)
    return Gain(of_set.reliability - alone, of_set.reliability, of_set.sensitivity, matched, mismatch)


def _match(name: str, curve: ThresholdCurve, sensitivity: float, how: Match) -> Matched:
    # Sensitivity grows as the threshold falls, so the curve is sorted by it.
    reached = curve.sensitivity
    above = int(np.searchsorted(reached, sensitivity - 1e-12))
    targets = [reached[min(above, len(reached) - 1)]]
    if how == "nearest" and above > 0:
        targets.append(reached[above - 1])
    nearest = min(abs(target - sensitivity) for target in targets)
    best = -1
    for target in targets:
        if abs(target - sensitivity) > nearest + 1e-12:
            continue
        start, stop = np.searchsorted(reached, [target - 1e-12, target + 1e-12])
        k = int(start + np.argmax(curve.reliability[start:stop]))
        if best < 0 or curve.reliability[k] > curve.reliability[best]:
            best = k
    return Matched(name, float(curve.thresholds[best]), float(reached[best]), float(curve.reliability[best]))
