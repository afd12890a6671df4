"""MetricFeatures: a scikit-learn transformer from (hypothesis, references) to metric scores.

`transform` takes pairs `(hypothesis, references)`, references being a string or a list of strings, and gives one row
of segment scores a pair, one column a metric. It learns nothing from data, so it cannot leak; put it before any
combiner in a pipeline.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from synteval.errors import InputError
from synteval.meta.matrix import FloatArray

LENGTH_FEATURES = ("length", "reference_length", "length_ratio")


class MetricFeatures(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Segment scores of `metrics` (names as on the command line), parsed by `parser`.

    Beside metrics there are `length` (words of the hypothesis), `reference_length` (mean over references) and
    `length_ratio` (log of the one over the other).
    """

    def __init__(self, metrics: Sequence[str] = ("stm", "hwcm", "depf"), parser: Any = "en") -> None:
        self.metrics = metrics
        self.parser = parser

    def fit(self, X: Any = None, y: Any = None) -> MetricFeatures:  # noqa: N803
        """Nothing to learn."""
        return self

    def transform(self, X: Sequence[tuple[str, Any]]) -> FloatArray:  # noqa: N803
        """One row a pair, one column a metric."""
        return self.score(X)[0]

    def score(self, pairs: Sequence[tuple[str, Any]]) -> tuple[FloatArray, dict[str, str]]:
        """The features and the signature of each metric."""
        from synteval.results.evaluate import evaluate

        if isinstance(pairs, str) or any(isinstance(pair, str) or len(pair) != 2 for pair in pairs):
            raise InputError("give pairs of a hypothesis and its references: [(hypothesis, [reference, ...]), ...]")
        hyps = [pair[0] for pair in pairs]
        refs = [[pair[1]] if isinstance(pair[1], str) else list(pair[1]) for pair in pairs]
        names = [name for name in self.metrics if name not in LENGTH_FEATURES]
        columns = dict(zip(LENGTH_FEATURES, lengths(hyps, refs), strict=True))
        signatures: dict[str, str] = {}
        if names:
            run = evaluate({"hypotheses": hyps}, refs, names, self.parser)
            columns.update(run.segment_scores["hypotheses"])
            signatures = dict(run.signatures)
        return np.stack([columns[name] for name in self.metrics], axis=1), signatures

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
        """The names of the columns."""
        return np.asarray(list(self.metrics), dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        tags.requires_fit = False
        return tags


def lengths(hyps: Sequence[str], refs: Sequence[Sequence[str]]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The columns of LENGTH_FEATURES: words are what stands between blanks."""
    hyp = np.array([len(text.split()) for text in hyps], dtype=np.float64)
    ref = np.array([np.mean([len(text.split()) for text in texts]) for texts in refs], dtype=np.float64)
    # One word is added on each side, so that an empty text has a ratio too.
    return hyp, ref, np.log((hyp + 1) / (ref + 1))
