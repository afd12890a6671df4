"""Trees of extreme shapes: no recursion, no overflow, and identity is still exactly 1."""

from __future__ import annotations

import numpy as np
import pytest

from synteval.metrics.base import Chunk
from synteval.metrics.depf import DependencyF
from synteval.metrics.dstm import DSTM
from synteval.metrics.dtkm import DTKM
from synteval.metrics.hwcm import HWCM
from synteval.metrics.stm import STM
from synteval.metrics.tkm import TKM
from synteval.structures import Sentence, Tree


def tree(labels, parents):
    return (Sentence.build([], tree=Tree.build(labels, parents, [-1] * len(labels))),)


def clauses(depth):
    """A right-branching tree: each clause has a noun phrase and the next clause."""
    labels, parents, spine = ["S"], [-1], 0
    for _ in range(depth):
        first = len(labels)
        labels += ["NP", "D", "N", "S"]
        parents += [spine, first, first, spine]
        spine = first + 3
    return tree(labels, parents)


SHAPES = {
    "a chain of one label": tree(["X"] * 3000, [-1, *range(2999)]),
    "a chain of many labels": tree([f"X{i}" for i in range(3000)], [-1, *range(2999)]),
    "2,000 children": tree(["S"] + ["N", "M"] * 2000, [-1] + [p for i in range(2000) for p in (0, 2 * i + 1)]),
    "3,000 clauses": clauses(3000),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("metric", [STM(), TKM(), TKM(decay=0.4, aggregate="pooled")], ids=lambda m: m.signature())
def test_trees(shape, metric):
    segment, small = SHAPES[shape], tree(["S", "N"], [-1, 0])
    rows = metric.statistics(Chunk([segment, small, segment], [[segment], [small], [small]]))
    assert np.isfinite(rows).all()
    scores = metric.score_rows(rows, segment=True)
    assert scores[:2].tolist() == [1.0, 1.0]
    assert 0 <= scores[2] < 1
    assert 0 <= metric.score(rows.sum(axis=0)) <= 1


@pytest.mark.parametrize("shape", ["chain", "flat", "random"])
def test_dependencies(shape):
    count = 5000 if shape != "chain" else 3000
    heads = {
        "chain": [-1, *range(count - 1)],
        "flat": [-1] + [0] * (count - 1),
        "random": [-1, *np.random.default_rng(0).integers(0, np.arange(1, count)).tolist()],
    }[shape]
    words = [f"w{i % 700}" for i in range(count)]
    segment = (Sentence.build(words, heads=heads, relations=["dep"] * count),)
    for metric in (HWCM(), DSTM(), DSTM(ordered=False), DTKM(), DTKM(ordered=False), DependencyF()):
        assert metric.score(metric.stats(segment, [segment])) == 1.0
