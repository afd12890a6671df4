"""What the page shows, as one JSON record: scores, tests, texts and trees of a run."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

from synteval.errors import InputError
from synteval.metrics.base import CHUNK
from synteval.metrics.inputs import Reference, text_of
from synteval.metrics.views import View
from synteval.report.compact import CompactTexts
from synteval.results.comparison import Findings
from synteval.results.run import Run
from synteval.structures import Segment
from synteval.version import __version__


def record(run: Run, findings: Findings, title: str) -> dict[str, Any]:
    """The record of a run and what was found of it."""
    if not run.inputs:
        raise InputError("this run was read from JSON, without its texts; score again to make a report")
    rows = _rows(run)
    texts = _Texts(run)
    places = [{key: place for place, key in enumerate(keys)} for keys in rows]
    order = list(dict.fromkeys(key for keys in rows for key in keys))
    segments = []
    for start in range(0, len(order), CHUNK):
        part = order[start : start + CHUNK]
        where = [[system.get(key, -1) for system in places] for key in part]
        texts.load([item for at in where for item in _items(run, at)])
        segments += [_segment(run, texts, key, at) for key, at in zip(part, where, strict=True)]
    return {
        "synteval": __version__,
        "title": title,
        "parser": run.parser,
        "metrics": [
            {"name": name, "higher": metric.higher_is_better, "signature": run.signatures[name]}
            for name, metric in run.metrics.items()
        ],
        "systems": [_system(run, findings, system.name) for system in run.systems],
        "scores": _segment_scores(run, order, places),
        "settings": findings.settings,
        "test": next((found.test for tests in findings.comparisons.values() for found in tests.values()), None),
        "warnings": list(run.warnings),
        "segments": segments,
        **texts.compact.as_dict(),
    }


Key = tuple[str, int]


def _rows(run: Run) -> list[list[Key]]:
    """The segments of each system: an id, and its number among equal ids."""
    rows = []
    for system in run.inputs:
        seen: dict[str, int] = {}
        keys = []
        for segment in system.segment_ids:
            seen[segment] = seen.get(segment, 0) + 1
            keys.append((segment, seen[segment]))
        rows.append(keys)
    return rows


def _items(run: Run, at: Sequence[int]) -> list[Reference]:
    """The references and hypotheses of one segment."""
    items: list[Reference] = []
    for system, place in zip(run.inputs, at, strict=True):
        if place >= 0:
            items += [*system.references[place], system.hypotheses[place]]
    return items


def _segment(run: Run, texts: _Texts, key: Key, at: Sequence[int]) -> list[Any]:
    """Its id, the references, and the hypothesis of every system, -1 where a system has none."""
    references = dict.fromkeys(
        texts.number(reference)
        for system, place in zip(run.inputs, at, strict=True)
        if place >= 0
        for reference in system.references[place]
    )
    hypotheses = [
        texts.number(system.hypotheses[place]) if place >= 0 else -1
        for system, place in zip(run.inputs, at, strict=True)
    ]
    return [key[0], list(references), hypotheses]


class _Texts:
    """Distinct texts and given parses, numbered as they come."""

    def __init__(self, run: Run) -> None:
        self.compact = CompactTexts()
        self._numbers: dict[Hashable, int] = {}
        self._parses = run.parses
        # A run of lexical metrics has parsed nothing, and nothing is parsed for its report.
        self._parsed = run.parser != "given"

    def load(self, items: Sequence[Reference]) -> None:
        """Take in those that are new."""
        new = {self._key(item): item for item in items if self._key(item) not in self._numbers}
        wanted = [item for item in new.values() if self._parsed or not isinstance(item, str)]
        parsed: dict[Hashable, Segment] = {}
        if wanted and self._parses is not None:
            segments = self._parses.segments(wanted, View(True, None))
            parsed = {self._key(item): segment for item, segment in zip(wanted, segments, strict=True)}
        for key, item in new.items():
            self._numbers[key] = self.compact.add(text_of(item), parsed.get(key, ()))

    def number(self, item: Reference) -> int:
        return self._numbers[self._key(item)]

    def _key(self, item: Reference) -> Hashable:
        return item if isinstance(item, str) else id(item)


def _system(run: Run, findings: Findings, name: str) -> dict[str, Any]:
    found = findings.comparisons.get(name, {})
    intervals = findings.intervals.get(name, {})
    return {
        "name": name,
        "scores": [_plain(run.scores[name][metric]) for metric in run.metrics],
        "best": [name in run.best(metric) for metric in run.metrics],
        "intervals": [[_plain(bound) for bound in intervals.get(metric, ())] for metric in run.metrics],
        "p": [_plain(found[metric].p) if metric in found else None for metric in run.metrics],
    }


def _segment_scores(run: Run, order: Sequence[Key], places: Sequence[dict[Key, int]]) -> list[dict[str, Any]]:
    """By metric: the unit, and by system whole numbers of it, in the order of the segments."""
    columns = []
    for metric in run.metrics:
        values = [run.segment_scores[system.name][metric].tolist() for system in run.systems]
        largest = max((abs(value) for one in values for value in one if math.isfinite(value)), default=1.0)
        unit = 10.0 ** min(math.ceil(math.log10(max(largest, 1e-9)) - 1e-9) - 4, -2)
        columns.append(
            {
                "unit": unit,
                "values": [
                    [_whole(one[at[key]], unit) if key in at else None for key in order]
                    for one, at in zip(values, places, strict=True)
                ],
            }
        )
    return columns


def _whole(value: float, unit: float) -> int | None:
    return round(value / unit) if math.isfinite(value) else None


def _plain(value: float) -> float | None:
    return value if math.isfinite(value) else None
