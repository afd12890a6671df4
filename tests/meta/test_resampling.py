"""Intervals and tests on data where the answer is known."""

import numpy as np
import pytest
from scipy import stats

from synteval.errors import InputError, OptionError
from synteval.meta.resampling import bootstrap, permutation_test, statistic
from synteval.meta.williams import williams_from_correlations, williams_test


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(1)
    human = rng.normal(size=(8, 60))
    return human + rng.normal(size=human.shape) * 0.5, human + rng.normal(size=human.shape) * 3, human


def test_segment_bootstrap_is_near_the_normal_theory(scores):
    good, _, human = scores
    interval = bootstrap(good, human, statistic(), resample="segments", n_resamples=400, rng=0)
    low, high = stats.pearsonr(good.ravel(), human.ravel()).confidence_interval(0.95)
    assert interval.low == pytest.approx(low, abs=0.02)
    assert interval.high == pytest.approx(high, abs=0.02)
    assert interval.low < interval.statistic < interval.high


def test_the_same_generator_gives_the_same_interval(scores):
    good, _, human = scores
    a, b = (bootstrap(good, human, statistic("spearman"), n_resamples=20, rng=3) for _ in range(2))
    assert a == b


def test_one_system_resampled_alone_is_undefined():
    interval = bootstrap([[1, 2, 3]], [[1, 2, 3]], statistic(level="system"), resample="systems", n_resamples=10, rng=0)
    assert interval.undefined == 10
    assert np.isnan(interval.low)


@pytest.mark.parametrize("permute", ["systems", "segments", "both"])
def test_permutation_finds_the_better_metric(scores, permute):
    good, bad, human = scores
    result = permutation_test(
        good, bad, human, statistic(), permute=permute, alternative="greater", n_resamples=199, rng=0
    )
    assert result.statistic > 0.4
    assert result.pvalue <= 0.01
    reverse = permutation_test(
        good, bad, human, statistic(), permute=permute, alternative="less", n_resamples=99, rng=0
    )
    assert reverse.pvalue >= 0.95


def test_a_metric_does_not_beat_itself(scores):
    good, _, human = scores
    assert permutation_test(good, good, human, statistic(), n_resamples=50, rng=0).pvalue == 1


def test_williams_on_hand_algebra():
    # n = 103, r(a,h) = .5, r(b,h) = .4, r(a,b) = .3: K = .62, t = .1 sqrt(102 x 1.3 / (2 x .62 x 1.02 + .2025 x .343))
    result = williams_from_correlations(0.5, 0.4, 0.3, 103)
    assert result.statistic == pytest.approx(0.1 * (102 * 1.3 / (2 * 0.62 * 1.02 + 0.2025 * 0.343)) ** 0.5, abs=1e-12)
    assert result.df == 100
    assert result.pvalue == pytest.approx(stats.t.sf(result.statistic, 100), abs=1e-12)
    two = williams_from_correlations(0.5, 0.4, 0.3, 103, alternative="two-sided")
    assert two.pvalue == pytest.approx(2 * result.pvalue)
    assert williams_from_correlations(0.4, 0.5, 0.3, 103, alternative="less").pvalue == pytest.approx(result.pvalue)


def test_williams_on_scores(scores):
    good, bad, human = scores
    assert williams_test(good, bad, human).pvalue < 1e-6
    same = williams_test(good, good, human)
    assert (same.statistic, same.pvalue) == (0, 0.5)


def test_wrong_arguments(scores):
    good, bad, human = scores
    with pytest.raises(OptionError, match="both"):
        bootstrap(good, human, statistic(), resample="bth")
    with pytest.raises(OptionError, match="n_resamples"):
        permutation_test(good, bad, human, statistic(), n_resamples=0)
    with pytest.raises(OptionError, match="confidence_level"):
        bootstrap(good, human, statistic(), confidence_level=95)
    with pytest.raises(InputError, match="at least 4"):
        williams_test([1, 2, 3], [1, 2, 3], [3, 2, 1])
