"""Pictures are written in every format, and say what the run says."""

from __future__ import annotations

from pathlib import Path

import pytest
from flat_parser import Flat

from synteval import evaluate
from synteval.errors import OptionError
from synteval.results.run import Run

pytest.importorskip("matplotlib")
MAGIC = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


@pytest.fixture(scope="module")
def run() -> Run:
    # A dollar begins no formula.
    texts = {"one$_{$ \\frac": ["a cat sat", "dogs bark", "x y z"], "two": ["the cat", "dogs bark loud", "x"]}
    return evaluate(texts, ["a cat sat", "dogs bark", "x z"], ["stm", "hwcm", "bleu", "ter"], Flat(), cache=False)


@pytest.mark.parametrize("kind", ["ranking", "distributions", "correlation"])
@pytest.mark.parametrize("ending", list(MAGIC))
def test_pictures(run: Run, kind: str, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"picture{ending}"
    run.plot(kind, path)
    assert path.read_bytes().startswith(MAGIC[ending])


def test_the_best_system_is_highest(run: Run) -> None:
    axes = run.plot("ranking", trials=100).axes
    for axis in axes:
        names = [label.get_text() for label in axis.get_yticklabels()]
        assert names[-1] in run.best(axis.get_title())


def test_what_cannot_be_drawn(run: Run, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="did you mean ranking"):
        run.plot("rankings")
    with pytest.raises(OptionError, match=r"\.png, \.svg, \.pdf"):
        run.plot("ranking", tmp_path / "x.gif")
