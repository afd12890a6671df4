"""Paired tests and confidence intervals of a run, on the segments that its systems share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from synteval.metrics.base import FloatArray
from synteval.results.run import Comparison, Run, SystemResult, common_rows, json_text
from synteval.results.significance import TRIALS, PairedTest, Rng, Scorer, compare, confidence_intervals

SEED = 12345


def _scorers(run: Run) -> dict[str, Scorer]:
    return {name: metric.score_rows for name, metric in run.metrics.items()}


def _aligned(systems: Sequence[SystemResult]) -> dict[str, Mapping[str, FloatArray]]:
    rows = common_rows(systems)
    return {
        system.name: {metric: matrix[order] for metric, matrix in system.statistics.items()}
        for system, order in zip(systems, rows, strict=True)
    }


def comparisons_of(run: Run, test: str = "ar", *, rng: Rng = SEED, **options: Any) -> dict[str, dict[str, Comparison]]:
    """Every further system against the first: system -> metric -> comparison; `options` are those of `compare`."""
    baseline = run.systems[0].name
    tests = compare(_aligned(run.systems), _scorers(run), baseline=baseline, test=test, rng=rng, **options)
    return {
        system: {m: Comparison(baseline, t.difference, t.p, test) for m, t in by_metric.items()}
        for (system, _), by_metric in tests.items()
    }


def all_pairs_of(
    run: Run, test: str = "ar", *, rng: Rng = SEED, **options: Any
) -> dict[tuple[str, str], dict[str, PairedTest]]:
    """All pairs of systems, with Holm's adjusted p-values."""
    return compare(_aligned(run.systems), _scorers(run), test=test, rng=rng, **options)


def intervals_of(run: Run, *, trials: int = TRIALS, rng: Rng = SEED) -> dict[str, dict[str, tuple[float, float]]]:
    """95% percentile bootstrap intervals of each system's scores, each on its own segments."""
    intervals: dict[str, dict[str, tuple[float, float]]] = {}
    for system in run.systems:
        intervals.update(confidence_intervals({system.name: system.statistics}, _scorers(run), trials=trials, rng=rng))
    return intervals


@dataclass(frozen=True)
class Findings:
    """What was tested of a run: comparisons with the first system, all pairs, intervals; and with what settings."""

    comparisons: Mapping[str, Mapping[str, Comparison]] = field(default_factory=dict)
    pairs: Mapping[tuple[str, str], Mapping[str, PairedTest]] = field(default_factory=dict)
    intervals: Mapping[str, Mapping[str, tuple[float, float]]] = field(default_factory=dict)
    settings: str = ""


def findings_of(
    run: Run,
    *,
    paired: str | None = None,
    all_pairs: bool = False,
    confidence: bool = False,
    trials: int = TRIALS,
    seed: int = SEED,
    shift: str = "abs",
) -> Findings:
    """All that `synteval score` can test of a run."""
    options: dict[str, Any] = {"trials": trials, "rng": seed, "shift": shift}
    settings = f"{trials} trials, seed {seed}"
    return Findings(
        comparisons=comparisons_of(run, paired, **options) if paired else {},
        pairs=all_pairs_of(run, paired, **options) if paired and all_pairs else {},
        intervals=intervals_of(run, trials=trials, rng=seed) if confidence else {},
        settings=f"{settings}, signed shift" if shift == "signed" else settings,
    )


def as_json(run: Run, level: str, findings: Findings) -> str:
    """The run as JSON text with what was found of it."""
    record = run.to_dict(level)
    for entry in record["systems"]:
        if bounds := findings.intervals.get(entry["name"]):
            entry["confidence"] = {metric: list(interval) for metric, interval in bounds.items()}
        if tests := findings.comparisons.get(entry["name"]):
            entry["paired"] = {metric: found.as_dict() for metric, found in tests.items()}
    if findings.pairs:
        record["pairs"] = [
            {
                "systems": list(pair),
                "tests": {m: {"difference": t.difference, "p": t.p, "p_holm": t.p_holm} for m, t in tests.items()},
            }
            for pair, tests in findings.pairs.items()
        ]
    return json_text(record)
