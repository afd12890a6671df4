"""Score matrices: one row a system, one column a segment, NaN where a score is missing."""

from __future__ import annotations

from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from synteval.errors import InputError

FloatArray: TypeAlias = npt.NDArray[np.float64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]


def matrix(scores: Any, name: str = "scores") -> FloatArray:
    """`scores` as a (systems x segments) matrix; one row of scores is one system."""
    array = np.asarray(scores, dtype=np.float64)
    if array.ndim == 1:
        array = array[None, :]
    if array.ndim != 2 or array.size == 0:
        raise InputError(f"{name} has shape {np.shape(scores)}; give a matrix of systems x segments")
    if np.isinf(array).any():
        raise InputError(f"{name} holds an infinite score; mark missing scores with NaN")
    return array


def matrices(*named: tuple[str, Any]) -> list[FloatArray]:
    """Matrices of the same systems and segments."""
    arrays = [matrix(scores, name) for name, scores in named]
    for (name, _), array in zip(named, arrays, strict=True):
        if array.shape != arrays[0].shape:
            raise InputError(
                f"{named[0][0]} has shape {arrays[0].shape} but {name} has shape {array.shape}; "
                "both must be systems x segments of the same data"
            )
    return arrays


def system_means(scores: Any) -> FloatArray:
    """The mean of each system over the segments it has scores for; NaN where it has none."""
    array = matrix(scores)
    present = ~np.isnan(array)
    counts = present.sum(axis=1)
    sums = np.where(present, array, 0.0).sum(axis=1)
    return cast(FloatArray, np.where(counts > 0, sums / np.maximum(counts, 1), np.nan))
