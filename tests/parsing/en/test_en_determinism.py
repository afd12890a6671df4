"""The same text gets the same parse, whatever is parsed beside it, in whatever order, by however many threads."""

from __future__ import annotations

import random
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

import synteval.parsing.en.network as network_module
from synteval.parsing.en.parser import EnglishParser
from synteval.parsing.record import encode

TEXT = "the a dog cats saw , old in and that gave . will not her unbelievable-ish London 42 quickly -- ? of"
WORDS = TEXT.split()
OUTPUTS = ("labels", "arcs", "relation_dependent", "relation_head", "xpos", "upos")


def sentences(count: int) -> list[list[str]]:
    rng = random.Random(5)
    return [rng.choices(WORDS, k=rng.choice([1, 2, 3, 5, 8, 9, 12, 17, 24, 31, 45])) for _ in range(count)]


def scores(parser: EnglishParser, given: list[list[str]]) -> dict[tuple[str, ...], list[bytes]]:
    found = {}
    for batch in parser.pipeline.scores(given):
        for row, member in enumerate(batch.members):
            found[tuple(given[member])] = [getattr(batch, name)[row].tobytes() for name in OUTPUTS]
    return found


@pytest.fixture(scope="module")
def usual(english: EnglishParser) -> dict[tuple[str, ...], list[bytes]]:
    return scores(english, sentences(150))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("at_once", [1, 2, 7, 64])
def test_scores_are_bit_identical_for_every_batch_size_and_order(
    usual: dict[tuple[str, ...], list[bytes]], threads: int, at_once: int
) -> None:
    parser = EnglishParser(threads=threads)
    given = sentences(150)
    random.Random(at_once).shuffle(given)
    found = {}
    for begin in range(0, len(given), at_once):
        found |= scores(parser, given[begin : begin + at_once])
    assert found == usual


def test_memory_bounds_of_a_batch_change_nothing(
    english: EnglishParser, usual: dict[tuple[str, ...], list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network_module, "_BATCH_PIECES", 9000)
    monkeypatch.setattr(network_module, "_BATCH_SPANS", 200_000)
    assert scores(english, sentences(150)) == usual


def texts() -> list[str]:
    return [" ".join(words) for words in sentences(60)] + [" ".join(WORDS * 12)]


def records(given: list[str]) -> list[bytes]:
    return [encode(segment) for segment in EnglishParser().parse(given)]


def test_processes_change_nothing() -> None:
    alone = records(texts())
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        halves = list(pool.map(records, [texts()[0::2], texts()[1::2]]))
    assert halves == [alone[0::2], alone[1::2]]
