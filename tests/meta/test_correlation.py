"""Correlations against scipy, levels against loops, partial correlations against their formula."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from synteval.errors import InputError, OptionError
from synteval.meta.correlation import correlate

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


@pytest.fixture
def scores():
    generator = np.random.default_rng(4)
    human = generator.normal(size=(6, 30))
    metric = human + generator.normal(size=human.shape)
    metric[1, 3] = human[4, 7] = np.nan
    return metric, human


@pytest.mark.parametrize("method", SCIPY)
def test_pooled_equals_scipy(scores, method):
    metric, human = scores
    both = ~np.isnan(metric) & ~np.isnan(human)
    result = correlate(metric, human, method=method)
    assert result.statistic == pytest.approx(SCIPY[method](metric[both], human[both]).statistic, abs=1e-12)
    assert result.n == both.sum() == 178


@pytest.mark.parametrize("method", SCIPY)
def test_ties_equal_scipy(method):
    generator = np.random.default_rng(0)
    x, y = generator.integers(4, size=(2, 50)).astype(float)
    assert correlate(x, y, method=method).statistic == pytest.approx(SCIPY[method](x, y).statistic, abs=1e-12)


def test_levels(scores):
    metric, human = scores

    def mean_over(pairs):
        kept = [(x[~np.isnan(x + y)], y[~np.isnan(x + y)]) for x, y in pairs]
        return np.mean([stats.pearsonr(x, y).statistic for x, y in kept])

    by_segment = correlate(metric, human, level="by_segment")
    assert by_segment.statistic == pytest.approx(mean_over(zip(metric.T, human.T, strict=True)), abs=1e-12)
    assert by_segment.n == 30
    by_system = correlate(metric, human, level="by_system")
    assert by_system.statistic == pytest.approx(mean_over(zip(metric, human, strict=True)), abs=1e-12)
    both = ~np.isnan(metric + human)
    means = [(m[b].mean(), h[b].mean()) for m, h, b in zip(metric, human, both, strict=True)]
    system = correlate(metric, human, level="system")
    assert system.statistic == pytest.approx(stats.pearsonr(*zip(*means, strict=True)).statistic, abs=1e-12)
    assert system.n == 6


def test_segments_where_humans_tie_have_no_correlation():
    result = correlate([[1, 2], [2, 1], [3, 3]], [[5, 1], [5, 2], [5, 3]], level="by_segment")
    assert result.n == 1
    assert result.statistic == pytest.approx(0.5)


def test_partial_is_the_formula(scores):
    metric, human = (np.nan_to_num(s) for s in scores)
    length = np.random.default_rng(9).normal(size=metric.shape) + metric
    xy, xz, yz = (
        stats.pearsonr(a.ravel(), b.ravel()).statistic for a, b in ((metric, human), (metric, length), (human, length))
    )
    expected = (xy - xz * yz) / math.sqrt((1 - xz**2) * (1 - yz**2))
    assert correlate(metric, human, partial=[length]).statistic == pytest.approx(expected, abs=1e-12)


def test_partial_kendall_is_the_formula(scores):
    metric, human = (np.nan_to_num(s) for s in scores)
    length = np.random.default_rng(9).normal(size=metric.shape) + metric
    xy, xz, yz = (stats.kendalltau(a, b).statistic for a, b in ((metric, human), (metric, length), (human, length)))
    expected = (xy - xz * yz) / math.sqrt((1 - xz**2) * (1 - yz**2))
    assert correlate(metric, human, method="kendall", partial=[length]).statistic == pytest.approx(expected, abs=1e-12)
    with pytest.raises(OptionError, match="one covariate"):
        correlate(metric, human, method="kendall", partial=[length, length])


def test_nothing_is_left_when_the_covariate_is_the_metric(scores):
    metric, human = (np.nan_to_num(s) for s in scores)
    assert math.isnan(correlate(metric, human, partial=[3 * metric - 1]).statistic)


@pytest.mark.parametrize(("x", "y"), [([1.0], [2.0]), ([1.0, 1.0], [1.0, 2.0]), ([np.nan, 1.0], [1.0, 2.0])])
@pytest.mark.parametrize("method", SCIPY)
def test_undefined_is_nan(x, y, method):
    assert math.isnan(correlate(x, y, method=method).statistic)


def test_wrong_shapes_and_names():
    with pytest.raises(InputError, match="same data"):
        correlate([[1, 2]], [[1, 2, 3]])
    with pytest.raises(InputError, match="infinite"):
        correlate([1, math.inf], [1, 2])
    with pytest.raises(OptionError, match="spearman"):
        correlate([1, 2], [1, 2], method="spearmann")
    with pytest.raises(OptionError, match="by_segment"):
        correlate([1, 2], [1, 2], level="segments")


@settings(max_examples=50, deadline=None)
@given(hnp.arrays(float, (2, 20), elements=st.floats(-100, 100, width=32)), st.floats(0.5, 4), st.floats(-9, 9))
def test_bounds_symmetry_and_scale(values, factor, shift):
    x, y = values
    r = correlate(x, y).statistic
    if math.isnan(r):
        return
    assert -1 <= r <= 1
    assert correlate(y, x).statistic == pytest.approx(r, abs=1e-9)
    assert correlate(-x, y).statistic == pytest.approx(-r, abs=1e-9)
    if np.ptp(x) > 1e-3:
        assert correlate(factor * x + shift, y).statistic == pytest.approx(r, abs=1e-6)
