"""Numbers for structures: equal ones for equal structures and different ones for different structures, always."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synteval.metrics import interning
from synteval.metrics.interning import intern, intern_sequences, intern_strings
from synteval.structures import Strings


def same_partition(numbers, things):
    assert len(set(zip(numbers, things, strict=True))) == len(set(numbers)) == len(set(things))


@given(keys=st.lists(st.integers(0, 30)), dense=st.booleans())
def test_keys(keys, dense):
    numbers, count = intern(np.array(keys, dtype=np.int64), 31 if dense else interning.KEY_LIMIT)
    same_partition(numbers.tolist(), keys)
    assert count == len(set(keys)) and set(numbers.tolist()) == set(range(count))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    sequences=st.lists(st.tuples(st.integers(0, 4), st.lists(st.integers(0, 4), max_size=8).map(tuple)), min_size=1),
    limit=st.sampled_from([1, 40, 300, 2**62]),
)
def test_sequences(sequences, limit, monkeypatch):
    """Also where a key is full after every value or two, as in forests with very many labels."""
    monkeypatch.setattr(interning, "KEY_LIMIT", limit)
    heads = np.array([head for head, _ in sequences])
    counts = np.array([len(values) for _, values in sequences])
    values = np.array([value for _, values in sequences for value in values], dtype=np.int64)
    # The values are looked up through a shuffled index, as children are.
    items = np.random.default_rng(0).permutation(len(values))
    shuffled = np.empty_like(values)
    shuffled[items] = values
    numbers, count = intern_sequences(heads, np.cumsum(counts) - counts, counts, items, shuffled, 5)
    same_partition(numbers.tolist(), sequences)
    assert count == len(set(sequences))


def test_strings():
    table = ("a", "b", "é")
    columns = [
        Strings(table, np.array([2, 0, 0], dtype=np.int32)),
        Strings(table, np.array([1], dtype=np.int32)),
        Strings.of(["é", "c"]),
        Strings.of([]),
    ]
    numbers, strings = intern_strings(columns)
    assert [strings[number] for number in numbers.tolist()] == ["é", "a", "a", "b", "é", "c"]
    assert len(set(strings)) == len(strings)
    assert intern_strings([])[0].tolist() == []
