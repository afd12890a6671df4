"""A run as JSON that can be read back: beside the scores, the statistics they are computed from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from synteval.errors import InputError
from synteval.metrics.base import Metric
from synteval.metrics.options import option_text
from synteval.metrics.registry import load_metric
from synteval.results.joined import Joined
from synteval.results.run import Run, SystemResult

_REMEDY = "write the run with to_json(level='full') or `synteval score --level full --format json`"


def metric_spec(metric: Metric) -> str:
    """The metric as one would write it on the command line."""
    options = option_text(metric)
    return f"{metric.name}:{','.join(f'{key}={value}' for key, value in options.items())}" if options else metric.name


def full_record(run: Run) -> dict[str, Any]:
    """What a run's JSON has at level `full` beyond level `both`."""
    return {
        "metrics": {name: metric_spec(metric) for name, metric in run.metrics.items()},
        "statistics": {
            system.name: {name: matrix.tolist() for name, matrix in system.statistics.items()} for system in run.systems
        },
        "segment_ids": {system.name: list(system.segment_ids) for system in run.systems},
        "empty": {system.name: system.empty for system in run.systems},
    }


def run_from_json(text: str) -> Run:
    """The run that was written at level `full`. Its scores are computed anew from its statistics."""
    try:
        record = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"not the JSON of a run ({error})") from None
    if not isinstance(record, Mapping) or not {"systems", "signatures", "parser"} <= set(record):
        raise InputError("not the JSON of a run: systems, signatures and parser are missing")
    if "statistics" not in record:
        raise InputError(f"this JSON holds scores but not the statistics behind them; {_REMEDY}")
    try:
        metrics = {name: _metric(spec) for name, spec in record["metrics"].items()}
        systems = tuple(
            SystemResult(
                entry["name"],
                tuple(record["segment_ids"][entry["name"]]),
                {
                    name: np.array(record["statistics"][entry["name"]][name], dtype=np.float64).reshape(
                        -1, len(metric.columns)
                    )
                    for name, metric in metrics.items()
                },
                record["empty"][entry["name"]],
            )
            for entry in record["systems"]
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"not the JSON of a run: {error}; {_REMEDY}") from None
    return Run(systems, metrics, dict(record["signatures"]), record["parser"])


def _metric(spec: str) -> Metric:
    name, _, rest = spec.partition(":")
    if name == Joined.name:
        options = dict(item.split("=", 1) for item in rest.split(","))
        return Joined(options["source"], options.get("lower_is_better") == "yes")
    return load_metric(spec)
