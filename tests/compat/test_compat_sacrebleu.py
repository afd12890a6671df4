from __future__ import annotations

import math

import numpy as np
import pytest
import sacrebleu
from sacrebleu.significance import PairedTest

from synteval.compat.sacrebleu import SacrebleuAdapter
from synteval.errors import InputError
from synteval.metrics.lexical.bleu import BLEU
from synteval.metrics.stm import STM
from synteval.structures.brackets import parse_brackets

WORDS = list("abcdefghijklmnop")
RNG = np.random.default_rng(4)
REFERENCE = [" ".join(RNG.choice(WORDS, size=10)) for _ in range(80)]


def noisy(share: float) -> list[str]:
    return [" ".join(word if RNG.random() > share else "zz" for word in line.split()) for line in REFERENCE]


SYSTEMS = [("base", noisy(0.2)), ("new", noisy(0.25))]


@pytest.mark.parametrize("test", ["ar", "bs"])
def test_bleu_through_the_adapter_is_bleu(test: str) -> None:
    metrics = {"ours": SacrebleuAdapter("bleu"), "theirs": sacrebleu.BLEU()}
    signatures, scores = PairedTest(SYSTEMS, metrics, [REFERENCE], test, n_samples=300)()
    for ours, theirs in zip(scores["bleu"], scores["BLEU"], strict=True):
        assert ours.score == pytest.approx(theirs.score, abs=1e-9)
        assert ours.p_value == theirs.p_value
    assert "tokenize=13a" in str(signatures["bleu"])
    assert f"{test}:300" in str(signatures["bleu"])


def test_other_metrics_and_references_given_once() -> None:
    metrics = {name: SacrebleuAdapter(name, references=[REFERENCE]) for name in ("nist", "wer", "rougeSU")}
    _, scores = PairedTest(SYSTEMS, metrics, None, "ar", n_samples=50, n_ar_confidence=20)()
    assert set(scores) == {"System", "nist", "wer", "rougeSU"}
    assert all(0 < scores[name][1].p_value <= 1 for name in metrics)


def test_fewer_references_are_none() -> None:
    second = [None if number % 2 else line for number, line in enumerate(SYSTEMS[1][1])]
    refs = [[line for line in pair if line is not None] for pair in zip(REFERENCE, second, strict=True)]
    adapter = SacrebleuAdapter("bleu")
    assert adapter.corpus_score(SYSTEMS[0][1], [REFERENCE, second]).score == pytest.approx(
        BLEU().corpus_score(SYSTEMS[0][1], refs).score
    )
    assert "refs=1-2" in str(adapter.get_signature())


def test_metrics_on_parses() -> None:
    trees = ["(S (NP (N a)) (VP (V b)))", "(S (NP (D a) (N a)) (VP (V b)))", "(S (NP (N a)) (VP (V b) (NP (N a))))"]
    one, two, three = ([parse_brackets(text)[0].sentence()] * 12 for text in trees)
    adapter = SacrebleuAdapter(STM(depth=3))
    _, scores = PairedTest([("one", one), ("two", two)], {"stm": adapter}, [three], "ar", n_samples=200)()
    assert scores["stm"][0].score == pytest.approx(STM(depth=3).corpus_score(one, three).score)
    assert math.isfinite(scores["stm"][1].p_value)


def test_one_sentence() -> None:
    assert SacrebleuAdapter("wer").sentence_score("a b", ["a c"]).score == 0.5


def test_wrong_lengths_are_refused() -> None:
    with pytest.raises(InputError, match="reference set 0 has 2 segments where there are 80 hypotheses"):
        SacrebleuAdapter("wer").corpus_score(REFERENCE, [["a", "b"]])
    with pytest.raises(InputError, match="no references"):
        SacrebleuAdapter("wer").corpus_score(REFERENCE, None)
