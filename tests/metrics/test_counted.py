"""STM, DSTM and HWCM: against plain twins, by segment and over a corpus, on both paths and for any chunk size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import syntactic_twins as twins
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synteval.errors import OptionError
from synteval.metrics import layout
from synteval.metrics.base import Chunk
from synteval.metrics.dstm import DSTM
from synteval.metrics.hwcm import HWCM
from synteval.metrics.options import configure
from synteval.metrics.stm import STM
from synteval.structures import Sentence

PATHS = pytest.mark.parametrize("direct_pairs", [-1, 10**6], ids=["arrays", "direct"])
CHECKED = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def chunk_of(pairs, convert):
    return Chunk([convert(h) for h, _ in pairs], [[convert(r) for r in refs] for _, refs in pairs])


def compare(metric, chunk, rows, monkeypatch, direct_pairs):
    """Rows of the twin against the metric's, chunk by chunk."""
    monkeypatch.setattr(layout, "DIRECT_PAIRS", direct_pairs)
    expected = [twins.mean_precision(row, metric.empty, metric.epsilon) for row in rows]
    whole = twins.mean_precision(twins.add_rows(rows), metric.empty)
    for size in (1, 7, 1000):
        stats = np.concatenate([metric.statistics(chunk.part(i, i + size)) for i in range(0, len(chunk), size)])
        assert metric.score_rows(stats, segment=True) == pytest.approx(expected, abs=1e-9)
        corpus = float(np.mean(expected)) if metric.aggregate == "mean" else whole
        assert metric.score(stats.sum(axis=0)) == pytest.approx(corpus, abs=1e-9)


@PATHS
@CHECKED
@given(pairs=twins.pairs(twins.FORESTS), depth=st.integers(1, 6), empty=st.sampled_from(["ref", "zero", "skip"]))
def test_stm_is_its_definition(pairs, depth, empty, direct_pairs, monkeypatch):
    rows = []
    for hyp, refs in pairs:
        counters = [[twins.subtrees(s, n) for n in range(1, depth + 1)] for s in (hyp, *refs)]
        rows.append(twins.precision_row(counters[0], counters[1:]))
    chunk = chunk_of(pairs, twins.constituency)
    compare(STM(depth=depth, empty=empty, normalise_tree=False), chunk, rows, monkeypatch, direct_pairs)


@PATHS
@CHECKED
@given(
    pairs=twins.pairs(twins.DEPENDENCIES),
    length=st.integers(1, 5),
    empty=st.sampled_from(["ref", "zero", "skip"]),
    aggregate=st.sampled_from(["counts", "mean"]),
)
def test_hwcm_is_its_definition(pairs, length, empty, aggregate, direct_pairs, monkeypatch):
    rows = []
    for hyp, refs in pairs:
        trees = [[twins.nested(sentence) for sentence in segment] for segment in (hyp, *refs)]
        counters = [[twins.chains(s, n) for n in range(1, length + 1)] for s in trees]
        rows.append(twins.precision_row(counters[0], counters[1:]))
    metric = HWCM(length=length, empty=empty, aggregate=aggregate)
    compare(metric, chunk_of(pairs, tuple), rows, monkeypatch, direct_pairs)


@PATHS
@CHECKED
@given(pairs=twins.pairs(twins.DEPENDENCIES), depth=st.integers(1, 5), ordered=st.booleans())
def test_dstm_is_its_definition(pairs, depth, ordered, direct_pairs, monkeypatch):
    rows = []
    for hyp, refs in pairs:
        trees = [[twins.nested(sentence) for sentence in segment] for segment in (hyp, *refs)]
        counters = [[twins.subtrees(s, n, ordered) for n in range(1, depth + 1)] for s in trees]
        rows.append(twins.precision_row(counters[0], counters[1:]))
    compare(DSTM(depth=depth, ordered=ordered), chunk_of(pairs, tuple), rows, monkeypatch, direct_pairs)


