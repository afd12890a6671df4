"""The record of a grammatical relation (GR), and the files that hold them.

Text, one relation a line and a blank line between sentences, in the notation of RASP or of Molla & Hutchinson 2003:

    (ncsubj eat man _)           (ncsubj eat:3 man:2 _)           (|ncsubj| |eat:3_VVD| |man:2_NN1| _)
    SUBJ(eat, man, _)

A line with a number alone begins the sentence of that number (the .parses files of the RASP evaluation), and so does
the line that RASP itself writes before the relations of a sentence, `(|The:1_AT| ...) 1 ; (-7.5)`. A comment begins
with `;` or `#`, `()` is a sentence without relations, other lines (the sentence itself) are passed over, a backslash
keeps the character after it.
JSONL, one sentence a line, `grs` a list of [relation, slot, ...]; the other fields, such as `id` and `text`, are kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from synteval.errors import InputError
from synteval.io.files import read_lines, shown
from synteval.relations.hierarchy import Hierarchy

UNFILLED = "_"
ELLIPSIS = "ellip"
NOWHERE = -1

_CALL = re.compile(r"([A-Za-z_0-9]+)\((.*)\)\.?,?$")
_TOKEN = re.compile(r"(?:\\.|[^\s\\])+")
_RASP_HEADER = re.compile(r"^\(.*\) \d+ ; \(.*\)$")
# word:3, word:3:5 (a multiword: its last position), word:3_NN1; the affix of a RASP lemma stays part of the word.
_POSITION = re.compile(r"^(.+):([0-9]{1,9})(?:_[^_\s]+)?$")
_SPAN = re.compile(r"^(.+):([0-9]{1,9})$")


@dataclass(frozen=True, slots=True)
class GR:
    """A relation with its slot values in the order of the hierarchy; `positions` of the words, from 1, where known."""

    relation: str
    values: tuple[str, ...]
    positions: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.relation, *map(_escaped, self.values)))})"

    def call(self) -> str:
        """As Molla & Hutchinson print it: SUBJ(eat, man, _)."""
        return f"{self.relation}({', '.join(self.values)})"

    def located(self) -> str:
        """With positions: (ncsubj eat:3 man:2 _)."""
        words = [
            _escaped(value) if position == NOWHERE else f"{_escaped(value)}:{position}"
            for value, position in zip(self.values, self.positions or (NOWHERE,) * len(self.values), strict=True)
        ]
        return f"({' '.join((self.relation, *words))})"


@dataclass(frozen=True, slots=True)
class GRSentence:
    """The relations of one sentence and what its file says of it: text, identifier."""

    relations: tuple[GR, ...]
    text: str = ""
    fields: dict[str, Any] = field(default_factory=dict)


def make_gr(relation: str, values: Sequence[str], hierarchy: Hierarchy, where: str = "") -> GR:
    """A checked relation. A type slot left out is unfilled, an unfilled one too many is dropped: both are in the gold
    files of the PE08 shared task."""
    if relation not in hierarchy.slots:
        lowered = {name.lower(): name for name in hierarchy.slots}
        if relation.lower() not in lowered:
            raise InputError(
                f"{where}unknown relation {relation!r} in the preset {hierarchy.name}; "
                f"it has {' '.join(hierarchy.slots)}"
            )
        relation = lowered[relation.lower()]
    slots = hierarchy.slots[relation]
    filled = list(values)
    if len(filled) == len(slots) - 1 and slots[0] == "type":
        filled.insert(0, UNFILLED)
    elif len(filled) == len(slots) + 1 and filled[0] == UNFILLED:
        del filled[0]
    if len(filled) != len(slots):
        raise InputError(
            f"{where}({' '.join((relation, *values))}) has {len(values)} slots, "
            f"expected {len(slots)}: {' '.join(slots)}"
        )
    located = _located(filled, slots)
    positions = [NOWHERE] * len(slots)
    for index, (word, position) in located.items():
        filled[index], positions[index] = word, position
    return GR(relation, tuple(filled), tuple(positions) if located else ())


def _located(values: Sequence[str], slots: Sequence[str]) -> dict[int, tuple[str, int]]:
    """Word and position of each head and dependent, where all of them have one: otherwise 10:30 is a word."""
    found: dict[int, tuple[str, int]] = {}
    for index, slot in enumerate(slots):
        if slot not in ("head", "dependent") or values[index] in (UNFILLED, ELLIPSIS):
            continue
        position = _POSITION.match(values[index])
        if not position:
            return {}
        word, last = position[1], int(position[2])
        span = _SPAN.match(word)
        if span and int(span[2]) < last and "_" in span[1]:
            word = span[1]
        found[index] = word, last
    return found


def parse_gr(line: str, hierarchy: Hierarchy, where: str = "") -> GR:
    """The relation that a line writes, in either notation."""
    text = line.strip()
    call = _CALL.match(text)
    if call:
        # A comma inside a word (1,000) has no blank after it.
        values = re.split(r",\s+" if re.search(r",\s", call[2]) else ",", call[2].strip())
        return make_gr(call[1], values, hierarchy, where)
    if not (text.startswith("(") and text.endswith(")")):
        raise InputError(f"{where}{text!r} is no relation; expected (relation slot slot)")
    tokens = [_plain(token) for token in _TOKEN.findall(text[1:-1])]
    if len(tokens) < 2:
        raise InputError(f"{where}{text!r} is no relation; expected (relation slot slot)")
    return make_gr(tokens[0], tokens[1:], hierarchy, where)


def _plain(token: str) -> str:
    """A token without Lisp's |bars| and backslashes."""
    if len(token) > 1 and token[0] == token[-1] == "|":
        token = token[1:-1]
    return re.sub(r"\\(.)", r"\1", token)


