"""Scores of metrics computed elsewhere, as first-class metrics of a run: in tables, tests and combinations.

A joined metric's corpus score is the mean of its segment scores. Scores come from a column of the run's own table, or
from a file: one number a line, in the order of systems and segments; or `system<TAB>score` lines, as mt-metrics-eval
writes them; or a TSV with a header that names the columns system, segment_id and the metric's.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from synteval.errors import InputError, unknown
from synteval.io import Table, read_lines
from synteval.metrics.base import Chunk, FloatArray, Metric
from synteval.results.run import Run


@dataclass(frozen=True)
class Joined(Metric):
    """Scores made elsewhere; `source` names the column or the file and a hash of the scores."""

    name: ClassVar[str] = "joined"
    reads = "texts"

    source: str
    lower_is_better: bool = False

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        return not self.lower_is_better

    @property
    def columns(self) -> tuple[str, ...]:
        return ("sum", "segments")

    def statistics(self, chunk: Chunk) -> FloatArray:
        raise InputError(f"the scores of {self.source} were computed elsewhere and cannot be computed here")

    def score_rows(self, sums: FloatArray, *, segment: bool = False) -> FloatArray:
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(sums[:, 0] / sums[:, 1], dtype=np.float64)


def join(
    run: Run, name: str, scores: Mapping[str, Sequence[float]], *, source: str = "given", lower_is_better: bool = False
) -> Run:
    """The run with one metric more: `scores[system]` has one number a segment, in the order of the run."""
    if name in run.metrics:
        raise InputError(f"{name!r} is the name of another metric of this run; join the scores under another name")
    if not isinstance(scores, Mapping):
        raise InputError(f"the scores are a {type(scores).__name__}; give a dict from system name to a list of scores")
    systems = []
    digest = hashlib.sha256()
    for system in run.systems:
        if system.name not in scores:
            raise InputError(f"{source}: no scores of system {system.name!r}; it has those of {', '.join(scores)}")
        values = list(scores[system.name])
        if len(values) != len(system.segment_ids):
            raise InputError(
                f"{source}: {len(values)} scores of system {system.name!r} with its {len(system.segment_ids)} segments"
            )
        for segment, value in zip(system.segment_ids, values, strict=True):
            if not isinstance(value, (int, float, np.number)) or not math.isfinite(value):
                raise InputError(
                    f"{source}: the score of system {system.name!r} on segment {segment} is {value!r}; give a number, "
                    "or leave that segment out of the run"
                )
        column = np.array(values, dtype=np.float64)
        digest.update(column.tobytes())
        statistics = {**system.statistics, name: np.stack([column, np.ones_like(column)], axis=1)}
        systems.append(replace(system, statistics=statistics))
    metric = Joined(f"{source}-{digest.hexdigest()[:8]}", lower_is_better)
    signature = metric.signature(refs="given").replace("JOINED", name.upper(), 1)
    return replace(
        run,
        systems=tuple(systems),
        metrics={**run.metrics, name: metric},
        signatures={**run.signatures, name: signature},
    )


def scores_from_table(table: Table, column: str) -> dict[str, list[float]]:
    """The numbers of a column of a table, by system."""
    if column not in table.columns:
        raise unknown(f"column of {table.path}", column, table.columns)
    position = table.columns.index(column)
    scores: dict[str, list[float]] = {}
    for number, (row, system) in enumerate(zip(table.rows, table.systems, strict=True), start=2):
        scores.setdefault(system, []).append(_number(row[position], f"{table.path}:{number}"))
    return scores


def scores_from_file(path: str | Path, name: str, run: Run) -> dict[str, list[float]]:
    """The scores of a file, in any of the three forms."""
    lines = read_lines(path)
    if not lines:
        raise InputError(f"{path}: empty; give one score a line")
    cells = [line.split("\t") for line in lines]
    if len(cells[0]) >= 3 or "system" in cells[0]:
        return _with_header(path, name, cells, run)
    scores: dict[str, list[float]] = {}
    if len(cells[0]) == 2:
        for number, row in enumerate(cells, start=1):
            if len(row) != 2:
                raise InputError(f"{path}:{number}: {len(row)} cells where the lines before have 2")
            scores.setdefault(row[0], []).append(_number(row[1], f"{path}:{number}"))
        return scores
    total = sum(len(system.segment_ids) for system in run.systems)
    if len(lines) != total:
        raise InputError(f"{path}: {len(lines)} scores for {total} segments of {len(run.systems)} systems")
    numbers = iter(_number(line, f"{path}:{number}") for number, line in enumerate(lines, start=1))
    return {system.name: [next(numbers) for _ in system.segment_ids] for system in run.systems}


def _with_header(path: str | Path, name: str, cells: list[list[str]], run: Run) -> dict[str, list[float]]:
    header, rows = cells[0], cells[1:]
    for column in ("system", "segment_id", name):
        if column not in header:
            raise InputError(f"{path}:1: no column {column!r}; it has {', '.join(header)}")
    system, segment, value = (header.index(column) for column in ("system", "segment_id", name))
    found: dict[tuple[str, str], float] = {}
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise InputError(f"{path}:{number}: {len(row)} cells where the header has {len(header)}")
        found[row[system], row[segment]] = _number(row[value], f"{path}:{number}")
    scores: dict[str, list[float]] = {}
    for one in run.systems:
        for segment_id in one.segment_ids:
            if (one.name, segment_id) not in found:
                raise InputError(f"{path}: no score of system {one.name!r} on segment {segment_id}")
            scores.setdefault(one.name, []).append(found[one.name, segment_id])
    return scores


def _number(text: str, place: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{place}: {text!r} is no score; give a number, or leave that segment out of the run")
    return value
