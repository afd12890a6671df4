"""The parsing layer: parsers by name, their cache, headword dependencies."""

from synteval.parsing.protocol import Parser, ParserInfo
from synteval.parsing.registry import known_parsers, load_parser, parser_names

__all__ = ["Parser", "ParserInfo", "known_parsers", "load_parser", "parser_names"]
