"""`synteval robustness`: does the ranking of systems survive a change of parser?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from synteval.cli.options import (
    ManyMetrics,
    check_writable,
    input_options,
    lexical_options,
    sampling_options,
    several_parsers_options,
    write_output,
)
from synteval.cli.scoring import Scoring

if TYPE_CHECKING:
    from synteval.results.robustness import Agreement, Robustness


@click.command(cls=ManyMetrics, short_help="Does the ranking survive a change of parser?")
@input_options("the syntactic ones that all parsers serve")
@click.option("--paired", type=click.Choice(["ar", "bs"]), default="ar", show_default=True, help="The paired test.")
@sampling_options(10_000)
@click.option(
    "--format", "output_format", type=click.Choice(["table", "json"]), default="table", show_default=True, help="How."
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to this file.")
@lexical_options
@several_parsers_options
def robustness(
    paired: str,
    trials: int,
    seed: int,
    output_format: str,
    output: Path | None,
    **options: Any,
) -> None:
    """Rank the systems HYP under every --parser, and say what changes with the parser.

    \b
    synteval robustness a.txt b.txt c.txt -r ref.txt --parser en --parser spacy:en_core_web_sm
    """
    from synteval.errors import OptionError
    from synteval.results.robustness import comparable
    from synteval.results.robustness import robustness as compare

    check_writable(output)
    names = list(dict.fromkeys(options["parser"]))
    if len(names) < 2:
        raise OptionError("name at least two different parsers: --parser en --parser spacy:PACKAGE")
    scoring = Scoring.of(("syntactic",), options)
    parses = {name: scoring.parses(parser=name) for name in names}
    metrics = scoring.metrics if options["specs"] else comparable(scoring.metrics, parses.values())
    found = compare(scoring.inputs, metrics, parses, test=paired, trials=trials, seed=seed, progress=scoring.progress)
    if output_format == "json":
        write_output([json.dumps(found.as_dict(), ensure_ascii=False, indent=1) + "\n"], output)
    else:
        write_output(_rendered(found), output)


def _rendered(found: Robustness) -> Iterator[str]:
    from synteval.results.render import text_table

    parsers = list(found.runs)
    metrics = list(next(iter(found.runs.values())).metrics)
    for metric in metrics:
        rankings = [found.ranking(metric, parser) for parser in parsers]
        rows = [
            [str(place), *(f"{name} {score:.4f}" for name, score in row)]
            for place, row in enumerate(zip(*rankings, strict=True), start=1)
        ]
        yield text_table([metric, *parsers], rows) + "\n"
    for pair, taus in found.taus.items():
        yield f"{pair[0]} and {pair[1]}\n"
        for metric in metrics:
            tau = taus[metric]
            flips = found.flips[pair][metric]
            yield f"  {metric}: Kendall's tau {'undefined' if tau != tau else f'{tau:.4f}'}"
            yield "\n" if flips else ", no pair of systems changes its order\n"
            for flip in flips:
                (one, other), (here, there), (p, q) = flip.systems, flip.differences, flip.p
                yield (
                    f"    {one} against {other}: {here:+.4f} (p {p:.4f}) by {pair[0]}, {there:+.4f} (p {q:.4f}) "
                    f"by {pair[1]}: {'significant' if flip.significant else 'not significant'}\n"
                )
        sides = found.agreement[pair]
        rows = [
            ["UAS", *(_value(side.uas.f, side.uas.gold) for side in sides.values())],
            ["bracket F", *(_value(side.brackets.f, side.brackets.gold) for side in sides.values())],
            ["texts compared", *(_texts(side) for side in sides.values())],
        ]
        yield "\n" + text_table(["agreement of parses", *sides], rows)
        schemes = dict.fromkeys(scheme for side in sides.values() for scheme in side.schemes)
        if len(schemes) > 1:
            yield f"the schemes of dependencies differ ({', '.join(schemes)}), and their conventions lower the UAS\n"
        yield "\n"
    for run in found.runs.values():
        yield from (signature + "\n" for signature in run.signatures.values())


def _value(value: float, count: int) -> str:
    return f"{value:.4f}" if count else "-"


def _texts(side: Agreement) -> str:
    return f"{side.compared} of {side.texts}"
