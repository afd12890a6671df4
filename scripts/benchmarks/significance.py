"""How long significance takes: tests of two systems by eight metrics, beside one chrF corpus score of sacrebleu.

    python scripts/benchmarks/significance.py SYSTEM_A SYSTEM_B REFERENCE [--segments 3000] [--trials 10000]

The bar: 10,000 trials on 2 systems x 3,000 segments x 8 metrics take no longer than sacrebleu's chrF of one system on
the same segments. Files have one segment a line and may be gzipped. Each time is the median of `--repeat` runs; exit
status 1 if randomization misses the bar.
"""

from __future__ import annotations

import argparse
import gzip
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import sacrebleu

from synteval.metrics.base import Chunk
from synteval.metrics.registry import load_metrics
from synteval.results.significance import compare, confidence_intervals

METRICS = ("bleu", "chrf", "chrf:word_order=2", "nist", "ngram", "rouge2", "wer", "per")


def main() -> int:
    """Run the benchmark and print a line for each measurement."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("files", nargs=3, type=Path, metavar="FILE")
    arguments.add_argument("--segments", type=int, default=3000)
    arguments.add_argument("--trials", type=int, default=10_000)
    arguments.add_argument("--repeat", type=int, default=5)
    options = arguments.parse_args()
    first, second, reference = (_lines(path)[: options.segments] for path in options.files)

    metrics = load_metrics(METRICS)
    systems = {}
    for name, texts in (("A", first), ("B", second)):
        chunk = Chunk(hypothesis_texts=texts, reference_texts=[[text] for text in reference])
        systems[name] = {label: metric.corpus(chunk) for label, metric in metrics.items()}
    scorers = {label: metric.score_rows for label, metric in metrics.items()}
    columns = sum(rows.shape[1] for rows in systems["A"].values())
    print(f"{len(first)} segments, {len(metrics)} metrics, {columns} columns a system, {options.trials} trials")

    def test(kind: str) -> Callable[[], object]:
        return lambda: compare(systems, scorers, baseline="A", test=kind, trials=options.trials, rng=1)

    work: dict[str, Callable[[], object]] = {
        "sacrebleu chrF, one system": lambda: sacrebleu.CHRF().corpus_score(first, [reference]),
        "approximate randomization": test("ar"),
        "bootstrap test": test("bs"),
        "confidence intervals": lambda: confidence_intervals(systems, scorers, trials=options.trials, rng=1),
    }
    # Taken in turn, so that a busy moment of the machine does not fall on one of them alone.
    times: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(options.repeat):
        for name, function in work.items():
            start = time.perf_counter()
            function()
            times[name].append(time.perf_counter() - start)
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, median in medians.items():
        print(f"{name:30} {median:7.3f} s   (fastest {min(times[name]):.3f} s)")
    return int(medians["approximate randomization"] > medians["sacrebleu chrF, one system"])


def _lines(path: Path) -> list[str]:
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8").split("\n")


if __name__ == "__main__":
    raise SystemExit(main())
