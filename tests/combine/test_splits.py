"""No group on both sides of a split, and splits that leak are refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict

from synteval.combine import (
    GroupedSplits,
    WeightedLinear,
    cross_predict,
    crossed_splits,
    grouped_splits,
    refuse_leaks,
    without_shared,
)
from synteval.errors import InputError, OptionError


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=4, max_size=60), st.integers(2, 4))
def test_every_row_is_tested_once_and_groups_stay_together(groups, n):
    if len(set(groups)) < n:
        with pytest.raises(OptionError, match="groups"):
            grouped_splits(groups, n)
        return
    for splits in (grouped_splits(groups, n), grouped_splits(groups)):
        assert sorted(np.concatenate([test for _, test in splits])) == list(range(len(groups)))
        for train, test in splits:
            assert len(train) + len(test) == len(groups)
            assert not {groups[k] for k in train} & {groups[k] for k in test}
        refuse_leaks(splits, {"group": groups})


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    y = rng.normal(size=60)
    return np.stack([y + rng.normal(size=60), rng.normal(size=60)], axis=1), y, [f"s{k % 20}" for k in range(60)]


def test_random_splits_leak_and_are_refused(data):
    x, y, segments = data
    splits = list(KFold(5, shuffle=True, random_state=0).split(x))
    with pytest.raises(InputError, match=r"split 1 leaks: segment 's\d+'.*keep each segment together"):
        cross_predict(WeightedLinear(), x, y, splits, keys={"segment": segments})
    with pytest.raises(InputError, match="row 3 is in both"):
        refuse_leaks([(np.array([1, 2, 3]), np.array([3]))], {})


def test_cross_prediction_equals_scikit_learn(data):
    x, y, segments = data
    splits = grouped_splits(segments, 5)
    ours = cross_predict(WeightedLinear(), x, y, splits, keys={"segment": segments})
    assert ours == pytest.approx(cross_val_predict(WeightedLinear(), x, y, cv=splits))


def test_rows_that_share_a_value_with_the_test_part_are_left_out_of_training():
    segments = [f"s{k % 20}" for k in range(60)]
    groups = [k // 3 for k in range(60)]
    splits = without_shared(grouped_splits(groups, 5), segments, "segment")
    refuse_leaks(splits, {"segment": segments, "group": groups})
    assert sorted(np.concatenate([test for _, test in splits])) == list(range(60))
    with pytest.raises(InputError, match="nothing to train on"):
        without_shared(splits, ["one"] * 60, "segment")


def test_works_inside_a_grid_search(data):
    x, y, segments = data
    search = GridSearchCV(WeightedLinear(), {"alpha": [0.1, 10]}, cv=GroupedSplits(4)).fit(x, y, groups=segments)
    assert search.n_splits_ == 4
    with pytest.raises(InputError, match="need groups"):
        GridSearchCV(WeightedLinear(), {"alpha": [1]}, cv=GroupedSplits(4)).fit(x, y)


def test_unseen_systems_on_unseen_segments():
    systems = [k % 3 for k in range(60)]
    segments = [k // 3 for k in range(60)]
    with pytest.raises(InputError, match="segment"):
        refuse_leaks(grouped_splits(systems), {"segment": segments})
    splits = crossed_splits(systems, segments, None, 4)
    refuse_leaks(splits, {"segment": segments, "system": systems})
    assert sorted(np.concatenate([test for _, test in splits])) == list(range(60))
