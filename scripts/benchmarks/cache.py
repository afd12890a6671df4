"""What a cached parse costs: key, look-up and decoding, and its size, beside sacrebleu's sentence chrF.

    python scripts/benchmark.py cache [--sentences 2000] [--text FILE]

Sentences are parsed by the embedded parser (both trees, tags, lemmas), stored, and read back in batches of 1,000.
Times are of the processor, which other work on the machine changes least.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import sacrebleu

from synteval.io import read_lines
from synteval.parsing import load_parser
from synteval.parsing.cache import Cache, record_key
from synteval.parsing.cached import ParsedTexts
from synteval.parsing.record import decode

# About 24 tokens each; the number makes every text distinct.
PATTERN = (
    "In the year {n} the old man who had come in late ate two bananas and an apple with a fork , without asking me ."
)


def measure(texts: list[str], repeat: int) -> dict[str, float]:
    """Medians in microseconds a sentence, and bytes a sentence."""
    parser = load_parser("en")
    with tempfile.TemporaryDirectory() as folder:
        ParsedTexts(parser, Cache(folder)).fill(texts)
        records = Cache(folder).get([record_key(parser.fingerprint, text) for text in texts])
        times: dict[str, list[float]] = {"key": [], "look-up": [], "decode": [], "whole": [], "chrF": []}
        for _ in range(repeat):
            cache = Cache(folder)
            start = time.process_time()
            keys = [record_key(parser.fingerprint, text) for text in texts]
            times["key"].append(time.process_time() - start)
            start = time.process_time()
            for at in range(0, len(keys), 1000):
                cache.get(keys[at : at + 1000])
            times["look-up"].append(time.process_time() - start)
            start = time.process_time()
            for record in records.values():
                decode(record)
            times["decode"].append(time.process_time() - start)
            parsed = ParsedTexts(parser, Cache(folder))
            start = time.process_time()
            for at in range(0, len(texts), 1000):
                parsed.segments(texts[at : at + 1000])
            times["whole"].append(time.process_time() - start)
            chrf = sacrebleu.CHRF()
            start = time.process_time()
            for hyp, ref in pairwise(texts[:301]):
                chrf.sentence_score(hyp, [ref])
            times["chrF"].append((time.process_time() - start) * len(texts) / min(300, len(texts)))
    figures = {name: statistics.median(values) / len(texts) * 1e6 for name, values in times.items()}
    figures["bytes"] = sum(map(len, records.values())) / len(records)
    figures["tokens"] = statistics.mean(len(s) for record in records.values() for s in decode(record))
    return figures


def main(argv: list[str] | None = None) -> dict[str, float]:
    """Print the table; the figures."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--sentences", type=int, default=2000)
    arguments.add_argument("--text", type=Path, help="a file of sentences instead of made ones")
    arguments.add_argument("--repeat", type=int, default=5)
    options = arguments.parse_args(argv)
    if options.text:
        texts = list(dict.fromkeys(read_lines(options.text)))[: options.sentences]
    else:
        texts = [PATTERN.format(n=1000 + n) for n in range(options.sentences)]
    figures = measure(texts, options.repeat)
    print(f"{len(texts)} sentences of {figures['tokens']:.1f} tokens, {figures['bytes']:.0f} bytes a record")
    for name in ("key", "look-up", "decode", "whole"):
        print(f"{name:8} {figures[name]:7.1f} microseconds a sentence, {figures[name] / figures['chrF']:.3f} x chrF")
    return figures


if __name__ == "__main__":
    main()
