"""How sure a correlation is: bootstrap intervals, and paired permutation tests between two metrics.

Bootstrap (Deutsch, Dror & Roth 2021): draw systems, segments or both with replacement, compute the statistic on the
drawn rows and columns, and take percentiles. A resample on which the statistic is undefined (all systems the same,
say) is left out and counted.

Permutation (the same paper): both metrics are brought to mean 0 and standard deviation 1, then their scores are
swapped with probability 1/2 for whole systems, whole segments or single scores, and p = (c + 1) / (n_resamples + 1),
c the number of shuffles whose difference of the statistic is at least the observed one (with a tolerance of 1e-12).

A statistic is any function of (metric matrix, human matrix, and covariates where there are some); see `statistic`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from synteval.errors import OptionError, unknown
from synteval.meta.correlation import Level, Method, correlate
from synteval.meta.matrix import FloatArray, matrices
from synteval.meta.williams import ALTERNATIVES, Alternative

Unit: TypeAlias = Literal["systems", "segments", "both"]
UNITS: tuple[Unit, ...] = ("systems", "segments", "both")
Statistic: TypeAlias = Callable[..., float]


@dataclass(frozen=True)
class Interval:
    """A statistic with its percentile interval; `undefined` resamples gave no value."""

    statistic: float
    low: float
    high: float
    confidence_level: float
    n_resamples: int
    undefined: int


@dataclass(frozen=True)
class PermutationResult:
    """The observed difference of the statistic (a minus b) and its p."""

    statistic: float
    pvalue: float
    n_resamples: int


def statistic(method: Method = "pearson", level: Level = "pooled") -> Statistic:
    """The statistic for the functions below that `correlate` computes."""
    return lambda metric, human, *partial: (
        correlate(metric, human, method=method, level=level, partial=partial).statistic
    )


def bootstrap(
    metric: Any,
    human: Any,
    statistic: Statistic,
    *,
    resample: Unit = "both",
    partial: tuple[Any, ...] = (),
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> Interval:
    """The percentile interval of `statistic(metric, human, *partial)`."""
    if resample not in UNITS:
        raise unknown("unit to resample", resample, UNITS)
    _check(n_resamples)
    if not 0 < confidence_level < 1:
        raise OptionError(f"confidence_level={confidence_level} is not possible; it lies between 0 and 1")
    generator = np.random.default_rng(rng)
    arrays = matrices(("metric", metric), ("human", human), *((f"covariate {i}", z) for i, z in enumerate(partial, 1)))
    n_systems, n_segments = arrays[0].shape
    values = np.empty(n_resamples)
    rows: npt.NDArray[np.int64] = np.arange(n_systems)
    columns: npt.NDArray[np.int64] = np.arange(n_segments)
    for trial in range(n_resamples):
        if resample != "segments":
            rows = generator.integers(n_systems, size=(n_systems,))
        if resample != "systems":
            columns = generator.integers(n_segments, size=(n_segments,))
        values[trial] = statistic(*(array[rows[:, None], columns] for array in arrays))
    defined = values[~np.isnan(values)]
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(defined, [tail, 1 - tail]) if defined.size else (math.nan, math.nan)
    observed = statistic(*arrays)
    return Interval(observed, float(low), float(high), confidence_level, n_resamples, int(n_resamples - defined.size))


def permutation_test(
    metric_a: Any,
    metric_b: Any,
    human: Any,
    statistic: Statistic,
    *,
    permute: Unit = "both",
    alternative: Alternative = "two-sided",
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> PermutationResult:
    """Is `statistic(metric_a, human)` greater than, less than or different from that of `metric_b`?"""
    if permute not in UNITS:
        raise unknown("unit to permute", permute, UNITS)
    if alternative not in ALTERNATIVES:
        raise unknown("alternative", alternative, ALTERNATIVES)
    _check(n_resamples)
    generator = np.random.default_rng(rng)
    a, b, h = matrices(("metric_a", metric_a), ("metric_b", metric_b), ("human", human))
    missing = np.isnan(a) | np.isnan(b)
    a, b = (np.where(missing, np.nan, _standard(scores)) for scores in (a, b))
    observed = statistic(a, h) - statistic(b, h)
    shape = {"systems": (a.shape[0], 1), "segments": (1, a.shape[1]), "both": a.shape}[permute]
    count = 0
    for _ in range(n_resamples):
        swap = np.broadcast_to(generator.random(shape) < 0.5, a.shape)
        shuffled = statistic(np.where(swap, b, a), h) - statistic(np.where(swap, a, b), h)
        if alternative == "two-sided":
            count += abs(shuffled) >= abs(observed) - 1e-12
        else:
            sign = 1 if alternative == "greater" else -1
            count += sign * shuffled >= sign * observed - 1e-12
    return PermutationResult(observed, (count + 1) / (n_resamples + 1), n_resamples)


def _standard(scores: FloatArray) -> FloatArray:
    deviation = np.nanstd(scores)
    return cast(FloatArray, (scores - np.nanmean(scores)) / (deviation if deviation > 0 else 1.0))


def _check(n_resamples: int) -> None:
    if n_resamples < 1:
        raise OptionError(f"n_resamples={n_resamples} is not possible; it takes a whole number from 1")
