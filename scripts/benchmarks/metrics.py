"""What the syntactic metrics cost, from parses in memory, beside sacrebleu's sentence BLEU, chrF and TER.

    python scripts/benchmark.py metrics [--pairs 2000] [--largest 100000] [--json FILE] [--part NAME ...]

In one run, on the same pairs: every metric and all together, over chunks of 1,000 pairs; a single pair at a time; the
tree kernel against a plain recursion over nltk.Tree; growth with the size of the trees, the number of references, and
the number of pairs, with the memory that is added. Times are of the processor, which other work on the machine
changes least, the least of several runs; chrF is timed before and after.

The bars: all six at most 1.0 x chrF; a single pair at most 3 x; the kernel at least 40 x the recursion; a pair of the
largest corpus at most 1.1 x one of a tenth of it; at most 150 MB added. Exit status 1 where one is missed.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import nltk
import sacrebleu
from _pairs import generated, pairs, sentences, text

from synteval.metrics.base import CHUNK, Chunk, Metric
from synteval.metrics.depf import DependencyF
from synteval.metrics.dstm import DSTM
from synteval.metrics.dtkm import DTKM
from synteval.metrics.hwcm import HWCM
from synteval.metrics.stm import STM
from synteval.metrics.tkm import TKM
from synteval.structures import Segment
from synteval.structures.interop import to_nltk

METRICS: tuple[Metric, ...] = (STM(), TKM(), HWCM(), DSTM(), DTKM(), DependencyF())
PARTS = ("corpus", "metrics", "single", "kernel", "trees", "references")
Pairs = Sequence[tuple[Segment, Sequence[Segment]]]


def score(metrics: Sequence[Metric], given: Pairs) -> None:
    """Segment and corpus scores of the pairs, chunk by chunk, as a run makes them."""
    sums = [0.0 for _ in metrics]
    for start in range(0, len(given), CHUNK):
        part = given[start : start + CHUNK]
        chunk = Chunk([hyp for hyp, _ in part], [refs for _, refs in part])
        for place, metric in enumerate(metrics):
            rows = metric.statistics(chunk)
            metric.score_rows(rows, segment=True)
            sums[place] = sums[place] + rows.sum(axis=0)
    for metric, summed in zip(metrics, sums, strict=True):
        metric.score(summed)  # type: ignore[arg-type]


def least(run: Callable[[], object], repeat: int) -> float:
    """The least processor time of several runs, in seconds."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def lexical(given: Pairs, repeat: int = 3) -> dict[str, float]:
    """Microseconds a segment of sacrebleu's metrics on the same words."""
    texts = [(text(hyp), [text(ref) for ref in refs]) for hyp, refs in given]
    found = {}
    for name, metric, count in (
        ("BLEU", sacrebleu.BLEU(effective_order=True), 1000),
        ("chrF", sacrebleu.CHRF(), 1000),
        ("TER", sacrebleu.TER(), 200),
    ):
        some = texts[:count]

        def run(metric: Any = metric, some: Any = some) -> None:
            for hyp, refs in some:
                metric.sentence_score(hyp, refs)

        found[name] = least(run, repeat) / len(some) * 1e6
    return found


def recursive_kernel(one: nltk.Tree, other: nltk.Tree) -> float:
    """The kernel as it is defined: C by recursion for every pair of nodes."""

    def production(node: nltk.Tree) -> tuple[str, ...]:
        return (node.label(), *[child.label() for child in node])

    def common(a: nltk.Tree, b: nltk.Tree) -> float:
        if not len(a) or production(a) != production(b):
            return 0.0
        product = 1.0
        for child, other_child in zip(a, b, strict=True):
            product *= 1 + common(child, other_child)
        return product

    return sum(common(a, b) for a in one.subtrees() for b in other.subtrees())


def unlexicalised(segment: Segment) -> nltk.Tree:
    """The tree without its words, as nltk has it."""
    tree = to_nltk(segment[0].tree)  # type: ignore[arg-type]
    for node in list(tree.subtrees(lambda node: any(isinstance(child, str) for child in node))):
        node[:] = [child for child in node if not isinstance(child, str)]
    return tree


