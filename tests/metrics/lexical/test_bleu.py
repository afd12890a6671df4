"""Leusch et al.'s variations of BLEU; what is sacrebleu's is in test_sacrebleu.py."""

from __future__ import annotations

import pytest

from synteval.metrics.lexical.bleu import BLEU
from synteval.metrics.registry import load_metric

TOY = "the cat the cat on the mat"
REFERENCES = ["the cat is on the mat", "there is a cat on the mat"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, 0.46713797772820015),
        ({"smooth": "none", "tokenize": "expand", "case": False}, 0.46713797772820015),
        ({"boundaries": "both"}, 0.5773502691896258),
        ({"boundaries": "initial"}, 0.48109772909788073),
        ({"smooth": "lin_och"}, 0.5651887140592688),
        ({"smooth": "leusch_printed"}, 0.47287080450158786),
    ],
)
def test_toy(options: dict[str, str], expected: float) -> None:
    assert BLEU(**options).corpus_score([TOY], [REFERENCES]).score == pytest.approx(100 * expected, abs=1e-9)


def test_toy_fractions() -> None:
    assert BLEU().stats(TOY, REFERENCES).tolist() == [7, 7, 5, 4, 2, 1, 7, 6, 5, 4]


def test_brevity() -> None:
    score = BLEU(max_ngram_order=2).corpus_score(["the cat"], ["the cat is on the mat"]).score
    assert score == pytest.approx(13.53352832366127, abs=1e-9)


@pytest.mark.parametrize(("order", "expected"), [(1, 0.8), (2, 0.422), (3, 0.056), (4, 0.021)])
def test_table_7_of_liu_and_gildea_with_epsilon(order: int, expected: float) -> None:
    metric = BLEU(max_ngram_order=order, smooth="epsilon", effective_order="never")
    score = metric.sentence_score(
        "Diplomats will be aboard the plane to return home .",
        [
            "Diplomats are to come back home aboard the fifth plane .",
            "Diplomatic staff would go home in a fifth plane .",
            "Diplomatic staff will take the fifth plane home .",
        ],
    )
    assert score.score / 100 == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize(
    ("method", "expected"), [("average", 6.5), ("closest", 7), ("nearest", 6), ("best", 6), ("shortest", 6)]
)
def test_reference_length(method: str, expected: float) -> None:
    assert BLEU(reference_length=method).stats(TOY, REFERENCES)[1] == expected


def test_printed_smoothing_cannot_rescue_a_zero() -> None:
    assert BLEU(smooth="leusch_printed").corpus_score(["a x b y"], ["a b c d"]).score == 0
    assert BLEU(smooth="lin_och").corpus_score(["a x b y"], ["a b c d"]).score > 0


def test_smoothing_is_smooth() -> None:
    assert load_metric("bleu:smoothing=lin_och") == BLEU(smooth="lin_och")
