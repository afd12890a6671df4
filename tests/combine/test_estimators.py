"""Every combiner is a scikit-learn estimator, and does what its name says."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.utils.estimator_checks import parametrize_with_checks

from synteval.combine import ULC, HumanLikeness, PairwiseRanking, SupportVectorRegression, WeightedLinear
from synteval.errors import OptionError


@parametrize_with_checks([ULC(), WeightedLinear(), SupportVectorRegression(), PairwiseRanking(), HumanLikeness()])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    quality = rng.normal(size=300)
    # Three metrics of different scale and noise, and one that is lower where the output is better.
    x = np.stack([quality + rng.normal(size=300), 100 * quality + 80 * rng.normal(size=300), rng.random(300)], axis=1)
    return np.concatenate([x, -quality[:, None] - rng.normal(size=(300, 1))], axis=1), quality


def correlation(a, b):
    return np.corrcoef(a, b)[0, 1]


def test_ulc_is_the_mean_of_the_normalised_scores():
    x = np.array([[0.0, 10], [1, 20], [0.5, 40]])
    assert ULC().fit(x).predict(x) == pytest.approx([0, (1 + 1 / 3) / 2, 0.75])
    assert ULC("max").fit(x).predict(x) == pytest.approx([0.125, 0.75, 0.75])
    assert ULC(lower_is_better=(1,)).fit(x).predict(x) == pytest.approx([0.5, (1 + 2 / 3) / 2, 0.25])
    with pytest.raises(OptionError, match="minmax"):
        ULC("min").fit(x)
    with pytest.raises(OptionError, match="outside"):
        ULC(lower_is_better=(2,)).fit(x)


def test_two_metrics_together_beat_each_alone(data):
    x, quality = data
    pair = x[:, [0, 3]]
    combined = ULC("zscore", lower_is_better=(1,)).fit(pair).predict(pair)
    assert correlation(combined, quality) > correlation(pair[:, 0], quality)
    assert correlation(combined, quality) > -correlation(pair[:, 1], quality)


@pytest.mark.parametrize("alpha", [0.1, 10])
def test_weighted_linear_equals_ridge_on_standardised_scores(data, alpha):
    x, quality = data
    rival = make_pipeline(StandardScaler(), Ridge(alpha=alpha)).fit(x, quality)
    assert WeightedLinear(alpha).fit(x, quality).predict(x) == pytest.approx(rival.predict(x), abs=1e-9)


def test_weights_can_be_kept_positive(data):
    x, quality = data
    assert (WeightedLinear(nonnegative=True).fit(x, quality).coef_ >= 0).all()
    assert (WeightedLinear().fit(x, quality).coef_ < 0).any()


def test_svr_equals_scikit_learn(data):
    x, quality = data
    ours = SupportVectorRegression(C=2, epsilon=0.05, gamma=0.1).fit(x[:200], quality[:200])
    rival = make_pipeline(StandardScaler(), SVR(C=2, epsilon=0.05, gamma=0.1)).fit(x[:200], quality[:200])
    assert ours.predict(x) == pytest.approx(rival.predict(x), abs=1e-9)


def test_ranking_orders_within_groups(data):
    x, quality = data
    groups = np.arange(300) // 10
    shifted = quality + 50 * groups  # what differs between groups must not matter
    model = PairwiseRanking().fit(x, shifted, groups=groups)
    assert correlation(model.predict(x), quality) > 0.75
    assert model.coef_[0] > 0 > model.coef_[3]


def test_human_likeness_equals_scikit_learn_and_scores(data):
    x, quality = data
    human = (quality > 0).astype(int)
    ours = HumanLikeness(C=2).fit(x, human)
    rival = make_pipeline(StandardScaler(), SVC(C=2, gamma=1 / 4)).fit(x, human)
    assert ours.decision_function(x) == pytest.approx(rival.decision_function(x), abs=1e-9)
    assert (ours.predict(x) == rival.predict(x)).all()
    assert correlation(ours.decision_function(x), quality) > 0.6
