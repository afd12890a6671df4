"""`synteval metrics`: every metric with its options and their defaults, and the groups."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import click

from synteval.errors import SyntevalError


@click.command(short_help="What metrics there are, with their options.")
@click.argument("names", nargs=-1)
@click.option("--format", "output_format", type=click.Choice(["table", "json"]), default="table", show_default=True)
def metrics(names: tuple[str, ...], output_format: str) -> None:
    """List the metrics that -m takes; with NAMES, their definitions in full."""
    from synteval.metrics.registry import GROUPS, group_members, metric_class, registered_metrics

    if names:
        for name in names:
            click.echo(_definition(metric_class(name)))
        return
    rows = []
    for name in registered_metrics():
        try:
            rows.append(_describe(name, metric_class(name)))
        except SyntevalError as error:
            rows.append({"name": name, "summary": f"cannot be loaded: {error}", "options": {}})
    if output_format == "json":
        groups = {group: group_members(group) for group in (*GROUPS, "all")}
        click.echo(json.dumps({"metrics": rows, "groups": groups}, indent=1))
        return
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        click.echo(f"{row['name']:<{width}}  {row['summary']}")
        if row["options"]:
            click.echo(f"{'':<{width}}  :" + ",".join(f"{key}={value}" for key, value in row["options"].items()))
    click.echo("\ngroups")
    for group in (*GROUPS, "all"):
        click.echo(f"{group:<{width}}  {' '.join(group_members(group) or ())}")


def _describe(name: str, metric: Any) -> dict[str, Any]:
    from synteval.metrics.options import short_value

    summary = (metric.__doc__ or "").strip().split("\n")[0]
    options = {
        f.name: short_value(f.default) for f in dataclasses.fields(metric) if f.init and f.name not in metric.unsigned
    }
    return {"name": name, "summary": summary, "options": options}


def _definition(metric: Any) -> str:
    import inspect
    import sys

    module = sys.modules[metric.__module__]
    return f"{metric.name}: {inspect.cleandoc(metric.__doc__ or '')}\n\n{inspect.cleandoc(module.__doc__ or '')}\n"
