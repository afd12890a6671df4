from __future__ import annotations

import json
import subprocess
import sys

import pytest

from synteval.compat import evaluate
from synteval.errors import InputError, OptionError
from synteval.metrics.lexical.bleu import BLEU
from synteval.metrics.stm import STM
from synteval.structures.brackets import parse_brackets

(HYP,) = parse_brackets("(S (NP (PRON I)) (VP (V have) (NP (PRON it))))")
(REF,) = parse_brackets("(S (NP (PRON I)) (VP (V have) (NP (ART a) (N dog))))")
PREDICTIONS = ["the cat the cat on the mat", "a dog"]
REFERENCES = [["the cat is on the mat", "there is a cat on the mat"], "the dog"]


def test_compute_gives_a_plain_dict() -> None:
    result = evaluate.load("bleu").compute(predictions=PREDICTIONS, references=REFERENCES)
    score = BLEU().corpus_score(PREDICTIONS, REFERENCES)
    assert json.loads(json.dumps(result)) == {
        "bleu": score.score,
        "signature": score.signature,
        "counts": dict(score.counts),
    }


def test_parsed_segments() -> None:
    pairs = {"predictions": [HYP.sentence()], "references": [[REF.sentence()]]}
    assert evaluate.load("stm:depth=3").compute(**pairs)["stm"] == pytest.approx(0.7023809523809524)
    assert evaluate.load("stm").compute(**pairs, depth=2)["stm"] == pytest.approx(0.8035714285714286)
    assert evaluate.load(STM(depth=1)).compute(**pairs)["stm"] == pytest.approx(0.8571428571428571)


def test_options_are_the_metrics_own_or_the_parsers() -> None:
    module = evaluate.load("wer", case=True, parser="en")
    assert module.compute(predictions=["A"], references=["a"])["wer"] == 1
    assert module.compute(predictions=["A"], references=["a"], case=False)["wer"] == 0
    with pytest.raises(OptionError, match="did you mean case"):
        evaluate.load("wer", cases=True)
    with pytest.raises(OptionError, match="tokenize=moses"):
        module.compute(predictions=["A"], references=["a"], tokenize="moses")


def test_batches_are_collected_and_used_once() -> None:
    module = evaluate.load("wer")
    module.add_batch(predictions=PREDICTIONS[:1], references=REFERENCES[:1])
    module.add(prediction=PREDICTIONS[1], reference=REFERENCES[1])
    whole = module.compute(predictions=PREDICTIONS, references=REFERENCES)
    assert module.compute() == whole
    with pytest.raises(InputError, match="2 predictions but references for 1"):
        module.add_batch(predictions=["a", "b"], references=["a"])


def test_half_of_the_input_is_refused() -> None:
    with pytest.raises(InputError, match="lacks references="):
        evaluate.load("wer").compute(predictions=["a"])
    with pytest.raises(InputError, match="2 hypotheses but references for 1"):
        evaluate.load("wer").compute(predictions=["a", "b"], references=["a"])


def test_it_tells_what_it_is() -> None:
    module = evaluate.load("wer")
    assert module.name == "wer"
    assert "Levenshtein" in module.description or "lev(" in module.description
    assert "WER" in repr(module)


def test_the_package_has_it() -> None:
    code = "import synteval.compat; print(synteval.compat.evaluate.load('per').name)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "per\n"
