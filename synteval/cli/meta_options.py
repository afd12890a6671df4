"""What the sub-commands of `synteval meta` share: the options of a table, its parts, the output."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from synteval.cli.options import write_output

if TYPE_CHECKING:
    from synteval.meta.table import ScoreTable

F = TypeVar("F", bound=Callable[..., Any])
FORMATS = ("table", "tsv", "markdown", "latex", "json")
Rows = list[list[Any]]


lower_is_better_option = click.option(
    "--lower-is-better", multiple=True, metavar="COLUMN", help="Columns of which less is better, beside TER, WER, PER."
)


def output_options(command: F) -> F:
    """--format and -o."""
    for option in (
        click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write to a file."),
        click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True),
    ):
        command = option(command)
    return command


def table_options(command: F) -> F:
    """TABLE, --human, -m, --by, and the output options."""
    for option in (
        output_options,
        click.option("--by", metavar="COLUMN", help="One analysis a value of this column, e.g. langpair."),
        click.option("-m", "--metric", "metrics", multiple=True, metavar="COLUMN", help="Metrics (default: all)."),
        click.option("--human", metavar="COLUMN", help="Human scores (needed where the table has several)."),
        click.argument("table", type=click.Path(path_type=Path)),
    ):
        command = option(command)
    return command


def parts(path: Path, by: str | None) -> Iterator[tuple[list[str], ScoreTable]]:
    """The table whole, or one part a value of the column `by`, each with its label."""
    from synteval.meta.table import read_scores

    table = read_scores(path)
    if by is None:
        yield [], table
    else:
        yield from (([value], part) for value, part in table.split(by).items())


def write(columns: Sequence[str], rows: Rows, form: str, output: Path | None, by: str | None = None) -> None:
    """Render and write a table of results."""
    from synteval.meta.presentation import render

    write_output([render([*([by] if by else []), *columns], rows, form)], output)
