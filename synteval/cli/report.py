"""`synteval report`: the scores of systems as one page that opens anywhere."""

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
    write_output,
)
from synteval.cli.progress import reporter


@click.command(cls=ManyMetrics, short_help="One self-contained page: scores, differences, trees.")
@input_options("syntactic")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The page, such as report.html.")
@click.option("--title", default="synteval report", show_default=True, help="Its title.")
@click.option(
    "--paired",
    type=click.Choice(["ar", "bs"]),
    default="ar",
    show_default=True,
    help="The test of every further system against the first.",
)
@click.option("--trials", type=click.IntRange(1), default=1_000, show_default=True, help="Shuffles or samples.")
@click.option("--seed", type=int, default=12345, show_default=True, help="Of the shuffles and samples.")
@parsing_options
def report(
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    table: str | None,
    specs: tuple[str, ...],
    input_format: str | None,
    output: Path,
    title: str,
    paired: str,
    trials: int,
    seed: int,
    quiet: bool,
    **options: Any,
) -> None:
    """Score HYP and write a page: scores with tests, distributions, where systems differ, the trees of every segment.

    The page needs no network and no other file; it opens from disk.

    \b
    synteval report a.txt b.txt -r reference.txt -m syntactic bleu -o report.html
    """
    from synteval.metrics.registry import load_metrics
    from synteval.metrics.views import Parses
    from synteval.report.page import render, tested
    from synteval.results.evaluate import evaluate_inputs

    if quiet:
        warnings.simplefilter("ignore")
    check_writable(output)
    metrics = load_metrics(specs or ("syntactic",))
    inputs, _ = read_inputs(hypotheses, references, table, input_format)
    run = evaluate_inputs(inputs, metrics, Parses(**reading(options)), reporter(quiet))
    write_output([render(run, tested(run, paired, trials=trials, seed=seed), title=title)], output)
