"""BLEU, chrF and TER against sacrebleu itself, at corpus and at segment level."""

from __future__ import annotations

from itertools import zip_longest

import numpy as np
import pytest
import sacrebleu
from lexical_corpora import MADE_UP, Corpus
from sacrebleu import metrics as rival

from synteval.errors import OptionError
from synteval.metrics.base import Chunk, Metric
from synteval.metrics.lexical.bleu import BLEU
from synteval.metrics.lexical.chrf import CHRF
from synteval.metrics.lexical.ter import TER

PAIRS: list[tuple[Metric, rival.base.Metric]] = [
    (BLEU(), rival.BLEU()),
    (BLEU(case=False, smooth="floor"), rival.BLEU(lowercase=True, smooth_method="floor")),
    (BLEU(smooth="floor", smooth_value=0.01), rival.BLEU(smooth_method="floor", smooth_value=0.01)),
    (BLEU(smooth="add-k", tokenize="intl"), rival.BLEU(smooth_method="add-k", tokenize="intl")),
    (BLEU(smooth="lin_och"), rival.BLEU(smooth_method="add-k")),
    (BLEU(smooth="none", max_ngram_order=2), rival.BLEU(smooth_method="none", max_ngram_order=2)),
    (BLEU(effective_order="always", tokenize="char"), rival.BLEU(effective_order=True, tokenize="char")),
    (CHRF(), rival.CHRF()),
    (CHRF(word_order=2), rival.CHRF(word_order=2)),
    (CHRF(eps_smoothing=True, beta=1, case=False), rival.CHRF(eps_smoothing=True, beta=1, lowercase=True)),
    (CHRF(whitespace=True, char_order=4), rival.CHRF(whitespace=True, char_order=4)),
    (TER(), rival.TER()),
    (TER(case=True, normalized=True, no_punct=True), rival.TER(True, True, False, True)),
    (TER(normalized=True, asian_support=True), rival.TER(normalized=True, asian_support=True)),
]


def names(pair: object) -> str:
    return pair.signature() if isinstance(pair, Metric) else "sacrebleu"


@MADE_UP
@pytest.mark.parametrize(("metric", "other"), PAIRS, ids=names)
def test_corpus_score_is_that_of_sacrebleu(metric: Metric, other: rival.base.Metric, made_up: Corpus) -> None:
    hypotheses, references = made_up
    score = metric.corpus_score(hypotheses, references).score
    # sacrebleu takes K lists of N; None where a segment has fewer than K references.
    assert score == pytest.approx(other.corpus_score(hypotheses, list(zip_longest(*references))).score, abs=1e-9)


@MADE_UP
@pytest.mark.parametrize(("metric", "other"), PAIRS, ids=names)
def test_segment_scores_are_those_of_sacrebleu(metric: Metric, other: rival.base.Metric, made_up: Corpus) -> None:
    hypotheses, references = made_up
    if isinstance(other, rival.BLEU):
        other = rival.BLEU(
            lowercase=other.lowercase,
            tokenize=other.tokenizer_signature,
            smooth_method=other.smooth_method,
            smooth_value=other.smooth_value,
            max_ngram_order=other.max_ngram_order,
            effective_order=True,
        )
    rows = metric.corpus(Chunk(hypothesis_texts=hypotheses, reference_texts=references))
    expected = [other.sentence_score(hyp, refs).score for hyp, refs in zip(hypotheses, references, strict=True)]
    np.testing.assert_allclose(metric.score_rows(rows, segment=True), expected, atol=1e-9, rtol=0)


@MADE_UP
def test_defaults_are_those_of_the_functions_people_call(made_up: Corpus) -> None:
    hypotheses, references = made_up
    columns = list(zip_longest(*references))
    assert BLEU().corpus_score(hypotheses, references).score == pytest.approx(
        sacrebleu.corpus_bleu(hypotheses, columns).score, abs=1e-9
    )
    for hypothesis, refs in zip(hypotheses[:20], references[:20], strict=True):
        assert BLEU().sentence_score(hypothesis, refs).score == pytest.approx(
            sacrebleu.sentence_bleu(hypothesis, refs).score, abs=1e-9
        )


def test_the_signature_names_sacrebleu_and_every_option() -> None:
    assert BLEU(case=False).signature(2) == (
        "BLEU|refs=2|tokenize=13a|case=no|smooth=exp|smooth_value=None|max_ngram_order=4|effective_order=segment"
        f"|boundaries=none|reference_length=closest|sacrebleu={sacrebleu.__version__}|synteval=0.1.0"
    )
    assert not TER.higher_is_better


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        (BLEU, {"smooth": "nist"}, "valid: exp, floor, add-k, none, lin_och, leusch_printed, epsilon"),
        (BLEU, {"tokenize": "moses"}, "13a"),
        (BLEU, {"max_ngram_order": 0}, "1 or more"),
        (CHRF, {"char_order": 0}, "1 or more"),
    ],
)
def test_impossible_options_are_refused(metric: type[Metric], options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        metric(**options)