@PATHS
@CHECKED
@given(pairs=twins.pairs(twins.FORESTS), empty=st.sampled_from(["ref", "zero", "skip"]))
def test_recall_and_f1(pairs, empty, direct_pairs, monkeypatch):
    """Recall against one reference is precision with the roles changed; of several references the best counts."""
    monkeypatch.setattr(layout, "DIRECT_PAIRS", direct_pairs)
    precision = STM(empty=empty, normalise_tree=False)
    recall = STM(empty=empty, mode="recall", normalise_tree=False)
    both = STM(empty=empty, mode="f1", normalise_tree=False)
    for hyp, refs in pairs:
        segment, *others = [twins.constituency(s) for s in (hyp, *refs)]
        got = recall.score(recall.stats(segment, others), segment=True)
        turned = [precision.score(precision.stats(other, [segment]), segment=True) for other in others]
        assert got == pytest.approx(max(turned) if hyp else 0.0, abs=1e-12)
        f1 = both.score(both.stats(segment, others), segment=True)
        assert 0 <= f1 <= 1
        if len(others) == 1 and hyp and refs[0]:
            stats = both.stats(segment, others).reshape(5, -1)
            shares = [2 * c / (t + r) for c, t, _, _, r in stats.T if t + r and (empty != "skip" or t * r)]
            assert f1 == pytest.approx(sum(shares) / (4 if empty == "zero" else len(shares)), abs=1e-12)


@given(pairs=twins.pairs(twins.FORESTS, most=3))
@settings(max_examples=60, deadline=None)
def test_bounds_identity_and_more_references(pairs):
    for metric in (STM(), STM(mode="recall"), STM(mean="geometric"), STM(aggregate="mean")):
        for hyp, refs in pairs:
            segment, *others = [twins.constituency(s) for s in (hyp, *refs)]
            scores = [metric.score(metric.stats(segment, others[: i + 1]), segment=True) for i in range(len(others))]
            assert all(0 <= score <= 1 for score in scores)
            assert scores == sorted(scores)
            assert metric.score(metric.stats(segment, others[::-1])) == metric.score(metric.stats(segment, others))
            if hyp:
                assert metric.score(metric.stats(segment, [segment])) == 1.0


def test_units_of_chains():
    one = (
        Sentence.build(
            ["Dogs", "bark"], lemmas=["dog", "bark"], upos=["NOUN", "VERB"], heads=[1, -1], relations=["nsubj", "root"]
        ),
    )
    two = (
        Sentence.build(
            ["A", "dog", "barks"],
            lemmas=["a", "dog", "_"],
            upos=["DET", "NOUN", "VERB"],
            heads=[1, 2, -1],
            relations=["det", "nsubj", "root"],
        ),
    )
    scores = {
        form: [HWCM(length=2, form=form).counts(HWCM(length=2, form=form).stats(one, [two]))["clipped"]]
        for form in ("surface", "lemma", "pos", "relation")
    }
    assert scores == {"surface": [[0, 0]], "lemma": [[1, 0]], "pos": [[2, 1]], "relation": [[2, 1]]}
    assert HWCM(case=True).counts(HWCM(case=True).stats(one, [(Sentence.build(["dogs"], heads=[-1]),)]))["clipped"] == [
        0,
        0,
        0,
        0,
    ]


def test_options_are_checked():
    with pytest.raises(OptionError, match="depth, empty, epsilon, mean, mode, aggregate, lexicalised"):
        configure(STM, {"deep": "3"})
    with pytest.raises(OptionError, match="valid: ref, zero, skip"):
        configure(HWCM, {"empty": "none"})
    with pytest.raises(OptionError, match="at least 1"):
        HWCM(length=0)
    with pytest.raises(OptionError, match="between 0 and 1"):
        STM(epsilon=-1)
    assert configure(DSTM, {"depth": "3", "ordered": "false"}) == DSTM(depth=3, ordered=False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": "3"}, "stm:depth='3' is not possible; it takes a whole number"),
        ({"depth": 2.5}, "takes a whole number"),
        ({"depth": True}, "takes a whole number"),
        ({"depth": 10**10}, "at most 1000"),
        ({"lexicalised": "no"}, "takes true or false"),
        ({"epsilon": "0.1"}, "takes a number"),
    ],
)
def test_options_of_another_type_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        STM(**options)
    assert STM(depth=np.int64(3), epsilon=np.float32(0)).orders == 3
