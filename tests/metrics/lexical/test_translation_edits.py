"""The edits of TER against sacrebleu's own search."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import translation_edit_rate

from synteval.metrics.lexical import translation_edits as module
from synteval.metrics.lexical.translation_edits import translation_edits

words = st.lists(st.sampled_from("abcdefg"), max_size=12)


@settings(max_examples=300)
@given(words, words)
def test_edits_are_those_of_sacrebleu(hypothesis: list[str], reference: list[str]) -> None:
    assert translation_edits(hypothesis, reference) == translation_edit_rate(hypothesis, reference)[0]


def test_a_shift_counts_once() -> None:
    assert translation_edits(["d", "e", "f", "a", "b", "c"], ["a", "b", "c", "d", "e", "f"]) == 1
    assert translation_edits([], ["a"]) == 1
    assert translation_edits(["a"], []) == 1


def moved(words: list[str], blocks: int, rng: random.Random) -> list[str]:
    for _ in range(blocks):
        start, length = rng.randrange(len(words)), rng.randint(1, 12)
        block, rest = words[start : start + length], words[:start] + words[start + length :]
        place = rng.randrange(len(rest) + 1)
        words = rest[:place] + block + rest[place:]
    return words


@pytest.mark.parametrize("seed", range(12))
def test_long_sentences_on_and_beyond_the_beam(seed: int) -> None:
    rng = random.Random(seed)
    vocabulary = [str(number) for number in range(rng.choice([8, 60, 200]))]
    reference = rng.choices(vocabulary, k=rng.randint(40, 75))
    hypothesis = moved(reference, 4, rng) if seed % 3 else rng.choices(vocabulary, k=rng.randint(30, 75))
    assert translation_edits(hypothesis, reference) == translation_edit_rate(hypothesis, reference)[0]


def test_a_path_beyond_the_beam_is_left_to_sacrebleu() -> None:
    block = [str(number) for number in range(40)]
    hypothesis, reference = block + ["x"] * 30, ["y"] * 30 + block
    assert module._search(hypothesis, module._Distance(reference)) is None
    assert translation_edits(hypothesis, reference) == translation_edit_rate(hypothesis, reference)[0]
