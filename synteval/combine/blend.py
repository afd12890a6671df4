"""Blend: a ready-made combination of the suite's metrics, fitted to human adequacy (after Ma et al. 2017).

    score(segment) = clip(1/2 + z/4, 0, 1),   z = w_0 + sum over members w_i x_i

z is the predicted human score in standard deviations (0 is an average translation of the training data), x_i are the
segment scores of the members: syntactic, semantic and lexical metrics at several depths, precision and recall, and
lengths. The score of a corpus is the mean of its segments. The members, their weights, what they were fitted on and
what they reach there are in the model file; models/blend/README.md is its card. `model=FILE` names another model that
`synteval combine fit` made.

A regression, unlike the metrics it is made of, is no similarity measure: an output identical to its reference gets a
high score but not a fixed one, and the weights hold for what they were fitted on, translation into English.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from synteval.combine.features import LENGTH_FEATURES, lengths
from synteval.combine.model import Model
from synteval.errors import OptionError
from synteval.metrics.base import Chunk, FloatArray, Metric
from synteval.metrics.registry import load_metric
from synteval.resources import resource


@dataclass(frozen=True)
class Blend(Metric):
    """Many metrics in one score, fitted to human adequacy; see the model's card."""

    name: ClassVar[str] = "blend"
    # The signature has the hash of the model instead of its path.
    unsigned: ClassVar[frozenset[str]] = frozenset({"model"})

    model: str = "shipped"

    def __post_init__(self) -> None:
        super().__post_init__()
        policies = {member.sense_policy for member in self.members.values()} - {None}
        if len(policies) > 1:
            raise OptionError(f"blend: the members read senses in {len(policies)} ways; fit a model that reads one")

    @cached_property
    def combination(self) -> Model:
        """The fitted model."""
        return Model.load(resource("models", "blend", "blend.json") if self.model == "shipped" else self.model)

    @cached_property
    def members(self) -> dict[str, Metric]:
        """The metrics that are combined; lengths are no metrics."""
        return {name: load_metric(name) for name in self.combination.metrics if name not in LENGTH_FEATURES}

    @property
    def needs(self) -> frozenset[str]:
        return frozenset().union(*(member.needs for member in self.members.values()))

    @property
    def sense_policy(self) -> str | None:
        return next((m.sense_policy for m in self.members.values() if m.sense_policy is not None), None)

    @property
    def columns(self) -> tuple[str, ...]:
        return ("score", "segments")

    def prepared(self, references: Sequence[Sequence[str]]) -> Metric:
        ready = replace(self)
        ready.__dict__["combination"] = self.combination
        ready.__dict__["members"] = {name: m.prepared(references) for name, m in self.members.items()}
        return ready

    def statistics(self, chunk: Chunk) -> FloatArray:
        predicted = self.combination.combiner.predict(self.features(chunk)) if len(chunk) else np.zeros(0)
        return np.stack([np.clip(0.5 + predicted / 4, 0.0, 1.0), np.ones(len(chunk))], axis=1)

    def features(self, chunk: Chunk) -> FloatArray:
        """The members' segment scores, one row a pair."""
        columns = dict(zip(LENGTH_FEATURES, lengths(chunk.hypothesis_texts, chunk.reference_texts), strict=True))
        for name, member in self.members.items():
            columns[name] = member.score_rows(member.statistics(chunk), segment=True)
        return np.stack([columns[name] for name in self.combination.metrics], axis=1)

    def score_rows(self, sums: FloatArray, *, segment: bool = False) -> FloatArray:
        return np.asarray(sums[:, 0] / np.maximum(sums[:, 1], 1.0))

    def signature(self, refs: int | str = 1, parser: str | None = None, **more: Any) -> str:
        fitted_with = {
            part.partition("=")[2]
            for member in self.combination.signatures.values()
            for part in member.split("|")
            if part.startswith("parser=")
        }
        if parser is not None and fitted_with and parser not in fitted_with:
            warnings.warn(
                f"blend was fitted with parser {', '.join(sorted(fitted_with))} and reads {parser}; "
                "its weights are for the former: fit it again with scripts/train_blend.py",
                stacklevel=2,
            )
        fitted = next(part for part in self.combination.signature.split("|") if part.startswith("model="))
        return super().signature(refs, parser, model=fitted.partition("=")[2], **more)
