"""`synteval relations`: extract grammatical relations, score them, compare parsers on them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from synteval.cli.options import check_writable, parsing_options, reading, write_output
from synteval.cli.progress import reporter

F = TypeVar("F", bound=Callable[..., Any])
PRESETS = ["briscoe2006", "carroll1998", "molla2003"]
MATCHES = ["equal", "subsume", "carroll", "hier", "dependent"]

_preset = click.option(
    "--preset", type=click.Choice(PRESETS), default="briscoe2006", show_default=True, help="The set of relations."
)
_output = click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to this file.")
_gold = click.option(
    "--gold", required=True, type=click.Path(allow_dash=True), help="The gold relations, text or JSONL."
)
_slots = click.option(
    "--slots",
    type=click.Choice(["all", "head-dependent", "ncsubj"]),
    default="all",
    show_default=True,
    help="The slots that must match.",
)
_matching = click.option(
    "--matching",
    type=click.Choice(["auto", "max", "greedy"]),
    default="auto",
    show_default=True,
    help="How relations are paired; auto is max, and for hier the official scorer's greedy.",
)


def _match(default: str) -> Callable[[F], F]:
    return click.option(
        "--match", type=click.Choice(MATCHES), default=default, show_default=True, help="When two relations match."
    )


def _formats(*names: str) -> Callable[[F], F]:
    return click.option("--format", "form", type=click.Choice(names), default="table", show_default=True)


@click.group(short_help="Grammatical relations: extract, score, compare parsers.")
def relations() -> None:
    """Grammatical relations (Carroll et al. 1998; Briscoe & Carroll 2006) of parses in any scheme."""


def conventions(command: F) -> F:
    """What the presets disagree about, each with the preset's choice as its default."""
    for name, text in (
        ("distribute-conj", "Repeat relations for every conjunct."),
        ("resolve-relatives", "Put the antecedent in the place of the relative pronoun."),
        ("share-control", "Give subjectless clauses the subject that governs them."),
        ("collapse-prepositions", "Make prepositions the types of relations to their objects."),
    ):
        command = click.option(f"--{name}/--no-{name}", default=None, help=f"{text} (default: the preset's)")(command)
    kinds = click.Choice(["xmod", "xcomp"])
    return click.option("--adjunct-clause", type=kinds, help="What a subjectless adjunct clause is.")(command)


def chosen(options: dict[str, Any]) -> dict[str, Any]:
    """The conventions that were given, taken out of `options`."""
    names = [
        *("distribute_conj", "resolve_relatives", "share_control", "collapse_prepositions", "adjunct_clause"),
    ]
    given = {name: options.pop(name) for name in names}
    return {name: value for name, value in given.items() if value is not None}


