"""Correlation of a metric with human scores: Pearson, Spearman, Kendall; plain, or with covariates removed.

All functions take (systems x segments) matrices with NaN for missing scores; a missing score on either side removes the
pair, never becomes zero. Levels:

    pooled      one correlation over all scores of all systems together
    by_segment  one over the systems of each segment, then the mean of those that are defined
    by_system   one over the segments of each system, then the mean of those that are defined
    system      one over the systems' mean scores; a segment counts for a system where both sides have a score

The partial correlation is that of the residuals after least squares on the covariates (ranks first, for Spearman);
with one covariate it equals (r_xy - r_xz r_yz) / sqrt((1 - r_xz^2)(1 - r_yz^2)). Kendall's has no residuals and uses
that formula on the three taus (Kendall 1942), so it takes one covariate.

Coefficients equal scipy.stats' pearsonr, spearmanr and kendalltau (variant b). A correlation of fewer than two pairs,
or with a constant, is NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

import numpy as np

from synteval.errors import OptionError, unknown
from synteval.meta.matrix import FloatArray, matrices, system_means

Method: TypeAlias = Literal["pearson", "spearman", "kendall"]
Level: TypeAlias = Literal["pooled", "by_segment", "by_system", "system"]
LEVELS: tuple[Level, ...] = ("pooled", "by_segment", "by_system", "system")


@dataclass(frozen=True)
class Correlation:
    """A correlation, the number of pairs (pooled, system) or groups (by_segment, by_system) it rests on."""

    statistic: float
    n: int
    method: Method
    level: Level


def pearson(x: FloatArray, y: FloatArray) -> float:
    """Pearson's r of complete vectors."""
    if len(x) < 2:
        return math.nan
    dx, dy = x - x.mean(), y - y.mean()
    # Deviations that are rounding error of a constant do not make a correlation.
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return math.nan
    norm = math.sqrt(float(dx @ dx)) * math.sqrt(float(dy @ dy))
    return max(-1.0, min(1.0, float(dx @ dy) / norm)) if norm > 0 else math.nan


def spearman(x: FloatArray, y: FloatArray) -> float:
    """Spearman's rho of complete vectors: Pearson's r of the ranks, ties at their mean rank."""
    return pearson(ranks(x), ranks(y))


def kendall(x: FloatArray, y: FloatArray) -> float:
    """Kendall's tau b of complete vectors."""
    from scipy.stats import kendalltau

    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return math.nan
    return float(kendalltau(x, y).statistic)


METHODS: dict[str, Callable[[FloatArray, FloatArray], float]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}


def ranks(x: FloatArray) -> FloatArray:
    """Ranks from 1, ties at their mean."""
    from scipy.stats import rankdata

    return cast(FloatArray, rankdata(x).astype(np.float64))


def correlate(
    metric: Any,
    human: Any,
    *,
    method: Method = "pearson",
    level: Level = "pooled",
    partial: Sequence[Any] = (),
) -> Correlation:
    """The correlation of `metric` with `human`, with the matrices in `partial` held constant."""
    if method not in METHODS:
        raise unknown("correlation", method, METHODS)
    if level not in LEVELS:
        raise unknown("level", level, LEVELS)
    if method == "kendall" and len(partial) > 1:
        raise OptionError("Kendall's partial correlation takes one covariate; use pearson or spearman for several")
    named = [("metric", metric), ("human", human), *((f"covariate {i}", z) for i, z in enumerate(partial, 1))]
    stack = np.stack(matrices(*named))
    present = np.logical_and.reduce(~np.isnan(stack))
    if level == "pooled":
        values = stack[:, present]
        return Correlation(_correlation(values, method), values.shape[1], method, level)
    if level == "system":
        means = np.stack([system_means(np.where(present, scores, np.nan)) for scores in stack])
        values = means[:, ~np.isnan(means).any(axis=0)]
        return Correlation(_correlation(values, method), values.shape[1], method, level)
    axis = 1 if level == "by_segment" else 0
    # Groups first: (groups, rows, members of a group).
    grouped = np.moveaxis(stack, axis + 1, 0)
    each = [
        _correlation(rows[:, kept], method) for rows, kept in zip(grouped, np.moveaxis(present, axis, 0), strict=True)
    ]
    defined = [r for r in each if not math.isnan(r)]
    return Correlation(float(np.mean(defined)) if defined else math.nan, len(defined), method, level)


def _correlation(values: FloatArray, method: str) -> float:
    """The correlation of the first two rows, the others held constant."""
    x, y, *covariates = values
    if not covariates:
        return METHODS[method](x, y)
    if method == "kendall":
        z = covariates[0]
        xy, xz, yz = kendall(x, y), kendall(x, z), kendall(y, z)
        rest = (1 - xz**2) * (1 - yz**2)
        return (xy - xz * yz) / math.sqrt(rest) if rest > 0 else math.nan
    if len(x) < len(covariates) + 3:
        return math.nan
    rows = np.stack([ranks(row) for row in values]) if method == "spearman" else values
    return pearson(_residual(rows[0], rows[2:]), _residual(rows[1], rows[2:]))


def _residual(target: FloatArray, covariates: FloatArray) -> FloatArray:
    design = np.vstack([np.ones(len(target)), covariates - covariates.mean(axis=1, keepdims=True)]).T
    rest = target - design @ np.linalg.lstsq(design, target, rcond=None)[0]
    # A target that the covariates explain wholly leaves rounding error, which must not correlate with anything.
    explained = np.linalg.norm(rest) <= 1e-10 * max(1.0, float(np.linalg.norm(target)))
    return cast(FloatArray, np.zeros_like(rest) if explained else rest)
