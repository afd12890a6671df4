"""Scores from a table: the TSV that `synteval score --table --level segment --format tsv` writes.

One row a system and segment; columns segment_id, system, hypothesis, reference or reference_1..k, one a metric, and
human scores (`human_...`). A cell that is empty, `None` or `NaN` is a missing score. Beside `scores.tsv` there may
lie `scores.tsv.json`, which says how each metric was computed: its signature by name, alone or under "signatures".
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from synteval.errors import InputError, unknown
from synteval.io.tables import Table, read_table
from synteval.meta.matrix import FloatArray

MISSING = frozenset({"", "none", "nan", "na"})
# Columns that describe a row and never score it.
DESCRIPTION = frozenset({"segment_id", "system", "langpair", "hypothesis", "source", "doc", "rater", "n", "domain"})
# Covariates that every table has, from its texts.
LENGTHS = ("length", "reference_length")


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """A table seen as (systems x segments) matrices, one a column."""

    table: Table
    rows: tuple[int, ...]

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The systems, in order of appearance."""
        return tuple(dict.fromkeys(self.table.systems[r] for r in self.rows))

    @cached_property
    def segments(self) -> tuple[str, ...]:
        """The segments, in order of appearance."""
        return tuple(dict.fromkeys(self.table.segment_ids[r] for r in self.rows))

    @cached_property
    def places(self) -> npt.NDArray[np.intp]:
        """The row of each system and segment, -1 where there is none."""
        system = {name: i for i, name in enumerate(self.systems)}
        segment = {name: i for i, name in enumerate(self.segments)}
        places = np.full((len(system), len(segment)), -1, dtype=np.intp)
        for row in self.rows:
            i, j = system[self.table.systems[row]], segment[self.table.segment_ids[row]]
            if places[i, j] >= 0:
                raise InputError(
                    f"{self.table.path}:{row + 2}: system {self.systems[i]!r} has segment {self.segments[j]!r} twice; "
                    "keep one of the rows"
                )
            places[i, j] = row
        return places

    @cached_property
    def human(self) -> tuple[str, ...]:
        """Columns of human scores."""
        return tuple(c for c in self.table.columns if c == "human" or c.startswith("human_"))

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """Columns of metric scores: those that hold numbers and are neither descriptions nor human scores."""
        return tuple(c for c in self.table.columns if self._may_be_metric(c) and self._is_numeric(c))

    def column(self, name: str) -> FloatArray:
        """The scores of a column, one a row of the table that is in use; also `length` and `reference_length`."""
        if name in self.table.columns:
            index = self.table.columns.index(name)
            return np.array([self._number(row, index, name) for row in self.rows])
        if name == "length":
            return np.array([len(self.table.hypotheses[row].split()) for row in self.rows], dtype=np.float64)
        if name == "reference_length":
            lengths = ([len(text.split()) for text in self.table.references[row]] for row in self.rows)
            return np.array([sum(each) / len(each) if each else math.nan for each in lengths])
        raise unknown(f"column of {self.table.path}", name, [*self.table.columns, *LENGTHS])

    def matrix(self, name: str) -> FloatArray:
        """The scores of a column as systems x segments, NaN where a row or a score is missing."""
        position = np.full(len(self.table), -1, dtype=np.intp)
        position[list(self.rows)] = np.arange(len(self.rows))
        values = np.append(self.column(name), np.nan)
        return np.asarray(values[np.where(self.places >= 0, position[self.places], -1)])

    def oriented(self, name: str, lower_is_better: Sequence[str] = ()) -> FloatArray:
        """The scores of a metric, higher meaning better: turned round for a metric such as TER."""
        scores = self.matrix(name)
        return -scores if name in lower_is_better or not _higher_is_better(name) else scores

    def hypotheses(self) -> list[list[str]]:
        """The outputs as systems x segments; an output that is missing is empty."""
        return [[self.table.hypotheses[row] if row >= 0 else "" for row in system] for system in self.places]

    def references(self) -> list[tuple[str, ...]]:
        """The references of each segment."""
        found = {self.table.segment_ids[row]: self.table.references[row] for row in self.rows}
        return [found[segment] for segment in self.segments]

    def values(self, column: str) -> list[str]:
        """A column as it is written."""
        if column not in self.table.columns:
            raise unknown(f"column of {self.table.path}", column, self.table.columns)
        index = self.table.columns.index(column)
        return [self.table.rows[row][index] for row in self.rows]

    def split(self, column: str) -> dict[str, ScoreTable]:
        """One table a value of a column (a language pair, say), in order of appearance."""
        parts: dict[str, list[int]] = {}
        for row, value in zip(self.rows, self.values(column), strict=True):
            parts.setdefault(value, []).append(row)
        return {value: ScoreTable(self.table, tuple(rows)) for value, rows in parts.items()}

    def choose_metrics(self, names: Sequence[str]) -> tuple[str, ...]:
        """The metric columns of these names, or all of them; unknown names raise."""
        if not names:
            if not self.metrics:
                raise InputError(
                    f"{self.table.path}: no column of metric scores; make them with "
                    "`synteval score --table FILE --level segment --format tsv`"
                )
            return self.metrics
        for name in names:
            if name not in self.table.columns and name not in LENGTHS:
                raise unknown(f"metric in {self.table.path}", name, self.metrics)
        return tuple(names)

    def choose_human(self, name: str | None) -> str:
        """The human column of this name, or the only one."""
        if name is not None:
            if name not in self.table.columns:
                raise unknown(f"column of human scores in {self.table.path}", name, self.human)
            return name
        if len(self.human) != 1:
            raise InputError(
                f"{self.table.path}: {len(self.human)} columns of human scores; choose one with --human"
                + (f" ({', '.join(self.human)})" if self.human else "")
            )
        return self.human[0]

    def _number(self, row: int, column: int, name: str) -> float:
        cell = self.table.rows[row][column]
        if cell.strip().lower() in MISSING:
            return math.nan
        try:
            return float(cell)
        except ValueError:
            raise InputError(f"{self.table.path}:{row + 2}: {name} is {cell[:40]!r}, not a number") from None

    def _may_be_metric(self, column: str) -> bool:
        return not (
            column in DESCRIPTION or column in self.human or column.startswith(("reference", "n_")) or column == ""
        )

    def _is_numeric(self, column: str) -> bool:
        try:
            return not bool(np.isnan(self.column(column)).all())
        except InputError:
            return False


