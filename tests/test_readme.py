"""What the README shows is what happens: its console blocks are run, in order, and their output compared.

A block of `console` holds commands after `$ ` and their output; `...` stands for output that is not shown. Numbers
may differ in the last digits, since the embedded parser computes in floating point.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from command import ROOT

NUMBER = re.compile(r"\d+\.\d+")


def steps(text: str) -> list[tuple[str, list[str]]]:
    """Commands and the lines of output shown below them."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", text, flags=re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif found:
                found[-1][1].append(line.rstrip())
    return found


def alike(shown: str, printed: str) -> bool:
    """The same but for small differences of numbers and for the width of columns."""
    if " ".join(NUMBER.sub("#", shown).split()) != " ".join(NUMBER.sub("#", printed).split()):
        return False
    pairs = zip(NUMBER.findall(shown), NUMBER.findall(printed), strict=True)
    return all(abs(float(a) - float(b)) <= 0.02 * max(1, abs(float(a))) for a, b in pairs)


def test_the_readme_tells_the_truth(tmp_path: Path) -> None:
    examples = [
        (c, o) for c, o in steps((ROOT / "README.md").read_text()) if c.split()[0] in ("synteval", "printf", "cat")
    ]
    assert any(command.startswith("synteval score") for command, _ in examples)
    (tmp_path / "synteval").write_text(
        f"#!/bin/sh\nexec {sys.executable} -c 'from synteval.cli.main import main; main()' \"$@\"\n"
    )
    (tmp_path / "synteval").chmod(0o755)
    for command, output in examples:
        done = subprocess.run(
            ["sh", "-c", f"PATH={tmp_path}:$PATH; {command}"], cwd=tmp_path, capture_output=True, text=True
        )
        printed = [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]
        position = 0
        for line in output:
            if line == "..." or not line:
                continue
            while position < len(printed) and not alike(line, printed[position]):
                position += 1
            if position == len(printed):
                pytest.fail(f"$ {command}\nthe README shows\n{line}\nbut it printed\n" + "\n".join(printed))
            position += 1
