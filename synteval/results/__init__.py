"""Results: corpus and segment scores of systems, significance, tables."""

from synteval.results.evaluate import SystemInput, evaluate, evaluate_inputs
from synteval.results.run import Comparison, Run, SystemResult

__all__ = ["Comparison", "Run", "SystemInput", "SystemResult", "evaluate", "evaluate_inputs"]
