from __future__ import annotations

import math

import pytest
from lexical_corpora import MADE_UP, Corpus
from nltk.translate.nist_score import corpus_nist

from synteval.errors import SyntevalError
from synteval.metrics.base import CHUNK, Chunk
from synteval.metrics.lexical.nist import BETA, NIST


def test_toy() -> None:
    score = NIST().corpus_score(
        ["the cat the cat on the mat"], [["the cat is on the mat", "there is a cat on the mat"]]
    )
    assert score.score == pytest.approx(2.2900742034684543, abs=1e-12)


def test_by_hand() -> None:
    assert NIST().sentence_score("a b", ["a b c"]).score == pytest.approx(0.7924812503605778, abs=1e-12)
    assert NIST().stats("a b", ["a b c"])[2] == pytest.approx(2 * math.log2(3))


def test_penalty_is_doddingtons() -> None:
    assert pytest.approx(-4.216173616831698, abs=1e-12) == BETA
    assert math.exp(BETA * math.log(2 / 3) ** 2) == pytest.approx(0.5)


@MADE_UP
def test_equals_nltk_with_one_reference(made_up: Corpus) -> None:
    hypotheses, references = made_up
    references = [refs[:1] for refs in references]
    expected = corpus_nist([[ref.split() for ref in refs] for refs in references], [hyp.split() for hyp in hypotheses])
    assert NIST(tokenize="none", case=True).corpus_score(hypotheses, references).score == pytest.approx(
        expected, abs=1e-9
    )


def test_weights_are_those_of_the_whole_corpus_however_it_is_cut() -> None:
    hypotheses = [f"a b {number % 7}" for number in range(CHUNK + 50)]
    references = [[f"a {number % 5} b {number % 7}"] for number in range(CHUNK + 50)]
    whole = Chunk(hypothesis_texts=hypotheses, reference_texts=references)
    metric = NIST().prepared(references)
    assert NIST().corpus(whole).tolist() == metric.statistics(whole).tolist()
    assert metric.statistics(whole.part(1020, 1021)).tolist() == NIST().corpus(whole)[1020:1021].tolist()


def test_weights_take_no_part_in_the_signature_and_cannot_be_forgotten() -> None:
    assert NIST().prepared([["a"]]).signature() == NIST().signature()
    assert "weights" not in NIST().signature()
    with pytest.raises(SyntevalError, match="prepared"):
        NIST().statistics(Chunk(hypothesis_texts=["a"], reference_texts=[["a"]]))


def test_empty_output_scores_nothing() -> None:
    assert NIST().corpus_score(["", ""], ["a", "b"]).score == 0
