"""TKM and DTKM: against a plain recursion with exact fractions, on both paths and for any chunk size."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import syntactic_twins as twins
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synteval.errors import OptionError
from synteval.metrics import layout, tree_kernel
from synteval.metrics.base import Chunk
from synteval.metrics.constituency import TreeView
from synteval.metrics.dtkm import DTKM
from synteval.metrics.scaled import Kernels
from synteval.metrics.tkm import TKM
from synteval.metrics.tree_kernel import kernels
from synteval.structures import Sentence, Tree

PATHS = pytest.mark.parametrize("direct_pairs", [-1, 10**6], ids=["arrays", "direct"])
CHECKED = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
DECAYS = st.sampled_from([1.0, 0.5, 0.4])


def compare(metric, chunk, trees, monkeypatch, direct_pairs):
    monkeypatch.setattr(layout, "DIRECT_PAIRS", direct_pairs)
    decay, single = Fraction(metric.decay), metric.count_single_nodes
    cosines = [[twins.cosine(hyp, ref, decay, single) for ref in refs] for hyp, refs in trees]
    expected = [max(values) for values in cosines]
    for size in (1, 7, 1000):
        stats = np.concatenate([metric.statistics(chunk.part(i, i + size)) for i in range(0, len(chunk), size)])
        assert stats[:, 0] == pytest.approx(expected, abs=1e-9)
        if metric.aggregate == "mean":
            assert metric.score(stats.sum(axis=0)) == pytest.approx(np.mean(expected), abs=1e-9)
            continue
        sums = [Fraction(0)] * 3
        for (hyp, refs), values in zip(trees, cosines, strict=True):
            best = min(
                (ref for ref, value in zip(refs, values, strict=True) if value == max(values)),
                key=lambda ref: twins.kernel(ref, ref, decay, single),
            )
            pairs = ((hyp, best), (hyp, hyp), (best, best))
            sums = [total + twins.kernel(a, b, decay, single) for total, (a, b) in zip(sums, pairs, strict=True)]
        if sums[1] and sums[2]:
            pooled = math.sqrt(sums[0] ** 2 / (sums[1] * sums[2]))
            assert metric.score(stats.sum(axis=0)) == pytest.approx(pooled, abs=1e-9)


@PATHS
@CHECKED
@given(
    pairs=twins.pairs(twins.FORESTS), decay=DECAYS, single=st.booleans(), aggregate=st.sampled_from(["mean", "pooled"])
)
def test_tkm_is_its_definition(pairs, decay, single, aggregate, direct_pairs, monkeypatch):
    metric = TKM(decay=decay, count_single_nodes=single, aggregate=aggregate, normalise_tree=False)
    chunk = Chunk(
        [twins.constituency(h) for h, _ in pairs], [[twins.constituency(r) for r in refs] for _, refs in pairs]
    )
    compare(metric, chunk, pairs, monkeypatch, direct_pairs)


@PATHS
@CHECKED
@given(pairs=twins.pairs(twins.DEPENDENCIES), decay=DECAYS, single=st.booleans(), ordered=st.booleans())
def test_dtkm_is_its_definition(pairs, decay, single, ordered, direct_pairs, monkeypatch):
    metric = DTKM(decay=decay, count_single_nodes=single, ordered=ordered)

    def trees(segment):
        found = [twins.nested(sentence) for sentence in segment]
        return found if ordered else sorted([twins.sorted_tree(tree) for tree in found], key=str)

    chunk = Chunk([tuple(h) for h, _ in pairs], [[tuple(r) for r in refs] for _, refs in pairs])
    compare(metric, chunk, [(trees(h), [trees(r) for r in refs]) for h, refs in pairs], monkeypatch, direct_pairs)


@CHECKED
@given(pairs=twins.pairs(twins.FORESTS, most=4), block=st.sampled_from([0, 3, 20]), single=st.booleans())
def test_blocks_change_nothing(pairs, block, single, monkeypatch):
    """Pairs with more to join than a block holds are evaluated row by row."""
    monkeypatch.setattr(layout, "DIRECT_PAIRS", -1)
    metric = TKM(decay=0.5, count_single_nodes=single)
    chunk = Chunk(
        [twins.constituency(h) for h, _ in pairs], [[twins.constituency(r) for r in refs] for _, refs in pairs]
    )
    whole = metric.statistics(chunk)
    monkeypatch.setattr(tree_kernel, "BLOCK", block)
    assert metric.statistics(chunk) == pytest.approx(whole, rel=1e-12)


@given(pairs=twins.pairs(twins.FORESTS, most=3))
@settings(max_examples=60, deadline=None)
def test_bounds_identity_symmetry_and_more_references(pairs):
    metric = TKM()
    for hyp, refs in pairs:
        segment, *others = [twins.constituency(s) for s in (hyp, *refs)]
        scores = [metric.score(metric.stats(segment, others[: i + 1])) for i in range(len(others))]
        assert all(0 <= score <= 1 for score in scores)
        assert scores == sorted(scores)
        assert metric.score(metric.stats(others[0], [segment])) == scores[0]
        assert np.array_equal(metric.stats(segment, others[::-1]), metric.stats(segment, others))
        if hyp:
            assert metric.score(metric.stats(segment, [segment])) == 1.0


@given(segment=st.lists(twins.dependency_sentences(), min_size=1, max_size=2))
@settings(max_examples=60, deadline=None)
def test_unordered_trees_ignore_the_order_of_dependents(segment):
    """Reversing the words of a sentence keeps its tree and turns round the order of all dependents."""
    mirrored = tuple(
        Sentence.build(s.forms.list()[::-1], heads=[-1 if h < 0 else len(s) - 1 - h for h in s.heads.tolist()[::-1]])
        for s in segment
    )
    for size in (1, 10):
        chunk = Chunk([mirrored] * size, [[tuple(segment)]] * size)
        metric = DTKM(ordered=False)
        assert metric.score_rows(metric.statistics(chunk)).tolist() == [1.0] * size


def right_branching(depth):
    """A tree of `depth` clauses, each a noun phrase and the next clause: 2 ** depth fragments and more."""
    labels, parents, spine = ["S"], [-1], 0
    for _ in range(depth):
        first = len(labels)
        labels += ["NP", "D", "N", "S"]
        parents += [spine, first, first, spine]
        spine = first + 3
    return labels, parents


def big_integer_kernel(one, other):
    """C by height for right-branching trees of the given depths, in whole numbers."""
    phrases = 1 * one * other  # every NP with every NP, C = 1
    total, row = phrases, [0] * (other + 1)
    for _ in range(one):
        # C(S_i, S_j) = (1 + C(NP, NP)) * (1 + C(S_i-1, S_j-1)), and 0 where one of them is a leaf
        row = [0] + [2 * (1 + row[j - 1]) for j in range(1, other + 1)]
        total += sum(row)
    return total


@pytest.mark.parametrize("aggregate", ["mean", "pooled"])
def test_kernels_beyond_floating_point(aggregate):
    def segment(depth):
        labels, parents = right_branching(depth)
        return (Sentence.build([], tree=Tree.build(labels, parents, [-1] * len(labels))),)

    metric = TKM(aggregate=aggregate)
    depths = (1300, 1290)
    one, other = (segment(depth) for depth in depths)
    between, left, right = (big_integer_kernel(*pair) for pair in (depths, (1300, 1300), (1290, 1290)))
    assert left > 2**1100
    expected = math.sqrt(Fraction(between * between, left * right))
    assert metric.score(metric.stats(one, [other])) == pytest.approx(expected, rel=1e-9)
    assert metric.score(metric.stats(one, [one])) == 1.0
    small = segment(3)
    together = metric.statistics(Chunk([one, small], [[other], [small]]))
    assert metric.score_rows(together).tolist() == pytest.approx([expected, 1.0], rel=1e-9)


def test_scaled_arithmetic_gives_the_bits_of_plain_arithmetic(monkeypatch):

    labels, parents = right_branching(40)
    trees = [(Sentence.build([], tree=Tree.build(labels, parents, [-1] * len(labels))),)]
    forest = TreeView().flatten(trees)
    zero = np.zeros(1, dtype=np.int64)
    plain = kernels(forest, zero, zero, 0.7)
    monkeypatch.setattr(tree_kernel, "_plain_values", lambda count, *_: np.full(count, np.inf))
    scaled = kernels(forest, zero, zero, 0.7)
    assert (plain.mantissas[0], plain.exponents[0]) == (scaled.mantissas[0], scaled.exponents[0])
    assert Kernels.of(np.array([3.0])).values().tolist() == [3.0]


def test_options_are_checked():
    for wrong in ({"decay": 0.0}, {"decay": 1.5}, {"kernel": "ptk"}, {"aggregate": "counts"}):
        with pytest.raises(OptionError, match="is not possible"):
            TKM(**wrong)
    with pytest.raises(OptionError, match="surface, lemma, pos, relation"):
        DTKM(form="word")