def memory() -> float:
    """The most memory this process has had so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class Report:
    """Lines on standard output, and the same as data."""

    def __init__(self) -> None:
        self.data: dict[str, Any] = {}
        self.missed: list[str] = []

    def add(self, part: str, name: str, value: float, unit: str, more: str = "") -> None:
        """One measurement."""
        self.data.setdefault(part, {})[name] = value
        print(f"{part:12s}{name:28s}{value:12.2f} {unit:14s}{more}", flush=True)

    def bar(self, name: str, value: float, bar: float, most: bool = True) -> None:
        """A ratio that has a bar."""
        met = value <= bar if most else value >= bar
        self.data.setdefault("bars", {})[name] = {"value": value, "bar": bar, "met": met}
        print(
            f"{'bar':12s}{name:28s}{value:12.2f} {'at most' if most else 'at least'} {bar:g}{'' if met else '  MISSED'}"
        )
        if not met:
            self.missed.append(name)


def corpus(report: Report, given: Pairs, largest: int) -> None:
    """Cost and added memory as the corpus grows; first of all, as memory is measured by its peak."""
    costs, before = [], memory()
    for size in (largest // 100, largest // 10, largest):
        many = [given[place % len(given)] for place in range(size)]
        costs.append(least(lambda many=many: score(METRICS, many), 3) / size * 1e6)
        report.add("corpus", f"{size} pairs", costs[-1], "us/pair", f"{memory() - before:.0f} MB added")
        if size == largest:
            report.bar("memory added", memory() - before, 150)
    report.bar("growth with the corpus", costs[2] / costs[1], 1.1)


def main() -> int:
    """Run the benchmark."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--pairs", type=int, default=2000)
    arguments.add_argument("--largest", type=int, default=100_000)
    arguments.add_argument("--json", type=Path)
    arguments.add_argument("--part", nargs="+", choices=PARTS, default=PARTS)
    options = arguments.parse_args()
    rng = random.Random(1)
    source = sentences(rng)
    given = pairs(rng, source, options.pairs)
    report = Report()
    tokens = sum(len(s) for hyp, refs in given for segment in (hyp, *refs) for s in segment) / (2 * len(given))
    report.add("pairs", "tokens a segment", tokens, "")
    if "corpus" in options.part:
        corpus(report, given, options.largest)
    others = lexical(given)

    def add(part: str, name: str, cost: float) -> None:
        report.add(part, name, cost, "us/pair", "  ".join(f"{cost / others[other]:6.3f} x {other}" for other in others))

    if "metrics" in options.part:
        for metric in METRICS:
            add("metrics", metric.name, least(lambda metric=metric: score([metric], given), 5) / len(given) * 1e6)
        together = least(lambda: score(METRICS, given), 7) / len(given) * 1e6
        again = lexical(given)
        others = {name: min(others[name], again[name]) for name in others}
        add("metrics", "all six", together)
        report.bar("all six / chrF", together / others["chrF"], 1.0)
    for name, value in others.items():
        report.add("sacrebleu", name, value, "us/pair")
    if "single" in options.part:
        some = given[:300]
        for metrics in (*[(metric,) for metric in METRICS], METRICS):

            def one_by_one(metrics: Sequence[Metric] = metrics) -> None:
                for hyp, refs in some:
                    chunk = Chunk([hyp], [refs])
                    for metric in metrics:
                        metric.score(metric.statistics(chunk)[0], segment=True)

            cost = least(one_by_one, 5) / len(some) * 1e6
            add("single", metrics[0].name if len(metrics) == 1 else "all six", cost)
        report.bar("a single pair / chrF", cost / others["chrF"], 3.0)
    if "kernel" in options.part:
        some = given[:40]
        trees = [(unlexicalised(hyp), unlexicalised(refs[0])) for hyp, refs in some]

        def recursion() -> None:
            for hyp, ref in trees:
                for one, other in ((hyp, hyp), (hyp, ref), (ref, ref)):
                    recursive_kernel(one, other)

        plain = least(recursion, 2) / len(some) * 1e6
        fast = least(lambda: score([TKM()], given), 5) / len(given) * 1e6
        report.add("kernel", "recursion over nltk.Tree", plain, "us/pair")
        report.add("kernel", "tkm", fast, "us/pair")
        report.bar("recursion / tkm", plain / fast, 40, most=False)
    if "trees" in options.part:
        for size in (10, 20, 40, 80, 160):
            same = pairs(rng, [generated(rng, size) for _ in range(200)], 500)
            cost = least(lambda same=same: score(METRICS, same), 3) / len(same) * 1e6
            report.add("trees", f"{size} tokens", cost, "us/pair")
    if "references" in options.part:
        for number in (1, 2, 4, 8):
            several = pairs(rng, source, 500, number)
            cost = least(lambda several=several: score(METRICS, several), 3) / len(several) * 1e6
            report.add("references", f"{number} a segment", cost, "us/pair")
    if options.json:
        options.json.write_text(json.dumps(report.data, indent=1) + "\n")
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
