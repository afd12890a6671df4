"""Heterogeneous combination: one score made of many metrics, as scikit-learn estimators."""

from synteval.combine.base import Combiner
from synteval.combine.features import MetricFeatures
from synteval.combine.human_likeness import HumanLikeness
from synteval.combine.linear import WeightedLinear
from synteval.combine.model import Model
from synteval.combine.ranking import PairwiseRanking
from synteval.combine.splits import (
    GroupedSplits,
    cross_predict,
    crossed_splits,
    grouped_splits,
    refuse_leaks,
    without_shared,
)
from synteval.combine.svr import SupportVectorRegression
from synteval.combine.ulc import ULC

__all__ = [
    "ULC",
    "Combiner",
    "GroupedSplits",
    "HumanLikeness",
    "MetricFeatures",
    "Model",
    "PairwiseRanking",
    "SupportVectorRegression",
    "WeightedLinear",
    "cross_predict",
    "crossed_splits",
    "grouped_splits",
    "refuse_leaks",
    "without_shared",
]
