from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synteval.results.multiplicity import familywise, holm, sidak


def test_figures_of_riezler_and_maxwell() -> None:
    assert familywise(0.05, 105) == pytest.approx(0.9954188073493938, abs=1e-12)
    assert familywise(0.015, 5) == pytest.approx(0.07278349763437508, abs=1e-12)
    assert sidak(0.05, 105) == pytest.approx(0.0004883882652020333, abs=1e-12)


def test_bounds() -> None:
    assert familywise(1.0, 3) == sidak(1.0, 3) == 1
    assert familywise(0.0, 3) == 0


@given(st.floats(1e-6, 0.99), st.integers(1, 500))
def test_sidak_turns_familywise_round(p: float, comparisons: int) -> None:
    assert familywise(sidak(p, comparisons), comparisons) == pytest.approx(p, rel=1e-9)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


def test_what_was_no_test_is_not_counted() -> None:
    adjusted = holm([0.01, math.nan, 0.04])
    assert adjusted[0] == pytest.approx(0.02)
    assert math.isnan(adjusted[1])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.floats(0.001, 0.5))
def test_holm_rejects_what_the_step_down_procedure_rejects(p_values: list[float], alpha: float) -> None:
    rejected = set()
    for rank, number in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        if p_values[number] * (len(p_values) - rank) > alpha:
            break
        rejected.add(p_values[number])
    for p, adjusted in zip(p_values, holm(p_values), strict=True):
        assert p <= adjusted <= 1
        if p in rejected:
            assert adjusted <= alpha
        elif all(abs(p - other) > 0 for other in rejected):
            assert adjusted > alpha
