from __future__ import annotations

import sys

import numpy as np
import pytest
from lexical_corpora import MADE_UP, Corpus
from rouge_score.rouge_scorer import RougeScorer

from synteval.errors import NotInstalledError, OptionError
from synteval.metrics.base import Chunk
from synteval.metrics.lexical.rouge import ROUGE1, ROUGE2, ROUGE3, ROUGE4, ROUGEL, Rouge

S1 = "Becoming a cosmonaut is my great dream"
S2 = "Becoming an astronaut is my ambition"
ALL = [ROUGE1, ROUGE2, ROUGE3, ROUGE4, ROUGEL]


@pytest.mark.parametrize(("metric", "expected"), [(ROUGE1(), 0.5), (ROUGE2(), 0.2), (ROUGE3(), 0.0)])
def test_example_of_hirao_et_al(metric: Rouge, expected: float) -> None:
    assert metric.sentence_score(S1, [S2]).score == pytest.approx(expected)


def test_longest_common_subsequence() -> None:
    assert ROUGEL().stats(S1, [S2])[:3] == pytest.approx([3 / 7, 1 / 2, 6 / 13])
    union = ROUGEL(union=True).stats("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", ["w1 w2 w3 w4 w5"])
    assert union[:3] == pytest.approx([0.4, 0.8, 0.5333333333333333])


@MADE_UP
@pytest.mark.parametrize("stem", [False, True])
@pytest.mark.parametrize("metric", ALL)
def test_equals_rouge_score(metric: type[Rouge], stem: bool, made_up: Corpus) -> None:
    hypotheses, references = made_up
    scorer = RougeScorer([metric.name], use_stemmer=stem)
    chunk = Chunk(hypothesis_texts=hypotheses, reference_texts=references)
    best, mean = metric(multi_ref="best", stem=stem).statistics(chunk), metric(stem=stem).statistics(chunk)
    for number, (hypothesis, refs) in enumerate(zip(hypotheses, references, strict=True)):
        np.testing.assert_allclose(best[number, :3], scorer.score_multi(refs, hypothesis)[metric.name], atol=1e-9)
        single = [scorer.score(ref, hypothesis)[metric.name] for ref in refs]
        np.testing.assert_allclose(mean[number, :3], np.mean(single, axis=0), atol=1e-9)


@pytest.mark.parametrize(("measure", "expected"), [("precision", 3 / 7), ("recall", 1 / 2), ("f", 6 / 13)])
def test_measures(measure: str, expected: float) -> None:
    assert ROUGE1(measure=measure).sentence_score(S1, [S2]).score == pytest.approx(expected)


def test_beta_weighs_recall() -> None:
    p, r = 3 / 7, 1 / 2
    assert ROUGEL(beta=3).sentence_score(S1, [S2]).score == pytest.approx(10 * p * r / (r + 9 * p))
    for beta in (-1, float("nan")):
        with pytest.raises(OptionError, match="0 or above"):
            ROUGEL(beta=beta)


def test_corpus_score_is_the_mean_over_segments() -> None:
    assert ROUGE1().corpus_score(["a", "a b"], ["a", "c d"]).score == 0.5


def test_without_rouge_score_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rouge_score.rouge_scorer", None)
    with pytest.raises(NotInstalledError, match=r"pip install 'synteval\[lexical\]'"):
        ROUGE1().sentence_score("a", ["a"])
