from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.distance import edit_distance

from synteval.errors import InputError, OptionError
from synteval.metrics.lexical.edit import PER, SER, WER
from synteval.metrics.lexical.levenshtein import distances

TOY = "the cat the cat on the mat"
REFERENCES = ["the cat is on the mat", "there is a cat on the mat"]
words = st.lists(st.sampled_from("abcd"), max_size=9)


def test_toy_distances() -> None:
    assert distances([TOY.split()], [[ref.split() for ref in REFERENCES]]) == [[2, 3]]
    assert [PER().stats(TOY, [ref])[0] for ref in REFERENCES] == [2, 3]
    assert PER(order=2).stats(TOY, REFERENCES)[0] == 3


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        (WER(reference_length="average"), 0.3076923076923077),
        (WER(reference_length="nearest"), 1 / 3),
        (WER(reference_length="best"), 1 / 3),
        (PER(reference_length="best"), 1 / 3),
    ],
)
def test_toy_rates(metric: WER | PER, expected: float) -> None:
    assert metric.corpus_score([TOY], [REFERENCES]).score == pytest.approx(expected, abs=1e-12)


def test_nearest_and_best_differ() -> None:
    references = ["a b", "a b c d e f g h i j"]
    assert WER(reference_length="nearest").sentence_score("a b c d", references).score == 1.0
    assert WER(reference_length="best").sentence_score("a b c d", references).score == 0.6


@given(st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), max_size=70))
def test_levenshtein_equals_nltk(pairs: list[tuple[list[str], list[list[str]]]]) -> None:
    expected = [[edit_distance(hyp, ref) for ref in refs] for hyp, refs in pairs]
    assert distances([hyp for hyp, _ in pairs], [refs for _, refs in pairs]) == expected


@given(words, words, st.integers(1, 3))
def test_per_distance_is_the_one_printed(left: list[str], right: list[str], order: int) -> None:
    def grams(sequence: list[str]) -> Counter[tuple[str, ...]]:
        return Counter(tuple(sequence[i : i + order]) for i in range(len(sequence) - order + 1))

    mine, theirs = grams(left), grams(right)
    differences = sum(abs(mine[gram] - theirs[gram]) for gram in mine | theirs)
    printed = (abs(mine.total() - theirs.total()) + differences) / 2
    if right or not left:
        assert PER(order=order).stats(" ".join(left), [" ".join(right)])[0] == printed


@given(words.filter(bool), words.filter(bool))
def test_order_makes_errors(left: list[str], right: list[str]) -> None:
    hyp, refs = " ".join(left), [" ".join(right)]
    assert PER().sentence_score(hyp, refs).score <= WER().sentence_score(hyp, refs).score
    assert WER().sentence_score(hyp, [hyp]).score == 0
    assert PER().sentence_score(" ".join(sorted(left)), [hyp]).score == 0


def test_corpus_rate_is_a_ratio_of_sums() -> None:
    assert WER().corpus_score(["a", "a b c"], ["b", "a b c"]).score == 1 / 4


def test_sentence_error_rate_takes_any_reference() -> None:
    assert SER().corpus_score(["a b", "c", "d"], [["a", "A b"], "c", "e"]).score == pytest.approx(1 / 3)
    assert SER(case=True).corpus_score(["a b", "c", "d"], [["a", "A b"], "c", "e"]).score == pytest.approx(2 / 3)


@pytest.mark.parametrize("metric", [WER(), PER()])
def test_a_reference_without_words_is_an_error_unless_nothing_was_said(metric: WER | PER) -> None:
    assert metric.corpus_score(["", "a"], ["", "a"]).score == 0
    with pytest.raises(InputError, match="'a b' has no words"):
        metric.corpus_score(["a b"], [""])


def test_long_sentences() -> None:
    assert WER().stats("a b " * 1500, ["b a " * 1500]).tolist() == [2, 3000]


def test_lower_is_better_and_orders_start_at_one() -> None:
    assert not (WER.higher_is_better or PER.higher_is_better or SER.higher_is_better)
    with pytest.raises(OptionError, match="per:order=0"):
        PER(order=0)
