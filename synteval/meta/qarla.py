"""QARLA: how well a set of metrics tells models from automatic outputs (Amigo, Gonzalo, Penas & Verdejo 2005).

With X a set of similarity metrics, M the models (human texts) and A the automatic outputs (peers) of one test case:

    QUEEN_X,M(a) = P over m, m', m'' in M that x(a, m) >= x(m', m'') for all x in X
    KING(X)      = P over m that QUEEN(m) > QUEEN(a) for all a in A
    JACK(X)      = P over m that two peers a, a' with QUEEN > 0 exist that are no nearer to each other than to m:
                   x(a, a') <= x(a, m) and x(a', a) <= x(a', m) for all x in X

QUEEN needs no scale: any increasing transformation of a metric, and any redundant metric, leaves it as it is.

The paper does not say which triples; here all three are distinct (`triples="distinct"`), or m' != m'' only ("pair"),
or the full product ("product"). Two models have no distinct triple, and `queen` then falls back to "pair" and says so
in its result. KING scores each model against the models that remain, and the peers against that same set
(`leave_one_out=False`: all models for both). Several test cases: each by itself, then the mean.

Similarities are arrays with one matrix a metric: `models[x, m, m']`, `peers[x, a, m]`, `between[x, a, a']`.
A distance d becomes the similarity 1 / (1 + d).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

import numpy as np

from synteval.errors import InputError, unknown
from synteval.meta.matrix import BoolArray, FloatArray

Triples: TypeAlias = Literal["distinct", "pair", "product"]
TRIPLES: tuple[Triples, ...] = ("distinct", "pair", "product")


@dataclass(frozen=True, eq=False)
class Queen:
    """QUEEN of each peer, and the triples that were really used."""

    values: FloatArray
    triples: Triples


@dataclass(frozen=True, eq=False)
class TestCase:
    """The similarities of one test case; `between` is needed for JACK only, `names` tells whose the peers are."""

    __test__ = False  # not a test class, whatever its name

    models: FloatArray
    peers: FloatArray
    between: FloatArray | None = None
    names: tuple[str, ...] = ()

    def only(self, metrics: Sequence[int]) -> TestCase:
        """The same case with a subset of the metrics."""
        rows = list(metrics)
        between = None if self.between is None else self.between[rows]
        return TestCase(self.models[rows], self.peers[rows], between, self.names)


@dataclass(frozen=True)
class Subset:
    """A set of metrics (as indices) and its KING."""

    metrics: tuple[int, ...]
    king: float


def inverse_distance(distance: Any) -> FloatArray:
    """A distance as a similarity: 1 / (1 + d), 1 for identical texts."""
    return np.asarray(1.0 / (1.0 + np.asarray(distance, dtype=np.float64)))


def sentence_length_similarity(first: Sequence[int], second: Sequence[int]) -> float:
    """AVLS: the inverse distance of the average sentence lengths of two texts, given the lengths of their sentences."""
    if not first or not second:
        raise InputError("average sentence length needs at least one sentence on each side")
    return float(inverse_distance(abs(np.mean(first) - np.mean(second))))


def queen(peers: Any, models: Any, *, triples: Triples = "distinct") -> Queen:
    """QUEEN of every peer."""
    if triples not in TRIPLES:
        raise unknown("kind of triples", triples, TRIPLES)
    to_models, among = _similarities(peers, models)
    n = among.shape[1]
    if triples == "distinct" and n == 2:
        triples = "pair"
    needed = {"distinct": 3, "pair": 2, "product": 1}[triples]
    if n < needed:
        raise InputError(f"QUEEN with triples={triples} needs at least {needed} models, {n} were given")
    first, second = np.divmod(np.arange(n * n), n)
    if triples != "product":
        first, second = first[first != second], second[first != second]
    # reached[a, m, pair]: the peer is as near to m as the two models of the pair are to each other, by every metric.
    reached = (to_models[:, :, :, None] >= among[:, first, second][:, None, None, :]).all(axis=0)
    model = np.arange(n)[:, None]
    counted = (first != model) & (second != model) if triples == "distinct" else np.ones((n, len(first)), dtype=bool)
    return Queen(cast(FloatArray, (reached & counted).sum(axis=(1, 2)) / counted.sum()), triples)


def king(case: TestCase, *, triples: Triples = "distinct", leave_one_out: bool = True) -> float:
    """KING of all metrics of a test case together."""
    to_models, among = _similarities(case.peers, case.models)
    n = among.shape[1]
    wins: list[bool] = []
    for m in range(n):
        rest = [k for k in range(n) if k != m] if leave_one_out else list(range(n))
        others = among[:, rest][:, :, rest]
        candidates = np.concatenate([among[:, [m]][:, :, rest], to_models[:, :, rest]], axis=1)
        values = queen(candidates, others, triples=triples).values
        wins.append(bool((values[0] > values[1:]).all()))
    return float(np.mean(wins))


def jack(case: TestCase, *, triples: Triples = "distinct") -> float:
    """JACK of all metrics of a test case together."""
    if case.between is None:
        raise InputError("JACK needs the similarities between peers")
    to_models, among = _similarities(case.peers, case.models)
    between = np.asarray(case.between, dtype=np.float64)
    n_peers = to_models.shape[1]
    if between.shape != (to_models.shape[0], n_peers, n_peers):
        raise InputError(f"similarities between peers have shape {between.shape}; give metrics x peers x peers")
    good = queen(to_models, among, triples=triples).values > 0
    # apart[a, a', m]: a is no nearer to a' than to m, by every metric.
    apart = np.all(between[:, :, :, None] <= to_models[:, :, None, :], axis=0)
    witnesses = (
        apart & apart.transpose(1, 0, 2) & (good[:, None] & good[None, :] & ~np.eye(n_peers, dtype=bool))[:, :, None]
    )
    return float(witnesses.any(axis=(0, 1)).mean())


def mean_king(cases: Iterable[TestCase], *, triples: Triples = "distinct", leave_one_out: bool = True) -> float:
    """KING of several test cases: the mean."""
    return float(np.mean([king(case, triples=triples, leave_one_out=leave_one_out) for case in cases]))


def mean_queen(cases: Iterable[TestCase], *, triples: Triples = "distinct") -> dict[str, float]:
    """QUEEN of each system: the mean over the test cases that name it among their peers."""
    found: dict[str, list[float]] = {}
    for case in cases:
        if len(case.names) != case.peers.shape[1]:
            raise InputError("QUEEN by system needs the names of all peers of a test case")
        values = queen(case.peers, case.models, triples=triples).values
        for name, value in zip(case.names, values.tolist(), strict=True):
            found.setdefault(name, []).append(value)
    return {name: float(np.mean(values)) for name, values in found.items()}


def best_subset(
    cases: Sequence[TestCase],
    *,
    candidates: Sequence[int] | None = None,
    triples: Triples = "distinct",
    leave_one_out: bool = True,
) -> list[Subset]:
    """All non-empty subsets of `candidates` (indices of metrics) by KING, best first; ties: the smaller, the earlier.

    2^n subsets are scored: cluster first and give one representative a cluster.
    """
    rows = list(candidates) if candidates is not None else list(range(cases[0].models.shape[0]))
    if len(rows) > 16:
        raise InputError(f"{len(rows)} metrics have {2 ** len(rows) - 1} subsets; cluster them and give at most 16")
    subsets = [s for size in range(1, len(rows) + 1) for s in itertools.combinations(rows, size)]
    scored = [
        Subset(s, mean_king((case.only(s) for case in cases), triples=triples, leave_one_out=leave_one_out))
        for s in subsets
    ]
    return sorted(scored, key=lambda subset: (-subset.king, len(subset.metrics), subset.metrics))


def beyond_models(case: TestCase) -> BoolArray:
    """For each metric, peer a, model m and pair of other models m' < m'': x(a, m) > x(m', m'').

    Strict, as the paper prints it for clustering, unlike QUEEN.
    """
    to_models, among = _similarities(case.peers, case.models)
    n = among.shape[1]
    columns = [
        to_models[:, :, m] > among[:, first, second][:, None]
        for m in range(n)
        for first in range(n)
        for second in range(n)
        if len({m, first, second}) == 3
    ]
    if not columns:
        raise InputError(f"clustering metrics needs at least 3 models, {n} were given")
    return np.stack(columns, axis=-1).reshape(to_models.shape[0], -1)


def _similarities(peers: Any, models: Any) -> tuple[FloatArray, FloatArray]:
    to_models, among = np.asarray(peers, dtype=np.float64), np.asarray(models, dtype=np.float64)
    if to_models.ndim != 3 or among.ndim != 3 or among.shape != (to_models.shape[0], *[to_models.shape[2]] * 2):
        raise InputError(
            f"similarities have shapes {to_models.shape} and {among.shape}; "
            "give metrics x peers x models and metrics x models x models"
        )
    if np.isnan(to_models).any() or np.isnan(among).any():
        raise InputError("QARLA needs every similarity; one is missing")
    return to_models, among
