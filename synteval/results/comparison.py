"""Paired tests and confidence intervals of a run, on the segments that its systems share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from synteval.metrics.base import FloatArray
from synteval.results.run import Comparison, Run, SystemResult, common_rows
from synteval.results.significance import TRIALS, PairedTest, Scorer, compare, confidence_intervals


def _scorers(run: Run) -> dict[str, Scorer]:
    return {name: metric.score_rows for name, metric in run.metrics.items()}


def _aligned(systems: Sequence[SystemResult]) -> dict[str, Mapping[str, FloatArray]]:
    rows = common_rows(systems)
    return {
        system.name: {metric: matrix[order] for metric, matrix in system.statistics.items()}
        for system, order in zip(systems, rows, strict=True)
    }


def comparisons_of(
    run: Run, test: str = "ar", *, trials: int = TRIALS, seed: int = 12345
) -> dict[str, dict[str, Comparison]]:
    """Every further system against the first: system -> metric -> comparison."""
    baseline = run.systems[0].name
    tests = compare(_aligned(run.systems), _scorers(run), baseline=baseline, test=test, trials=trials, rng=seed)
    return {
        system: {m: Comparison(baseline, t.difference, t.p, test) for m, t in by_metric.items()}
        for (system, _), by_metric in tests.items()
    }


def all_pairs_of(
    run: Run, test: str = "ar", *, trials: int = TRIALS, seed: int = 12345
) -> dict[tuple[str, str], dict[str, PairedTest]]:
    """All pairs of systems, with Holm's adjusted p-values."""
    return compare(_aligned(run.systems), _scorers(run), test=test, trials=trials, rng=seed)


def intervals_of(run: Run, *, trials: int = TRIALS, seed: int = 12345) -> dict[str, dict[str, tuple[float, float]]]:
    """95% percentile bootstrap intervals of each system's scores, each on its own segments."""
    intervals: dict[str, dict[str, tuple[float, float]]] = {}
    for system in run.systems:
        intervals.update(confidence_intervals({system.name: system.statistics}, _scorers(run), trials=trials, rng=seed))
    return intervals
