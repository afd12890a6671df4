"""Files of Penn brackets.

One segment a line, its sentences' trees side by side (an empty line is an empty segment); or, where a tree runs over
several lines, one segment a tree.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from synteval.errors import InputError, StructureError
from synteval.io.files import read_text, shown
from synteval.structures import Segment
from synteval.structures.brackets import parse_brackets, segment_to_brackets


def read_brackets(path: str | Path) -> list[Segment]:
    """The segments of a bracket file."""
    text = read_text(path)
    lines = text.removesuffix("\n").split("\n") if text else []
    try:
        if all(line.count("(") == line.count(")") for line in lines):
            parsed = (parse_brackets(line, number) for number, line in enumerate(lines, start=1))
            return [tuple(tree.sentence() for tree in trees) for trees in parsed]
        return [(tree.sentence(),) for tree in parse_brackets(text)]
    except StructureError as error:
        place, _, rest = str(error).removeprefix("line ").partition(": ")
        raise InputError(f"{shown(path)}:{place}: {rest}") from None


def format_brackets(segments: Iterable[Segment]) -> Iterable[str]:
    """The lines of a bracket file, one segment each."""
    for segment in segments:
        yield segment_to_brackets(segment) + "\n"
