"""The n-grams of a word sequence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def ngrams(words: Sequence[str], order: int) -> Iterator[tuple[str, ...]]:
    """All n-grams of one order, from left to right."""
    return zip(*(words[start:] for start in range(order)), strict=False)
