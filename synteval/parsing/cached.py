"""Texts to segments through a store: what is there is read, what is missing is parsed once and stored.

Only this process reads and writes the store; workers of an engine parse and send records back.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from synteval.engines import Engine
from synteval.engines.local import LocalEngine
from synteval.errors import CacheError, ParserError
from synteval.parsing.cache import Cache, Memory, Store, record_key
from synteval.parsing.protocol import Parser
from synteval.parsing.record import DamagedRecordError, checked, decode, encode
from synteval.structures import Segment

# Texts a task and a transaction: what a killed run loses at most.
BATCH = 512

# Told how many texts are done since the last call.
Progress = Callable[[int], None]

Read = TypeVar("Read")


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

    def __init__(self, parser: Parser, store: Store, engine: Engine | None = None) -> None:
        self.parser = parser
        self.store = store
        self.engine = engine or LocalEngine()
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
        # Several workers want several batches each, or some would wait for the last one.
        size = min(BATCH, max(32, len(absent) // 16)) if self.engine.parallel else BATCH
        batches = [absent[start : start + size] for start in range(0, len(absent), size)]
        for batch, records in self._parsed(batches):
            keys = (record_key(fingerprint, text) for text in batch)
            self.store.put(fingerprint, dict(zip(keys, records, strict=True)))
            if progress is not None:
                progress(len(batch))
        return len(absent)

    def segments(self, texts: Sequence[str]) -> list[Segment]:
        """The segments of the texts, parsed where the store has none or a damaged record."""
        return self._read(texts, decode)

    def records(self, texts: Sequence[str]) -> list[bytes]:
        """The same encoded, to be sent to where they are decoded."""
        return self._read(texts, checked)

    def _read(self, texts: Sequence[str], read: Callable[[bytes], Read]) -> list[Read]:
        fingerprint = self.parser.fingerprint
        keys = [record_key(fingerprint, text) for text in texts]
        found: dict[bytes, Read] = {}
        for key, record in self.store.get(list(dict.fromkeys(keys))).items():
            try:
                found[key] = read(record)
            except DamagedRecordError as error:
                if not self.damaged:
                    warnings.warn(f"{error}; it is parsed again", stacklevel=3)
                self.damaged += 1
        again = dict.fromkeys(text for text, key in zip(texts, keys, strict=True) if key not in found)
        for batch, encoded in self._parsed([list(again)] if again else []):
            fresh = {record_key(fingerprint, text): record for text, record in zip(batch, encoded, strict=True)}
            self.store.put(fingerprint, fresh)
            # Read from the record, so that a first run sees exactly what a second one will.
            found.update((key, read(record)) for key, record in fresh.items())
        return [found[key] for key in keys]

    def _parsed(self, batches: Sequence[list[str]]) -> Iterator[tuple[list[str], list[bytes]]]:
        if len(batches) <= 1 or not self.engine.parallel or not self.parser.portable:
            # Not worth starting processes for, and the parser of this process may be loaded already.
            for batch in batches:
                yield batch, _encoded(self.parser, batch)
            return
        tasks = ((type(self.parser), self.parser.argument, batch) for batch in batches)
        for (_, _, batch), records in self.engine.map(_work, tasks):
            yield batch, records


def _encoded(parser: Parser, texts: list[str]) -> list[bytes]:
    records = [encode(segment) for segment in parser.parse(texts)]
    if len(records) != len(texts):
        raise ParserError(f"parser {parser.name!r} gave {len(records)} segments for {len(texts)} texts")
    return records


# A worker loads a parser once.
_parsers: dict[tuple[type[Parser], str | None], Parser] = {}


def _work(task: tuple[type[Parser], str | None, list[str]]) -> list[bytes]:
    kind, argument, texts = task
    if (kind, argument) not in _parsers:
        _parsers[kind, argument] = kind(argument)
    return _encoded(_parsers[kind, argument], texts)
