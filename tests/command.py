"""The command line in tests: how it is called, and how it refuses."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

Command = Callable[..., "subprocess.CompletedProcess[str]"]


def assert_refused(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """Bad input: exit status 2, one line on standard error with these words, no traceback."""
    assert done.returncode == 2, (done.returncode, done.stderr)
    assert "Traceback" not in done.stderr
    lines = [line for line in done.stderr.splitlines() if not line.startswith("synteval: warning")]
    assert len(lines) == 1 and lines[0].startswith("synteval: error: "), done.stderr
    for word in words:
        assert word in lines[0], (word, lines[0])