def _escaped(word: str) -> str:
    """A word so that _plain gives it back."""
    return re.sub(r"[\\\s|]", r"\\\g<0>", word)


def read_relations(path: str | Path, hierarchy: Hierarchy, expected: int | None = None) -> list[GRSentence]:
    """The sentences of a file of relations, `.jsonl` or text.

    In text without sentence numbers a sentence without relations is only a longer run of blank lines; `expected`, the
    number of sentences of the other file, then tells how they were written.
    """
    lines = read_lines(path)
    first = next((line for line in lines if line.strip()), "")
    if first.lstrip().startswith("{"):
        return _read_jsonl(lines, hierarchy, shown(path))
    if any(_begins_sentence(line.strip()) for line in lines):
        return _read_numbered(lines, hierarchy, shown(path))
    return _read_blocks(lines, hierarchy, shown(path), expected)


def _read_jsonl(lines: Sequence[str], hierarchy: Hierarchy, name: str) -> list[GRSentence]:
    sentences = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"{name}:{number}: "
        try:
            record = json.loads(line)
            relations = record["grs"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise InputError(f'{where}not a JSON object with a field "grs"') from None
        if not isinstance(relations, list):
            raise InputError(f'{where}"grs" is no list of [relation, slot, ...]')
        grs = []
        for item in relations:
            if isinstance(item, str):
                grs.append(parse_gr(item, hierarchy, where))
            elif isinstance(item, list) and item:
                grs.append(make_gr(str(item[0]), [_plain(str(value)) for value in item[1:]], hierarchy, where))
            else:
                raise InputError(f"{where}{item!r} is no relation; expected [relation, slot, ...]")
        fields = {key: value for key, value in record.items() if key not in ("grs", "text")}
        sentences.append(GRSentence(tuple(grs), str(record.get("text", "")), fields))
    return sentences


def _is_gr(line: str) -> bool:
    text = line.strip()
    return (text.startswith("(") and text.endswith(")") and text != "()") or bool(_CALL.match(text))


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith((";", "#"))


def _begins_sentence(text: str) -> bool:
    return text.isdecimal() or bool(_RASP_HEADER.match(text))


def _read_numbered(lines: Sequence[str], hierarchy: Hierarchy, name: str) -> list[GRSentence]:
    sentences: list[list[GR]] = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if _begins_sentence(text):
            if text.isdecimal() and text != str(len(sentences) + 1):
                raise InputError(f"{name}:{number}: sentence {text[:40]} where {len(sentences) + 1} was expected")
            sentences.append([])
        elif sentences and _is_gr(text) and not _is_comment(text):
            sentences[-1].append(parse_gr(text, hierarchy, f"{name}:{number}: "))
    return [GRSentence(tuple(grs)) for grs in sentences]


def _read_blocks(lines: Sequence[str], hierarchy: Hierarchy, name: str, expected: int | None) -> list[GRSentence]:
    blocks: list[GRSentence] = []
    gaps: list[int] = []  # blank lines before each block
    blank, open_block = 0, False
    for number, line in enumerate([*lines, ""], 1):
        text = line.strip()
        if not text:
            blank += 1
            open_block = False
            continue
        if _is_comment(text):
            continue
        if not open_block:
            blocks.append(GRSentence(()))
            gaps.append(blank)
            blank, open_block = 0, True
        if _is_gr(text):
            gr = parse_gr(text, hierarchy, f"{name}:{number}: ")
            blocks[-1] = GRSentence((*blocks[-1].relations, gr), blocks[-1].text)
        elif text != "()":
            blocks[-1] = GRSentence(blocks[-1].relations, text)
    if expected is None or len(blocks) == expected:
        return blocks
    return _with_empty(blocks, gaps, blank, expected) or blocks


def _with_empty(
    blocks: Sequence[GRSentence], gaps: Sequence[int], trailing: int, expected: int
) -> list[GRSentence] | None:
    """The blocks with sentences without relations between them, by the blank lines before each block (`gaps`) and after
    the last. Sentences were joined by blank lines, so that an empty one adds two, or each was ended by one, so that it
    adds one; None where neither gives the expected number."""
    joined = [gap // 2 if index == 0 else (gap - 1) // 2 for index, gap in enumerate(gaps)]
    ended = [gap if index == 0 else gap - 1 for index, gap in enumerate(gaps)]
    for empty, regular in ((joined, all(gap % 2 for gap in gaps[1:])), (ended, True)):
        rest = expected - len(blocks) - sum(empty)
        if regular and 0 <= rest < trailing:
            before = zip(empty, blocks, strict=True)
            filled = [sentence for count, block in before for sentence in (*[GRSentence(())] * count, block)]
            return filled + [GRSentence(())] * rest
    return None


def write_relations(sentences: Iterable[Iterable[GR]], hierarchy: Hierarchy, positions: bool = False) -> str:
    """The text of a file: one relation a line, a blank line after each sentence, `()` for one without relations."""
    show = GR.call if hierarchy.notation.startswith("RELATION") else GR.located if positions else GR.__str__
    blocks = ["\n".join(show(gr) for gr in grs) or "()" for grs in sentences]
    return "".join(f"{block}\n\n" for block in blocks)
