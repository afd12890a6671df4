"""CoNLL-U: ten columns a token to a Sentence and back, unchanged.

A column that is `_` throughout is a missing layer. Multiword tokens, empty nodes, comments and the columns that the
record has no layer for are kept as annotations and written back as they came. Senses stand in MISC as `Sense=key,key`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from synteval.errors import StructureError
from synteval.structures.sentence import Annotations, Sentence

_TEXT = re.compile(r"# ?text ?= ?(.*)")
_SCHEME = re.compile(r"# ?scheme ?= ?(.*)")
# Nine digits: what a position in a sentence may be, and what an array of 32-bit integers holds.
_ID = re.compile(r"[0-9]{1,9}")
_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_EMPTY_NODE = re.compile(r"[0-9]{1,9}\.[0-9]{1,9}")
_SIMPLE_FORM = re.compile(r"[^\t\n]+")


def parse_sentence(lines: Sequence[str], first_line: int = 1, scheme: str = "ud") -> Sentence:
    """One sentence from its lines (without the blank line after it). Errors name the line."""
    comments: list[str] = []
    rows: list[list[str]] = []
    row_lines: list[int] = []
    others: list[tuple[int, str]] = []
    text: str | None = None
    for number, line in enumerate(lines, start=first_line):
        if line.startswith("#"):
            comments.append(line)
            if match := _TEXT.fullmatch(line):
                text = match.group(1)
            elif match := _SCHEME.fullmatch(line):
                scheme = match.group(1)
            continue
        columns = line.split("\t")
        if len(columns) != 10:
            hint = "; columns are separated by tabs" if "\t" not in line else ""
            raise StructureError(f"line {number}: {len(columns)} columns where CoNLL-U has 10{hint}")
        words = _RANGE.fullmatch(columns[0])
        if words and int(words[1]) > int(words[2]):
            raise StructureError(f"line {number}: the multiword token {columns[0]} ends before it begins")
        if words or _EMPTY_NODE.fullmatch(columns[0]):
            others.append((len(rows), line))
            continue
        if not _ID.fullmatch(columns[0]) or int(columns[0]) != len(rows) + 1:
            raise StructureError(f"line {number}: token {columns[0][:40]} where {len(rows) + 1} is due")
        rows.append(columns)
        row_lines.append(number)
    heads = _heads(rows, row_lines)
    forms = [row[1] for row in rows]
    misc = [row[9] for row in rows]
    senses = [_senses(field) for field in misc]
    annotations = Annotations(
        comments=tuple(comments),
        feats=_column(rows, 5) or (),
        deps=_column(rows, 8) or (),
        misc=_column(rows, 9) or (),
        lines=tuple(others),
    )
    spans = _align(forms, others, text) if text is not None else None
    try:
        return Sentence.build(
            forms,
            text=text,
            lemmas=_column(rows, 2, forms),
            upos=_column(rows, 3),
            xpos=_column(rows, 4),
            spans=spans,
            heads=heads,
            relations=None if heads is None else [row[7] for row in rows],
            scheme=None if heads is None else scheme,
            senses=senses if any(senses) else None,
            annotations=annotations,
        )
    except StructureError as error:
        raise StructureError(f"line {row_lines[0] if row_lines else first_line}: {error}") from None


def _heads(rows: list[list[str]], row_lines: list[int]) -> list[int] | None:
    if all(row[6] == "_" for row in rows):
        return None
    heads: list[int] = []
    for row, number in zip(rows, row_lines, strict=True):
        if not _ID.fullmatch(row[6]):
            raise StructureError(f"line {number}: the head of token {row[0]} is {row[6][:40]!r}, not a number")
        heads.append(int(row[6]) - 1)
    return heads


def _column(rows: list[list[str]], column: int, forms: Sequence[str] | None = None) -> tuple[str, ...] | None:
    values = tuple(row[column] for row in rows)
    missing = all(value == "_" for value in values)
    if missing and forms is not None and all(form == "_" for form in forms) and forms:
        return values
    return None if missing else values


def _senses(misc: str) -> tuple[str, ...]:
    for item in misc.split("|"):
        if item.startswith("Sense="):
            return tuple(key for key in item[len("Sense=") :].split(",") if key)
    return ()


def _align(forms: Sequence[str], others: Sequence[tuple[int, str]], text: str) -> list[tuple[int, int]] | None:
    """Character spans of the tokens in the text, or None where they do not fit.

    The words of a multiword token stand for parts of it where they can be found, else each for the whole.
    """
    ranges: dict[int, tuple[int, str]] = {}
    for before, line in others:
        columns = line.split("\t")
        if match := _RANGE.fullmatch(columns[0]):
            ranges[before] = (int(match[2]) - int(match[1]) + 1, columns[1])
    spans: list[tuple[int, int]] = []
    position = 0
    token = 0
    while token < len(forms):
        count, surface = ranges.get(token, (1, forms[token]))
        start = text.find(surface, position)
        if start < 0 or text[position:start].strip():
            return None
        end = start + len(surface)
        if "".join(forms[token : token + count]) == surface:
            at = start
            for form in forms[token : token + count]:
                spans.append((at, at + len(form)))
                at += len(form)
        else:
            spans.extend([(start, end)] * len(forms[token : token + count]))
        position = end
        token += count
    return spans


def to_conllu(sentence: Sentence, comments: Iterable[str] | None = None) -> str:
    """The lines of a sentence, without the blank line after it. `comments` replace those it came with."""
    notes = sentence.annotations or Annotations()
    count = len(sentence)
    blank = ["_"] * count
    lemmas = sentence.lemmas.list() if sentence.lemmas is not None else blank
    upos = sentence.upos.list() if sentence.upos is not None else blank
    xpos = sentence.xpos.list() if sentence.xpos is not None else blank
    heads = [str(head + 1) for head in sentence.heads.tolist()] if sentence.heads is not None else blank
    relations = sentence.relations.list() if sentence.relations is not None else blank
    misc = list(notes.misc) if sentence.annotations is not None else _written_misc(sentence)
    out = list(notes.comments if comments is None else comments)
    pending = list(notes.lines)
    for token, form in enumerate(sentence.forms.list()):
        while pending and pending[0][0] == token:
            out.append(pending.pop(0)[1])
        columns = (
            str(token + 1),
            _cell(form),
            _cell(lemmas[token]),
            _cell(upos[token]),
            _cell(xpos[token]),
            notes.feats[token] if notes.feats else "_",
            heads[token],
            _cell(relations[token]),
            notes.deps[token] if notes.deps else "_",
            misc[token] if misc else "_",
        )
        out.append("\t".join(columns))
    out.extend(line for _, line in pending)
    return "".join(line + "\n" for line in out)


def _cell(value: str) -> str:
    """A value as a cell: never empty, never with a tab or a line break inside."""
    if _SIMPLE_FORM.fullmatch(value) and value.isprintable():
        return value
    return "".join(" " if char in "\t\r\n\v\f\x85\u2028\u2029\x1c\x1d\x1e" else char for char in value) or "_"


def _written_misc(sentence: Sentence) -> list[str]:
    """SpaceAfter=No where the text has no blank after a token, and the senses."""
    count = len(sentence)
    items: list[list[str]] = [[] for _ in range(count)]
    if sentence.spans is not None:
        spans = sentence.spans.tolist()
        for token in range(count - 1):
            if spans[token][1] == spans[token + 1][0]:
                items[token].append("SpaceAfter=No")
    if sentence.senses is not None:
        for token, keys in enumerate(sentence.senses):
            if keys:
                items[token].append("Sense=" + ",".join(keys))
    return ["|".join(item) or "_" for item in items]


def with_segment_id(sentence: Sentence, number: int) -> str:
    """The sentence as CoNLL-U, marked with the segment it belongs to and with its text."""
    notes = sentence.annotations
    kept = [] if notes is None else [c for c in notes.comments if not c.startswith(("# segment_id", "# text ="))]
    if sentence.scheme not in (None, "ud") and not any(_SCHEME.fullmatch(c) for c in kept):
        kept.append(f"# scheme = {sentence.scheme}")
    flat = " ".join(sentence.text.split())
    return to_conllu(sentence, [f"# segment_id = {number}", *kept, *([f"# text = {flat}"] if flat else [])])
