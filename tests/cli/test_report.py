"""`synteval report` and `synteval plot` as a user types them."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import Command, assert_refused

HYP = "(S (NP (PRON i)) (VP (V have) (NP (PRON it))))"
REF = "(S (NP (PRON i)) (VP (V had) (NP (ART a) (N dog))))"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, ...]:
    (tmp_path / "a.ptb").write_text(f"{REF}\n{HYP}\n")
    (tmp_path / "b.ptb").write_text(f"{HYP}\n{HYP}\n")
    (tmp_path / "ref.ptb").write_text(f"{REF}\n{REF}\n")
    return "a.ptb", "b.ptb", "-r", "ref.ptb", "-m", "stm", "tkm", "bleu"


def test_a_report_is_one_file(synteval: Command, files: tuple[str, ...], tmp_path: Path) -> None:
    synteval("report", *files, "-o", "report.html", "--title", "Ours & theirs")
    page = (tmp_path / "report.html").read_text()
    assert page.startswith("<!doctype html>") and "<title>Ours &amp; theirs</title>" in page
    assert {path.name for path in tmp_path.iterdir()} == {"a.ptb", "b.ptb", "ref.ptb", "report.html"}
    assert_refused(synteval("report", *files, "-o", "no/report.html", check=False), "no folder")


def test_a_picture(synteval: Command, files: tuple[str, ...], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    synteval("plot", *files, "--kind", "correlation", "-o", "metrics.svg")
    assert "<svg" in (tmp_path / "metrics.svg").read_text()
    assert_refused(synteval("plot", *files, "-o", "metrics.gif", check=False), ".png")
