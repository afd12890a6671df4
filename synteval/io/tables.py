"""Tables of segments: one row a system and segment, as TSV with a header or as JSON lines.

Columns: segment_id, system, hypothesis, and reference or reference_1..k; others are kept as they are. A reference
that is empty in a row is one that this segment does not have. JSON lines may give `references` as a list.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from synteval.errors import InputError, unknown
from synteval.io.files import read_lines, shown

FORMATS = ("tsv", "jsonl")
_REFERENCE = re.compile(r"reference(_[0-9]{1,9})?")


@dataclass(frozen=True)
class Table:
    """The rows as given, and what they say."""

    path: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    segment_ids: tuple[str, ...]
    systems: tuple[str, ...]
    hypotheses: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]

    def __len__(self) -> int:
        return len(self.rows)


def read_table(path: str | Path, given: str | None = None) -> Table:
    """Read a table: as given, else JSON lines by the ending `.jsonl`, else TSV."""
    if given not in (None, *FORMATS):
        raise unknown("format of a table", given, FORMATS)
    name = str(path).lower().removesuffix(".gz")
    kind = given or ("jsonl" if name.endswith((".jsonl", ".ndjson")) else "tsv")
    columns, rows = _read_jsonl(path) if kind == "jsonl" else _read_tsv(path)
    return _table(shown(path), columns, rows)


def _table(path: str, columns: Sequence[str], rows: Sequence[tuple[str, ...]]) -> Table:
    index = {column: position for position, column in enumerate(columns)}
    if "hypothesis" not in index:
        raise InputError(
            f"{path}:1: no column 'hypothesis'; a table has the columns segment_id, system, hypothesis, "
            f"reference (or reference_1, reference_2, ...), not {', '.join(columns[:8])}"
        )
    wanted = sorted((c for c in columns if _REFERENCE.fullmatch(c)), key=lambda c: int(c.partition("_")[2] or 0))
    hypothesis = index["hypothesis"]
    system = index.get("system")
    segment = index.get("segment_id")
    references = [index[column] for column in wanted]
    return Table(
        path=path,
        columns=tuple(columns),
        rows=tuple(rows),
        segment_ids=tuple(str(n) if segment is None else row[segment] for n, row in enumerate(rows, start=1)),
        systems=tuple("system" if system is None else row[system] for row in rows),
        hypotheses=tuple(row[hypothesis] for row in rows),
        references=tuple(tuple(row[r] for r in references if row[r].strip()) for row in rows),
    )


def _read_tsv(path: str | Path) -> tuple[list[str], list[tuple[str, ...]]]:
    lines = read_lines(path)
    if not lines:
        raise InputError(f"{shown(path)}: empty; a table begins with a line of column names")
    columns = lines[0].split("\t")
    if len(set(columns)) != len(columns):
        raise InputError(f"{shown(path)}:1: a column name stands twice")
    rows: list[tuple[str, ...]] = []
    for number, line in enumerate(lines[1:], start=2):
        cells = tuple(line.split("\t"))
        if len(cells) != len(columns):
            raise InputError(
                f"{shown(path)}:{number}: {len(cells)} cells where the header has {len(columns)}; "
                "no cell may hold a tab or a line break"
            )
        rows.append(cells)
    return columns, rows


def _read_jsonl(path: str | Path) -> tuple[list[str], list[tuple[str, ...]]]:
    records: list[dict[str, str]] = []
    columns: dict[str, None] = {}
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            reason = getattr(error, "msg", "nested too deeply, or a number too long")
            raise InputError(f"{shown(path)}:{number}: not JSON ({reason}); one object a line") from None
        if not isinstance(value, dict):
            raise InputError(f"{shown(path)}:{number}: not an object; one object a line")
        record = dict(_cells(value))
        columns.update(dict.fromkeys(record))
        records.append(record)
    return list(columns), [tuple(record.get(column, "") for column in columns) for record in records]


def _cells(record: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for key, value in record.items():
        if key in ("references", "reference") and isinstance(value, list):
            yield from ((f"reference_{n}", _cell(item)) for n, item in enumerate(value, start=1))
        else:
            yield key, _cell(value)


def _cell(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def format_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """The lines of a TSV; blanks replace tabs and line breaks inside cells."""
    yield "\t".join(columns) + "\n"
    for row in rows:
        yield "\t".join(" ".join(str(cell).split()) if _breaks(cell) else str(cell) for cell in row) + "\n"


def _breaks(cell: object) -> bool:
    return isinstance(cell, str) and any(char in cell for char in "\t\n\r")
