"""Pieces of words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synteval.parsing.en.parser import EnglishParser
from synteval.parsing.en.wordpiece import MAX_PIECES, WordPiece

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "u", '"', "(", "'", "s", "cafe", "-", "漢"]


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        ("unaffable", ["un", "##aff", "##able"]),
        ("UNAFFABLE", ["un", "##aff", "##able"]),
        ("unx", ["[UNK]"]),
        ("café", ["cafe"]),
        ("un-un", ["un", "-", "un"]),
        ("``", ['"']),
        ("''", ['"']),
        ("“", ['"']),
        ("-LRB-", ["("]),
        ("’s", ["'", "s"]),
        ("漢漢", ["漢", "漢"]),
        ("\x00", ["[UNK]"]),
        ("\ud800", ["[UNK]"]),
        ("a" * 500, ["[UNK]"]),
    ],
)
def test_pieces(word: str, pieces: list[str]) -> None:
    assert [VOCABULARY[number] for number in WordPiece(VOCABULARY).pieces(word)] == pieces


@given(st.text(max_size=200))
def test_never_empty_never_long(english: EnglishParser, word: str) -> None:
    pieces = english.pipeline.network.wordpiece.pieces(word)
    assert 1 <= len(pieces) <= MAX_PIECES
