"""The whole way at scale: throughput from raw text, cold and warm, processes and Dask; growth with the corpus.

    python scripts/benchmark.py scale [--segments 2000] [--sizes 1000 10000 100000] [--text FILE]

Every measurement is a run of its own process, so that its peak memory is its own. `bare` is the embedded parser called
directly on the same distinct texts, with one thread as in the runs. For the growth table, the cache is filled with
copies of the records of `--segments` texts under new keys: parsing 200,000 texts would measure the parser again.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

METRICS = ["stm", "tkm", "hwcm", "dstm", "dtkm", "depf"]
OBJECTS = ["the old man", "two bananas and an apple", "what she had said", "a letter to his friend", "nothing at all"]
PATTERN = "In {n} {subject} who had come in late gave {other} to the people of the town , without asking me ."


def made_texts(count: int) -> list[str]:
    """Distinct sentences of about 20 to 26 tokens."""
    return [PATTERN.format(n=1000 + n, subject=OBJECTS[n % 5], other=OBJECTS[n // 5 % 5]) for n in range(count)]


def corpus(base: list[str], size: int) -> tuple[list[str], list[str]]:
    """`size` distinct hypotheses and references, made of the base texts and a number."""
    hyps = [f"{base[n % len(base)]} {n}" for n in range(size)]
    return hyps, [f"{base[(n + 1) % len(base)]} {n} r" for n in range(size)]


def child(task: dict[str, object]) -> dict[str, float]:
    """One measurement, in this process."""
    from synteval.engines import load_engine
    from synteval.parsing import load_parser
    from synteval.parsing.cache import Cache, record_key
    from synteval.parsing.cached import ParsedTexts
    from synteval.results import evaluate

    texts = made_texts(int(str(task["segments"]))) if not task["text"] else _read(str(task["text"]), task)
    kind = str(task["kind"])
    folder = str(task["cache"])
    refs = texts[1:] + texts[:1]
    if kind == "bare":
        parser = load_parser("en:threads=1")
        start = time.perf_counter()
        for _ in parser.parse(texts):
            pass
        return {"seconds": time.perf_counter() - start}
    if kind == "fill":
        parser = load_parser("en:threads=1")
        parsed = ParsedTexts(parser, Cache(folder))
        parsed.fill(texts)
        base = parsed.records(texts)
        for text_set in corpus(texts, int(str(task["size"]))):
            for at in range(0, len(text_set), 5000):
                part = enumerate(text_set[at : at + 5000], start=at)
                Cache(folder).put(
                    parser.fingerprint, {record_key(parser.fingerprint, t): base[n % len(base)] for n, t in part}
                )
        return {"seconds": 0.0}
    if kind == "growth":
        texts, refs = corpus(texts, int(str(task["size"])))
    with load_engine(str(task["engine"]), jobs=int(str(task["jobs"]))) as engine:
        start = time.perf_counter()
        run = evaluate({"system": texts}, refs, METRICS, "en:threads=1", cache=folder, engine=engine)
        seconds = time.perf_counter() - start
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": seconds, "megabytes": own, "stm": run.scores["system"]["stm"]}


def _read(path: str, task: dict[str, object]) -> list[str]:
    from synteval.io import read_lines

    return list(dict.fromkeys(line for line in read_lines(path) if line.strip()))[: int(str(task["segments"]))]


def measure(**task: object) -> dict[str, float]:
    """Run `child` in a process of its own."""
    settings = {"engine": "local", "jobs": 1, "size": 0, "text": "", **task}
    command = [sys.executable, __file__, "--child", json.dumps(settings)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def main(argv: list[str] | None = None) -> dict[str, object]:
    """Print the tables; the figures."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--segments", type=int, default=2000)
    arguments.add_argument("--sizes", type=int, nargs="*", default=[1000, 10_000, 100_000])
    arguments.add_argument("--text", default="", help="a file of sentences instead of made ones")
    options = arguments.parse_args(argv)
    shared = {"segments": options.segments, "text": str(Path(options.text).resolve()) if options.text else ""}
    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        bare = measure(kind="bare", cache=folder, **shared)["seconds"]
        print(f"bare parser calls      {bare:8.2f} s  {options.segments / bare:8.0f} segments/s")
        cold: dict[str, float] = {}
        for name, engine, jobs in (("1 process", "local", 1), ("2 processes", "local", 2), ("dask, 2", "dask", 2)):
            where = str(Path(folder) / name.replace(" ", "_"))
            first = measure(kind="run", cache=where, engine=engine, jobs=jobs, **shared)
            again = measure(kind="run", cache=where, engine=engine, jobs=jobs, **shared)
            assert first["stm"] == again["stm"]
            cold[name] = first["seconds"]
            print(
                f"{name:12} cold {first['seconds']:8.2f} s  {options.segments / first['seconds']:8.0f} segments/s   "
                f"warm {again['seconds']:6.2f} s  {options.segments / again['seconds']:8.0f} segments/s"
            )
            figures[name] = {"cold": first, "warm": again}
        overhead = cold["1 process"] / bare
        efficiency = cold["1 process"] / cold["2 processes"]
        print(f"overhead of the whole way over bare parser calls: {overhead:.2f} x")
        print(f"2 processes against 1: {efficiency:.2f} x")
        figures |= {"bare": bare, "overhead": overhead, "speedup": efficiency}
        growth = []
        for size in options.sizes:
            where = str(Path(folder) / f"size{size}")
            measure(kind="fill", cache=where, size=size, **shared)
            found = measure(kind="growth", cache=where, size=size, **shared)
            growth.append({"size": size, **found})
            each = found["seconds"] / size * 1e6
            print(
                f"{size:8} warm pairs {found['seconds']:8.2f} s  {each:7.0f} microseconds a pair"
                f"  {found['megabytes']:6.0f} MB at most"
            )
        figures["growth"] = growth
    return figures


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[1] == "--child":
        print(json.dumps(child(json.loads(sys.argv[2]))))
    else:
        main()