@relations.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--input", "input_format", metavar="FORMAT", help="text, ptb or conllu (default: by the file's ending).")
@_preset
@click.option(
    "--args",
    "args_",
    type=click.Choice(["form", "lemma"]),
    default="lemma",
    show_default=True,
    help="What fills the slots; DepBank's gold relations hold forms.",
)
@click.option("--scheme", type=click.Choice(["ud", "clearnlp", "link", "headword"]), help="Default: the parse's own.")
@click.option("--positions", is_flag=True, help="Write word:position.")
@conventions
@_output
@parsing_options
def extract(
    file: str,
    input_format: str | None,
    preset: str,
    args_: str,
    scheme: str | None,
    positions: bool,
    output: Path | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Write the relations of FILE, one a line, a blank line after each segment.

    FILE is text, one segment a line, or holds parses: CoNLL-U, or Penn trees, which are read by their headwords.
    """
    from synteval.io import read_segments
    from synteval.metrics.views import Parses, View
    from synteval.relations.extract import Extractor
    from synteval.relations.grs import write_relations

    check_writable(output)
    extractor = Extractor.of(preset, args_, **chosen(options))
    segments = read_segments(file, input_format)
    parses = Parses(**reading(options))
    if segments.parses is not None:
        given = segments.parses
        found = [extractor.segment(segment, scheme or _given_scheme(segment)) for segment in given]
    else:
        texts = list(segments.texts)
        with reporter(quiet)("parsing", parses.missing(texts)) as advance:
            parses.fill(texts, [], advance)
        parsed = [parsed_part(segment, scheme) for segment in parses.segments(texts, View(False, None))]
        found = [extractor.segment(segment, scheme) for segment, _ in parsed]
        if (lost := sum(missing for _, missing in parsed)) and not quiet:
            click.echo(f"synteval: warning: {lost} sentences were not parsed and have no relations", err=True)
    write_output([write_relations(found, extractor.hierarchy, positions)], output)


def parsed_part(segment: Any, scheme: str | None) -> tuple[Any, int]:
    """The sentences that the parser finished, and the number of the others."""
    layer = "tree" if scheme == "headword" else "heads"
    kept = tuple(sentence for sentence in segment if sentence.has(layer) or not len(sentence))
    return kept, len(segment) - len(kept)


def _given_scheme(segment: Any) -> str | None:
    """Penn trees without dependencies are read by their headwords."""
    return "headword" if any(not s.has("heads") and s.has("tree") for s in segment) else None


@relations.command()
@_gold
@click.option("--test", required=True, type=click.Path(allow_dash=True), help="The relations to score.")
@_preset
@_match("equal")
@_slots
@_matching
@click.option("--confusion", is_flag=True, help="Also print which relations were taken for which.")
@_formats("table", "json", "latex")
@_output
def score(
    gold: str,
    test: str,
    preset: str,
    match: str,
    slots: str,
    matching: str,
    confusion: bool,
    form: str,
    output: Path | None,
) -> None:
    """Precision, recall and F of relations against a gold file, for every relation, micro- and macro-averaged.

    `--match hier` prints what the official scorer of DepBank prints.
    """
    from synteval.relations.grs import read_relations
    from synteval.relations.hierarchy import load_hierarchy
    from synteval.relations.match import Matcher
    from synteval.relations.score import score_relations
    from synteval.relations.tables import confusion_table, score_latex, score_table

    check_writable(output)
    hierarchy = load_hierarchy(preset)
    golds = read_relations(gold, hierarchy)
    tests = read_relations(test, hierarchy, expected=len(golds))
    scores = score_relations(golds, tests, Matcher(hierarchy, match, slots, matching=matching))
    if form == "json":
        record = scores.as_dict()
        if confusion:
            record["confusion"] = [
                {"gold": pair[0], "test": pair[1], "count": count} for pair, count in sorted(scores.confusion.items())
            ]
        parts = [json.dumps(record, indent=1) + "\n"]
    else:
        parts = [score_table(scores) if form == "table" else score_latex(scores)]
        if confusion:
            parts.append("\n" + confusion_table(scores))
    write_output(parts, output)


@relations.command()
@_gold
@click.option("--parser", "parsers", multiple=True, required=True, metavar="NAME", help="Repeat for several parsers.")
@_preset
@_match("hier")
@_slots
@_matching
@click.option("--trials", type=click.IntRange(1), default=10_000, show_default=True, help="Of the paired test.")
@click.option("--seed", type=int, default=12345, show_default=True)
@_formats("table", "json", "latex", "html")
@_output
def compare(
    gold: str,
    parsers: tuple[str, ...],
    preset: str,
    match: str,
    slots: str,
    matching: str,
    trials: int,
    seed: int,
    form: str,
    output: Path | None,
) -> None:
    """Accuracy by relation, speed and coverage of several parsers on the texts of a gold file (JSONL, text and grs).

    NAME is a parser, such as en, spacy:PACKAGE, link; NAME@headword reads its constituency trees. `--format html` is a
    page with the table and, sentence by sentence, what each parser missed and what it made up.
    """
    from synteval.relations.extract import Extractor
    from synteval.relations.grs import read_relations
    from synteval.relations.match import Matcher
    from synteval.results.parser_comparison import compare_parsers
    from synteval.results.parser_page import comparison_page
    from synteval.results.parser_tables import comparison_latex, comparison_table

    check_writable(output)
    extractor = Extractor.of(preset)
    golds = read_relations(gold, extractor.hierarchy)
    matcher = Matcher(extractor.hierarchy, match, slots, matching=matching)
    comparison = compare_parsers(golds, parsers, extractor, matcher, trials=trials, seed=seed)
    if form == "json":
        text = json.dumps(comparison.as_dict(), indent=1) + "\n"
    elif form == "html":
        text = comparison_page(comparison, golds)
    else:
        text = comparison_table(comparison) if form == "table" else comparison_latex(comparison)
    write_output([text], output)
