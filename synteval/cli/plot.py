"""`synteval plot`: pictures of a run, for papers."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import click

from synteval.cli.options import (
    ManyMetrics,
    check_writable,
    input_options,
    parsing_options,
    read_inputs,
    reading,
)
from synteval.cli.progress import reporter


@click.command(cls=ManyMetrics, short_help="Pictures for papers: ranking, distributions, correlation of metrics.")
@input_options("syntactic")
@click.option(
    "--kind",
    type=click.Choice(["ranking", "distributions", "correlation"]),
    default="ranking",
    show_default=True,
    help="What to draw.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="A .png, .svg or .pdf file.")
@parsing_options
def plot(
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    table: str | None,
    specs: tuple[str, ...],
    input_format: str | None,
    kind: str,
    output: Path,
    quiet: bool,
    **options: Any,
) -> None:
    """Score HYP and draw a picture.

    \b
    synteval plot a.txt b.txt -r ref.txt -m syntactic bleu --kind ranking -o ranking.pdf
    synteval plot a.txt b.txt -r ref.txt -m all --kind correlation -o metrics.svg
    """
    from synteval.metrics.registry import load_metrics
    from synteval.metrics.views import Parses
    from synteval.report.plots import check_picture
    from synteval.results.evaluate import evaluate_inputs

    if quiet:
        warnings.simplefilter("ignore")
    check_writable(output)
    check_picture(output)
    metrics = load_metrics(specs or ("syntactic",))
    inputs, _ = read_inputs(hypotheses, references, table, input_format)
    run = evaluate_inputs(inputs, metrics, Parses(**reading(options)), reporter(quiet))
    run.plot(kind, output)
