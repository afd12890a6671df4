"""Do a metric's significant differences agree with the humans'? (Lin & Hovy 2003, section 4)

For every pair of systems the same test is run on the metric's and on the human scores. With N_As and N_Hs the pairs
that are significant by metric and by humans and N_hit those significant by both,

    recall = N_hit / N_Hs,   precision = N_hit / N_As.

A hit must have the same sign (`require_sign=False` counts, as the paper's text does, one with the opposite sign too).
Where there is no significant pair the ratio is undefined: NaN. The test is a paired one over segments: z (the
paper's) or t. The paper's third level is printed .25 and must be .025.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from synteval.errors import unknown
from synteval.meta.matrix import BoolArray, FloatArray, matrices

ALPHAS = (0.10, 0.05, 0.025, 0.01, 0.005)


@dataclass(frozen=True)
class SignificanceAgreement:
    """Precision and recall of the metric's significant pairs, with their counts."""

    precision: float
    recall: float
    metric_significant: int
    human_significant: int
    hits: int
    alpha: float


def significance_agreement(
    metric: Any,
    human: Any,
    *,
    alpha: float = 0.05,
    test: Literal["z", "t"] = "z",
    require_sign: bool = True,
) -> SignificanceAgreement:
    """Compare the significant pairs of systems, for (systems x segments) matrices."""
    x, y = matrices(("metric", metric), ("human", human))
    dx, px = _paired_tests(x, test)
    dy, py = _paired_tests(y, test)
    return agreement_of_tests(dx, px <= alpha, dy, py <= alpha, alpha=alpha, require_sign=require_sign)


def agreement_of_tests(
    metric_difference: FloatArray,
    metric_significant: BoolArray,
    human_difference: FloatArray,
    human_significant: BoolArray,
    *,
    alpha: float = 0.05,
    require_sign: bool = True,
) -> SignificanceAgreement:
    """Precision and recall from tests that were made elsewhere, one entry a pair of systems."""
    hit = metric_significant & human_significant
    if require_sign:
        hit &= np.sign(metric_difference) == np.sign(human_difference)
    n_metric, n_human, hits = int(metric_significant.sum()), int(human_significant.sum()), int(hit.sum())
    return SignificanceAgreement(
        hits / n_metric if n_metric else math.nan,
        hits / n_human if n_human else math.nan,
        n_metric,
        n_human,
        hits,
        alpha,
    )


def _paired_tests(scores: FloatArray, test: str) -> tuple[FloatArray, FloatArray]:
    """Mean difference and two-sided p of each unordered pair of systems."""
    from scipy import stats

    if test not in ("z", "t"):
        raise unknown("test", test, ("z", "t"))
    i, j = np.triu_indices(scores.shape[0], 1)
    differences, p_values = np.zeros(len(i)), np.ones(len(i))
    for pair, (a, b) in enumerate(zip(i, j, strict=True)):
        d = scores[a] - scores[b]
        d = d[~np.isnan(d)]
        if d.size < 2:
            continue
        differences[pair] = d.mean()
        error = float(np.std(d, ddof=1)) / math.sqrt(d.size)
        if error > 0:
            value = abs(differences[pair]) / error
            p_values[pair] = 2 * (stats.norm.sf(value) if test == "z" else stats.t.sf(value, d.size - 1))
        elif differences[pair] != 0:
            p_values[pair] = 0.0
    return differences, p_values
