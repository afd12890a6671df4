"""`synteval plot`: pictures of a run, for papers."""

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
)
from synteval.cli.scoring import Scoring


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
@join_options
@lexical_options
@parsing_options
def plot(kind: str, output: Path, **options: Any) -> None:
    """Score HYP and draw a picture.

    \b
    synteval plot a.txt b.txt -r ref.txt -m syntactic bleu --kind ranking -o ranking.pdf
    synteval plot a.txt b.txt -r ref.txt -m all --kind correlation -o metrics.svg
    """
    from synteval.report.plots import check_picture

    check_writable(output)
    check_picture(output)
    Scoring.of(("syntactic",), options).run().plot(kind, output)
