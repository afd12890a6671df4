"""Porter's stemmer, which remembers the words it has seen."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The Porter stem of a word (nltk's implementation and its extensions)."""
    return str(_porter().stem(word))


@cache
def _porter() -> Any:
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()
