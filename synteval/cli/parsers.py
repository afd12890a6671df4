"""`synteval parsers`: every parser known, installed or not, with the command that installs it."""

from __future__ import annotations

import json

import click


@click.command(short_help="What parsers there are, and how to install the rest.")
@click.option("--format", "output_format", type=click.Choice(["table", "json"]), default="table", show_default=True)
def parsers(output_format: str) -> None:
    """List the parsers that --parser takes."""
    from synteval.parsing import known_parsers

    known = known_parsers()
    if output_format == "json":
        click.echo(json.dumps([vars(info) for info in known], indent=1))
        return
    width = max(len(info.name) for info in known)
    for info in known:
        state = f"installed {info.detail}".rstrip() if info.installed else "not installed"
        click.echo(f"{info.name:<{width}}  {state:<26}  {info.description}")
        if not info.installed:
            click.echo(f"{'':<{width}}  install: {info.install}")
