"""`synteval score`: system outputs, references and metrics in; scores out."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
@sampling_options(10_000)
@click.option(
    "--shift",
    type=click.Choice(["abs", "signed"]),
    default="abs",
    show_default=True,
    help="Of --paired bs: as Riezler & Maxwell print it, or two-sided.",
)
@click.option("--confidence", is_flag=True, help="95% bootstrap intervals.")
@click.option("--all-pairs", is_flag=True, help="With --paired: every pair of systems, with Holm's correction.")
@join_options
@lexical_options
@parsing_options
def score(
    level: str,
    output_format: str,
    output: Path | None,
    paired: str | None,
    trials: int,
    seed: int,
    shift: str,
    confidence: bool,
    all_pairs: bool,
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
    from synteval.results.comparison import findings_of

    check_writable(output)
    if all_pairs and not paired:
        raise OptionError("--all-pairs says what --paired compares; give --paired ar or bs")
    scoring = Scoring.of(("syntactic",), options)
    if paired and len(scoring.inputs) < 2:
        raise OptionError("--paired compares systems, and only one is given; name another HYP")
    run = scoring.run()
    findings = findings_of(
        run, paired=paired, all_pairs=all_pairs, confidence=confidence, trials=trials, seed=seed, shift=shift
    )
    write_output(_rendered(run, scoring.table, level, output_format, findings), output)
    if output is not None and output.is_file() and output_format == "tsv" and level != "corpus":
        # A table of scores has no room for their signatures; `combine` needs them.
        signatures = json.dumps({"signatures": dict(run.signatures)}, ensure_ascii=False, indent=1)
        write_output([signatures, "\n"], output.with_name(f"{output.name}.json"))


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
