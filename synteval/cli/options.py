"""What several commands share: options, metric names, output files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from synteval.engines import load_engine
from synteval.errors import InputError, OptionError, SyntevalError

if TYPE_CHECKING:
    from synteval.io import Table
    from synteval.results.evaluate import SystemInput

F = TypeVar("F", bound=Callable[..., Any])


class ManyMetrics(click.Command):
    """A command whose `-m` takes several names: `-m stm tkm` is `-m stm -m tkm`. A name that is a file is a file."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        spread: list[str] = []
        after_metric = False
        rest = iter(args)
        for arg in rest:
            if arg == "--":
                spread += [arg, *rest]
            elif arg in ("-m", "--metric"):
                spread += [arg, *([value] if (value := next(rest, None)) is not None else [])]
                after_metric = True
            elif after_metric and not arg.startswith("-") and not Path(arg).exists():
                spread += ["-m", arg]
            else:
                spread.append(arg)
                after_metric = False
        return super().parse_args(ctx, spread)


def input_options(default_metrics: str) -> Callable[[F], F]:
    """HYP..., -r, --table, -m, --input: what is scored, against what, by which metrics."""

    def decorate(command: F) -> F:
        for option in reversed(
            [
                click.argument("hypotheses", nargs=-1, metavar="HYP...", type=click.Path(allow_dash=True)),
                click.option(
                    "-r",
                    "--reference",
                    "references",
                    multiple=True,
                    metavar="REF",
                    help="A file of references; repeatable.",
                ),
                click.option(
                    "--table",
                    metavar="FILE",
                    help="A TSV or JSONL table: segment_id system hypothesis reference...",
                ),
                click.option(
                    "-m",
                    "--metric",
                    "specs",
                    multiple=True,
                    metavar="METRIC...",
                    help="Such as stm:depth=3 hwcm bleu, or groups: syntactic, lexical, all; "
                    f"see `synteval metrics`. Default: {default_metrics}.",
                ),
                click.option(
                    "--input",
                    "input_format",
                    metavar="FORMAT",
                    help="text, ptb, conllu, xml, sgm (default: by file ending).",
                ),
            ]
        ):
            command = option(command)
        return command

    return decorate


def read_inputs(
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    table: str | None,
    input_format: str | None,
    needed: bool = True,
) -> tuple[list[SystemInput], Table | None]:
    """The systems that the input options name, and the table where they came from one; references where `needed`."""
    from synteval.io import read_table
    from synteval.results.load import systems_from_files, systems_from_table

    if table is None:
        return systems_from_files(hypotheses, references, input_format, needed), None
    if hypotheses or references:
        raise OptionError("--table holds hypotheses and references; leave HYP and -r out")
    rows = read_table(table)
    return systems_from_table(rows, needed), rows


def parsing_options(command: F) -> F:
    """--parser, --dependencies, the engine, the cache, --quiet."""
    return _parsing_options(command, several=False)


def several_parsers_options(command: F) -> F:
    """The same with a --parser that can be given again and again."""
    return _parsing_options(command, several=True)


def _parsing_options(command: F, several: bool) -> F:
    for option in reversed(
        [
            click.option(
                "--parser",
                default=None if several else "en",
                required=several,
                multiple=several,
                show_default=not several,
                metavar="NAME",
                help="en, spacy:PACKAGE, stanza:LANG, link." + (" Repeatable." if several else ""),
            ),
            click.option(
                "--dependencies",
                type=click.Choice(["native", "heads"]),
                default="native",
                show_default=True,
                help="The parser's own dependencies, or headwords of the constituency tree.",
            ),
            click.option("--head-rules", default="collins", show_default=True, metavar="TABLE", help="The head table."),
            click.option(
                "--on-failure",
                type=click.Choice(["raise", "skip", "flat"]),
                default="raise",
                show_default=True,
                help="A segment that could not be parsed: an error, left out, or a flat parse.",
            ),
            click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Local processes."),
            click.option("--engine", type=click.Choice(["local", "dask"]), default="local", show_default=True),
            click.option("--scheduler", metavar="ADDRESS", help="Of a Dask cluster, with --engine dask."),
            click.option("--no-cache", is_flag=True, help="Neither read nor write the parse cache."),
            click.option("--cache-dir", type=click.Path(path_type=Path), metavar="DIR", help="Where the cache lies."),
            click.option("--quiet", is_flag=True, help="No progress, no warnings."),
        ]
    ):
        command = option(command)
    return command


def reading(options: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `Parses` from the parsing options, which are taken out of `options`."""
    no_cache, folder = options.pop("no_cache"), options.pop("cache_dir")
    return {
        "parser": options.pop("parser"),
        "dependencies": options.pop("dependencies"),
        "head_rules": options.pop("head_rules"),
        "on_failure": options.pop("on_failure"),
        "engine": load_engine(options.pop("engine"), jobs=options.pop("jobs"), scheduler=options.pop("scheduler")),
        "cache": False if no_cache else folder if folder is not None else True,
    }


def write_output(parts: Iterable[str], path: Path | None) -> None:
    """To a file, whole or not at all, or to standard output."""
    if path is None:
        for part in parts:
            click.echo(part, nl=False)
        return
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("w", encoding="utf-8", errors="surrogatepass", newline="\n") as stream:
            stream.writelines(parts)
        temporary.replace(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}); name another file with -o") from None
    finally:
        temporary.unlink(missing_ok=True)


def check_writable(path: Path | None) -> None:
    """Before hours of work: see that the output can be written."""
    if path is not None and not path.parent.is_dir():
        raise SyntevalError(f"{path}: there is no folder {path.parent}; make it first")
