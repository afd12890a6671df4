"""What a parser is: texts in, segments out, in order, and a fingerprint of all that can change a parse."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from synteval.structures import Segment


@dataclass(frozen=True)
class ParserInfo:
    """What `synteval parsers` says of a parser."""

    name: str
    description: str
    installed: bool
    detail: str
    install: str


class Parser(ABC):
    """A parser is made cheaply from its argument (what stands behind the colon); it loads its model at the first parse.

    So a run whose parses are all cached loads none.
    """

    name: ClassVar[str]
    # The layers that its sentences have (names of `structures.LAYERS`), and the language, where these are known.
    layers: frozenset[str]
    language: str = "en"
    # Whether its class and argument suffice to make it anew in another process.
    portable: bool = True

    def __init__(self, argument: str | None = None) -> None:
        self.argument = argument

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """Name, version, model hash and options, such as `en@1.0.0-ab12cd34`. Reading it loads no model."""

    @abstractmethod
    def parse(self, texts: Iterable[str]) -> Iterator[Segment]:
        """One segment a text, in order. A blank text is an empty segment."""

    @classmethod
    @abstractmethod
    def about(cls) -> list[ParserInfo]:
        """What is known of this parser here: one entry, or one an installed model."""
