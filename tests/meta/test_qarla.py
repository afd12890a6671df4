"""QUEEN, KING, JACK and clusters: goldens on one toy that fulfils them all, and the claims of the paper."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from synteval.errors import InputError, OptionError
from synteval.meta.clustering import cluster_metrics, cluster_similarity, representatives
from synteval.meta.qarla import TestCase, best_subset, jack, king, queen, sentence_length_similarity


def symmetric(upper, n):
    full = np.eye(n)
    full[np.triu_indices(n, 1)] = upper
    return np.triu(full) + np.triu(full, 1).T


# Four models, three peers, two metrics.
MODELS = np.stack([symmetric([0.8, 0.7, 0.1, 0.1, 0.6, 0.8], 4), symmetric([0.9, 0.2, 0.3, 0.4, 0.7, 0.1], 4)])
PEERS = np.array(
    [
        [[0.8, 0.7, 0.9, 0.7], [0.05, 0.05, 0.05, 0.05], [0.4, 0.7, 0.6, 0.1]],
        [[0.9, 0.2, 0.5, 0.1], [0.4, 0.7, 0.5, 0.9], [0.4, 0.4, 0.7, 0.4]],
    ]
)
BETWEEN = np.stack([symmetric([0.8, 0.5, 0.7], 3)] * 2)
X, Y, XY = [0], [1], [0, 1]


def case(metrics, peers=(0, 1, 2)):
    rows = list(peers)
    return TestCase(MODELS[metrics], PEERS[metrics][:, rows], BETWEEN[metrics][:, rows][:, :, rows])


@pytest.mark.parametrize(
    ("metrics", "triples", "expected"),
    [
        (X, "distinct", [0.8333333333333334, 0.0, 0.5]),
        (X, "pair", [0.8333333333333334, 0.0, 0.4583333333333333]),
        (X, "product", [0.625, 0.0, 0.34375]),
        (Y, "distinct", [0.5, 0.75, 0.75]),
        (XY, "distinct", [0.4166666666666667, 0.0, 0.5]),
    ],
)
def test_queen(metrics, triples, expected):
    result = queen(PEERS[metrics], MODELS[metrics], triples=triples)
    assert result.values == pytest.approx(expected, abs=1e-9)
    assert result.triples == triples


def test_king():
    assert king(case(X, [1])) == 1.0
    assert king(case(X, [1, 2])) == 0.75
    assert king(case(X)) == 0.5
    assert king(case(Y)) == 0.0
    assert king(case(XY)) == 0.0


def test_a_constant_metric_sees_nothing():
    constant = TestCase(np.ones((1, 4, 4)), np.ones((1, 2, 4)), np.ones((1, 2, 2)))
    assert queen(constant.peers, constant.models).values == pytest.approx([1, 1])
    assert king(constant) == 0


def test_jack():
    assert jack(case(X, [0, 2])) == 0.5
    assert jack(case(X, [0, 1])) == 0.0
    with pytest.raises(InputError, match="between peers"):
        jack(TestCase(MODELS, PEERS))


def test_cluster_similarity():
    assert cluster_similarity([case(XY)])[0, 1] == pytest.approx(0.5, abs=1e-9)
    cubed = TestCase(np.concatenate([MODELS[X], MODELS[X] ** 3]), np.concatenate([PEERS[X], PEERS[X] ** 3]))
    assert cluster_similarity([cubed])[0, 1] == pytest.approx(1.0, abs=1e-9)


def test_average_sentence_length():
    assert sentence_length_similarity([4, 6], [6]) == pytest.approx(0.5, abs=1e-9)


def naive_queen(peers, models, a, triples):
    n = models.shape[1]
    chosen = [
        t
        for t in itertools.product(range(n), repeat=3)
        if triples == "product" or (t[1] != t[2] if triples == "pair" else len(set(t)) == 3)
    ]
    return np.mean([all(p[a, m] >= x[i, j] for p, x in zip(peers, models, strict=True)) for m, i, j in chosen])


similarities = hnp.arrays(np.int64, (2, 6, 6), elements=st.integers(0, 6)).map(
    lambda a: (a + a.transpose(0, 2, 1)) / 12
)


@settings(max_examples=40, deadline=None)
@given(similarities, st.sampled_from(["distinct", "pair", "product"]))
def test_queen_equals_the_naive_twin(values, triples):
    models, peers = values[:, :4, :4], values[:, 4:, :4]
    result = queen(peers, models, triples=triples).values
    assert result == pytest.approx([naive_queen(peers, models, a, triples) for a in range(2)], abs=1e-12)
    assert ((result >= 0) & (result <= 1)).all()


@settings(max_examples=40, deadline=None)
@given(similarities, st.floats(0.3, 3))
def test_scale_and_redundancy_change_nothing(values, power):
    models, peers, between = values[:, :4, :4], values[:, 4:, :4], values[:, 4:, 4:]
    plain = TestCase(models, peers, between)
    bent = TestCase(models**power, peers**power, between**power)
    doubled = TestCase(*(np.concatenate([v, v[:1]]) for v in (models, peers, between)))
    for other in (bent, doubled):
        assert queen(other.peers, other.models).values == pytest.approx(queen(peers, models).values)
        assert king(other) == king(plain)
        assert jack(other) == jack(plain)


@settings(max_examples=40, deadline=None)
@given(similarities)
def test_jack_never_falls_when_a_peer_is_added(values):
    models, peers, between = values[:, :3, :3], values[:, 3:, :3], values[:, 3:, 3:]
    two = TestCase(models, peers[:, :2], between[:, :2, :2])
    assert jack(TestCase(models, peers, between)) >= jack(two)


def test_far_peers_get_nothing():
    assert queen(np.zeros((1, 1, 4)) - 1, MODELS[X]).values == pytest.approx([0])


def test_two_models_fall_back_to_pairs_and_say_so():
    result = queen(PEERS[X][:, :, :2], MODELS[X][:, :2, :2])
    assert result.triples == "pair"
    with pytest.raises(InputError, match="at least 3"):
        queen(PEERS[X][:, :, :1], MODELS[X][:, :1, :1])
    with pytest.raises(OptionError, match="distinct"):
        queen(PEERS, MODELS, triples="all")


def test_search_and_clusters():
    ranked = best_subset([case(XY)])
    assert [s.metrics for s in ranked] == [(0,), (1,), (0, 1)]
    assert ranked[0].king == 0.5
    models = np.concatenate([MODELS, MODELS[X] ** 2])
    cases = [TestCase(models, np.concatenate([PEERS, PEERS[X] ** 2]))]
    clusters = cluster_metrics(cluster_similarity(cases), 2)
    assert clusters.tolist() == [0, 1, 0]
    assert representatives(cases, clusters) == [0, 1]
    with pytest.raises(InputError, match="at most 16"):
        best_subset(cases, candidates=range(20))
