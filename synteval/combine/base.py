"""What every combiner is: a scikit-learn estimator whose fitted state is a handful of named arrays.

A combiner turns a matrix of metric scores (rows are outputs, columns metrics) into one score a row. `state_names`
lists all that `predict` reads, so that `model.save` can write it as plain numbers and `model.load` can put it back:
no pickle.
"""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from synteval.errors import StructureError
from synteval.meta.matrix import FloatArray

C = TypeVar("C", bound="Combiner")


class Combiner(BaseEstimator):  # type: ignore[misc]
    """Base of all combiners."""

    kind: ClassVar[str]
    state_names: ClassVar[tuple[str, ...]]

    def state(self) -> dict[str, FloatArray]:
        """The fitted arrays."""
        check_is_fitted(self)
        return {
            name: np.asarray(getattr(self, name), dtype=np.float64) for name in (*self.state_names, "n_features_in_")
        }

    @classmethod
    def restore(cls: type[C], params: dict[str, Any], state: dict[str, FloatArray]) -> C:
        """A fitted combiner from its parameters and arrays."""
        missing = [name for name in (*cls.state_names, "n_features_in_") if name not in state]
        if missing:
            raise StructureError(f"the stored {cls.kind} model lacks {', '.join(missing)}; fit it again")
        combiner = cls(**params)
        for name in cls.state_names:
            setattr(combiner, name, state[name])
        combiner.n_features_in_ = int(state["n_features_in_"])
        return combiner

    def _checked(self, x: Any) -> FloatArray:
        check_is_fitted(self)
        checked: FloatArray = validate_data(self, x, reset=False, dtype=np.float64)
        return checked


def scale(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation of each column; 1 for a column that does not vary."""
    mean, deviation = x.mean(axis=0), x.std(axis=0)
    # A constant column has a deviation of rounding error, which would blow up any later difference.
    constant = deviation <= 10 * np.finfo(np.float64).eps * np.maximum(np.abs(mean), 1e-300)
    return mean, np.where(constant, 1.0, deviation)
