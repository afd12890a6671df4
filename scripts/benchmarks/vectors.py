"""What token vectors cost: time beside parsing, time of `soft` beside sacrebleu's chrF, bytes a sentence in the cache.

    python scripts/benchmarks/vectors.py --data ../shared/data --segments 1000

Times are processor seconds of one thread.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from sacrebleu.metrics import CHRF

from synteval.io import read_table
from synteval.metrics.registry import load_metric
from synteval.metrics.views import Parses
from synteval.parsing.cache import Memory
from synteval.results.evaluate import evaluate


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, default=Path("../shared/data"))
    options.add_argument("--segments", type=int, default=1000)
    options.add_argument("--repeats", type=int, default=3)
    args = options.parse_args()
    table = read_table(args.data / "wmt17_da" / "segments.tsv")
    hyps, refs = table.hypotheses[: args.segments], [item[0] for item in table.references[: args.segments]]
    texts = list(dict.fromkeys([*hyps, *refs]))
    parser = "en:threads=1"
    stm, soft = load_metric("stm"), load_metric("soft")
    warm = Parses(parser, cache=Memory())
    warm.fill(texts[:20], [stm, soft])

    def fill(metrics: list[str]) -> float:
        parses = Parses(warm.parser, cache=Memory())
        parses._makers = warm._makers  # the loaded encoder
        return seconds(lambda: parses.fill(texts, [load_metric(name) for name in metrics]))

    bare = min(fill(["stm"]) for _ in range(args.repeats))
    full = min(fill(["soft"]) for _ in range(args.repeats))
    print(f"{len(texts)} texts: parsing {bare:.2f} s, with vectors {full:.2f} s, {full / bare:.2f} x")
    with tempfile.TemporaryDirectory() as folder:
        evaluate({"x": hyps}, refs, ["soft"], parser, cache=folder)
        cached = min(
            seconds(lambda: evaluate({"x": hyps}, refs, ["soft"], parser, cache=folder)) for _ in range(args.repeats)
        )
        chrf = CHRF()
        rival = min(
            seconds(lambda: [chrf.sentence_score(h, [r]).score for h, r in zip(hyps, refs, strict=True)])
            for _ in range(args.repeats)
        )
        print(f"{len(hyps)} pairs: soft from the cache {cached:.3f} s, chrF {rival:.3f} s, {cached / rival:.2f} x")
        parses = Parses(parser, cache=folder)
        for name, metric in (("without", stm), ("with", soft)):
            records = parses.records(texts, parses.view(metric))
            sentences = sum(len(segment) for segment in parses.segments(texts, parses.view(stm)))
            print(f"cache, {name} vectors: {sum(map(len, records)) / sentences:.0f} bytes a sentence")


if __name__ == "__main__":
    main()
