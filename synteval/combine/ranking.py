"""Ranking: weights under which better outputs get higher scores, whatever the humans' scale (Ye, Zhou & Lin 2007).

Pairs of outputs are compared by the difference of their standardised scores; a logistic model without intercept
learns which is the better one. Pairs are taken inside groups (segments, say, when `groups` is given to `fit`); at
most `max_pairs`, drawn at random, enter.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from synteval.combine.base import Combiner, scale
from synteval.meta.matrix import FloatArray


class PairwiseRanking(RegressorMixin, Combiner):  # type: ignore[misc]
    """Linear ranking from pairs."""

    kind: ClassVar[str] = "ranking"
    state_names: ClassVar[tuple[str, ...]] = ("coef_",)

    def __init__(self, C: float = 1.0, max_pairs: int = 100_000, random_state: Any = 0) -> None:  # noqa: N803
        self.C = C
        self.max_pairs = max_pairs
        self.random_state = random_state

    def fit(self, X: Any, y: Any, groups: Any = None) -> PairwiseRanking:  # noqa: N803
        """Fit to the order of human scores inside each group."""
        from sklearn.linear_model import LogisticRegression

        x, target = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        mean, deviation = scale(x)
        better, worse = self._pairs(target, groups)
        if not len(better):
            self.coef_ = np.zeros(x.shape[1])
            return self
        z = (x - mean) / deviation
        difference = z[better] - z[worse]
        # Each pair in both directions, so that both classes are there and no side is preferred.
        pairs = np.concatenate([difference, -difference])
        labels = np.concatenate([np.ones(len(difference)), np.zeros(len(difference))])
        machine = LogisticRegression(C=self.C, fit_intercept=False, max_iter=1000).fit(pairs, labels)
        self.coef_ = machine.coef_[0] / deviation
        return self

    def predict(self, X: Any) -> FloatArray:  # noqa: N803
        """A score whose order is the ranking; its size has no meaning."""
        scores: FloatArray = self._checked(X) @ self.coef_
        return scores

    def _pairs(self, target: FloatArray, groups: Any) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        generator = check_random_state(self.random_state)
        labels = np.zeros(len(target)) if groups is None else np.asarray(groups)
        found = []
        for label in np.unique(labels):
            members = np.flatnonzero(labels == label)
            if len(members) ** 2 > 4 * self.max_pairs:  # too many to list: draw
                first, second = generator.choice(members, size=(2, 2 * self.max_pairs))
            else:
                i, j = np.triu_indices(len(members), 1)
                first, second = members[i], members[j]
            kept = target[first] != target[second]
            first, second = first[kept], second[kept]
            swap = target[first] < target[second]
            found.append((np.where(swap, second, first), np.where(swap, first, second)))
        better = np.concatenate([pair[0] for pair in found]).astype(np.intp)
        worse = np.concatenate([pair[1] for pair in found]).astype(np.intp)
        if len(better) > self.max_pairs:
            chosen = generator.choice(len(better), size=self.max_pairs, replace=False)
            better, worse = better[chosen], worse[chosen]
        return better, worse

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True
        tags.non_deterministic = False
        return tags
