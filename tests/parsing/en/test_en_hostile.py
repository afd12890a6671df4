"""Three thousand hostile strings: a whole record each, no exception, no long wait."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest

from synteval.parsing.en.parser import EnglishParser
from synteval.parsing.record import decode, encode
from synteval.structures import Sentence

Check = Callable[[Sentence, str], None]

RANGES = [
    (0x21, 0x7F),
    (0x00, 0x20),
    (0xA0, 0x250),
    (0x300, 0x370),
    (0x590, 0x700),
    (0x900, 0xE80),
    (0x2000, 0x2070),
    (0x2190, 0x2BFF),
    (0x3040, 0x9FFF),
    (0xD800, 0xE000),
    (0xE000, 0xF8FF),
    (0xFE00, 0xFFFF),
    (0x1F000, 0x1FAFF),
    (0x10000, 0x10FFFF),
]


def hostile(rng: random.Random) -> str:
    kind = rng.randrange(8)
    length = rng.choice([1, 2, 3, 8, 20, 40])
    if kind == 0:  # any characters at all
        return "".join(chr(rng.randrange(*rng.choice(RANGES))) for _ in range(length))
    if kind == 1:  # only marks
        return "".join(rng.choices(".,;:!?-()[]{}'\"`´’“”…–—/\\|@#$%^&*_+=~<>", k=length))
    if kind == 2:  # one range, with spaces
        low, high = rng.choice(RANGES)
        return "".join(rng.choice([" ", *(chr(rng.randrange(low, high)) for _ in range(4))]) for _ in range(length))
    if kind == 3:  # letters with many combining marks
        return "".join(rng.choice("aeiou") + "\u0301" * rng.randrange(5) for _ in range(length))
    if kind == 4:  # control characters and separators between words
        return rng.choice(["\x00", "\x1b", "\u2028", "\u200b", "\ufeff", "\x85", "\r\n\r\n"]).join(["word"] * length)
    if kind == 5:  # things that look like something
        parts = [
            "http://",
            "www.",
            "a@",
            "-LRB-",
            "&#1;",
            "n't",
            "'s",
            "U.S.",
            "1,2.3",
            "--",
            "😀",
            ":)",
            "e.g.",
            "it's",
        ]
        return rng.choice(["", " "]).join(rng.choices(parts, k=length))
    if kind == 6:  # right to left with marks
        return "\u202e" + "".join(chr(rng.randrange(0x5D0, 0x5EB)) for _ in range(length)) + "\u202c?"
    return " " * rng.randrange(3) + rng.choice(["", "\t", "\u3000", "\u00a0"])


def test_three_thousand_strings(english: EnglishParser, check: Check) -> None:
    rng = random.Random(11)
    given = [hostile(rng) for _ in range(3000)]
    for text, segment in zip(given, english.parse(given), strict=True):
        assert bool(segment) == bool(text.split())
        for sentence in segment:
            check(sentence, text)
    for text, segment in zip(given[:200], english.parse(given[:200]), strict=True):
        assert decode(encode(segment)) == segment, text


@pytest.mark.parametrize(
    "text",
    [
        "a" * 100_000,
        "." * 100_000,
        "e" + "\u0301" * 100_000,
        "1" * 100_000,
        "a.b/" * 25_000,
        "a@" * 50_000,
        "_&" * 5_000,
        "(" * 100_000,
        "AB." * 33_333,
        "a-" * 50_000,
        "d'" * 50_000,
    ],
    ids=[
        "letters",
        "periods",
        "combining",
        "digits",
        "path",
        "at",
        "joiners",
        "brackets",
        "labels",
        "hyphens",
        "clitics",
    ],
)
def test_a_hundred_thousand_characters_without_a_space(english: EnglishParser, check: Check, text: str) -> None:
    started = time.perf_counter()
    (segment,) = english.parse([text])
    assert time.perf_counter() - started < 60
    for sentence in segment:
        check(sentence, text)
