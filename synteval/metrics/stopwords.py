"""The list of English function words, grammars/stopwords.txt."""

from __future__ import annotations

from functools import cache

from synteval.resources import resource


@cache
def stopwords() -> frozenset[str]:
    """The stop words, lower-cased."""
    lines = resource("grammars", "stopwords.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
