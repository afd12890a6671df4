"""The page: a template, a style sheet and scripts, with the record of a run compressed inside.

The record is JSON in raw deflate in base64, which no markup can break out of; the page unpacks it with the browser's
own DecompressionStream. A content security policy allows the style sheet and the script of the page by their hashes,
and nothing else: no request, no other script.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import zlib
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from synteval.results.comparison import Findings
    from synteval.results.run import Run

SCRIPTS = ("record.js", "elements.js", "trees.js", "charts.js", "scores.js", "segments.js", "page.js")
TITLE = "synteval report"
# Shuffles and samples: enough to tell p < 0.05, in about a second.
TRIALS = 1_000


def write(run: Run, path: str | Path, findings: Findings | None = None, *, title: str = TITLE) -> None:
    """Write the page of a run."""
    Path(path).write_text(render(run, findings, title=title), encoding="utf-8", newline="\n")


def render(run: Run, findings: Findings | None = None, *, title: str = TITLE) -> str:
    """The page of a run as text; without `findings`, systems are tested as far as they can be."""
    from synteval.report.data import record

    return page(record(run, tested(run) if findings is None else findings, title), title)


def tested(run: Run, test: str = "ar", *, trials: int = TRIALS, seed: int = 12345) -> Findings:
    """Intervals, and tests against the first system where all systems have the same segments."""
    from synteval.results.comparison import findings_of

    first = sorted(run.systems[0].segment_ids)
    same = len(run.systems) > 1 and all(sorted(system.segment_ids) == first for system in run.systems)
    return findings_of(run, paired=test if same else None, confidence=True, trials=trials, seed=seed)


def page(data: dict[str, Any], title: str) -> str:
    """The page that shows a record."""
    style = _resource("page.css")
    script = "\n".join(_resource(name) for name in SCRIPTS)
    parts = {
        "title": html.escape(title),
        "style": style,
        "style_hash": _hash(style),
        "script": script,
        "script_hash": _hash(script),
        "data": _packed(data),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match.group(1)], _resource("page.html"))


def _resource(name: str) -> str:
    return (files("synteval.report") / name).read_text(encoding="utf-8")


def _packed(data: dict[str, Any]) -> str:
    # A lone surrogate is no character and cannot be written; it shows as a question mark.
    plain = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8", "replace")
    packer = zlib.compressobj(6, zlib.DEFLATED, -15, 9)
    return base64.b64encode(packer.compress(plain) + packer.flush()).decode("ascii")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
