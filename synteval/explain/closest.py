"""Which of several references an explanation speaks of: the one that the metric itself takes, or would take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from synteval.metrics.base import Chunk, FloatArray, Metric


def closest_reference(metric: Metric, pair: Chunk, key: Callable[[FloatArray], Any]) -> tuple[int, float]:
    """The number (from 0) of the reference whose statistics have the largest key, and the score against it alone.

    Of equals it is the first. `pair` is a chunk of one pair.
    """
    references = pair.references[0]
    rows = metric.statistics(Chunk([pair.hypotheses[0]] * len(references), [[reference] for reference in references]))
    best = max(range(len(references)), key=lambda number: key(rows[number]))
    return best, metric.score(rows[best], segment=True)


def among_references(metric: Metric, pair: Chunk, closest: int) -> str:
    """The note that several references need where their mean is the score."""
    count = len(pair.references[0])
    if count == 1 or getattr(metric, "multi_ref", "") != "mean":
        return ""
    return (
        f"the score is the mean over {count} references; these fragments are those of reference {closest + 1}, "
        "the rest of the score comes from the others"
    )
