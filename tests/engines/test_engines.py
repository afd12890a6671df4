"""Engines with real parts: processes, a Dask cluster of two workers on loopback, workers and runs that are killed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from synteval import evaluate
from synteval.engines import load_engine
from synteval.engines.local import LocalEngine
from synteval.errors import OptionError, SyntevalError

distributed = pytest.importorskip("distributed")

SUBJECTS = ["The dog", "A cat", "My old friend", "Nobody", "The man who came in"]
VERBS = ["barks", "has seen the film", "walked home", "did not know it", "gave her a book"]
HYPS = [f"{s} {v} {n} times." for n in range(24) for s in SUBJECTS for v in VERBS]
REFS = [h.replace("The", "A").replace("times", "days") for h in HYPS]
METRICS = ["stm", "hwcm", "tkm", "depf", "chrf"]


@pytest.fixture(scope="module")
def expected() -> str:
    return evaluate({"A": HYPS, "B": REFS}, REFS, METRICS).to_json("full")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as made:
        yield made


def square(number: int) -> int:
    return number * number


def fail(number: int) -> int:
    if number == 3:
        raise SyntevalError("three")
    return number


def die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.parametrize("jobs", [1, 2])
def test_local_processes(jobs: int) -> None:
    engine = LocalEngine(jobs)
    assert sorted(engine.map(square, range(20))) == [(n, n * n) for n in range(20)]
    assert list(engine.map(square, [])) == []
    with pytest.raises(SyntevalError, match="three"):
        list(engine.map(fail, range(20)))


def test_a_killed_process_is_reported() -> None:
    with pytest.raises(SyntevalError, match="fewer --jobs"):
        list(LocalEngine(2).map(die, range(4)))


def test_a_cluster_gives_the_same_bytes(cluster: Any, expected: str) -> None:
    with load_engine("dask", scheduler=cluster.scheduler_address) as engine:
        assert sorted(engine.map(square, range(20))) == [(n, n * n) for n in range(20)]
        found = evaluate({"A": HYPS, "B": REFS}, REFS, METRICS, cache=False, engine=engine)
    assert found.to_json("full") == expected


def test_a_killed_worker_changes_nothing(cluster: Any, expected: str) -> None:
    victims = [nanny.pid for nanny in cluster.workers.values()]

    def kill() -> None:
        time.sleep(1.0)
        os.kill(victims[0], signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    with load_engine("dask", scheduler=cluster.scheduler_address) as engine:
        found = evaluate({"A": HYPS, "B": REFS}, REFS, METRICS, cache=False, engine=engine)
    thread.join()
    assert found.to_json("full") == expected


def test_mistakes_are_named() -> None:
    with pytest.raises(SyntevalError, match="no Dask scheduler answers"):
        load_engine("dask", scheduler="tcp://127.0.0.1:9")
    with pytest.raises(OptionError, match="add --engine dask"):
        load_engine("local", scheduler="tcp://127.0.0.1:9")
    with pytest.raises(OptionError, match="did you mean dask"):
        load_engine("dusk")


def scoring(folder: Path, *more: str) -> subprocess.Popen[str]:
    code = "from synteval.cli.main import main; main()"
    args = ["score", "h.txt", "-r", "r.txt", "-m", *METRICS, "--level", "both", "--format", "json", *more]
    return subprocess.Popen(
        [sys.executable, "-c", code, *args, "--cache-dir", str(folder / "cache")],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    """Twenty runs, each killed at a random moment and then finished: always the scores of an undisturbed one."""
    rng = random.Random(3)
    (tmp_path / "h.txt").write_text("\n".join(HYPS[:400]) + "\n")
    (tmp_path / "r.txt").write_text("\n".join(REFS[:400]) + "\n")
    undisturbed, errors = scoring(tmp_path, "--no-cache").communicate()
    assert undisturbed, errors
    for _ in range(20):
        victim = scoring(tmp_path)
        time.sleep(rng.uniform(0.1, 1.5))
        victim.send_signal(signal.SIGKILL)
        victim.communicate()
        if rng.random() < 0.3:
            finished, errors = scoring(tmp_path).communicate()
            assert finished == undisturbed, errors
    assert scoring(tmp_path).communicate()[0] == undisturbed


def test_two_runs_share_a_cache(tmp_path: Path) -> None:
    (tmp_path / "h.txt").write_text("\n".join(HYPS[:300]) + "\n")
    (tmp_path / "r.txt").write_text("\n".join(REFS[:300]) + "\n")
    first, second = scoring(tmp_path), scoring(tmp_path)
    outputs = {first.communicate()[0], second.communicate()[0]}
    assert len(outputs) == 1 and outputs.pop()
