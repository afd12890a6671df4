"""`synteval score`: system outputs, references and metrics in; scores out."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from synteval.io import Table
    from synteval.results.comparison import Findings
    from synteval.results.run import Run


@click.command(cls=ManyMetrics, short_help="Score system outputs against references.")
@input_options("syntactic")
@click.option(
    "--level",
    type=click.Choice(["corpus", "segment", "both", "full"]),
    default="corpus",
    show_default=True,
    help="What to print; full adds the statistics behind the scores (json).",
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
@click.option("--all-pairs", is_flag=True, help="With --paired: every pair of systems, with Holm's correction.")
@click.option(
    "--join",
    "joins",
    multiple=True,
    metavar="NAME[=FILE]",
    help="Scores computed elsewhere: a column of the table, or a file of scores; repeatable.",
)
@click.option("--lower-is-better", multiple=True, metavar="NAME", help="Joined scores of which less is better.")
@click.option("--tokenize", type=click.Choice(["none", "strip", "mteval", "expand"]), help="Of the lexical metrics.")
@click.option("--case", type=click.Choice(["keep", "drop"]), help="Of the lexical metrics.")
@click.option("--boundaries", type=click.Choice(["none", "initial", "both"]), help="Sentence boundaries as words.")
@click.option(
    "--reference-length",
    type=click.Choice(["average", "closest", "nearest", "best", "shortest"]),
    help="Of the lexical metrics, where there are several references.",
)
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
    all_pairs: bool,
    joins: tuple[str, ...],
    lower_is_better: tuple[str, ...],
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
    from synteval.metrics.registry import load_metrics
    from synteval.metrics.views import Parses
    from synteval.results.comparison import findings_of
    from synteval.results.evaluate import evaluate_inputs, needs_references

    if quiet:
        warnings.simplefilter("ignore")
    check_writable(output)
    metrics = load_metrics(specs or (() if joins else ("syntactic",)), _lexical(options))
    inputs, rows = read_inputs(hypotheses, references, table, input_format, needs_references(metrics))
    if paired and len(inputs) < 2:
        raise OptionError("--paired compares systems, and only one is given; name another HYP")
    run = evaluate_inputs(inputs, metrics, Parses(**reading(options)), reporter(quiet))
    for note in run.warnings:
        warnings.warn(note, stacklevel=1)
    run = _joined(run, rows, joins, lower_is_better)
    findings = findings_of(run, paired=paired, all_pairs=all_pairs, confidence=confidence, trials=trials, seed=seed)
    write_output(_rendered(run, rows, level, output_format, findings), output)
    if output is not None and output_format == "tsv" and level != "corpus":
        # A table of scores has no room for their signatures; `combine` needs them.
        signatures = json.dumps({"signatures": dict(run.signatures)}, ensure_ascii=False, indent=1)
        write_output([signatures, "\n"], output.with_name(f"{output.name}.json"))


def _lexical(options: dict[str, Any]) -> dict[str, str]:
    """The options of the run that are options of its lexical metrics, taken out of `options`."""
    given = {key: options.pop(key) for key in ("tokenize", "case", "boundaries", "reference_length")}
    given["case"] = {"keep": "true", "drop": "false", None: None}[given["case"]]
    return {key: value for key, value in given.items() if value is not None}


def _joined(run: Run, table: Table | None, joins: tuple[str, ...], lower: tuple[str, ...]) -> Run:
    """The run with the scores that --join names."""
    from synteval.errors import OptionError
    from synteval.results.joined import scores_from_file, scores_from_table

    for spec in joins:
        name, equals, path = spec.partition("=")
        if equals:
            scores, source = scores_from_file(path, name, run), Path(path).name
        elif table is not None:
            scores, source = scores_from_table(table, name), f"column-{name}"
        else:
            raise OptionError(f"--join {name}: without --table there are no columns; write --join {name}=FILE")
        run = run.join(name, scores, source=source, lower_is_better=name in lower)
    return run


def _rendered(run: Run, table: Table | None, level: str, output_format: str, findings: Findings) -> Iterable[str]:
    from synteval.results import render
    from synteval.results.comparison import as_json

    if output_format == "json":
        yield as_json(run, level, findings)
    elif output_format == "latex":
        yield render.latex(run, findings)
    elif output_format == "tsv":
        if level == "corpus":
            yield from render.corpus_tsv(run, findings)
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
            yield from render.corpus_text(run, findings)
