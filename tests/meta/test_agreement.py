"""Pairwise accuracy and tie calibration against a search over every epsilon."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from synteval.errors import OptionError
from synteval.meta.agreement import accuracy_with_ties, calibrate_ties, system_accuracy


def test_system_accuracy_counts_ordered_pairs():
    human = [[3, 3], [2, 2], [1, 1]]
    assert system_accuracy([[9, 9], [8, 8], [7, 7]], human).accuracy == 1
    assert system_accuracy([[9, 9], [7, 7], [8, 8]], human).accuracy == pytest.approx(2 / 3)
    tied = system_accuracy([[9, 9], [7, 7], [8, 8]], [[3, 3], [1, 1], [1, 1]])
    assert (tied.accuracy, tied.pairs) == (1, 2)


def test_ties_in_both_are_right_and_ties_in_one_are_wrong():
    # one segment, three systems: humans tie the first two
    human = [[2], [2], [1]]
    assert accuracy_with_ties([[5], [5], [1]], human).accuracy == 1
    assert accuracy_with_ties([[5], [4], [1]], human).accuracy == pytest.approx(2 / 3)
    assert accuracy_with_ties([[5], [4], [1]], human, epsilon=1).accuracy == 1
    calibrated = calibrate_ties([[5], [4], [1]], human)
    assert (calibrated.accuracy, calibrated.epsilon, calibrated.pairs) == (1, 1, 3)
    assert calibrated.uncalibrated == pytest.approx(2 / 3)


def naive_calibration(metric, human):
    pairs = [
        (metric[i, k] - metric[j, k], human[i, k] - human[j, k])
        for k in range(metric.shape[1])
        for i, j in itertools.combinations(range(metric.shape[0]), 2)
        if not math.isnan(metric[i, k] - metric[j, k] + human[i, k] - human[j, k])
    ]

    def accuracy(epsilon):
        right = 0
        for dx, dy in pairs:
            x = 0 if abs(dx) <= epsilon else math.copysign(1, dx)
            y = 0 if dy == 0 else math.copysign(1, dy)
            right += x == y
        return right / len(pairs)

    return max((accuracy(e), -e) for e in [0.0, *(abs(dx) for dx, _ in pairs)]) if pairs else None


@settings(max_examples=60, deadline=None)
@given(hnp.arrays(np.int64, (2, 4, 3), elements=st.integers(0, 4)), st.integers(0, 11))
def test_calibration_is_exact(values, missing):
    metric, human = values.astype(float)
    metric.flat[missing] = np.nan
    expected, epsilon = naive_calibration(metric, human)
    result = calibrate_ties(metric, human)
    assert result.accuracy == pytest.approx(expected, abs=1e-12)
    assert result.epsilon == pytest.approx(-epsilon, abs=1e-12)
    assert accuracy_with_ties(metric, human, epsilon=result.epsilon).accuracy == pytest.approx(expected, abs=1e-12)


def test_pairs_of_one_system_or_of_all():
    metric, human = [[1, 2, 3], [3, 2, 1]], [[1, 2, 3], [1, 2, 3]]
    assert accuracy_with_ties(metric, human, pairs="by_system").accuracy == 0.5
    assert accuracy_with_ties(metric, human, pairs="by_segment").pairs == 3
    assert accuracy_with_ties(metric, human, pairs="pooled").pairs == 15
    with pytest.raises(OptionError):
        accuracy_with_ties(metric, human, pairs="system")
