"""The numbers of the papers' worked examples, to nine places."""

from __future__ import annotations

import pytest
import worked_examples as examples
from worked_examples import brackets, dependencies

from synteval.metrics import layout
from synteval.metrics.base import Chunk
from synteval.metrics.depf import DependencyF
from synteval.metrics.dstm import DSTM
from synteval.metrics.dtkm import DTKM
from synteval.metrics.hwcm import HWCM
from synteval.metrics.stm import STM
from synteval.metrics.tkm import TKM

FIG2 = (examples.FIGURE2_HYPOTHESIS, [examples.FIGURE2_REFERENCE])
FIG2_SWAPPED = (examples.FIGURE2_REFERENCE, [examples.FIGURE2_HYPOTHESIS])
FIG2_TWO = (examples.FIGURE2_HYPOTHESIS, [examples.FIGURE2_REFERENCE, examples.TWO_PRONOUNS])
FIG2_SELF = (examples.FIGURE2_HYPOTHESIS, [examples.FIGURE2_HYPOTHESIS])
FIG2_BEST = (examples.FIGURE2_HYPOTHESIS, [examples.FIGURE2_REFERENCE, examples.FIGURE2_HYPOTHESIS])
FOUR = (examples.FOUR_NODES, [examples.FOUR_NODES])
DOG1 = (examples.DOG_HYPOTHESIS_1, [examples.DOG_REFERENCE])
DOG2 = (examples.DOG_HYPOTHESIS_2, [examples.DOG_REFERENCE])
PEN = (examples.RED_PEN, [examples.BLUE_PEN])
PEN_SELF = (examples.RED_PEN, [examples.RED_PEN])
ONE_WORD = (examples.ONE_WORD, [examples.RED_PEN])
ORDER = ("I/2 have/0 pen/2", ["pen/2 have/0 I/2"])
PLANE = (examples.PLANE_HYPOTHESIS, list(examples.PLANE_REFERENCES))
EAT = (examples.EAT_HYPOTHESIS, [examples.EAT_REFERENCE])
SEE = (examples.SEE_HYPOTHESIS, [examples.SEE_REFERENCE])


@pytest.fixture(params=[-1, 6], ids=["arrays", "direct"], autouse=True)
def path(request, monkeypatch):
    monkeypatch.setattr(layout, "DIRECT_PAIRS", request.param)


def rows(metric, *pairs):
    convert = brackets if "tree" in metric.needs else dependencies
    return metric.statistics(Chunk([convert(h) for h, _ in pairs], [[convert(r) for r in refs] for _, refs in pairs]))


