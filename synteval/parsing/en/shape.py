"""The case shape of a word: what an uncased encoder cannot see."""

from __future__ import annotations

SHAPES = ("none", "lower", "title", "upper", "mixed", "initial", "digit")
LOWER = SHAPES.index("lower")
UPPER = SHAPES.index("upper")


def shape(word: str) -> int:
    """0 no letters; lower; Title; UPPER; miXed; I (one capital); d1g1t (letters and digits, or digits)."""
    if word.islower():
        return 1 if word.isalpha() or not any(map(str.isdigit, word)) else 6
    if not any(map(str.isalpha, word)):
        return 6 if any(map(str.isdigit, word)) else 0
    if len(word) == 1:
        return 5 if word.isupper() else 1
    if any(map(str.isdigit, word)):
        return 6
    if word.isupper():
        return 3
    if word[0].isupper() and word[1:].islower():
        return 2
    return 4 if any(map(str.isupper, word)) else 1
