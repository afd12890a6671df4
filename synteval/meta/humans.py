"""The human side: evaluator normalisation, several judgements of one output, system scores, coverage.

Leusch et al. 2005: an evaluator's scores are brought to mean 0 and variance 1 (population variance, `ddof=0`); an
evaluator who gives one score only, or a single one, is at 0. Several judgements of an output become their mean or
median. A system's score is the mean of its sentence scores weighted by length (of the reference, here), since a long
sentence says more.

Lin & Hovy 2003: the coverage of a summary is C = marked units x completeness / all units.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from synteval.errors import InputError, unknown
from synteval.meta.matrix import FloatArray, matrices


def normalise_evaluators(scores: Sequence[float], evaluators: Sequence[Hashable], *, ddof: int = 0) -> FloatArray:
    """The z-score of each judgement among those of its evaluator; missing judgements stay missing."""
    values = np.asarray(scores, dtype=np.float64)
    groups = _groups(evaluators, len(values), "evaluators")
    normal = np.full_like(values, np.nan)
    for group in range(int(groups.max(initial=-1)) + 1):
        mine = (groups == group) & ~np.isnan(values)
        deviation = float(np.std(values[mine], ddof=ddof)) if mine.sum() > ddof else 0.0
        centred = values[mine] - values[mine].mean() if mine.any() else values[mine]
        normal[mine] = centred / deviation if deviation > 0 else 0.0
    return normal


def average_judgements(
    scores: Sequence[float], items: Sequence[Hashable], *, average: Literal["mean", "median"] = "mean"
) -> dict[Hashable, float]:
    """One score an item, in the order in which the items first appear; missing judgements do not count."""
    if average not in ("mean", "median"):
        raise unknown("average", average, ("mean", "median"))
    values = np.asarray(scores, dtype=np.float64)
    groups = _groups(items, len(values), "items")
    centre = np.mean if average == "mean" else np.median
    result: dict[Hashable, float] = {}
    for group, item in enumerate(dict.fromkeys(items)):
        present = values[groups == group]
        present = present[~np.isnan(present)]
        result[item] = float(centre(present)) if present.size else float("nan")
    return result


def length_weighted(scores: Any, lengths: Any) -> FloatArray:
    """Each system's mean score weighted by `lengths` (systems x segments, or one a segment)."""
    weights = np.asarray(lengths, dtype=np.float64)
    given = np.atleast_2d(np.asarray(scores, dtype=np.float64))
    values, weights = matrices(("scores", given), ("lengths", np.broadcast_to(weights, given.shape)))
    if (weights < 0).any():
        raise InputError("a length is negative")
    present = ~np.isnan(values) & ~np.isnan(weights)
    total = np.where(present, weights, 0.0).sum(axis=1)
    weighted = np.where(present, values * weights, 0.0).sum(axis=1)
    return cast(FloatArray, np.where(total > 0, weighted / np.where(total > 0, total, 1.0), np.nan))


def coverage(marked: int, completeness: float, units: int) -> float:
    """Lin & Hovy's coverage: the share of a model's units that are marked, times how completely they are expressed."""
    if not 0 <= marked <= units or units == 0:
        raise InputError(f"{marked} marked units out of {units} are not possible")
    return marked * completeness / units


def _groups(labels: Sequence[Hashable], n: int, name: str) -> npt.NDArray[np.intp]:
    if len(labels) != n:
        raise InputError(f"{n} scores but {len(labels)} {name}")
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(label, len(numbers)) for label in labels], dtype=np.intp)
