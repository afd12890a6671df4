"""Soft structure: with similarities of 0 and 1 every soft metric is its exact version; paraphrases score above it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from generated import heads
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from vectors_of import lowered, one_hot

from synteval import evaluate
from synteval.metrics.base import Chunk, Metric
from synteval.metrics.depf import DependencyF
from synteval.metrics.dtkm import DTKM
from synteval.metrics.esk import ESK
from synteval.metrics.hwcm import HWCM
from synteval.structures import Segment, Sentence

FEW = settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@st.composite
def segments(draw: st.DrawFn) -> Segment:
    found = []
    for _ in range(draw(st.integers(1, 2))):
        count = draw(st.integers(1, 6))
        words = draw(st.lists(st.sampled_from(["a", "B", "c", "d"]), min_size=count, max_size=count))
        relations = draw(st.lists(st.sampled_from(["nsubj", "obj", "punct"]), min_size=count, max_size=count))
        senses = [[word.lower()] for word in words]
        found.append(Sentence.build(words, heads=draw(heads(count)), relations=relations, scheme="ud", senses=senses))
    return tuple(found)


PAIRS = st.tuples(segments(), st.lists(segments(), min_size=1, max_size=3))
EXACT_AND_SOFT: list[tuple[Metric, Metric]] = [
    (metric, dataclasses.replace(metric, match="soft"))  # type: ignore[call-arg]
    for metric in (
        HWCM(),
        HWCM(mode="recall", length=3),
        HWCM(mode="f1", aggregate="mean"),
        DependencyF(),
        DependencyF(labelled=False, multi_ref="mean"),
        DTKM(),
        DTKM(decay=0.4, count_single_nodes=True, ordered=False, multi_ref="mean"),
        DTKM(kernel="partial", decay=0.4),
    )
] + [(ESK(senses="given", d=d), ESK(senses="vectors", d=d)) for d in (1, 2, 3)]


def pair_of(pair: tuple[Segment, Sequence[Segment]]) -> Chunk:
    hypothesis, *references = one_hot([pair[0], *pair[1]], lowered)
    return Chunk([hypothesis], [references])


@pytest.mark.parametrize(("exact", "soft"), EXACT_AND_SOFT, ids=lambda metric: metric.signature())
@given(PAIRS)
@FEW
def test_with_similarities_of_0_and_1_soft_is_exact(
    exact: Metric, soft: Metric, pair: tuple[Segment, Sequence[Segment]]
) -> None:
    chunk = pair_of(pair)
    assert soft.statistics(chunk) == pytest.approx(exact.statistics(chunk), abs=1e-9)


SYSTEM = ["The physician examined the child .", "Nobody bought the automobile .", "A dog barks ."]
REFERENCE = ["The doctor examined the kid .", "No one purchased the car .", "A dog barks ."]
SOFT = ["soft", "hwcm:match=soft", "depf:match=soft", "esk:senses=vectors", "dtkm:match=soft"]


def test_paraphrases_score_above_exact_matching_and_equal_texts_score_1() -> None:
    exact = ["hwcm", "depf", "wsk", "dtkm"]
    run = evaluate({"system": SYSTEM}, REFERENCE, [*SOFT, *exact])
    scores = run.segment_scores["system"]
    for name in SOFT:
        assert scores[name][2] == pytest.approx(1, abs=1e-9)
        assert ((scores[name] > 0) & (scores[name] <= 1)).all()
    for hard, soft in zip(exact, SOFT[1:], strict=True):
        assert (scores[soft][:2] > scores[hard][:2]).all()
    assert all("vectors=minilm@" in run.signatures[name] for name in SOFT)
    assert "vectors=" not in run.signatures["hwcm"] and "match=exact" in run.signatures["hwcm"]


def test_a_row_does_not_depend_on_the_other_rows() -> None:
    together = evaluate({"system": SYSTEM}, REFERENCE, SOFT).segment_scores["system"]
    for number, (hyp, ref) in enumerate(zip(SYSTEM, REFERENCE, strict=True)):
        alone = evaluate({"system": [hyp]}, [ref], SOFT).segment_scores["system"]
        assert np.array([alone[name][0] for name in SOFT]).tolist() == [together[name][number] for name in SOFT]


@st.composite
def small_trees(draw: st.DrawFn) -> Sentence:
    count = draw(st.integers(1, 5))
    words = draw(st.lists(st.sampled_from("ab"), min_size=count, max_size=count))
    return Sentence.build(words, heads=draw(heads(count)), relations=["x"] * count, scheme="ud")


def naive_partial(one: Sentence, other: Sentence, decay: float) -> float:
    """The partial tree kernel by its definition: every pair of subsequences of children."""

    def children(sentence: Sentence, node: int) -> list[int]:
        assert sentence.heads is not None
        return [token for token, head in enumerate(sentence.heads.tolist()) if head == node]

    def subsequences(nodes: list[int]) -> list[tuple[tuple[int, ...], int]]:
        found = []
        for size in range(1, len(nodes) + 1):
            for places in combinations(range(len(nodes)), size):
                found.append((tuple(nodes[place] for place in places), places[-1] - places[0] + 1))
        return found

    def common(left: int, right: int) -> float:
        if one.forms[left] != other.forms[right]:
            return 0.0
        below, below_other = children(one, left), children(other, right)
        if not below or not below_other:
            return decay * decay
        total = decay**2
        for nodes, width in subsequences(below):
            for others, width_other in subsequences(below_other):
                if len(nodes) == len(others):
                    product = decay ** (width + width_other)
                    for pair in zip(nodes, others, strict=True):
                        product *= common(*pair)
                    total += product
        return decay * total

    return sum(common(left, right) for left in range(len(one)) for right in range(len(other)))


@given(small_trees(), small_trees())
@FEW
def test_the_partial_tree_kernel_is_what_the_definition_says(one: Sentence, other: Sentence) -> None:
    metric = DTKM(kernel="partial", decay=0.5)
    row = metric.stats((one,), [(other,)])
    assert row[2:] == pytest.approx(
        [naive_partial(*pair, 0.5) for pair in ((one, other), (one, one), (other, other))], rel=1e-9
    )


def test_a_large_tree_has_a_soft_kernel() -> None:
    chain = Sentence.build(["w"] * 1500, heads=range(-1, 1499), relations=["x"] * 1500, scheme="ud")
    (segment,) = one_hot([(chain,)])
    metric = DTKM(match="soft")
    assert metric.score(metric.stats(segment, [segment]), segment=True) == 1
