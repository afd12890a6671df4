"""CoNLL-U files. One sentence is one segment, unless `# segment_id = N` says which sentences belong together.

Where segments are numbered, a number left out is an empty segment; empty segments at the end of a file are told by a
last comment, the number of the last one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from synteval.errors import InputError, StructureError
from synteval.io.files import read_text, shown
from synteval.structures import Segment, Sentence
from synteval.structures.conllu import parse_sentence, with_segment_id

_SEGMENT_ID = re.compile(r"# ?segment_id ?= ?(.*)")
_NUMBER = re.compile(r"[0-9]{1,9}")


def read_sentences(path: str | Path, scheme: str = "ud") -> Iterator[tuple[Sentence, str | None, int]]:
    """Every sentence with its segment's name, where it has one, and its first line."""
    block: list[str] = []
    begun = 1
    for number, line in enumerate([*read_text(path).split("\n"), ""], start=1):
        if line.strip():
            if not block:
                begun = number
            block.append(line)
        elif block:
            try:
                sentence = parse_sentence(block, begun, scheme)
            except StructureError as error:
                place, _, rest = str(error).removeprefix("line ").partition(": ")
                raise InputError(f"{shown(path)}:{place}: {rest}") from None
            names = (_SEGMENT_ID.fullmatch(comment) for comment in block if comment.startswith("#"))
            yield sentence, next((match.group(1).strip() for match in names if match), None), begun
            block = []


def read_conllu(path: str | Path, scheme: str = "ud") -> list[Segment]:
    """The segments of a CoNLL-U file."""
    segments: list[list[Sentence]] = []
    current: str | None = None
    for sentence, name, line in read_sentences(path, scheme):
        if name is None and not len(sentence):
            continue  # comments alone
        if name is None or name != current:
            if name is not None and _NUMBER.fullmatch(name):
                number = int(name)
                if number <= len(segments):
                    raise InputError(
                        f"{shown(path)}:{line}: segment_id {name} after segment {len(segments)}; sort the segments"
                    )
                if number - len(segments) > 1_000_000:
                    raise InputError(f"{shown(path)}:{line}: segment_id {name} leaves a million segments out")
                segments.extend([] for _ in range(number - 1 - len(segments)))
            segments.append([])
        if len(sentence):
            segments[-1].append(sentence)
        current = name
    return [tuple(segment) for segment in segments]


def format_conllu(segments: Iterable[Segment]) -> Iterator[str]:
    """The text of a CoNLL-U file, a sentence at a time, each marked with its segment's number."""
    number = written = 0
    for number, segment in enumerate(segments, start=1):
        for sentence in segment:
            if len(sentence):
                yield with_segment_id(sentence, number) + "\n"
                written = number
    if written < number:
        yield f"# segment_id = {number}\n"
