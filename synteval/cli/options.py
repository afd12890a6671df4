"""What several commands share: their options, and how they write files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from synteval.engines import load_engine
from synteval.errors import InputError, SyntevalError

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


def together(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one, shown in this order."""

    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def input_options(default_metrics: str) -> Callable[[F], F]:
    """HYP..., -r, --table, -m, --input: what is scored, against what, by which metrics."""
    return together(
        click.argument("hypotheses", nargs=-1, metavar="HYP...", type=click.Path(allow_dash=True)),
        click.option(
            "-r",
            "--reference",
            "references",
            multiple=True,
            metavar="REF",
            help="A file of references; repeatable. Metrics such as wellformed need none.",
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
            help="text, ptb, conllu, xml, sgm; of a table: tsv, jsonl (default: by file ending).",
        ),
    )


def sampling_options(trials: int) -> Callable[[F], F]:
    """--trials, --seed: of paired tests and intervals."""
    return together(
        click.option(
            "--trials", type=click.IntRange(1), default=trials, show_default=True, help="Shuffles or samples."
        ),
        click.option("--seed", type=int, default=12345, show_default=True, help="Of the shuffles and samples."),
    )


join_options = together(
    click.option(
        "--join",
        "joins",
        multiple=True,
        metavar="NAME[=FILE]",
        help="Scores computed elsewhere: a column of the table, or a file of scores; repeatable.",
    ),
    click.option("--lower-is-better", multiple=True, metavar="NAME", help="Joined scores of which less is better."),
)

lexical_options = together(
    click.option(
        "--tokenize", type=click.Choice(["none", "strip", "mteval", "expand"]), help="Of the lexical metrics."
    ),
    click.option("--case", type=click.Choice(["keep", "drop"]), help="Of the lexical metrics."),
    click.option("--boundaries", type=click.Choice(["none", "initial", "both"]), help="Sentence boundaries as words."),
    click.option(
        "--reference-length",
        type=click.Choice(["average", "closest", "nearest", "best", "shortest"]),
        help="Of the lexical metrics, where there are several references.",
    ),
)


def _parsing_options(several: bool) -> Callable[[Any], Any]:
    return together(
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
    )


# --parser, --dependencies, the engine, the cache, --quiet; and the same with a --parser that can be given repeatedly.
parsing_options = _parsing_options(several=False)
several_parsers_options = _parsing_options(several=True)


def reading(options: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `Parses` from the parsing options."""
    folder = options["cache_dir"]
    return {
        "parser": options["parser"],
        "dependencies": options["dependencies"],
        "head_rules": options["head_rules"],
        "on_failure": options["on_failure"],
        "engine": load_engine(options["engine"], jobs=options["jobs"], scheduler=options["scheduler"]),
        "cache": False if options["no_cache"] else folder if folder is not None else True,
    }


def write_output(parts: Iterable[str], path: Path | None) -> None:
    """To a file, whole or not at all, or to standard output."""
    if path is None:
        for part in parts:
            click.echo(part, nl=False)
        return
    # The file behind a link is replaced, not the link; a device or a pipe (/dev/stdout) is no file to replace.
    whole = path.is_file() or not path.exists()
    target = path.resolve() if whole else path
    written = target.with_name(f".{target.name}.{os.getpid()}.part") if whole else target
    try:
        with written.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            stream.writelines(parts)
        if whole:
            written.replace(target)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}); name another file with -o") from None
    finally:
        if whole:
            written.unlink(missing_ok=True)


def check_writable(path: Path | None) -> None:
    """Before hours of work: see that the output can be written."""
    if path is not None and not path.parent.is_dir():
        raise SyntevalError(f"{path}: there is no folder {path.parent}; make it first")
    if path is not None and path.is_dir():
        raise SyntevalError(f"{path}: is a folder; name a file in it")
