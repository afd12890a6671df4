"""`synteval report`: the scores of systems as one page that opens anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from synteval.cli.options import (
    ManyMetrics,
    check_writable,
    input_options,
    join_options,
    lexical_options,
    parsing_options,
    sampling_options,
    write_output,
)
from synteval.cli.scoring import Scoring


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
@sampling_options(1_000)
@join_options
@lexical_options
@parsing_options
def report(output: Path, title: str, paired: str, trials: int, seed: int, **options: Any) -> None:
    """Score HYP and write a page: scores with tests, distributions, where systems differ, the trees of every segment.

    The page needs no network and no other file; it opens from disk.

    \b
    synteval report a.txt b.txt -r reference.txt -m syntactic bleu -o report.html
    """
    from synteval.report.page import render, tested

    check_writable(output)
    run = Scoring.of(("syntactic",), options).run()
    write_output([render(run, tested(run, paired, trials=trials, seed=seed), title=title)], output)
