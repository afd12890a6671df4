from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.tokenizers import DefaultTokenizer

from synteval.errors import OptionError
from synteval.metrics.lexical.rouge import rouge_words
from synteval.metrics.lexical.rouge_skip import ROUGES, ROUGESU

S1 = "Becoming a cosmonaut is my great dream"
S2 = "Becoming an astronaut is my ambition"


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        (ROUGES(skip=None), [1 / 7, 1 / 5, 1 / 6]),
        (ROUGES(skip=4), [3 / 20, 3 / 15, 6 / 35]),
        (ROUGESU(skip=None), [3 / 14, 2 / 7, 12 / 49]),
    ],
)
def test_example_of_hirao_et_al(metric: ROUGES, expected: list[float]) -> None:
    assert metric.stats(S1, [S2])[:3] == pytest.approx(expected)
    assert metric.sentence_score(S1, [S2]).score == pytest.approx(expected[2])


words = st.lists(st.sampled_from("abcde"), max_size=9)


@given(words, words, st.none() | st.integers(0, 5), st.booleans())
def test_equals_the_definition(left: list[str], right: list[str], skip: int | None, unigrams: bool) -> None:
    def units(sequence: list[str]) -> Counter[tuple[str, ...]]:
        near = [(i, j) for i, j in combinations(range(len(sequence)), 2) if skip is None or j - i - 1 <= skip]
        pairs = Counter((sequence[i], sequence[j]) for i, j in near)
        return pairs + Counter((word,) for word in sequence) if unigrams else pairs

    mine, theirs = units(left), units(right)
    matched = (mine & theirs).total()
    metric = (ROUGESU if unigrams else ROUGES)(skip=skip)
    assert metric.stats(" ".join(left), [" ".join(right)])[:2] == pytest.approx(
        [matched / max(mine.total(), 1), matched / max(theirs.total(), 1)]
    )


def test_references_are_averaged_or_the_best_taken() -> None:
    one, two = (ROUGESU().sentence_score(S1, [ref]).score for ref in (S2, S1))
    assert two == 1
    assert ROUGESU().sentence_score(S1, [S2, S1]).score == pytest.approx((one + two) / 2)
    assert ROUGESU(multi_ref="best").sentence_score(S1, [S2, S1]).score == 1


@given(st.text(), st.booleans())
def test_words_are_those_of_rouge_score(text: str, stem: bool) -> None:
    assert rouge_words(text, stem) == DefaultTokenizer(stem).tokenize(text)


def test_long_texts() -> None:
    text = " ".join(f"w{number % 97}" for number in range(3000))
    assert ROUGES(skip=None).sentence_score(text, [text]).score == 1


def test_negative_skip_is_refused() -> None:
    with pytest.raises(OptionError, match="skip=-1"):
        ROUGES(skip=-1)
