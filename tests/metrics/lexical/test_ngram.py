from __future__ import annotations

import pytest

from synteval.errors import OptionError
from synteval.metrics.lexical.ngram import Ngram

UNIT = "United States, Japan, and Taiwan"
CANDIDATE = "United States, Taiwan, and Japan"


@pytest.mark.parametrize(
    ("i", "j", "expected"),
    [(1, 1, 1.0), (2, 2, 1 / 3), (3, 3, 0.0), (4, 4, 0.0), (1, 2, 0.5773502691896257), (1, 4, 0.0)],
)
def test_example_of_lin_and_hovy(i: int, j: int, expected: float) -> None:
    assert Ngram(i=i, j=j, stopwords="remove").sentence_score(CANDIDATE, [UNIT]).score == pytest.approx(expected)


def test_each_reference_is_a_unit() -> None:
    units = ["a b c", "d e"]
    assert Ngram(i=1, j=1).sentence_score("a b d c", units).score == pytest.approx(0.8)
    assert Ngram(i=2, j=2).sentence_score("a b d c", units).score == pytest.approx(1 / 3)
    assert Ngram(i=1, j=2).sentence_score("a b d c", units).score == pytest.approx(0.5163977794943222)


def test_counts_are_clipped() -> None:
    assert Ngram(i=1, j=1).sentence_score("the cat", ["the the cat"]).score == pytest.approx(2 / 3)


def test_words_are_stemmed() -> None:
    assert Ngram(i=1, j=1).sentence_score("cats running", ["cat runs"]).score == 1
    assert Ngram(i=1, j=1, stem=False).sentence_score("cats running", ["cat runs"]).score == 0


def test_impossible_orders_are_refused() -> None:
    with pytest.raises(OptionError, match="1 <= i <= j"):
        Ngram(i=3, j=2)
