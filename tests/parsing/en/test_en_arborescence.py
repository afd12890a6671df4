"""The single-root maximum spanning tree against all trees, and against networkx."""

from __future__ import annotations

from itertools import product

import networkx
import numpy as np
import pytest

from synteval.parsing.en.arborescence import arborescence, best_heads, single_root_tree


def is_tree(heads: tuple[int, ...]) -> bool:
    for word in range(1, len(heads) + 1):
        seen = set()
        while word:
            if word in seen:
                return False
            seen.add(word)
            word = heads[word - 1]
    return heads.count(0) == 1


def score(arcs: np.ndarray, heads: tuple[int, ...]) -> float:
    return sum(float(arcs[word, head]) for word, head in enumerate(heads, 1))


@pytest.mark.parametrize("seed", range(60))
def test_equals_the_best_of_all_single_root_trees(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 6))
    arcs = rng.normal(size=(n + 1, n + 1)).astype(np.float32)
    if seed % 3 == 0:
        arcs[1:, 0] += 3  # many words would like to be the root
    candidates = [heads for heads in product(range(n + 1), repeat=n) if is_tree(heads)]
    best = max(score(arcs, heads) for heads in candidates)
    found = tuple(single_root_tree(arcs)[1:].tolist())
    assert is_tree(found)
    assert score(arcs, found) == pytest.approx(best, abs=1e-4)
    batch = best_heads(np.stack([arcs, arcs]), np.array([n, n]))
    assert tuple(batch[1, 1:].tolist()) == found


@pytest.mark.parametrize("seed", range(10))
def test_spanning_arborescence_equals_networkx(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 12
    arcs = rng.normal(size=(n, n))
    np.fill_diagonal(arcs, -np.inf)
    graph = networkx.DiGraph()
    graph.add_weighted_edges_from((h, d, arcs[d, h]) for d in range(1, n) for h in range(n) if h != d)
    expected = networkx.maximum_spanning_arborescence(graph)
    total = sum(data["weight"] for _, _, data in expected.edges(data=True))
    heads = arborescence(arcs)
    assert sum(arcs[word, heads[word]] for word in range(1, n)) == pytest.approx(total)


def test_words_past_the_end_of_a_shorter_sentence_are_no_heads() -> None:
    arcs = np.zeros((1, 5, 5), np.float32)
    arcs[0, :, 4] = 9
    heads = best_heads(arcs, np.array([2]))
    assert heads[0, 1:3].tolist().count(0) == 1
    assert set(heads[0, 1:3].tolist()) <= {0, 1, 2}
