"""The parse cache: one SQLite file in WAL mode, keyed by the hash of parser fingerprint and text.

Several processes may use it at once. A batch is one transaction, so a killed process loses at most its uncommitted
batch. A damaged record is counted, parsed again and replaced, never believed.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from synteval.errors import CacheError
from synteval.parsing.record import DamagedRecordError, decode

FILE = "parses.sqlite"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS parsers (id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS records (
    key BLOB PRIMARY KEY, parser INTEGER NOT NULL, created INTEGER NOT NULL, value BLOB NOT NULL
) WITHOUT ROWID;
"""
# How many keys one SELECT asks for; below SQLite's least limit of variables.
_BATCH = 900
_BUSY_SECONDS = 60.0


def record_key(fingerprint: str, text: str) -> bytes:
    """The key of a text's parse by a parser."""
    return hashlib.blake2b(f"{fingerprint}\0{text}".encode("utf-8", "surrogatepass"), digest_size=16).digest()


def default_folder() -> Path:
    """Where the cache lies: `SYNTEVAL_CACHE`, else the platform's cache directory."""
    if folder := os.environ.get("SYNTEVAL_CACHE"):
        return Path(folder)
    import platformdirs

    return Path(platformdirs.user_cache_dir("synteval"))


class Store(Protocol):
    """What holds encoded records: the cache on disk, or memory for a run without it."""

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]: ...

    def put(self, fingerprint: str, records: Mapping[bytes, bytes]) -> None: ...


class Memory:
    """Records of this run alone."""

    def __init__(self) -> None:
        self._records: dict[bytes, bytes] = {}

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        records = self._records
        return {key: records[key] for key in keys if key in records}

    def put(self, fingerprint: str, records: Mapping[bytes, bytes]) -> None:
        self._records.update(records)


@dataclass(frozen=True)
class CacheInfo:
    """What `synteval cache info` tells."""

    path: Path
    size: int
    records: int
    # (fingerprint, records, bytes) of each parser, the largest first.
    parsers: tuple[tuple[str, int, int], ...]


class Cache:
    """The cache on disk. Opened at the first use; safe to use in several processes, each with an object of its own."""

    def __init__(self, folder: Path | str | None = None) -> None:
        self.folder = Path(folder) if folder is not None else default_folder()
        self.path = self.folder / FILE
        self._connection: sqlite3.Connection | None = None
        self._process = -1

    def _connect(self) -> sqlite3.Connection:
        # A connection must not be carried into a forked process.
        if self._connection is not None and self._process == os.getpid():
            return self._connection
        with self._explained():
            self.folder.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute("PRAGMA cache_size=-16000")
            connection.executescript(_SCHEMA)
        self._connection, self._process = connection, os.getpid()
        return connection

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            remedy = "check that the disk is not full and the folder may be written, or use --no-cache"
            if "malformed" in str(error) or "not a database" in str(error):
                remedy = "delete it with `synteval cache clear`"
            raise CacheError(f"{self.path}: the parse cache cannot be used ({error}); {remedy}") from None
        except OSError as error:
            raise CacheError(
                f"{self.folder}: the parse cache cannot be used ({error.strerror}); name another folder with "
                "--cache-dir or SYNTEVAL_CACHE, or use --no-cache"
            ) from None

    def open(self) -> None:
        """Open the file now and see that it can be written. Raises CacheError."""
        connection = self._connect()
        with self._explained(), _transaction(connection):
            connection.execute("PRAGMA user_version=1")

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The records there are, in batched look-ups."""
        connection = self._connect()
        found: dict[bytes, bytes] = {}
        with self._explained():
            for start in range(0, len(keys), _BATCH):
                batch = keys[start : start + _BATCH]
                marks = ",".join("?" * len(batch))
                found.update(connection.execute(f"SELECT key, value FROM records WHERE key IN ({marks})", batch))
        return found

    def put(self, fingerprint: str, records: Mapping[bytes, bytes]) -> None:
        """Store a batch in one transaction."""
        connection = self._connect()
        now = int(time.time())
        with self._explained(), _transaction(connection):
            connection.execute("INSERT OR IGNORE INTO parsers (fingerprint) VALUES (?)", (fingerprint,))
            (parser,) = connection.execute("SELECT id FROM parsers WHERE fingerprint = ?", (fingerprint,)).fetchone()
            connection.executemany(
                "INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)",
                ((key, parser, now, value) for key, value in records.items()),
            )

    def info(self) -> CacheInfo:
        """Sizes and counts."""
        connection = self._connect()
        with self._explained():
            rows = connection.execute(
                "SELECT fingerprint, COUNT(*), SUM(LENGTH(value)) FROM records JOIN parsers ON parser = id "
                "GROUP BY parser ORDER BY 3 DESC"
            ).fetchall()
        size = sum(file.stat().st_size for file in self._files())
        return CacheInfo(self.path, size, sum(row[1] for row in rows), tuple(rows))

    def verify(self) -> tuple[int, int]:
        """Read every record; remove the damaged ones. Returns (sound, removed)."""
        connection = self._connect()
        damaged: list[tuple[bytes]] = []
        count = 0
        with self._explained():
            for key, value in connection.execute("SELECT key, value FROM records"):
                count += 1
                try:
                    decode(value)
                except DamagedRecordError:
                    damaged.append((key,))
            with _transaction(connection):
                connection.executemany("DELETE FROM records WHERE key = ?", damaged)
        return count - len(damaged), len(damaged)

    def prune(self, *, days: float | None = None, size: int | None = None, parser: str | None = None) -> int:
        """Remove records older than `days`, of fingerprints beginning with `parser`, or the oldest beyond `size` bytes.

        Returns how many.
        """
        connection = self._connect()
        removed = 0
        with self._explained():
            with _transaction(connection):
                if days is not None:
                    limit = int(time.time() - days * 86400)
                    removed += connection.execute("DELETE FROM records WHERE created <= ?", (limit,)).rowcount
                if parser is not None:
                    removed += connection.execute(
                        "DELETE FROM records WHERE parser IN "
                        "(SELECT id FROM parsers WHERE substr(fingerprint, 1, ?) = ?)",
                        (len(parser), parser),
                    ).rowcount
                if size is not None:
                    removed += connection.execute(
                        "DELETE FROM records WHERE key IN (SELECT key FROM (SELECT key, SUM(LENGTH(value)) OVER "
                        "(ORDER BY created DESC, key) AS running FROM records) WHERE running > ?)",
                        (size,),
                    ).rowcount
            connection.execute("VACUUM")
        return removed

    def clear(self) -> int:
        """Delete the cache file. Returns the bytes freed."""
        self.close()
        freed = 0
        with self._explained():
            for file in self._files():
                freed += file.stat().st_size
                file.unlink()
        return freed

    def _files(self) -> Iterable[Path]:
        return [path for ending in ("", "-wal", "-shm") if (path := self.path.with_name(FILE + ending)).exists()]

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        if self._connection is not None and self._process == os.getpid():
            self._connection.close()
        self._connection = None


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
