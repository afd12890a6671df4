"""Human-likeness: how sure a classifier is that a text was written by a human (Kulesza & Shieber 2004).

A support vector machine with a radial kernel learns to tell references (scored against the other references) from
outputs, so it needs no human judgements. The score of a text is its distance from the boundary, positive on the human
side. Classes are two: the greater label is the human one.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from synteval.combine.base import Combiner, scale
from synteval.combine.svr import radial_sum
from synteval.meta.matrix import FloatArray


class HumanLikeness(ClassifierMixin, Combiner):  # type: ignore[misc]
    """Reference or output?"""

    kind: ClassVar[str] = "human_likeness"
    state_names: ClassVar[tuple[str, ...]] = (
        "classes_",
        "mean_",
        "deviation_",
        "vectors_",
        "dual_",
        "intercept_",
        "gamma_",
    )

    def __init__(self, C: float = 1.0, gamma: float | None = None) -> None:  # noqa: N803
        self.C = C
        self.gamma = gamma

    def fit(self, X: Any, y: Any) -> HumanLikeness:  # noqa: N803
        """Fit to labels of two classes."""
        from sklearn.svm import SVC

        x, labels = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(labels)
        self.classes_ = np.unique(labels)
        if len(self.classes_) != 2:
            raise ValueError(
                f"Only binary classification is supported. {len(self.classes_)} class(es) were given; "
                "label references and outputs"
            )
        self.mean_, self.deviation_ = scale(x)
        self.gamma_ = 1 / x.shape[1] if self.gamma is None else float(self.gamma)
        machine = SVC(C=self.C, gamma=self.gamma_).fit((x - self.mean_) / self.deviation_, labels == self.classes_[1])
        self.vectors_, self.dual_ = machine.support_vectors_, machine.dual_coef_[0]
        self.intercept_ = float(machine.intercept_[0])
        return self

    def decision_function(self, X: Any) -> FloatArray:  # noqa: N803
        """The distance of each row from the boundary: its human-likeness."""
        z = (self._checked(X) - self.mean_) / self.deviation_
        return radial_sum(z, self.vectors_, self.dual_, float(self.gamma_)) + float(self.intercept_)

    def predict(self, X: Any) -> Any:  # noqa: N803
        """The class of each row."""
        human = self.decision_function(X) > 0
        return self.classes_[human.astype(np.intp)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
