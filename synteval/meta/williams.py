"""Williams' test: does metric A correlate better with human scores than metric B, all three on the same items?

    t(n-3) = (r_ah - r_bh) sqrt( (n-1)(1 + r_ab) / (2K (n-1)/(n-3) + ((r_ah + r_bh)^2 / 4) (1 - r_ab)^3) )
    K      = 1 - r_ah^2 - r_bh^2 - r_ab^2 + 2 r_ah r_bh r_ab

Williams 1959; used for metrics by Graham & Baldwin 2014. Equals r.test(n, r12, r13, r23) of R's psych, one or two
sided.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from synteval.errors import InputError, unknown
from synteval.meta.correlation import pearson
from synteval.meta.matrix import matrices

Alternative: TypeAlias = Literal["two-sided", "greater", "less"]
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")


@dataclass(frozen=True)
class WilliamsResult:
    """The test statistic, its degrees of freedom and p; `difference` = r(a, human) - r(b, human)."""

    statistic: float
    df: int
    pvalue: float
    difference: float


def williams_test(metric_a: Any, metric_b: Any, human: Any, *, alternative: Alternative = "greater") -> WilliamsResult:
    """Test two metrics by their pooled Pearson correlation with `human` over the scores that all three have."""
    a, b, h = (m.ravel() for m in matrices(("metric_a", metric_a), ("metric_b", metric_b), ("human", human)))
    kept = ~(np.isnan(a) | np.isnan(b) | np.isnan(h))
    a, b, h = a[kept], b[kept], h[kept]
    return williams_from_correlations(pearson(a, h), pearson(b, h), pearson(a, b), len(h), alternative=alternative)


def williams_from_correlations(
    r_ah: float, r_bh: float, r_ab: float, n: int, *, alternative: Alternative = "greater"
) -> WilliamsResult:
    """The test from the three correlations of `n` items."""
    from scipy.stats import t as student

    if alternative not in ALTERNATIVES:
        raise unknown("alternative", alternative, ALTERNATIVES)
    if n < 4:
        raise InputError(f"Williams' test needs at least 4 items, {n} were given")
    k = 1 - r_ah**2 - r_bh**2 - r_ab**2 + 2 * r_ah * r_bh * r_ab
    spread = 2 * max(k, 0.0) * (n - 1) / (n - 3) + (r_ah + r_bh) ** 2 / 4 * (1 - r_ab) ** 3
    difference = r_ah - r_bh
    if math.isnan(spread):
        statistic = math.nan
    elif spread > 0:
        statistic = difference * math.sqrt((n - 1) * (1 + r_ab) / spread)
    else:
        statistic = 0.0 if difference == 0 else math.copysign(math.inf, difference)
    above = float(student.sf(statistic, n - 3))
    p = {"greater": above, "less": 1 - above, "two-sided": 2 * min(above, 1 - above)}[alternative]
    return WilliamsResult(statistic, n - 3, p, difference)
