"""Reliability, sensitivity, heterogeneity and gain: goldens, a naive twin, the paper's properties, speed."""

import itertools
import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from synteval.errors import InputError, OptionError
from synteval.meta.experiments import lexical_and_mixed, metric_pairs, random_sets
from synteval.meta.gain import gain
from synteval.meta.heterogeneity import heterogeneity
from synteval.meta.pairs import compare
from synteval.meta.reliability import reliability, threshold_curve, thresholded


def one_segment(**scores):
    return {name: np.array(values, dtype=float)[:, None] for name, values in scores.items()}


@pytest.fixture
def toy():
    metrics = one_segment(x=[0.5, 0.8, 0.2, 0.4], y=[0.8, 0.1, 0.4, 0.3])
    return compare(metrics, np.array([4, 3, 3, 1])[:, None])


@pytest.fixture
def toy2():
    metrics = one_segment(x=[0.1, 0.9, 0.8, 0.7, 0.6], y=[0.3, 0.6, 0.1, 0.9, 0.2])
    return compare(metrics, np.array([3, 4, 2, 1, 0])[:, None])


def test_golden_toy(toy):
    assert toy.ordered == 12
    for metrics, r, s, h in (
        (["x"], 0.6666666666666666, 0.5714285714285714, 0),
        (["y"], 0.8333333333333334, 0.7142857142857143, 0),
        (["x", "y"], 1.0, 0.2857142857142857, 0.6666666666666666),
    ):
        result = reliability(toy, metrics)
        assert result.reliability == pytest.approx(r, abs=1e-9)
        assert result.sensitivity == pytest.approx(s, abs=1e-9)
        assert heterogeneity(toy, metrics) == pytest.approx(h, abs=1e-9)
    result = thresholded(toy, "x", 0.3)
    assert result.reliability == pytest.approx(0.75, abs=1e-9)
    assert result.sensitivity == pytest.approx(0.42857142857142855, abs=1e-9)
    result = gain(toy, ["x", "y"])
    assert result.gain == pytest.approx(0, abs=1e-9)
    assert result.mismatch == pytest.approx(0, abs=1e-12)
    matched = [(m.threshold, m.sensitivity, m.reliability) for m in result.matched]
    assert matched[0] == pytest.approx((0.4, 0.2857142857142857, 1.0), abs=1e-9)
    assert matched[1] == pytest.approx((0.5, 0.2857142857142857, 1.0), abs=1e-9)


def test_golden_toy_with_positive_gain(toy2):
    sets = (["x"], ["y"], ["x", "y"])
    assert [reliability(toy2, s).reliability for s in sets] == pytest.approx([0.7, 0.6, 0.8], abs=1e-9)
    assert [reliability(toy2, s).sensitivity for s in sets] == pytest.approx([0.7, 0.6, 0.4], abs=1e-9)
    assert heterogeneity(toy2, ["x", "y"]) == pytest.approx(0.5, abs=1e-9)
    result = gain(toy2, ["x", "y"])
    assert result.gain == pytest.approx(0.22857142857142856, abs=1e-9)
    matched = [(m.metric, m.threshold, m.sensitivity, m.reliability) for m in result.matched]
    assert matched[0][1:] == pytest.approx((0.2, 0.4, 0.5714285714285714), abs=1e-9)
    assert matched[1][1:] == pytest.approx((0.3, 0.4, 0.5714285714285714), abs=1e-9)


def test_a_metric_that_always_ties():
    pairs = compare(one_segment(x=[1, 1]), np.array([1, 2])[:, None])
    assert reliability(pairs, ["x"]).reliability == 0.5
    assert heterogeneity(pairs, ["x"]) == 0
    strict = compare(one_segment(x=[1, 1]), np.array([1, 2])[:, None], strict=True)
    assert math.isnan(reliability(strict, ["x"]).reliability)


def naive(metrics, human):
    """R, S, H over ordered pairs of different systems, by the definitions."""
    agreed = hits = improved = contradicted = total = 0
    systems, segments = human.shape
    for k in range(segments):
        for i, j in itertools.permutations(range(systems), 2):
            if any(math.isnan(m[i, k] - m[j, k]) for m in [human, *metrics]):
                continue
            total += 1
            unanimous = all(m[i, k] >= m[j, k] for m in metrics)
            better = human[i, k] >= human[j, k]
            agreed += unanimous
            improved += better
            hits += unanimous and better
            contradicted += any(m[i, k] > m[j, k] for m in metrics) and any(m[i, k] < m[j, k] for m in metrics)
    return hits / agreed if agreed else math.nan, hits / improved if improved else math.nan, contradicted / total


@settings(max_examples=60, deadline=None)
@given(hnp.arrays(np.int64, (4, 4, 3), elements=st.integers(0, 3)), st.integers(0, 47))
def test_equals_the_naive_twin(values, missing):
    scores = values.astype(float)
    scores.flat[missing] = np.nan
    human, *metrics = scores
    names = {f"m{i}": m for i, m in enumerate(metrics)}
    pairs = compare(names, human)
    r, s, h = naive(metrics, human)
    result = reliability(pairs, list(names))
    assert [result.reliability, result.sensitivity, heterogeneity(pairs, list(names))] == pytest.approx(
        [r, s, h], nan_ok=True
    )


