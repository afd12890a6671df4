"""Parsers by name, through the entry-point group `synteval.parsers`: `en`, `spacy:PACKAGE`, `stanza:LANG`, `link`."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points

from synteval.errors import ParserError, SyntevalError, unknown
from synteval.parsing.protocol import Parser, ParserInfo

GROUP = "synteval.parsers"


def parser_names() -> list[str]:
    """The names of all registered parsers."""
    return sorted(_registered())


def _registered() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def parser_class(name: str) -> type[Parser]:
    """The class behind a name."""
    registered = _registered()
    if name not in registered:
        raise unknown("parser", name, registered)
    try:
        loaded = registered[name].load()
    except (ImportError, AttributeError) as error:
        raise ParserError(
            f"parser {name!r} cannot be loaded ({error}); reinstall the package that brings it"
        ) from error
    assert isinstance(loaded, type) and issubclass(loaded, Parser)
    return loaded


def load_parser(spec: str = "en") -> Parser:
    """A parser from its name and argument, such as `en` or `spacy:en_core_web_sm`; the model loads when it parses."""
    name, _, argument = spec.partition(":")
    return parser_class(name)(argument or None)


def is_current(fingerprint: str) -> bool:
    """Whether a parser installed here makes the parses of this fingerprint; layers added to them follow a plus sign."""
    try:
        current = load_parser(fingerprint.partition("@")[0]).fingerprint
    except SyntevalError:
        return False
    return f"{fingerprint}+".startswith(f"{current}+")


def known_parsers() -> list[ParserInfo]:
    """Every parser, installed or not."""
    return [info for name in parser_names() for info in parser_class(name).about()]
