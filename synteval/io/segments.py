"""One way in for every file of segments: its format by its ending or by name, its segments as texts or as parses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from synteval.errors import InputError, unknown
from synteval.io.brackets import read_brackets
from synteval.io.conllu import read_conllu
from synteval.io.files import read_lines, shown
from synteval.io.wmt import WmtSet, read_sgm, read_xml
from synteval.structures import Segment

FORMATS = ("text", "ptb", "conllu", "xml", "sgm")
_ENDINGS = {
    ".ptb": "ptb",
    ".mrg": "ptb",
    ".brackets": "ptb",
    ".conllu": "conllu",
    ".conll": "conllu",
    ".xml": "xml",
    ".sgm": "sgm",
    ".sgml": "sgm",
}


@dataclass(frozen=True)
class Segments:
    """The segments of one system or one reference: texts, and parses where the file holds trees."""

    name: str
    path: str
    format: str
    texts: tuple[str, ...]
    parses: tuple[Segment, ...] | None = None

    def __len__(self) -> int:
        return len(self.texts)


def format_of(path: str | Path, given: str | None = None) -> str:
    """The format of a file: as given, else by its ending, else text."""
    if given is not None:
        if given not in FORMATS:
            raise unknown("input format", given, FORMATS)
        return given
    name = str(path).lower().removesuffix(".gz")
    return _ENDINGS.get(Path(name).suffix, "text")


def name_of(path: str | Path) -> str:
    """What a system is called: its file's name without the ending."""
    if str(path) == "-":
        return "stdin"
    name = Path(path).name.removesuffix(".gz")
    return Path(name).stem or name


def read_segments(path: str | Path, given: str | None = None) -> Segments:
    """The segments of a file of texts or of trees."""
    kind = format_of(path, given)
    name = name_of(path)
    if kind == "text":
        return Segments(name, shown(path), kind, tuple(read_lines(path)))
    if kind == "ptb":
        return _given(name, path, kind, read_brackets(path))
    if kind == "conllu":
        return _given(name, path, kind, read_conllu(path))
    raise InputError(f"{shown(path)}: an XML or SGM file holds several texts; write the one wanted as plain text")


def _given(name: str, path: str | Path, kind: str, parses: Sequence[Segment]) -> Segments:
    texts = tuple(" ".join(sentence.text for sentence in segment) for segment in parses)
    return Segments(name, shown(path), kind, texts, tuple(parses))


def read_wmt(path: str | Path, kind: str) -> WmtSet:
    """An XML or SGM file."""
    return read_xml(path) if kind == "xml" else read_sgm(path)
