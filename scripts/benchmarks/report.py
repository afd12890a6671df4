"""How large a report is and how long it takes beyond scoring.

    python scripts/benchmarks/report.py HYP... -r REFERENCE [--cache-dir DIR] [-o report.html]

The bars: under 2 MB and under 10 s for 3,000 segments of 5 systems. Files have one segment a line; parses come from the
cache where they are there. The time that counts is by the clock; run it on an idle machine. Exit status 1 if a bar is
missed.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from synteval.metrics.registry import load_metrics
from synteval.metrics.views import Parses
from synteval.report.data import record
from synteval.report.page import page, tested
from synteval.results.evaluate import evaluate_inputs
from synteval.results.load import systems_from_files

METRICS = ("syntactic", "bleu", "chrf")


def main() -> int:
    """Make the report and print a line for each step."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("hypotheses", nargs="+", metavar="HYP")
    arguments.add_argument("-r", "--reference", required=True)
    arguments.add_argument("--cache-dir", type=Path)
    arguments.add_argument("-o", "--output", type=Path)
    options = arguments.parse_args()
    inputs = systems_from_files(options.hypotheses, [options.reference])
    run = evaluate_inputs(inputs, load_metrics(METRICS), Parses(cache=options.cache_dir or True))
    print(f"{len(run.systems)} systems, {run.segments} segments, {len(run.metrics)} metrics")
    started = time.perf_counter()
    findings = tested(run)
    _elapsed("tests and intervals", started)
    data = record(run, findings, "report")
    _elapsed("and texts and trees", started)
    text = page(data, "report")
    wall = _elapsed("and the page", started)
    size = len(text.encode("utf-8"))
    print(f"{size / 1e6:.2f} MB")
    if options.output is not None:
        options.output.write_text(text, encoding="utf-8")
    return int(size >= 2e6 or wall >= 10)


def _elapsed(name: str, started: float) -> float:
    wall = time.perf_counter() - started
    print(f"{name}: {wall:.1f} s")
    return wall


if __name__ == "__main__":
    raise SystemExit(main())
