"""`synteval cache info|verify|prune|clear`."""

from __future__ import annotations

import json
from pathlib import Path

import click


def _size(count: int) -> str:
    value = float(count)
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if value < 1024 or unit == "GiB":
            return f"{value:.0f} {unit}" if unit == "bytes" else f"{value:.1f} {unit}"
        value /= 1024
    raise AssertionError


_folder = click.option("--cache-dir", type=click.Path(path_type=Path), metavar="DIR", help="Where the cache lies.")


@click.group(short_help="The parse cache: info, verify, prune, clear.")
def cache() -> None:
    """Look after the parse cache. It lies in the platform's cache directory, or where SYNTEVAL_CACHE says."""


@cache.command()
@_folder
@click.option("--format", "output_format", type=click.Choice(["table", "json"]), default="table", show_default=True)
def info(cache_dir: Path | None, output_format: str) -> None:
    """Where the cache is, how large, and what it holds."""
    from synteval.parsing.cache import Cache

    found = Cache(cache_dir).info()
    if output_format == "json":
        parsers = [{"parser": name, "records": count, "bytes": size} for name, count, size in found.parsers]
        click.echo(
            json.dumps({"path": str(found.path), "bytes": found.size, "records": found.records, "parsers": parsers})
        )
        return
    click.echo(f"{found.path}: {found.records} parses, {_size(found.size)}")
    for name, count, size in found.parsers:
        click.echo(f"  {name}  {count} parses, {_size(size)}")


@cache.command()
@_folder
def verify(cache_dir: Path | None) -> None:
    """Read every record; remove the damaged ones. They are parsed again when needed."""
    from synteval.parsing.cache import Cache

    sound, removed = Cache(cache_dir).verify()
    click.echo(f"{sound} sound, {removed} damaged and removed")


@cache.command()
@_folder
@click.option("--older-than", "days", type=click.FloatRange(0), metavar="DAYS", help="Remove records older than this.")
@click.option("--max-size", type=click.FloatRange(0), metavar="MIB", help="Keep the newest records up to this size.")
@click.option("--parser", metavar="PREFIX", help="Remove records of parsers whose fingerprint begins so.")
def prune(cache_dir: Path | None, days: float | None, max_size: float | None, parser: str | None) -> None:
    """Remove some of the records: without options, those of parsers and models that are no longer installed."""
    from synteval.parsing.cache import Cache
    from synteval.parsing.registry import is_current

    store = Cache(cache_dir)
    if days is None and max_size is None and parser is None:
        stale = [fingerprint for fingerprint, _, _ in store.info().parsers if not is_current(fingerprint)]
        removed = sum(store.prune(parser=fingerprint) for fingerprint in stale)
    else:
        size = None if max_size is None else int(max_size * 1024**2)
        removed = store.prune(days=days, size=size, parser=parser)
    click.echo(f"{removed} removed")


@cache.command()
@_folder
@click.option("--yes", is_flag=True, help="Do not ask.")
def clear(cache_dir: Path | None, yes: bool) -> None:
    """Delete the whole cache."""
    import sys

    from synteval.parsing.cache import Cache

    store = Cache(cache_dir)
    if not yes and sys.stdin.isatty():
        click.confirm(f"Delete {store.path}?", abort=True)
    click.echo(f"{_size(store.clear())} freed")
