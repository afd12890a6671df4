"""`synteval explain` as a user types it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from command import Command, assert_refused

HYP = "(S (NP (PRON i)) (VP (V have) (NP (PRON it))))"
REF = "(S (NP (PRON i)) (VP (V had) (NP (ART a) (N dog))))"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, ...]:
    (tmp_path / "hyp.ptb").write_text(f"{REF}\n{HYP}\n")
    (tmp_path / "ref.ptb").write_text(f"{REF}\n{REF}\n")
    return "explain", "hyp.ptb", "-r", "ref.ptb"


def test_both_trees_side_by_side_and_the_fragments(synteval: Command, files: tuple[str, ...]) -> None:
    text = synteval(*files, "--segment", "2", "-m", "stm:depth=3").stdout
    assert "\x1b" not in text  # a pipe gets no colour
    lines = text.splitlines()
    assert "stm:depth=3 = 0.7024" in lines
    row = next(line for line in lines if line.startswith("└ VP "))
    assert row.split() == ["└", "VP", "~", "└", "VP", "~"]
    assert "matched (10, 0.7024)" in lines
    assert any(line.split() == ["0.1667", "1", "3", "(VP", "V", "(NP", "PRON))"] for line in lines)
    assert any("missing" in line for line in lines) and any(line.endswith("(NP ART N)") for line in lines)


def test_json_has_every_fragment(synteval: Command, files: tuple[str, ...]) -> None:
    call = (*files, "--segment", "2", "-m", "stm", "hwcm", "depf", "bleu", "--dependencies", "heads")
    # Head rules give words and arcs, and relations that name the categories of head and dependent.
    found = json.loads(synteval(*call, "--format", "json").stdout)
    assert found["segment"] == "2" and found["system"] == "hyp"
    by_name = {entry["metric"]: entry for entry in found["explanations"]}
    stm = by_name["stm"]
    for order, clipped in enumerate(stm["counts"]["clipped"], start=1):
        assert sum(f["count"] for f in stm["matched"] if f["order"] == order) == clipped
    assert sum(f["share"] for f in stm["matched"]) == pytest.approx(stm["score"])
    assert by_name["hwcm"]["kind"] == "chain" and by_name["depf"]["kind"] == "dependency"
    assert by_name["bleu"]["matched"] == [] and "no fragments" in by_name["bleu"]["note"]


def test_what_cannot_be_explained(synteval: Command, files: tuple[str, ...]) -> None:
    assert_refused(synteval(*files, "--segment", "3", check=False), "no segment '3'", "1 to 2")
    assert_refused(synteval(*files, "--system", "hip", check=False), "unknown system", "hyp")


def test_control_characters_do_not_reach_the_terminal(synteval: Command, tmp_path: Path) -> None:
    (tmp_path / "h.ptb").write_text("(S (N \x1b[31mred) (N \u202etxt))\n")
    text = synteval("explain", "h.ptb", "-r", "h.ptb", "-m", "stm").stdout
    assert "\x1b" not in text and "\u202e" not in text


def test_colour_on_a_terminal(files: tuple[str, ...], tmp_path: Path) -> None:
    main, side = pty.openpty()
    call = [sys.executable, "-c", "from synteval.cli.main import main; main()", *files, "-m", "stm"]
    done = subprocess.run(call, cwd=tmp_path, stdout=side, stderr=subprocess.PIPE, timeout=100)
    os.close(side)
    text = os.read(main, 100_000).decode()
    assert done.returncode == 0 and "\x1b[32m" in text
