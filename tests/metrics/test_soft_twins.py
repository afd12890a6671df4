"""Soft structure between 0 and 1: values against naive twins that try every assignment and every fragment."""

from __future__ import annotations

import dataclasses
import math
from itertools import combinations, permutations

import numpy as np
import pytest
from generated import heads
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synteval.metrics.depf import DependencyF
from synteval.metrics.dtkm import DTKM
from synteval.metrics.hwcm import HWCM
from synteval.metrics.similarity import CHANCE
from synteval.structures import Sentence

FEW = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
VECTORS = st.lists(st.integers(-9, 9), min_size=3, max_size=3)


@st.composite
def small_trees(draw: st.DrawFn) -> Sentence:
    count = draw(st.integers(1, 5))
    relations = draw(st.lists(st.sampled_from(["nsubj", "obj"]), min_size=count, max_size=count))
    words = [f"w{draw(st.integers(0, 9))}" for _ in range(count)]
    sentence = Sentence.build(words, heads=draw(heads(count)), relations=relations, scheme="ud")
    vectors = np.array(draw(st.lists(VECTORS, min_size=count, max_size=count)), np.int8)
    return dataclasses.replace(sentence, vectors=vectors)


def alike(one: Sentence, i: int, other: Sentence, j: int) -> float:
    """The cosine of two words above what chance gives."""
    assert one.vectors is not None and other.vectors is not None
    a, b = one.vectors[i].astype(float), other.vectors[j].astype(float)
    norm = math.sqrt(float(a @ a) * float(b @ b))
    return max(float(a @ b) / norm - CHANCE, 0.0) / (1 - CHANCE) if norm else 0.0


def best(rows: list[list[float]]) -> float:
    """The largest sum over all ways to pair rows and columns one to one."""
    if not rows or not rows[0]:
        return 0.0
    if len(rows) > len(rows[0]):
        rows = [list(column) for column in zip(*rows, strict=True)]
    return max(
        sum(row[place] for row, place in zip(rows, places, strict=True))
        for places in permutations(range(len(rows[0])), len(rows))
    )


def heads_of(sentence: Sentence) -> list[int]:
    assert sentence.heads is not None
    return [int(head) for head in sentence.heads]


@given(small_trees(), small_trees())
@FEW
def test_dependencies_are_paired_as_well_as_can_be(one: Sentence, other: Sentence) -> None:
    def value(i: int, j: int) -> float:
        assert one.relations is not None and other.relations is not None
        if one.relations[i] != other.relations[j]:
            return 0.0
        above = alike(one, heads_of(one)[i], other, heads_of(other)[j])
        return math.sqrt(above * alike(one, i, other, j))

    arcs, others = ([t for t, head in enumerate(heads_of(sentence)) if head >= 0] for sentence in (one, other))
    matched = best([[value(i, j) for j in others] for i in arcs])
    row = DependencyF(match="soft").stats((one,), [(other,)])
    assert row[:3] == pytest.approx([matched, len(arcs), len(others)], abs=1e-9)


@given(small_trees(), small_trees())
@FEW
def test_chains_are_paired_as_well_as_can_be(one: Sentence, other: Sentence) -> None:
    def chains(sentence: Sentence, length: int) -> list[list[int]]:
        found = [[token] for token in range(len(sentence))]
        for _ in range(1, length):
            found = [[*chain, heads_of(sentence)[chain[-1]]] for chain in found if heads_of(sentence)[chain[-1]] >= 0]
        return found

    metric = HWCM(match="soft", length=3)
    counts = metric.counts(metric.stats((one,), [(other,)]))
    for length in (1, 2, 3):
        rows = [
            [
                math.prod(alike(one, i, other, j) for i, j in zip(chain, twin, strict=True)) ** (1 / length)
                for twin in chains(other, length)
            ]
            for chain in chains(one, length)
        ]
        assert counts["clipped"][length - 1] == pytest.approx(best(rows), abs=1e-9)


@pytest.mark.parametrize("kernel", ["sst", "partial"])
@given(small_trees(), small_trees())
@FEW
def test_kernels_are_what_their_definitions_say(kernel: str, one: Sentence, other: Sentence) -> None:
    decay = 0.5

    def children(sentence: Sentence, node: int) -> list[int]:
        return [token for token, head in enumerate(heads_of(sentence)) if head == node]

    def value(a: Sentence, b: Sentence) -> float:
        def subset_trees(i: int, j: int) -> float:
            below, twins = children(a, i), children(b, j)
            if not below or len(below) != len(twins):
                return 0.0
            parts = (alike(a, x, b, y) + subset_trees(x, y) for x, y in zip(below, twins, strict=True))
            return decay * alike(a, i, b, j) * math.prod(parts)

        def partial(i: int, j: int) -> float:
            below, twins = children(a, i), children(b, j)
            total = decay**2 if below and twins else decay
            for size in range(1, min(len(below), len(twins)) + 1):
                for left in combinations(range(len(below)), size):
                    for right in combinations(range(len(twins)), size):
                        width = left[-1] - left[0] + right[-1] - right[0] + 2
                        pairs = zip(left, right, strict=True)
                        total += decay**width * math.prod(partial(below[x], twins[y]) for x, y in pairs)
            return decay * alike(a, i, b, j) * total

        common = subset_trees if kernel == "sst" else partial
        return sum(common(i, j) for i in range(len(a)) for j in range(len(b)))

    row = DTKM(kernel=kernel, match="soft", decay=decay).stats((one,), [(other,)])
    pairs = ((one, other), (one, one), (other, other))
    assert row[2:] == pytest.approx([value(*pair) for pair in pairs], rel=1e-9, abs=1e-12)
