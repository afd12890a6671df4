"""Support vector regression to human scores, as in Blend (Ma et al. 2017): a radial kernel on standardised scores.

    score(x) = sum_i alpha_i exp(-gamma |z - z_i|^2) + b,   z = (x - mean) / deviation

`gamma=None` is 1 / number of metrics. The support vectors z_i, alpha and b are all that is kept; `predict` evaluates
the sum itself and equals scikit-learn's SVR.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import validate_data

from synteval.combine.base import Combiner, scale
from synteval.meta.matrix import FloatArray

# Rows a block: bounds the memory of the kernel matrix.
BLOCK = 1024


class SupportVectorRegression(RegressorMixin, Combiner):  # type: ignore[misc]
    """SVR with a radial kernel."""

    kind: ClassVar[str] = "svr"
    state_names: ClassVar[tuple[str, ...]] = ("mean_", "deviation_", "vectors_", "dual_", "intercept_", "gamma_")

    def __init__(self, C: float = 1.0, epsilon: float = 0.1, gamma: float | None = None) -> None:  # noqa: N803
        self.C = C
        self.epsilon = epsilon
        self.gamma = gamma

    def fit(self, X: Any, y: Any) -> SupportVectorRegression:  # noqa: N803
        """Fit to human scores."""
        from sklearn.svm import SVR

        x, target = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        self.mean_, self.deviation_ = scale(x)
        self.gamma_ = 1 / x.shape[1] if self.gamma is None else float(self.gamma)
        machine = SVR(C=self.C, epsilon=self.epsilon, gamma=self.gamma_).fit((x - self.mean_) / self.deviation_, target)
        self.vectors_, self.dual_ = machine.support_vectors_, machine.dual_coef_[0]
        self.intercept_ = float(machine.intercept_[0])
        return self

    def predict(self, X: Any) -> FloatArray:  # noqa: N803
        """The score of each row."""
        z = (self._checked(X) - self.mean_) / self.deviation_
        return radial_sum(z, self.vectors_, self.dual_, float(self.gamma_)) + float(self.intercept_)


def radial_sum(z: FloatArray, vectors: FloatArray, weights: FloatArray, gamma: float) -> FloatArray:
    """sum_i weights_i exp(-gamma |z - vectors_i|^2) for each row of z."""
    result = np.zeros(len(z))
    if not len(vectors):
        return result
    squares = np.einsum("ij,ij->i", vectors, vectors)
    for start in range(0, len(z), BLOCK):
        block = z[start : start + BLOCK]
        distance = np.einsum("ij,ij->i", block, block)[:, None] + squares - 2 * block @ vectors.T
        result[start : start + BLOCK] = np.exp(-gamma * np.maximum(distance, 0)) @ weights
    return result
