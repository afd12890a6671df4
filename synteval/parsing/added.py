"""Layers that are made after parsing, where a metric asks for them: token vectors, the parser's doubts.

The cache keeps a parse with such a layer under both fingerprints, the parser's and the layer's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from synteval.parsing.cached import ParsedTexts
from synteval.parsing.protocol import Parser, ParserInfo
from synteval.structures import Segment

ADDED = frozenset({"vectors"})


class LayerMaker(Protocol):
    """What makes a layer. Reading the fingerprint loads no model."""

    @property
    def fingerprint(self) -> str: ...

    def check_language(self, language: str | None) -> None:
        """Raise where the layer cannot be made for the language."""

    def add(self, segments: Sequence[Segment]) -> list[Segment]:
        """The segments with the layer; sentences that have it keep it."""


def layer_maker(layer: str) -> LayerMaker:
    """What makes one of ADDED."""
    assert layer in ADDED
    from synteval.vectors.encoder import WordEncoder

    return WordEncoder()


class WithLayer(Parser):
    """A parser's parses with a layer added."""

    name = "added"
    portable = False

    def __init__(self, source: ParsedTexts, layer: str, maker: LayerMaker) -> None:
        super().__init__(None)
        self._source = source
        self._maker = maker
        self.layers = source.parser.layers | {layer}

    @property
    def fingerprint(self) -> str:
        return f"{self._source.parser.fingerprint}+{self._maker.fingerprint}"

    def parse(self, texts: Iterable[str]) -> Iterator[Segment]:
        yield from self._maker.add(self._source.segments(list(texts)))

    @classmethod
    def about(cls) -> list[ParserInfo]:
        return []
