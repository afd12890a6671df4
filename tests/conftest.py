"""Fixtures that several parts of the suite share."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent

# The suite proves the same on every run: examples are derived from the test, not from the clock.
settings.register_profile("suite", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests never touch the user's parse cache."""
    os.environ["SYNTEVAL_CACHE"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of treebanks and judgements beside the checkout; tests that need it are skipped without it."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the data beside the checkout (../shared/data) is not there")
    return folder


Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def synteval(tmp_path: Path) -> Command:
    """The command as a user types it, in a process of its own, run in `tmp_path`."""

    def run(*args: str, stdin: str | None = None, check: bool = True) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-c", "from synteval.cli.main import main; main()", *map(str, args)],
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=300,
        )
        if check:
            assert done.returncode == 0, done.stderr
        return done

    return run


def assert_refused(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """Bad input: exit status 2, one line on standard error with these words, no traceback."""
    assert done.returncode == 2, (done.returncode, done.stderr)
    assert "Traceback" not in done.stderr
    lines = [line for line in done.stderr.splitlines() if not line.startswith("synteval: warning")]
    assert len(lines) == 1 and lines[0].startswith("synteval: error: "), done.stderr
    for word in words:
        assert word in lines[0], (word, lines[0])