@pytest.mark.parametrize(
    ("metric", "pair", "expected"),
    [
        (STM(depth=1), FIG2, 0.8571428571428571),
        (STM(depth=2), FIG2, 0.8035714285714286),
        (STM(depth=3), FIG2, 0.7023809523809524),
        (STM(depth=4), FIG2, 0.5267857142857143),
        (STM(depth=3), FIG2_SWAPPED, 0.6666666666666666),
        (STM(depth=3), FIG2_TWO, 0.75),
        (STM(depth=6), FIG2_SELF, 1.0),
        (STM(depth=6, empty="skip"), FIG2_SELF, 1.0),
        (STM(depth=6, empty="zero"), FIG2_SELF, 0.6666666666666666),
        (STM(depth=4), DOG1, 1.0),
        (STM(depth=4, lexicalised=True), DOG1, 0.5208333333333334),
        (STM(depth=3), DOG2, 0.43333333333333335),
        (TKM(), FIG2, 0.6390096504226938),
        (TKM(decay=0.4), FIG2, 0.7621839681093088),
        (TKM(count_single_nodes=True), FIG2, 0.746003846592251),
        (TKM(), FIG2_BEST, 1.0),
        (TKM(), DOG1, 1.0),
        (TKM(lexicalised=True), DOG1, 0.39622641509433965),
        (TKM(), DOG2, 0.2581988897471611),
        (HWCM(length=1), PEN, 0.8),
        (HWCM(length=2), PEN, 0.775),
        (HWCM(length=3), PEN, 0.6833333333333332),
        (HWCM(empty="skip"), PEN, 0.6833333333333332),
        (HWCM(empty="zero", epsilon=0.0), PEN, 0.5125),
        (HWCM(empty="zero"), PEN, 0.5127499999999999),
        (HWCM(mode="f1", empty="zero", epsilon=0.0), PEN, 0.5125),
        (HWCM(), PEN_SELF, 1.0),
        (HWCM(empty="zero", epsilon=0.0), PEN_SELF, 0.75),
        (HWCM(length=3, epsilon=0.0), ONE_WORD, 0.3333333333333333),
        (HWCM(length=3), ONE_WORD, 0.3339999999999999),
        (HWCM(length=3, empty="skip"), ONE_WORD, 1.0),
        (HWCM(length=3, empty="zero", epsilon=0.0), ONE_WORD, 0.3333333333333333),
        (HWCM(length=4, epsilon=0.0), ONE_WORD, 0.3333333333333333),
        (HWCM(length=2), (examples.FIVE_WORDS, [examples.BLUE_PEN]), 0.1005),
        (HWCM(length=2, epsilon=0.0), (examples.FIVE_WORDS, [examples.BLUE_PEN]), 0.1),
        (HWCM(length=2), PLANE, 0.5111111111111111),
        (DSTM(depth=2), PEN, 0.65),
        (DSTM(depth=3), PEN, 0.43333333333333335),
        (DSTM(depth=2), ORDER, 0.5),
        (DSTM(depth=2, ordered=False), ORDER, 1.0),
        (DTKM(), PEN, 0.3333333333333333),
        (DTKM(count_single_nodes=True), PEN, 0.625),
        (DependencyF(), EAT, 0.5714285714285715),
        (DependencyF(labelled=False), EAT, 0.8571428571428571),
    ],
    ids=lambda value: value.signature() if hasattr(value, "signature") else "",
)
def test_segments(metric, pair, expected):
    assert metric.score_rows(rows(metric, pair), segment=True)[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("metric", "pairs", "expected"),
    [
        (STM(depth=3), (FIG2, FOUR), 0.8030303030303031),
        (STM(depth=3, aggregate="mean"), (FIG2, FOUR), 0.8511904761904763),
        (TKM(), (FIG2, FOUR), 0.8195048252113468),
        (TKM(aggregate="pooled"), (FIG2, FOUR), 0.7161148740394329),
        (DependencyF(), (EAT, SEE), 0.5),
        (DependencyF(aggregate="mean"), (EAT, SEE), 0.48571428571428577),
    ],
    ids=lambda value: value.signature() if hasattr(value, "signature") else "",
)
def test_corpora(metric, pairs, expected):
    assert metric.score(rows(metric, *pairs).sum(axis=0)) == pytest.approx(expected, abs=1e-9)


def fractions(metric, pair):
    counts = metric.counts(rows(metric, pair)[0])
    return list(zip(counts["clipped"], counts["total"], strict=True))


def test_counts():
    assert fractions(STM(), FIG2) == [(6, 7), (3, 4), (1, 2), (0, 1)]
    assert fractions(STM(depth=5, lexicalised=True), DOG1) == [(10, 12), (6, 8), (2, 4), (0, 2), (0, 1)]
    assert fractions(HWCM(), PEN) == [(4, 5), (3, 4), (1, 2), (0, 0)]
    assert fractions(DSTM(), PEN) == [(4, 5), (1, 2), (0, 1), (0, 0)]
    kernels = {"segments": 1, "kernel": 7, "hypothesis_kernel": 12, "reference_kernel": 10}
    assert TKM().counts(rows(TKM(), FIG2)[0]).items() >= kernels.items()
    lexicalised = TKM(lexicalised=True)
    kernels = {"kernel": 21, "hypothesis_kernel": 53, "reference_kernel": 53}
    assert lexicalised.counts(rows(lexicalised, DOG1)[0]).items() >= kernels.items()
    expected = {"matched": 2, "system": 4, "reference": 3, "precision": 0.5, "recall": 2 / 3}
    assert DependencyF().counts(rows(DependencyF(), EAT)[0]).items() >= expected.items()
    unlabelled = DependencyF(labelled=False)
    expected = {"precision": 0.75, "recall": 1.0}
    assert unlabelled.counts(rows(unlabelled, EAT)[0]).items() >= expected.items()
