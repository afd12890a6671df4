from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from synteval.engines.local import LocalEngine
from synteval.errors import ParserError
from synteval.parsing import Parser, ParserInfo
from synteval.parsing.cache import Cache, Memory, record_key
from synteval.parsing.cached import BATCH, ParsedTexts, open_store
from synteval.structures import Segment, Sentence


class Splitter(Parser):
    """A parser that knows blanks only; what it was asked to parse is kept."""

    name = "splitter"
    layers = frozenset({"spans"})
    fingerprint = "splitter@1"

    def __init__(self, argument: str | None = None) -> None:
        super().__init__(argument)
        self.seen: list[str] = []

    def parse(self, texts: Iterable[str]) -> Iterator[Segment]:
        for text in texts:
            self.seen.append(text)
            if text == self.argument:
                continue
            yield (Sentence.build(text.split()),) if text.strip() else ()

    @classmethod
    def about(cls) -> list[ParserInfo]:
        return []


def forms(segments: list[Segment]) -> list[list[str]]:
    return [[form for sentence in segment for form in sentence.forms] for segment in segments]


def test_each_text_is_parsed_once(tmp_path: Path) -> None:
    parser = Splitter()
    texts = ["a b", "c", "a b", ""]
    parsed = ParsedTexts(parser, Cache(tmp_path))
    assert parsed.fill(texts) == 3 and parsed.fill(texts) == 0
    assert forms(parsed.segments(texts)) == [["a", "b"], ["c"], ["a", "b"], []]
    assert parser.seen == ["a b", "c", ""]
    again = Splitter()
    assert forms(ParsedTexts(again, Cache(tmp_path)).segments(texts)) == [["a", "b"], ["c"], ["a", "b"], []]
    assert again.seen == []


def test_processes_give_what_one_gives() -> None:
    texts = [f"text {i}" for i in range(3 * BATCH)]
    told: list[int] = []
    several = ParsedTexts(Splitter(), Memory(), LocalEngine(2))
    assert several.fill(texts, told.append) == len(texts) == sum(told)
    one = ParsedTexts(Splitter(), Memory())
    assert several.segments(texts) == one.segments(texts)


def test_a_damaged_record_is_parsed_again(tmp_path: Path) -> None:
    parser = Splitter()
    cache = Cache(tmp_path)
    ParsedTexts(parser, cache).fill(["a b", "c"])
    with sqlite3.connect(cache.path) as connection:
        key = record_key(parser.fingerprint, "a b")
        connection.execute("UPDATE records SET value = substr(value, 1, 20) WHERE key = ?", (key,))
    parsed = ParsedTexts(parser, cache)
    with pytest.warns(UserWarning, match="parsed again"):
        assert forms(parsed.segments(["a b", "c"])) == [["a", "b"], ["c"]]
    assert parsed.damaged == 1 and parser.seen == ["a b", "c", "a b"] and cache.verify() == (2, 0)


def test_a_damaged_record_is_not_sent_to_workers(tmp_path: Path) -> None:
    parser = Splitter()
    cache = Cache(tmp_path)
    sound = ParsedTexts(parser, cache).records(["a b", "c"])
    with sqlite3.connect(cache.path) as connection:
        connection.execute("UPDATE records SET value = substr(value, 1, 20)")
    parsed = ParsedTexts(parser, cache)
    with pytest.warns(UserWarning, match="parsed again"):
        assert parsed.records(["a b", "c", "a b"]) == [*sound, sound[0]]
    assert parsed.damaged == 2 and cache.verify() == (2, 0)


def test_a_parser_that_loses_a_text_is_found_out() -> None:
    with pytest.raises(ParserError, match="1 segments for 2 texts"):
        ParsedTexts(Splitter("b"), Memory()).fill(["a", "b"])


def test_without_a_usable_cache_memory_serves(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.warns(UserWarning, match="going on without it"):
        assert isinstance(open_store(tmp_path / "file"), Memory)
    assert isinstance(open_store(False), Memory) and isinstance(open_store(tmp_path), Cache)
