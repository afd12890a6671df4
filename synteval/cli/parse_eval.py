"""`synteval parse-eval`: UAS and LAS of CoNLL-U, labelled bracketing of Penn trees, against gold trees."""

from __future__ import annotations

import json
from pathlib import Path

import click

from synteval.cli.options import check_writable, write_output


@click.command(short_help="Score parses against gold trees: UAS, LAS, bracketing.")
@click.option("--gold", required=True, type=click.Path(allow_dash=True), help="The gold trees, CoNLL-U or brackets.")
@click.option("--test", required=True, type=click.Path(allow_dash=True), help="The trees to score, in the same format.")
@click.option(
    "--input", "input_format", type=click.Choice(["conllu", "ptb"]), help="Default: by the gold file's ending."
)
@click.option(
    "--punctuation",
    type=click.Choice(["keep", "drop"]),
    default="keep",
    show_default=True,
    help="UAS and LAS with or without the words that the gold tags PUNCT.",
)
@click.option("--subtypes", is_flag=True, help="LAS compares nsubj:pass and nsubj as different.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to this file.")
def parse_eval(
    gold: str,
    test: str,
    input_format: str | None,
    punctuation: str,
    subtypes: bool,
    form: str,
    output: Path | None,
) -> None:
    """Score parses against gold trees of the same text.

    CoNLL-U: UAS and LAS with the word alignment of the CoNLL 2018 shared task, as `udtools eval` prints them. Brackets:
    labelled precision, recall and F as evalb prints them with COLLINS.prm.
    """
    from synteval.errors import InputError
    from synteval.io import read_segments
    from synteval.io.segments import format_of
    from synteval.parse_eval.attachment import attachment
    from synteval.parse_eval.bracketing import bracketing

    check_writable(output)
    kind = format_of(gold, input_format)
    if kind not in ("conllu", "ptb"):
        raise InputError(f"{gold}: not known to be CoNLL-U or brackets; name it with --input conllu or --input ptb")
    standard, tried = ([s for segment in read_segments(f, kind).parses or () for s in segment] for f in (gold, test))
    if kind == "conllu":
        scores = attachment(standard, tried, punctuation=punctuation, subtypes=subtypes)
        record: dict[str, object] = {
            "uas": scores.uas.as_dict(),
            "las": scores.las.as_dict(),
            "words": scores.words.as_dict(),
            "punctuation": punctuation,
            "subtypes": subtypes,
        }
        rows = [("Words", scores.words), ("UAS", scores.uas), ("LAS", scores.las)]
        note = f"punctuation: {punctuation}; relations {'with' if subtypes else 'without'} subtypes\n"
    else:
        result = bracketing(standard, tried)
        record = result.as_dict()
        rows = [("Bracketing", result.brackets), ("Tagging", result.tagging)]
        note = (
            f"complete match: {result.complete}   crossing brackets: {result.crossing}   "
            f"sentences: {result.sentences}   skipped: {result.skipped}\n"
        )
    table = [f"{'':12} {'Precision':>10} {'Recall':>10} {'F':>10}\n"]
    table += [f"{n:12} {100 * r.precision:10.2f} {100 * r.recall:10.2f} {100 * r.f:10.2f}\n" for n, r in rows]
    write_output([json.dumps(record, indent=1) + "\n"] if form == "json" else [*table, note], output)
