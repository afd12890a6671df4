"""The human side: goldens of Leusch et al., Lin & Hovy and Kilgarriff."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from synteval.errors import InputError
from synteval.meta.humans import average_judgements, coverage, length_weighted, normalise_evaluators
from synteval.meta.kappa import cohen_kappa, kappa
from synteval.meta.significance_agreement import agreement_of_tests, significance_agreement


def test_evaluator_normalisation():
    scores = normalise_evaluators([1, 4, 2, 4, 3], ["e1", "e2", "e1", "e2", "e1"])
    assert scores[[0, 2, 4]] == pytest.approx([-1.224744871391589, 0.0, 1.224744871391589], abs=1e-9)
    assert scores[[1, 3]] == pytest.approx([0, 0])


def test_missing_judgements_stay_missing():
    scores = normalise_evaluators([1, np.nan, 3], [1, 1, 1])
    assert math.isnan(scores[1])
    assert scores[[0, 2]] == pytest.approx([-1, 1])
    assert average_judgements([1, np.nan, 3, np.nan], "aaab")["a"] == 2
    assert math.isnan(average_judgements([np.nan], "b")["b"])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 3)), min_size=1, max_size=40))
def test_every_evaluator_has_mean_zero_and_deviation_one(judgements):
    scores, evaluators = zip(*judgements, strict=True)
    normal = normalise_evaluators(scores, evaluators)
    for evaluator in set(evaluators):
        mine = normal[[e == evaluator for e in evaluators]]
        assert mine.mean() == pytest.approx(0, abs=1e-9)
        assert mine.std() == pytest.approx(1, abs=1e-9) or (mine == 0).all()


def test_several_judgements():
    assert average_judgements([1, 2, 6, 5], ["s", "s", "s", "t"]) == {"s": 3, "t": 5}
    assert average_judgements([1, 2, 6], "sss", average="median") == {"s": 2}


def test_length_weighted_system_score():
    assert length_weighted([1, 3], [1, 3]) == pytest.approx([2.5], abs=1e-9)
    assert length_weighted([[1, 3], [np.nan, 3]], [1, 3]) == pytest.approx([2.5, 3])
    assert math.isnan(length_weighted([[np.nan]], [1])[0])


def test_coverage():
    assert coverage(3, 0.75, 4) == pytest.approx(0.5625, abs=1e-9)
    with pytest.raises(InputError):
        coverage(5, 1, 4)


def test_kappa():
    assert kappa(0.77, 1 / 4) == pytest.approx(0.6933333333333334, abs=1e-9)
    assert kappa(0.71, 1 / 15) == pytest.approx(0.6892857142857143, abs=1e-9)
    assert math.isnan(kappa(1, 1))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=2, max_size=30))
def test_cohen_kappa_equals_scikit_learn(labels):
    first, second = zip(*labels, strict=True)
    if len({*first, *second}) > 1:
        assert cohen_kappa(first, second) == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)


def test_significance_agreement_golden():
    # Humans find three pairs significant, the metric four, and they share two.
    metric = np.array([True, True, True, True, False, False])
    human = np.array([True, True, False, False, True, False])
    sign = np.ones(6)
    result = agreement_of_tests(sign, metric, sign, human)
    assert result.recall == pytest.approx(0.6666666666666666, abs=1e-9)
    assert result.precision == pytest.approx(0.5, abs=1e-9)
    turned = np.array([-1.0, 1, 1, 1, 1, 1])
    assert agreement_of_tests(turned, metric, sign, human).hits == 1
    assert agreement_of_tests(turned, metric, sign, human, require_sign=False).hits == 2


def test_significance_agreement_on_scores():
    rng = np.random.default_rng(0)
    human = rng.normal(size=(4, 200)) + np.array([[0], [0], [1], [2]])
    same = significance_agreement(human, human)
    assert (same.precision, same.recall) == (1, 1)
    assert same.human_significant == 5
    noise = significance_agreement(rng.normal(size=human.shape), human, alpha=1e-6)
    assert math.isnan(noise.precision)
    assert noise.recall == 0
