"""The result of scoring: a matrix of statistics a system and metric, and all that is computed from it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from synteval.errors import InputError, NotInstalledError, OptionError
from synteval.metrics.base import FloatArray, Metric, column_sums
from synteval.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

    import matplotlib.figure
    import pandas

    from synteval.metrics.views import Parses
    from synteval.results.evaluate import SystemInput
    from synteval.results.significance import Exact, Rng


@dataclass(frozen=True, eq=False)
class SystemResult:
    """One system's statistics: `statistics[metric]` has a row a segment, in the order of `segment_ids`."""

    name: str
    segment_ids: tuple[str, ...]
    statistics: Mapping[str, FloatArray]
    empty: int = 0
    # By metric the rows of segments that were left out for want of a parse.
    skipped: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def coverage(self, metric: str) -> float:
        """The share of segments that the metric scored."""
        return 1 - len(self.skipped.get(metric, ())) / max(1, len(self.segment_ids))


@dataclass(frozen=True)
class Comparison:
    """A paired test of a system against the baseline."""

    baseline: str
    difference: float
    p: float
    test: str

    def as_dict(self) -> dict[str, Any]:
        return {"baseline": self.baseline, "difference": self.difference, "p": self.p, "test": self.test}


@dataclass(frozen=True, eq=False)
class Run:
    """Scores of one or more systems by one or more metrics, on the same references."""

    systems: tuple[SystemResult, ...]
    metrics: Mapping[str, Metric]
    signatures: Mapping[str, str]
    parser: str
    warnings: tuple[str, ...] = field(default=())
    # What was scored and how it was parsed, for reports and explanations; a run read from JSON has neither.
    inputs: tuple[SystemInput, ...] = field(default=(), repr=False)
    parses: Parses | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not self.systems:
            raise InputError("nothing to score: no system was given")

    @property
    def segments(self) -> int:
        """How many segments were scored: those of the largest system."""
        return max(len(system.segment_ids) for system in self.systems)

    @cached_property
    def scores(self) -> dict[str, dict[str, float]]:
        """Corpus scores by system and metric."""
        return {
            system.name: {
                name: metric.score(column_sums(system.statistics[name])) for name, metric in self.metrics.items()
            }
            for system in self.systems
        }

    @cached_property
    def segment_scores(self) -> dict[str, dict[str, FloatArray]]:
        """Segment scores by system and metric; a skipped segment has none (NaN)."""
        scores: dict[str, dict[str, FloatArray]] = {}
        for system in self.systems:
            scores[system.name] = {}
            for name, metric in self.metrics.items():
                values = metric.score_rows(system.statistics[name], segment=True)
                values[list(system.skipped.get(name, ()))] = np.nan
                scores[system.name][name] = values
        return scores

    def counts(self, system: str, metric: str) -> dict[str, Any]:
        """The summed statistics behind a corpus score, by name."""
        found = next((s for s in self.systems if s.name == system), None)
        if found is None or metric not in self.metrics:
            raise OptionError(f"no scores of system {system!r} by metric {metric!r} in this run")
        return self.metrics[metric].counts(column_sums(found.statistics[metric]))

    def best(self, metric: str) -> set[str]:
        """The systems with the best corpus score."""
        scores = {name: values[metric] for name, values in self.scores.items()}
        pick = max if self.metrics[metric].higher_is_better else min
        top = pick(scores.values())
        return {name for name, score in scores.items() if score == top}

    def paired(
        self,
        test: str = "ar",
        *,
        trials: int = 10_000,
        seed: int = 12345,
        rng: Rng = None,
        shift: str = "abs",
        exact: Exact = "auto",
        paper: bool = False,
    ) -> dict[str, dict[str, Comparison]]:
        """Every further system tested against the first: `ar` approximate randomization, `bs` bootstrap.

        `rng`, a generator or its seed, stands in for `seed`; the other options are those of `significance`.
        """
        from synteval.results.comparison import comparisons_of

        rng = seed if rng is None else rng
        return comparisons_of(self, test, trials=trials, rng=rng, shift=shift, exact=exact, paper=paper)

    def confidence(
        self, *, trials: int = 10_000, seed: int = 12345, rng: Rng = None
    ) -> dict[str, dict[str, tuple[float, float]]]:
        """95% bootstrap intervals by system and metric."""
        from synteval.results.comparison import intervals_of

        return intervals_of(self, trials=trials, rng=seed if rng is None else rng)

    def join(
        self, name: str, scores: Mapping[str, Sequence[float]], *, source: str = "given", lower_is_better: bool = False
    ) -> Run:
        """This run with the segment scores of a metric computed elsewhere, by system."""
        from synteval.results.joined import join

        return join(self, name, scores, source=source, lower_is_better=lower_is_better)

    def to_dict(self, level: str = "both") -> dict[str, Any]:
        """The JSON of `synteval score --format json`; level `full` adds what `from_json` needs."""
        systems = []
        for system in self.systems:
            entry: dict[str, Any] = {"name": system.name, "scores": _plain(self.scores[system.name])}
            if level != "corpus":
                entry["segment_scores"] = _plain(self.segment_scores[system.name])
            if system.skipped:
                entry["coverage"] = {metric: system.coverage(metric) for metric in self.metrics}
            systems.append(entry)
        record = {
            "synteval": __version__,
            "parser": self.parser,
            "segments": self.segments,
            "signatures": dict(self.signatures),
            "systems": systems,
        }
        if level == "full":
            from synteval.results.stored import full_record

            record.update(full_record(self))
        return record

    def to_json(self, level: str = "both") -> str:
        """The run as JSON text."""
        return json_text(self.to_dict(level))

    @classmethod
    def from_json(cls, text: str) -> Run:
        """The run that `to_json(level="full")` wrote."""
        from synteval.results.stored import run_from_json

        return run_from_json(text)

    def to_pandas(self) -> pandas.DataFrame:
        """Segment scores as a data frame: one row a system and segment, one column a metric."""
        try:
            import pandas
        except ImportError:
            raise NotInstalledError("pandas is not installed; install it: pip install 'synteval[report]'") from None
        columns: dict[str, Any] = {
            "system": [s.name for s in self.systems for _ in s.segment_ids],
            "segment_id": [segment for s in self.systems for segment in s.segment_ids],
        }
        for metric in self.metrics:
            columns[metric] = np.concatenate([self.segment_scores[s.name][metric] for s in self.systems])
        return pandas.DataFrame(columns)

    def report(self, path: str | Path, *, title: str = "synteval report") -> None:
        """Write the run as one self-contained HTML page."""
        from synteval.report import write

        write(self, path, title=title)

    def plot(self, kind: str = "ranking", path: str | Path | None = None, **options: Any) -> matplotlib.figure.Figure:
        """A picture: `ranking`, `distributions` or `correlation`; `path` ends in .png, .svg or .pdf."""
        from synteval.report.plots import plot

        return plot(self, kind, path, **options)

    def _repr_html_(self) -> str:
        from synteval.report.display import run_html

        return run_html(self)

    def __repr__(self) -> str:
        return f"<Run: {len(self.systems)} systems, {self.segments} segments, metrics {', '.join(self.metrics)}>"


