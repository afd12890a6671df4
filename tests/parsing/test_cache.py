from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from synteval.errors import CacheError
from synteval.parsing.cache import Cache, Memory, record_key
from synteval.parsing.cached import open_store
from synteval.parsing.record import decode, encode
from synteval.structures import Sentence

# Writes numbered batches of records until it is killed, and prints each batch's number once it is committed.
WRITER = """
import sys
from synteval.parsing.cache import Cache, record_key
from synteval.parsing.record import encode
from synteval.structures import Sentence
folder, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
cache = Cache(folder)
print("ready", flush=True)
sys.stdin.readline()
for batch in range(first, first + count):
    texts = [f"text {batch} {i}" for i in range(20)]
    records = {record_key("p", t): encode((Sentence.build(t.split()),)) for t in texts}
    cache.put("p", records)
    print(batch, flush=True)
"""


def writer(folder: Path, first: int, count: int) -> subprocess.Popen[str]:
    args = [sys.executable, "-c", WRITER, str(folder), str(first), str(count)]
    process = subprocess.Popen(args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    return process


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def assert_committed(folder: Path, batches: set[int]) -> None:
    """Every record of these batches is there and sound."""
    texts = [f"text {batch} {i}" for batch in batches for i in range(20)]
    found = Cache(folder).get([record_key("p", text) for text in texts])
    assert len(found) == len(texts)
    for text in texts:
        (sentence,) = decode(found[record_key("p", text)])
        assert sentence.text == text
    assert Cache(folder).verify()[1] == 0


def test_eight_processes_write_at_once(tmp_path: Path) -> None:
    processes = [writer(tmp_path, 0, 15) for _ in range(8)]
    for process in processes:
        go(process)
    for process in processes:
        process.communicate()
        assert process.returncode == 0
    assert_committed(tmp_path, set(range(15)))


def test_fifty_kills_lose_nothing_committed(tmp_path: Path) -> None:
    rng = random.Random(7)
    committed: set[int] = set()
    for kill in range(50):
        process = writer(tmp_path, kill * 1000, 1000)
        go(process)
        time.sleep(rng.uniform(0, 0.05))
        os.kill(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        # The last line may be cut: only whole lines tell of a commit.
        committed |= {int(line) for line in output.split("\n")[:-1]}
    assert len(committed) > 50
    assert_committed(tmp_path, committed)


def store(folder: Path, *texts: str, fingerprint: str = "p@1") -> Cache:
    cache = Cache(folder)
    cache.put(fingerprint, {record_key(fingerprint, t): encode((Sentence.build(t.split()),)) for t in texts})
    return cache


def test_info_prune_verify_clear(tmp_path: Path) -> None:
    cache = store(tmp_path, "a b", "c d e")
    store(tmp_path, "f", fingerprint="q@1")
    info = cache.info()
    assert info.records == 3 and {name for name, _, _ in info.parsers} == {"p@1", "q@1"}
    assert cache.prune(parser="q@") == 1 and cache.prune(days=1) == 0
    with sqlite3.connect(cache.path) as connection:
        connection.execute("UPDATE records SET value = x'00ff' WHERE key = ?", (record_key("p@1", "a b"),))
    assert cache.verify() == (1, 1) and cache.verify() == (1, 0)
    assert cache.prune(size=0) == 1 and cache.info().records == 0
    assert cache.clear() > 0 and not cache.path.exists()


def test_keys_tell_texts_and_parsers_apart() -> None:
    keys = {record_key(p, t) for p in ("p", "q") for t in ("a", "b", "", "\ud800", "é")}
    assert len(keys) == 10


def test_a_file_that_is_no_cache(tmp_path: Path) -> None:
    (tmp_path / "parses.sqlite").write_text("this is not a database, but it is long enough to be looked at\n" * 20)
    with pytest.raises(CacheError, match="cache clear"):
        Cache(tmp_path).get([b"x"])
    Cache(tmp_path).clear()
    assert Cache(tmp_path).get([b"x"]) == {}


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CacheError, match="--no-cache"):
        Cache(tmp_path / "file" / "cache").get([b"x"])


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of half a megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(folder)]
    if os.getuid() != 0 or shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a small file system can be mounted by root only")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_is_reported_and_loses_nothing(tiny_disk: Path) -> None:
    cache, rng = Cache(tiny_disk), random.Random(1)
    committed = 0
    with pytest.raises(CacheError, match="disk is not full"):
        for batch in range(1000):
            words = [[str(rng.random()) for _ in range(20)] for _ in range(20)]
            cache.put("p", {record_key("p", f"{batch} {i}"): encode((Sentence.build(w),)) for i, w in enumerate(words)})
            committed += 20
    assert committed and Cache(tiny_disk).verify() == (committed, 0)


def test_a_read_only_folder(tmp_path: Path) -> None:
    """Root may write anywhere, so the folder is a file system mounted read-only."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=512k,ro", "tmpfs", str(folder)]
    if os.getuid() == 0:
        if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
            pytest.skip("no file system can be mounted here")
    else:
        folder.chmod(0o500)
    try:
        with pytest.raises(CacheError, match="--no-cache"):
            Cache(folder).open()
        with pytest.warns(UserWarning, match="going on without it"):
            assert isinstance(open_store(folder), Memory)
    finally:
        if os.getuid() == 0:
            subprocess.run(["umount", "-l", str(folder)], check=True)