@settings(max_examples=60, deadline=None)
@given(hnp.arrays(np.int64, (4, 4, 3), elements=st.integers(0, 3)))
def test_properties_of_the_paper(values):
    human, *metrics = values.astype(float)
    names = [f"m{i}" for i in range(3)]
    pairs = compare(dict(zip(names, metrics, strict=True)), human)
    h = [heterogeneity(pairs, names[:k]) for k in (1, 2, 3)]
    s = [reliability(pairs, names[:k]).sensitivity for k in (1, 2, 3)]
    assert h[0] == 0 <= h[1] <= h[2] <= 1
    assert s[0] >= s[1] >= s[2]
    if h[2] == 1:  # nothing is agreed on, so nothing can be wrong
        assert reliability(pairs, names).agreed == 0
    g = gain(pairs, names)
    if not math.isnan(g.gain):
        assert -1 <= g.gain <= 1
        for match in g.matched:
            again = thresholded(pairs, match.metric, match.threshold)
            assert (again.reliability, again.sensitivity) == pytest.approx((match.reliability, match.sensitivity))


@settings(max_examples=40, deadline=None)
@given(hnp.arrays(np.int64, (2, 4, 3), elements=st.integers(0, 5)), st.floats(0.5, 3))
def test_an_increasing_transformation_changes_nothing(values, power):
    human, metric = values.astype(float)
    a, b = (compare({"m": m}, human) for m in (metric, metric**power))
    assert reliability(a, ["m"]) == reliability(b, ["m"])


def test_gain_matches_sensitivity_exactly_or_says_how_far_off():
    rng = np.random.default_rng(2)
    human = rng.normal(size=(5, 40))
    pairs = compare({n: human + rng.normal(size=human.shape) for n in "abc"}, human)
    result = gain(pairs, "abc")
    for match, name in zip(result.matched, "abc", strict=True):
        distances = np.abs(threshold_curve(pairs, name).sensitivity - result.sensitivity)
        assert abs(match.sensitivity - result.sensitivity) == pytest.approx(distances.min(), abs=1e-12)
    at_least = gain(pairs, "abc", sensitivity_match="at_least")
    assert all(m.sensitivity >= result.sensitivity - 1e-12 for m in at_least.matched)
    with pytest.raises(OptionError, match="nearest"):
        gain(pairs, "abc", sensitivity_match="near")


def test_identical_texts_and_references_are_left_out():
    metrics, human = one_segment(x=[1, 2, 3]), np.array([1, 2, 3])[:, None]
    texts = [["a dog"], ["a dog"], ["a cat"]]
    assert len(compare(metrics, human, hypotheses=texts)) == 2
    assert len(compare(metrics, human, hypotheses=texts, references=[["a dog"]], exclude_identical=False)) == 3
    with pytest.raises(InputError, match="no pair"):
        compare(metrics, human, hypotheses=texts, references=[["a dog"]])


def test_pairs_of_systems():
    pairs = compare({"x": [[1, 3], [2, 1]]}, [[1, 1], [0, 0]], pairs="system")
    assert len(pairs) == 1
    assert reliability(pairs, ["x"]).reliability == 1


def test_unknown_metric(toy):
    with pytest.raises(OptionError, match="unknown metric 'z'"):
        reliability(toy, ["z"])


def test_experiments_run_and_are_reproducible():
    rng = np.random.default_rng(3)
    human = rng.normal(size=(4, 50))
    names = [f"m{i}" for i in range(6)]
    pairs = compare({n: human + rng.normal(size=human.shape) for n in names}, human)
    assert len(metric_pairs(pairs)) == 15
    assert random_sets(pairs, (2, 3, 40), n_sets=4, rng=1) == random_sets(pairs, (2, 3, 40), n_sets=4, rng=1)
    lexical, mixed = lexical_and_mixed(pairs, names[:3], names[3:], (1, 2, 3, 4), n_sets=5, rng=0)
    assert {len(r.metrics) for r in lexical} == {1, 2, 3}
    assert {len(r.metrics) for r in mixed} == {1, 2, 3, 4}
    # More noisy but independent witnesses: agreement of all is more reliable than the best alone.
    assert all(r.additive > 0 for r in metric_pairs(pairs))


def test_all_pairs_of_thirty_metrics_on_four_thousand_segments_within_a_minute():
    rng = np.random.default_rng(5)
    human = rng.normal(size=(10, 4000))
    start = time.perf_counter()
    pairs = compare({f"m{i}": human + rng.normal(size=human.shape) for i in range(30)}, human)
    assert len(metric_pairs(pairs)) == 435
    assert time.perf_counter() - start < 60
