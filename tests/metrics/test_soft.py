"""`soft`: its definition against a naive twin, identity, bounds, and equality with exact matching at 0 and 1."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vectors_of import one_hot

from synteval.errors import OptionError
from synteval.metrics.base import Chunk
from synteval.metrics.registry import load_metric
from synteval.metrics.soft import Soft
from synteval.structures import Segment, Sentence

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), max_size=8)
ROWS = st.lists(st.lists(st.integers(-127, 127), min_size=3, max_size=3), max_size=6)


def words(segment: list[str]) -> Segment:
    return (Sentence.build(segment),)


def with_rows(rows: list[list[int]]) -> Segment:
    vectors = np.array(rows, np.int8).reshape(len(rows), 3)
    return (Sentence("x", Sentence.build(["w"] * len(rows)).forms, vectors=vectors),)


def naive_f(hypothesis: list[list[int]], reference: list[list[int]]) -> float:
    def alike(one: list[int], other: list[int]) -> float:
        norm = (sum(x * x for x in one) * sum(x * x for x in other)) ** 0.5
        return max(0.0, sum(x * y for x, y in zip(one, other, strict=True)) / norm) if norm else 0.0

    if not hypothesis or not reference:
        return 0.0
    precision = sum(max(alike(h, r) for r in reference) for h in hypothesis) / len(hypothesis)
    recall = sum(max(alike(h, r) for h in hypothesis) for r in reference) / len(reference)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@given(ROWS, ROWS)
@settings(max_examples=60)
def test_greedy_matching_is_what_the_definition_says(one: list[list[int]], other: list[list[int]]) -> None:
    metric = Soft()
    score = metric.score(metric.stats(with_rows(one), [with_rows(other)]), segment=True)
    assert score == pytest.approx(naive_f(one, other)) and 0 <= score <= 1


@given(WORDS, WORDS)
@settings(max_examples=60)
def test_optimal_assignment_of_equal_words_is_the_clipped_f(one: list[str], other: list[str]) -> None:
    metric = Soft(assignment="optimal")
    hypothesis, reference = one_hot([words(one), words(other)])
    matched = (Counter(one) & Counter(other)).total()
    wanted = 2 * matched / (len(one) + len(other)) if matched else 0.0
    assert metric.score(metric.stats(hypothesis, [reference]), segment=True) == pytest.approx(wanted)


@given(st.lists(st.lists(st.integers(-127, 127), min_size=3, max_size=3).filter(any), min_size=1, max_size=6))
@settings(max_examples=60)
@pytest.mark.parametrize("assignment", ["greedy", "optimal"])
def test_an_output_identical_to_its_reference_scores_1(assignment: str, rows: list[list[int]]) -> None:
    metric = Soft(assignment=assignment)
    assert metric.score(metric.stats(with_rows(rows), [with_rows(rows)]), segment=True) == 1


def test_the_best_reference_counts() -> None:
    hypothesis, near, far = one_hot([words(["a", "b"]), words(["a", "b"]), words(["c"])])
    assert Soft().score(Soft().stats(hypothesis, [far, near]), segment=True) == 1
    mean = Soft(multi_ref="mean")
    assert mean.score(mean.stats(hypothesis, [far, near]), segment=True) == 0.5
    precision, recall = Soft(mode="precision"), Soft(mode="recall")
    short, long = one_hot([words(["a"]), words(["a", "b"])])
    assert precision.score(precision.stats(short, [long]), segment=True) == 1
    assert recall.score(recall.stats(short, [long]), segment=True) == 0.5


def test_rows_add_up_and_do_not_depend_on_one_another() -> None:
    segments = one_hot([words(list(text)) for text in ("ab", "abc", "", "da", "b")])
    chunk = Chunk(segments, [[segment] for segment in segments[::-1]])
    together = Soft().statistics(chunk)
    alone = [Soft().stats(hyp, refs) for hyp, refs in zip(chunk.hypotheses, chunk.references, strict=True)]
    assert np.array_equal(together, alone)
    counts = Soft(aggregate="counts")
    summed = counts.statistics(chunk).sum(axis=0)
    precision, recall = summed[0] / summed[1], summed[2] / summed[3]
    assert counts.score(summed) == pytest.approx(2 * precision * recall / (precision + recall))


def test_rare_words_weigh_more() -> None:
    references = [["the cat"], ["the dog"], ["the rat"]]
    metric = Soft(weights="rarity").prepared(references)
    hypothesis, common, rare = one_hot([words(["the", "cat"]), words(["the", "x"]), words(["x", "cat"])])
    assert metric.score(metric.stats(hypothesis, [common])) < metric.score(metric.stats(hypothesis, [rare]))
    assert "rarity=" not in metric.signature() and "weights=rarity" in metric.signature()


def test_unknown_options_are_refused() -> None:
    with pytest.raises(OptionError, match="greedy, optimal"):
        load_metric("soft:assignment=best")
