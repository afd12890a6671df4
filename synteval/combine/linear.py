"""A weighted mean of metrics, its weights fitted to human scores by ridge regression on standardised scores.

`nonnegative=True` keeps every weight at or above 0, so that no metric can count against itself.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import validate_data

from synteval.combine.base import Combiner, scale
from synteval.meta.matrix import FloatArray


class WeightedLinear(RegressorMixin, Combiner):  # type: ignore[misc]
    """Ridge regression to human scores."""

    kind: ClassVar[str] = "linear"
    state_names: ClassVar[tuple[str, ...]] = ("coef_", "intercept_")

    def __init__(self, alpha: float = 1.0, nonnegative: bool = False) -> None:
        self.alpha = alpha
        self.nonnegative = nonnegative

    def fit(self, X: Any, y: Any) -> WeightedLinear:  # noqa: N803
        """Fit the weights."""
        from sklearn.linear_model import Ridge

        x, target = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        mean, deviation = scale(x)
        ridge = Ridge(alpha=self.alpha, positive=self.nonnegative).fit((x - mean) / deviation, target)
        self.coef_ = ridge.coef_ / deviation
        self.intercept_ = float(ridge.intercept_ - mean @ self.coef_)
        return self

    def predict(self, X: Any) -> FloatArray:  # noqa: N803
        """The weighted sum of each row."""
        scores: FloatArray = self._checked(X) @ self.coef_ + self.intercept_
        return scores
