from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synteval.metrics.lexical.reference_length import REFERENCE_LENGTH, distance_and_length, reference_length


@pytest.mark.parametrize(
    ("method", "expected"),
    [("average", 19 / 3), ("closest", 4), ("nearest", 6.0), ("best", 6), ("shortest", 4)],
)
def test_candidate_of_five_words(method: str, expected: float) -> None:
    assert reference_length(method, 5, [4, 6, 9], [3, 1, 5]) == pytest.approx(expected)


def test_best_is_relative_and_nearest_absolute() -> None:
    assert distance_and_length("nearest", 4, [2, 10], [2, 6]) == (2, 2.0)
    assert distance_and_length("best", 4, [2, 10], [2, 6]) == (6, 10)


def test_nearest_averages_over_equally_near_references() -> None:
    assert reference_length("nearest", 5, [4, 6, 9], [1, 1, 4]) == 5.0


def test_an_empty_reference_is_never_best_beside_another() -> None:
    assert distance_and_length("best", 2, [0, 3], [2, 3]) == (3, 3)


pairs = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=5)


@given(st.integers(0, 30), pairs, st.sampled_from(REFERENCE_LENGTH), st.randoms())
def test_order_of_references_does_not_matter(length: int, refs: list[tuple[int, int]], method: str, random) -> None:
    lengths, far = zip(*refs, strict=True)
    value = distance_and_length(method, length, lengths, far)
    assert min(lengths) <= value[1] <= max(lengths)
    random.shuffle(refs)
    assert distance_and_length(method, length, *zip(*refs, strict=True)) == pytest.approx(value)
