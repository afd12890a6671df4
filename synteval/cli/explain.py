"""`synteval explain`: one segment, tree by tree: what matched, what no reference licenses, what is missing."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from synteval.cli.options import (
    ManyMetrics,
    check_writable,
    input_options,
    lexical_options,
    parsing_options,
    write_output,
)
from synteval.cli.scoring import Scoring

if TYPE_CHECKING:
    from synteval.explain import Explanation
    from synteval.results.evaluate import SystemInput

_STYLES: dict[str, dict[str, Any]] = {
    "matched": {"fg": "green"},
    "partly": {"fg": "yellow"},
    "unlicensed": {"fg": "red"},
    "missing": {"fg": "magenta"},
    "heading": {"bold": True},
    "faint": {"dim": True},
}


@click.command(cls=ManyMetrics, short_help="What matched and what is missing in a segment, tree by tree.")
@input_options("stm hwcm depf")
@click.option("--segment", metavar="N", help="The segment: its line, or its id in a table (default: the first).")
@click.option("--system", metavar="NAME", help="Which system of a table or of several HYP (default: the first).")
@click.option("--limit", type=click.IntRange(0), default=10, show_default=True, help="Fragments a list; 0: all.")
@click.option(
    "--format", "output_format", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How."
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to this file.")
@lexical_options
@parsing_options
def explain(
    segment: str | None,
    system: str | None,
    limit: int,
    output_format: str,
    output: Path | None,
    **options: Any,
) -> None:
    """Explain the score of one segment of HYP.

    For each metric: the trees of hypothesis and reference side by side with their matched parts marked, and the
    fragments that matched, that no reference licenses and that are missing, with their share of the score.

    \b
    synteval explain system.txt -r reference.txt --segment 12
    synteval explain system.txt -r ref1.txt -r ref2.txt -m stm esk --format json
    """
    from synteval.explain import explain_segment
    from synteval.results.evaluate import prepared

    check_writable(output)
    scoring = Scoring.of(("stm", "hwcm", "depf"), options)
    chosen = _system(scoring.inputs, system)
    place = _place(chosen, segment)
    found = explain_segment(
        prepared(scoring.metrics, scoring.inputs),
        scoring.parses(),
        chosen.hypotheses[place],
        list(chosen.references[place]),
    )
    if output_format == "json":
        write_output([_as_json(chosen, place, found)], output)
    else:
        write_output(_as_text(chosen, place, found, limit, output is None), output)


def _system(inputs: Sequence[SystemInput], name: str | None) -> SystemInput:
    from synteval.errors import unknown

    if name is None:
        return inputs[0]
    for one in inputs:
        if one.name == name:
            return one
    raise unknown("system", name, [one.name for one in inputs])


def _place(system: SystemInput, segment: str | None) -> int:
    from synteval.errors import OptionError

    ids = system.segment_ids
    if not ids:
        raise OptionError(f"system {system.name!r} has no segments to explain")
    if segment is None:
        return 0
    if segment in ids:
        return ids.index(segment)
    raise OptionError(f"there is no segment {segment!r} in system {system.name!r}; it has {ids[0]} to {ids[-1]}")


def _as_json(system: SystemInput, place: int, found: list[Explanation]) -> str:
    from synteval.metrics.inputs import text_of

    record = {
        "system": system.name,
        "segment": system.segment_ids[place],
        "hypothesis": text_of(system.hypotheses[place]),
        "references": [text_of(reference) for reference in system.references[place]],
        "explanations": [explanation.as_dict() for explanation in found],
    }
    return json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _as_text(system: SystemInput, place: int, found: list[Explanation], limit: int, to_screen: bool) -> Iterator[str]:
    from synteval.explain.text import lines, printable
    from synteval.metrics.inputs import text_of

    terminal = to_screen and sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else None

    def style(text: str, name: str) -> str:
        return click.style(text, **_STYLES[name]) if terminal and text else text

    yield f"segment {printable(system.segment_ids[place])} of {printable(system.name)}\n"
    yield f"hypothesis   {printable(text_of(system.hypotheses[place]))}\n"
    for number, reference in enumerate(system.references[place], start=1):
        yield f"reference {number}  {printable(text_of(reference))}\n"
    for explanation in found:
        yield "\n"
        yield from (line.rstrip() + "\n" for line in lines(explanation, limit=limit, width=width, style=style))
