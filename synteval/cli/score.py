"""`synteval score`: system outputs, references and metrics in; scores out."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from synteval.cli.options import ManyMetrics, check_writable, parsing_options, reading, write_output
from synteval.cli.progress import reporter

if TYPE_CHECKING:
    from synteval.io import Table
    from synteval.results.run import Run


@click.command(cls=ManyMetrics, short_help="Score system outputs against references.")
@click.argument("hypotheses", nargs=-1, metavar="HYP...", type=click.Path(allow_dash=True))
@click.option("-r", "--reference", "references", multiple=True, metavar="REF", help="A file of references; repeatable.")
@click.option("--table", metavar="FILE", help="A TSV or JSONL table: segment_id system hypothesis reference...")
@click.option(
    "-m",
    "--metric",
    "specs",
    multiple=True,
    metavar="METRIC...",
    help="Such as stm:depth=3 hwcm bleu, or groups: syntactic (default), lexical, all; see `synteval metrics`.",
)
@click.option(
    "--input", "input_format", metavar="FORMAT", help="text, ptb, conllu, xml, sgm (default: by file ending)."
)
@click.option(
    "--level",
    type=click.Choice(["corpus", "segment", "both"]),
    default="corpus",
    show_default=True,
    help="What to print.",
)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["table", "json", "tsv", "latex"]),
    default="table",
    show_default=True,
    help="How to print it.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to this file.")
@click.option("--paired", type=click.Choice(["ar", "bs"]), help="Test every further system against the first.")
@click.option("--trials", type=click.IntRange(1), default=10_000, show_default=True, help="Shuffles or samples.")
@click.option("--seed", type=int, default=12345, show_default=True, help="Of the shuffles and samples.")
@click.option("--confidence", is_flag=True, help="95% bootstrap intervals.")
@parsing_options
def score(
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    table: str | None,
    specs: tuple[str, ...],
    input_format: str | None,
    level: str,
    output_format: str,
    output: Path | None,
    paired: str | None,
    trials: int,
    seed: int,
    confidence: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Score system outputs (HYP, one segment a line, `-` for standard input) against references.

    \b
    synteval score system.txt -r reference.txt
    synteval score a.txt b.txt -r ref1.txt -r ref2.txt -m stm hwcm bleu --paired ar
    synteval score --table segments.tsv -m syntactic --level segment --format tsv -o scored.tsv
    synteval score hyp.ptb -r ref.ptb -m stm:depth=3 --format json
    """
    from synteval.errors import OptionError
    from synteval.io import read_table
    from synteval.metrics.registry import load_metrics
    from synteval.metrics.views import Parses
    from synteval.results.comparison import comparisons_of, intervals_of
    from synteval.results.evaluate import evaluate_inputs
    from synteval.results.load import systems_from_files, systems_from_table

    if quiet:
        warnings.simplefilter("ignore")
    check_writable(output)
    metrics = load_metrics(specs or ("syntactic",))
    rows: Table | None = None
    if table is not None:
        if hypotheses or references:
            raise OptionError("--table holds hypotheses and references; leave HYP and -r out")
        rows = read_table(table)
        inputs = systems_from_table(rows)
    else:
        inputs = systems_from_files(hypotheses, references, input_format)
    if paired and len(inputs) < 2:
        raise OptionError("--paired compares systems, and only one is given; name another HYP")
    run = evaluate_inputs(inputs, metrics, Parses(**reading(options)), reporter(quiet))
    for note in run.warnings:
        warnings.warn(note, stacklevel=1)
    comparisons = comparisons_of(run, paired, trials=trials, seed=seed) if paired else {}
    intervals = intervals_of(run, trials=trials, seed=seed) if confidence else {}
    write_output(
        _rendered(run, rows, level, output_format, comparisons, intervals, f"{trials} trials, seed {seed}"), output
    )


def _rendered(
    run: Run, table: Table | None, level: str, output_format: str, comparisons: Any, intervals: Any, settings: str
) -> Iterable[str]:
    from synteval.results import render
    from synteval.results.run import as_json

    if output_format == "json":
        yield as_json(run, level, comparisons, intervals)
    elif output_format == "latex":
        yield render.latex(run, comparisons, intervals)
    elif output_format == "tsv":
        if level == "corpus":
            yield from render.corpus_tsv(run, comparisons, intervals)
        elif table is not None:
            yield from render.joined_table(run, table)
        else:
            from synteval.io import format_table

            yield from format_table(*render.segment_rows(run))
    else:
        if level != "corpus":
            yield render.segment_text(run)
        if level == "both":
            yield "\n"
        if level != "segment":
            yield from render.corpus_text(run, comparisons, intervals, settings)
