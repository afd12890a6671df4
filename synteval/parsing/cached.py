"""Texts to segments through a store: what is there is read, what is missing is parsed once and stored.

Only this process writes to the store; with several jobs, the workers parse and send records back.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from pathlib import Path

from synteval.errors import CacheError, ParserError
from synteval.parsing.cache import Cache, Memory, Store, record_key
from synteval.parsing.protocol import Parser
from synteval.parsing.record import DamagedRecordError, decode, encode
from synteval.structures import Segment

# Texts a task and a transaction: what a killed run loses at most.
BATCH = 512

# Told how many texts are done since the last call.
Progress = Callable[[int], None]


def open_store(cache: bool | str | Path = True) -> Store:
    """The cache on disk (in its own place or in the folder named), or memory where it is off or cannot be used."""
    if cache is False:
        return Memory()
    disk = Cache(None if cache is True else cache)
    try:
        disk.open()
    except CacheError as error:
        warnings.warn(f"{error}; going on without it", stacklevel=2)
        return Memory()
    return disk


class ParsedTexts:
    """The parses of texts by one parser, kept encoded in a store and decoded when asked for."""

    def __init__(self, parser: Parser, store: Store, jobs: int = 1) -> None:
        self.parser = parser
        self.store = store
        self.jobs = jobs
        self.damaged = 0

    def missing(self, texts: Iterable[str]) -> list[str]:
        """The distinct texts that the store has no sound record of, in order."""
        distinct = list(dict.fromkeys(texts))
        fingerprint = self.parser.fingerprint
        absent: list[str] = []
        for start in range(0, len(distinct), 10_000):
            part = distinct[start : start + 10_000]
            keys = [record_key(fingerprint, text) for text in part]
            there = self.store.get(keys)
            absent += [text for text, key in zip(part, keys, strict=True) if key not in there]
        return absent

    def fill(self, texts: Iterable[str], progress: Progress | None = None) -> int:
        """Parse and store what is missing. Returns how many texts were parsed."""
        absent = self.missing(texts)
        fingerprint = self.parser.fingerprint
        batches = [absent[start : start + BATCH] for start in range(0, len(absent), BATCH)]
        for batch, records in self._parsed(batches):
            keys = (record_key(fingerprint, text) for text in batch)
            self.store.put(fingerprint, dict(zip(keys, records, strict=True)))
            if progress is not None:
                progress(len(batch))
        return len(absent)

    def segments(self, texts: Sequence[str]) -> list[Segment]:
        """The segments of the texts, parsed where the store has none or a damaged record."""
        fingerprint = self.parser.fingerprint
        keys = [record_key(fingerprint, text) for text in texts]
        records = self.store.get(list(dict.fromkeys(keys)))
        decoded: dict[bytes, Segment] = {}
        for key, record in records.items():
            try:
                decoded[key] = decode(record)
            except DamagedRecordError as error:
                if not self.damaged:
                    warnings.warn(f"{error}; it is parsed again", stacklevel=2)
                self.damaged += 1
        again = dict.fromkeys(text for text, key in zip(texts, keys, strict=True) if key not in decoded)
        for batch, encoded in self._parsed([list(again)] if again else []):
            fresh = {record_key(fingerprint, text): record for text, record in zip(batch, encoded, strict=True)}
            self.store.put(fingerprint, fresh)
            # Decoded from the record, so that a first run sees exactly what a second one will.
            decoded.update((key, decode(record)) for key, record in fresh.items())
        return [decoded[key] for key in keys]

    def _parsed(self, batches: Sequence[list[str]]) -> Iterator[tuple[list[str], list[bytes]]]:
        if self.jobs <= 1 or len(batches) <= 1:
            for batch in batches:
                yield batch, _encoded(self.parser, batch)
            return
        # Fresh interpreters: a forked copy of a process that holds threads and sessions may hang.
        import multiprocessing

        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(self.jobs, context, _start_worker, (type(self.parser), self.parser.argument)) as pool:
            queue = iter(batches)
            running: dict[Future[list[bytes]], list[str]] = {}
            # A few tasks ahead keep every worker busy and the memory bounded.
            running.update((pool.submit(_work, batch), batch) for batch in islice(queue, 2 * self.jobs))
            try:
                while running:
                    done, _ = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        batch = running.pop(future)
                        running.update((pool.submit(_work, new), new) for new in islice(queue, 1))
                        yield batch, future.result()
            finally:
                for future in running:
                    future.cancel()


def _encoded(parser: Parser, texts: list[str]) -> list[bytes]:
    records = [encode(segment) for segment in parser.parse(texts)]
    if len(records) != len(texts):
        raise ParserError(f"parser {parser.name!r} gave {len(records)} segments for {len(texts)} texts")
    return records


_worker: Parser | None = None


def _start_worker(kind: type[Parser], argument: str | None) -> None:
    global _worker
    _worker = kind(argument)


def _work(texts: list[str]) -> list[bytes]:
    assert _worker is not None
    return _encoded(_worker, texts)
