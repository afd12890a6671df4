"""Any metric as an object with `compute(predictions=, references=)`, as users of Hugging Face's `evaluate` write it.

    from synteval.compat import evaluate

    per = evaluate.load("per", order=2)
    per.compute(predictions=["I have the dog."], references=[["I had a dog.", "I have a dog."]])
    {"per": 0.5, "signature": "PER|refs=2|tokenize=mteval|...", "counts": {"distance": 2, "reference_length": 4}}

The result is a plain dict of numbers, strings and dicts. Batches may be collected first with `add` and `add_batch`.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from synteval.errors import InputError, unknown
from synteval.metrics.base import Metric
from synteval.metrics.registry import load_metric
from synteval.metrics.views import Parses


class EvaluationModule:
    """A metric with its options and the way its texts are parsed."""

    def __init__(self, metric: Metric, reading: Mapping[str, Any] | None = None) -> None:
        self.metric = metric
        self._reading = dict(reading or {})
        self._predictions: list[Any] = []
        self._references: list[Any] = []

    @property
    def name(self) -> str:
        """The metric's name, which is also the key of its score."""
        return self.metric.name

    @property
    def description(self) -> str:
        """The definition of the metric."""
        return inspect.cleandoc(inspect.getmodule(type(self.metric)).__doc__ or "")

    def add(self, *, prediction: Any, reference: Any = None, references: Any = None) -> None:
        """Collect one segment; `reference` and `references` mean the same."""
        self.add_batch(predictions=[prediction], references=[reference if references is None else references])

    def add_batch(self, *, predictions: Sequence[Any], references: Sequence[Any]) -> None:
        """Collect segments for the next `compute`."""
        if len(predictions) != len(references):
            raise InputError(
                f"{len(predictions)} predictions but references for {len(references)} segments; give one item each"
            )
        self._predictions.extend(predictions)
        self._references.extend(references)

    def compute(
        self, *, predictions: Sequence[Any] | None = None, references: Sequence[Any] | None = None, **options: Any
    ) -> dict[str, Any]:
        """Score what is given, or else what was collected; `options` hold for this call alone."""
        if (predictions is None) != (references is None):
            missing = "predictions" if predictions is None else "references"
            raise InputError(f"compute() lacks {missing}=; give both, or collect both with add_batch()")
        metric, reading = _configured(self.metric, {**self._reading, **options})
        if predictions is None:
            predictions, references = self._predictions, self._references
            self._predictions, self._references = [], []
        assert references is not None
        score = metric.corpus_score(predictions, references, **reading)
        return {self.name: score.score, "signature": score.signature, "counts": dict(score.counts)}

    def __repr__(self) -> str:
        return f"EvaluationModule({self.metric!r})"


def load(metric: str | Metric, **options: Any) -> EvaluationModule:
    """A metric by name (`stm`, `stm:depth=3`) or as an object; `options` are its own, or say how texts are parsed."""
    configured, reading = _configured(load_metric(metric) if isinstance(metric, str) else metric, options)
    return EvaluationModule(configured, reading)


def _configured(metric: Metric, options: Mapping[str, Any]) -> tuple[Metric, dict[str, Any]]:
    """The metric with its options set, and the options of the parser."""
    own = {field.name for field in dataclasses.fields(metric)}
    parsing = set(inspect.signature(Parses).parameters)
    for name in options:
        if name not in own | parsing:
            raise unknown(f"option of {metric.name}", name, own | parsing)
    changed = {name: value for name, value in options.items() if name in own}
    return (
        dataclasses.replace(metric, **changed) if changed else metric,
        {name: value for name, value in options.items() if name not in own},
    )
