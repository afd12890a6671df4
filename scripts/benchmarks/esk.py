"""What ESK costs: microseconds a pair, and its growth with the length of sentences.

    python scripts/benchmarks/esk.py

A pair is two sentences as the record has them, with senses; scoring it takes three kernels (d=4). Words follow
Zipf's law, a fifth of them has a sense in common with others. Times are of the processor, the best of several runs.
"""

from __future__ import annotations

import time

import numpy as np

from synteval.metrics.base import Chunk
from synteval.metrics.esk import ESK
from synteval.metrics.subsequence_kernel import AttributeSequences, subsequence_kernel
from synteval.structures import Segment, Sentence

VOCABULARY = 20_000
RUNS = 5


def sentences(count: int, length: int, rng: np.random.Generator) -> list[Segment]:
    """Segments of one sentence each."""
    shares = 1 / np.arange(1, VOCABULARY + 1)
    words = rng.choice(VOCABULARY, (count, length), p=shares / shares.sum())
    return [
        (
            Sentence.build(
                [f"w{word}" for word in row], senses=[[f"s{word // 3}"] if word % 5 == 0 else [] for word in row]
            ),
        )
        for row in words.tolist()
    ]


def best_time(chunk: Chunk, metric: ESK) -> float:
    """Seconds for the whole metric: coding the words, three kernels a pair, scores."""
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        metric.statistics(chunk)
        times.append(time.process_time() - start)
    return min(times)


def best_kernel_time(chunk: Chunk, metric: ESK) -> float:
    """Seconds for the three kernels alone."""
    made = [*(metric.nodes(h[0]) for h in chunk.hypotheses), *(metric.nodes(r[0][0]) for r in chunk.references)]
    sequences = AttributeSequences.of(made)
    every, pairs = np.arange(len(made)), len(chunk.hypotheses)
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        subsequence_kernel(sequences, every, every, metric.d, metric.decay)
        subsequence_kernel(sequences, every[:pairs], every[pairs:], metric.d, metric.decay)
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    rng = np.random.default_rng(1)
    metric = ESK(d=4)
    print(f"{'tokens':>8}{'pairs':>8}{'metric':>12}{'kernels':>12}   microseconds a pair")
    measured = {}
    for length, pairs in ((24, 2000), (20, 2000), (40, 500), (80, 150), (160, 50), (320, 25)):
        chunk = Chunk(sentences(pairs, length, rng), [[segment] for segment in sentences(pairs, length, rng)])
        whole, kernels = (f(chunk, metric) / pairs * 1e6 for f in (best_time, best_kernel_time))
        print(f"{length:>8}{pairs:>8}{whole:>12.1f}{kernels:>12.1f}")
        if length != 24:
            measured[length] = (whole, kernels)
    sizes = np.log(list(measured))
    slopes = [np.polyfit(sizes, np.log([times[place] for times in measured.values()]), 1)[0] for place in (0, 1)]
    print(f"growth from 20 to 320 tokens: n^{slopes[0]:.2f} (metric), n^{slopes[1]:.2f} (kernels)")


if __name__ == "__main__":
    main()
