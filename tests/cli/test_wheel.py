"""The wheel, installed into a fresh environment, works from an empty directory as the checkout does."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from command import ROOT


def test_an_installed_wheel_scores(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    fresh, empty = tmp_path / "fresh", tmp_path / "empty"
    venv.create(fresh, with_pip=True)
    python = fresh / "bin" / "python"
    install = [python, "-m", "pip", "--disable-pip-version-check", "install", "-q", str(wheel)]
    done = subprocess.run(install, capture_output=True, text=True)
    if done.returncode and "No matching distribution" in done.stderr:
        pytest.skip("the dependencies of the wheel cannot be reached from here")
    assert done.returncode == 0, done.stderr
    empty.mkdir()
    environment = {"PATH": os.environ["PATH"], "HOME": str(empty), "SYNTEVAL_CACHE": str(empty / "cache")}

    def run(*args: str | Path) -> str:
        result = subprocess.run(args, cwd=empty, env=environment, capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        return result.stdout

    demo = run(fresh / "bin" / "synteval", "demo")
    here = subprocess.run(
        [sys.executable, "-c", "from synteval.cli.main import main; main()", "demo"], capture_output=True, text=True
    )
    assert demo == here.stdout and "same-shape" in demo
    for absent in ("spacy", "torch", "transformers", "tokenizers"):
        assert "None" in run(python, "-c", f"import importlib.util as u; print(u.find_spec({absent!r}))")
