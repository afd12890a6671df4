"""Sentences for differential tests: made of few words, so that n-grams repeat, cross and tie."""

from __future__ import annotations

import numpy as np
import pytest

VOCABULARY = ["The", "the", "cat", "dog", "'s", "isn't", ",", ".", "on", "a-b", "3.5", "mat", "Ärger", "一", "x"]

Corpus = tuple[list[str], list[list[str]]]


def corpus(segments: int, references: int, seed: int) -> Corpus:
    """Hypotheses and up to `references` references each; some are empty, short, or equal."""
    rng = np.random.default_rng(seed)

    def sentence() -> str:
        return " ".join(rng.choice(VOCABULARY, size=rng.integers(0, 14)))

    hypotheses = [sentence() for _ in range(segments)]
    sets = [[sentence() for _ in range(rng.integers(1, references + 1))] for _ in hypotheses]
    for number in range(0, segments, 7):
        sets[number][0] = hypotheses[number]
    return hypotheses, sets


# Tests take both: one reference a segment, and up to four.
MADE_UP = pytest.mark.parametrize("made_up", [corpus(120, 1, 1), corpus(120, 4, 4)], ids=["one", "several"])
