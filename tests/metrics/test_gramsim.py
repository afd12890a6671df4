"""GRAMSIM: the worked example, bounds, several references."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synteval.errors import MissingLayerError, OptionError
from synteval.metrics.base import Chunk
from synteval.metrics.gramsim import GramSim
from synteval.structures import Sentence


def tagged(tags: str) -> tuple[Sentence, ...]:
    names = tags.split()
    return (Sentence.build(["w"] * len(names), upos=names, xpos=[name[:2] for name in names]),)


def test_the_worked_example() -> None:
    score = GramSim().stats(tagged("NOUN VERB"), [tagged("NOUN NOUN NOUN VERB")])[0]
    assert score == pytest.approx(0.7387961250362586, abs=1e-9)
    assert 1 / score - 1 == pytest.approx(0.3535533905932738, abs=1e-9)


def test_references_and_tags() -> None:
    hypothesis, references = tagged("NOUN VERB"), [tagged("NOUN NOUN NOUN VERB"), tagged("VERB NOUN")]
    assert GramSim().stats(hypothesis, references)[0] == 1.0
    assert GramSim(multi_ref="mean").stats(hypothesis, references)[0] == pytest.approx((1 + 0.7387961250362586) / 2)
    # The tags differ, their first two letters do not.
    assert GramSim(tags="xpos").stats(tagged("ADV"), [tagged("ADVX")])[0] == 1.0


def test_empty_segments_score_0() -> None:
    empty: tuple[Sentence, ...] = ()
    chunk = Chunk([tagged("NOUN"), empty, empty], [[empty], [tagged("NOUN")], [empty]])
    assert GramSim().statistics(chunk).tolist() == [[0, 1]] * 3


def test_a_corpus_is_the_mean() -> None:
    metric = GramSim()
    rows = metric.corpus(
        Chunk([tagged("NOUN"), tagged("NOUN VERB")], [[tagged("NOUN")], [tagged("NOUN NOUN NOUN VERB")]])
    )
    assert metric.score(rows.sum(axis=0)) == pytest.approx((1 + 0.7387961250362586) / 2)


def test_bad_input() -> None:
    with pytest.raises(OptionError, match="upos, xpos"):
        GramSim(tags="feats")
    with pytest.raises(MissingLayerError, match="part-of-speech"):
        GramSim().stats((Sentence.build(["a"]),), [tagged("NOUN")])


TAGS = st.lists(st.sampled_from(["NOUN", "VERB", "ADJ", "DET"]), min_size=1, max_size=8).map(" ".join)


@settings(max_examples=60)
@given(TAGS, TAGS)
def test_bounds_identity_symmetry_and_order(one: str, other: str) -> None:
    score = GramSim().stats(tagged(one), [tagged(other)])[0]
    assert 1 / (1 + math.sqrt(2)) - 1e-12 <= score <= 1
    assert score == pytest.approx(GramSim().stats(tagged(other), [tagged(one)])[0])
    assert GramSim().stats(tagged(one), [tagged(" ".join(sorted(one.split())))])[0] == 1.0
