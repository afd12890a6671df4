"""The command `synteval`: finds its sub-commands when they are called, and turns errors into one line.

Only this file is imported for `synteval --help`.
"""

from __future__ import annotations

import importlib
import io
import os
import sys
import warnings
from typing import Any, TextIO

import click

from synteval.errors import SyntevalError
from synteval.version import __version__

# name: (module, object, what the help says)
COMMANDS = {
    "score": ("synteval.cli.score", "score", "Score system outputs against references."),
    "explain": ("synteval.cli.explain", "explain", "What matched and what is missing in a segment, tree by tree."),
    "report": ("synteval.cli.report", "report", "One self-contained page: scores, differences, trees."),
    "plot": ("synteval.cli.plot", "plot", "Pictures for papers: ranking, distributions, correlation of metrics."),
    "robustness": ("synteval.cli.robustness", "robustness", "Does the ranking survive a change of parser?"),
    "parse": ("synteval.cli.parse", "parse", "Parse a file and write CoNLL-U, brackets or JSON."),
    "relations": ("synteval.cli.relations", "relations", "Grammatical relations: extract, score, compare parsers."),
    "parse-eval": ("synteval.cli.parse_eval", "parse_eval", "Score parses against gold trees: UAS, LAS, bracketing."),
    "meta": ("synteval.cli.meta", "meta", "Meta-evaluation: correlation, reliability, QARLA."),
    "combine": ("synteval.cli.combine", "combine", "Combine metrics into one score."),
    "parsers": ("synteval.cli.parsers", "parsers", "What parsers there are, and how to install the rest."),
    "metrics": ("synteval.cli.metrics", "metrics", "What metrics there are, with their options."),
    "cache": ("synteval.cli.cache", "cache", "The parse cache: info, verify, prune, clear."),
    "demo": ("synteval.cli.demo", "demo", "A small built-in example through the whole way."),
}


class LazyGroup(click.Group):
    """A group that imports a sub-command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name, _ = COMMANDS[cmd_name]
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            from synteval.errors import unknown

            raise unknown("command", args[0], COMMANDS)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, _, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, "-V", "--version", message="synteval %(version)s")
def cli() -> None:
    """Score text with syntax and meaning.

    synteval parses system output and references, and compares the parses. Try `synteval demo`, then
    `synteval score hyp.txt -r ref.txt`.
    """


def _one_line(message: str) -> str:
    # A path may hold bytes that are no UTF-8; they cannot be printed as they are.
    return " ".join(message.encode("utf-8", "backslashreplace").decode().split())


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    if issubclass(category, UserWarning):
        click.echo(f"synteval: warning: {_one_line(str(message))}", err=True)


def run(args: list[str] | None = None) -> int:
    """Run the command; the exit status. Bad input is one line on standard error and 2."""
    warnings.showwarning = _show_warning
    try:
        status: Any = cli.main(args, prog_name="synteval", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except SyntevalError as error:
        message = str(error)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return 2
    except click.ClickException as error:
        message = f"{error.format_message()} (see `{_command_path(error)} --help`)"
    except (KeyboardInterrupt, click.Abort):
        click.echo("synteval: stopped; what was parsed so far is kept in the cache", err=True)
        return 130
    except BrokenPipeError:
        # The reader of a pipe has seen enough; Python would complain again when it closes standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MemoryError:
        message = "out of memory; score fewer or shorter segments at a time"
    except OSError as error:
        message = f"{error.filename or 'file'}: {error.strerror or error}"
    click.echo(f"synteval: error: {_one_line(message)}", err=True)
    return 2


def _command_path(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return context.command_path if context is not None else "synteval"


def main() -> None:
    """The entry point. Output is UTF-8 whatever the locale; a lone surrogate, as JSON may hold one, is escaped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(run())