def _higher_is_better(column: str) -> bool:
    from synteval.metrics.registry import metric_class, registered_metrics

    name = column.partition(":")[0].lower()
    known = {registered.lower() for registered in registered_metrics()}
    return name not in known or metric_class(name).higher_is_better


def read_scores(path: str | Path) -> ScoreTable:
    """Read a table of scores."""
    table = read_table(path)
    if not len(table):
        raise InputError(f"{path}: a header but no row")
    return ScoreTable(table, tuple(range(len(table))))


def read_signatures(path: str | Path) -> dict[str, str] | None:
    """How the metrics of a table were computed, from the file beside it; None where there is none."""
    beside = Path(f"{path}.json")
    return parse_signatures(beside) if beside.is_file() else None


def parse_signatures(path: str | Path) -> dict[str, str]:
    """Signatures by metric from a JSON file: `{"stm": "STM|..."}` or what `score --format json` writes."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; check the path") from None
    except (ValueError, RecursionError):
        raise InputError(f"{path}: not JSON; give the file that `synteval score` wrote") from None
    found = content.get("signatures", content) if isinstance(content, dict) else None
    if not isinstance(found, dict) or not all(isinstance(v, str) for v in found.values()):
        raise InputError(f"{path}: holds no signatures; give the file that `synteval score` wrote")
    return dict(found)
