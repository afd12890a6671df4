"""ULC: the uniformly weighted mean of normalised scores (Gimenez & Marquez 2008). It learns from no human scores.

Scores of different scales can only be averaged after normalisation, learnt from the scores given to `fit`: each
metric's range brought to 0..1 ("minmax"), divided by its highest score ("max", as in the paper), or to mean 0 and
variance 1 ("zscore"). `lower_is_better` lists the columns to turn round (TER, WER, PER).
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import validate_data

from synteval.combine.base import Combiner, scale
from synteval.errors import OptionError, unknown
from synteval.meta.matrix import FloatArray

NORMALISE = ("minmax", "max", "zscore")


class ULC(RegressorMixin, Combiner):  # type: ignore[misc]
    """Uniform mean of normalised scores."""

    kind: ClassVar[str] = "ulc"
    state_names: ClassVar[tuple[str, ...]] = ("shift_", "scale_")

    def __init__(
        self, normalise: Literal["minmax", "max", "zscore"] = "minmax", lower_is_better: tuple[int, ...] = ()
    ) -> None:
        self.normalise = normalise
        self.lower_is_better = lower_is_better

    def fit(self, X: Any, y: Any = None) -> ULC:  # noqa: N803
        """Learn the normalisation; `y` is checked and not learnt from."""
        if self.normalise not in NORMALISE:
            raise unknown("normalisation", self.normalise, NORMALISE)
        # Human scores are checked where they are given, so that a mistake in them does not wait for another combiner.
        x = validate_data(self, X, dtype=np.float64) if y is None else validate_data(self, X, y, y_numeric=True)[0]
        x = x.astype(np.float64)
        turned = list(self.lower_is_better)
        if any(not 0 <= column < x.shape[1] for column in turned):
            raise OptionError(f"lower_is_better={turned} names a column outside 0..{x.shape[1] - 1}")
        if self.normalise == "zscore":
            shift, spread = scale(x)
        else:
            shift = x.min(axis=0) if self.normalise == "minmax" else np.zeros(x.shape[1])
            spread = x.max(axis=0) - shift
            spread[spread == 0] = 1.0
        spread[turned] *= -1
        if self.normalise == "minmax":
            shift[turned] = x.max(axis=0)[turned]
        self.shift_, self.scale_ = shift, spread
        return self

    def predict(self, X: Any) -> FloatArray:  # noqa: N803
        """The mean of each row's normalised scores."""
        mean: FloatArray = np.mean((self._checked(X) - self.shift_) / self.scale_, axis=1)
        return mean

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        tags.regressor_tags.poor_score = True
        return tags
