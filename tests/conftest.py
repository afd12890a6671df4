"""Fixtures that several parts of the suite share."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command import ROOT, Command
from hypothesis import HealthCheck, settings

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
