"""`synteval meta`: which metrics to trust, on the table that `score --table --level segment --format tsv` writes."""

from __future__ import annotations

import click

from synteval.cli.meta_metrics import agreement, compare, correlate, significance
from synteval.cli.meta_sets import gain, heterogeneity, reliability
from synteval.cli.meta_texts import axioms, evalset, evalset_scores, qarla


@click.group(short_help="Meta-evaluation: correlation, reliability, QARLA.")
def meta() -> None:
    """Which metrics, and which sets of metrics, to trust.

    TABLE is a TSV with the columns segment_id, system, hypothesis, reference, one a metric and human_...: what
    `synteval score --table FILE --level segment --format tsv` writes from a table with human scores.
    """


for command in (
    correlate,
    agreement,
    compare,
    significance,
    reliability,
    heterogeneity,
    gain,
    qarla,
    axioms,
    evalset,
    evalset_scores,
):
    meta.add_command(command)
