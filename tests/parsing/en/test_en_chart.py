"""CKY against a plain search."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from synteval.parsing.en.chart import best_splits, read_tree


def best_score(scores: np.ndarray, length: int) -> float:
    @cache
    def best(start: int, end: int) -> float:
        own = float(scores[start, end])
        if end - start == 1:
            return own
        return own + max(best(start, split) + best(split, end) for split in range(start + 1, end))

    return best(0, length)


@pytest.mark.parametrize("seed", range(20))
def test_finds_the_best_tree_of_every_sentence_of_a_batch(seed: int) -> None:
    rng = np.random.default_rng(seed)
    posts = int(rng.integers(2, 11))
    scores = np.maximum(rng.normal(size=(4, posts, posts)), 0).astype(np.float32)
    splits = best_splits(scores)
    for row in range(4):
        length = int(rng.integers(1, posts))
        tree = read_tree(splits[row].tolist(), scores[row].tolist(), length)
        assert tree[0] == (0, length)
        assert sum(float(scores[row][span]) for span in tree) == pytest.approx(
            best_score(scores[row], length), rel=1e-5
        )
        # Constituents nest, outermost first.
        for start, end in tree:
            assert not any(a < start < b < end or start < a < end < b for a, b in tree)
        assert tree == sorted(tree, key=lambda span: (span[0], -span[1]))