def json_text(record: Mapping[str, Any]) -> str:
    """A record as JSON text that every reader takes."""
    return json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _plain(scores: Mapping[str, Any]) -> dict[str, Any]:
    """Scores as JSON has them: a missing score (NaN) is null."""

    def plain(value: float) -> float | None:
        return None if math.isnan(value) else value

    return {
        metric: [plain(v) for v in value.tolist()] if isinstance(value, np.ndarray) else plain(value)
        for metric, value in scores.items()
    }


def common_rows(systems: Sequence[SystemResult]) -> list[np.ndarray[Any, np.dtype[np.int64]]]:
    """For a paired test: the rows of each system in one order of segments. All must have the same segments."""
    first = systems[0].segment_ids
    if all(system.segment_ids == first for system in systems):
        return [np.arange(len(first))] * len(systems)
    order = {segment: row for row, segment in enumerate(first)}
    rows = []
    for system in systems:
        if len(system.segment_ids) != len(order) or set(system.segment_ids) != set(order):
            raise InputError(
                f"a paired test needs the same segments of both systems; {systems[0].name!r} has {len(order)}, "
                f"{system.name!r} has {len(system.segment_ids)}"
            )
        positions = {segment: row for row, segment in enumerate(system.segment_ids)}
        rows.append(np.array([positions[segment] for segment in first]))
    return cast(list[np.ndarray[Any, np.dtype[np.int64]]], rows)
