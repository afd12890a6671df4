"""`synteval meta reliability`, `heterogeneity` and `gain`: sets of metrics (Amigo et al. 2011)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from synteval.cli.meta_options import Rows, lower_is_better_option, parts, table_options, write
from synteval.cli.options import ManyMetrics
from synteval.errors import InputError

if TYPE_CHECKING:
    from synteval.meta.pairs import Pairs
    from synteval.meta.table import ScoreTable

F = TypeVar("F", bound=Callable[..., Any])


def pair_options(command: F) -> F:
    for option in reversed(
        [
            click.option("--pairs", type=click.Choice(["segment", "system"]), default="segment", show_default=True),
            click.option("--strict", is_flag=True, help="Ask for higher scores, not for scores at least as high."),
            click.option("--keep-identical", is_flag=True, help="Keep pairs with equal texts or with a reference."),
            lower_is_better_option,
        ]
    ):
        command = option(command)
    return command


def sets_options(command: F) -> F:
    for option in reversed(
        [
            click.option("--set", "sets", multiple=True, metavar="A,B,...", help="A set of metrics; repeatable."),
            click.option("--sizes", metavar="N,N,...", help="Random sets of these sizes."),
            click.option("--n-sets", default=100, show_default=True, help="Random sets a size."),
            click.option("--seed", default=0, show_default=True),
        ]
    ):
        command = option(command)
    return command


@click.command(cls=ManyMetrics, short_help="Reliability and sensitivity of sets of metrics.")
@table_options
@pair_options
@sets_options
def reliability(table: Path, form: str, output: Path | None, by: str | None, **options: Any) -> None:
    """R(X), S(X) and H(X) (Amigo et al. 2011): every metric alone and all together, or the sets you name."""
    from synteval.meta.heterogeneity import heterogeneity as contradiction
    from synteval.meta.reliability import reliability as measure

    rows: Rows = []
    for label, part in parts(table, by):
        pairs = _compare(part, options)
        alone: list[Sequence[str]] = [[name] for name in pairs.names]
        for members in _sets(pairs, options) or [*alone, *([pairs.names] if len(alone) > 1 else [])]:
            r = measure(pairs, members)
            rows.append(
                [
                    *label,
                    ",".join(members),
                    r.reliability,
                    r.sensitivity,
                    contradiction(pairs, members),
                    r.agreed,
                    pairs.ordered,
                ]
            )
    write(["metrics", "reliability", "sensitivity", "heterogeneity", "agreed", "pairs"], rows, form, output, by)


@click.command(cls=ManyMetrics, short_help="Heterogeneity against reliability of random sets.")
@table_options
@pair_options
@sets_options
@click.option("--linguistic", multiple=True, metavar="COLUMN", help="Compare sets with and without these metrics.")
@click.option("--figure", type=click.Path(path_type=Path), metavar="FILE", help="Draw it (.png, .svg, .pdf).")
def heterogeneity(
    table: Path,
    form: str,
    output: Path | None,
    by: str | None,
    linguistic: tuple[str, ...],
    figure: Path | None,
    **options: Any,
) -> None:
    """Mean H(X) and R(X) of random sets by size; with --linguistic, of sets without and with these metrics."""
    import numpy as np

    from synteval.meta import figures
    from synteval.meta.experiments import lexical_and_mixed, random_sets

    rows: Rows = []
    for label, part in parts(table, by):
        pairs = _compare(part, options)
        sizes = _sizes(options) or range(1, min(10, len(pairs.names)) + 1)
        settings = {"n_sets": options["n_sets"], "rng": options["seed"]}
        if linguistic:
            for name in linguistic:
                pairs.index([name])
            lexical = [name for name in pairs.names if name not in linguistic]
            without, mixed = lexical_and_mixed(pairs, lexical, linguistic, sizes, **settings)
            kinds = {"lexical": without, "mixed": mixed}
        else:
            kinds = {"all": random_sets(pairs, sizes, **settings)}
        for kind, results in kinds.items():
            for size in sorted({len(r.metrics) for r in results}):
                mine = [r for r in results if len(r.metrics) == size]
                means = [float(np.nanmean([getattr(r, f) for r in mine])) for f in ("heterogeneity", "reliability")]
                rows.append([*label, kind, size, len(mine), *means])
        if figure:
            path = figure.with_name("-".join([figure.stem, *label]) + figure.suffix)
            if linguistic:
                figures.lexical_against_mixed(kinds["lexical"], kinds["mixed"], path)
            else:
                figures.against_heterogeneity(kinds["all"], path)
    write(["sets", "size", "n", "heterogeneity", "reliability"], rows, form, output, by)


@click.command(cls=ManyMetrics, short_help="Is agreement of metrics worth more than a larger difference of one?")
@table_options
@pair_options
@sets_options
@click.option("--match", type=click.Choice(["nearest", "at_least"]), default="nearest", show_default=True)
@click.option("--summary", is_flag=True, help="Only how often additive reliability and gain are positive.")
@click.option("--figure", type=click.Path(path_type=Path), metavar="FILE", help="Draw gain against heterogeneity.")
def gain(
    table: Path,
    form: str,
    output: Path | None,
    by: str | None,
    match: Any,
    summary: bool,
    figure: Path | None,
    **options: Any,
) -> None:
    """Reliability gain of all pairs of metrics, or of the sets you name (Amigo et al. 2011)."""
    import numpy as np

    from synteval.meta import figures
    from synteval.meta.experiments import measure_sets

    rows: Rows = []
    for label, part in parts(table, by):
        pairs = _compare(part, options)
        sets = _sets(pairs, options) or list(itertools.combinations(pairs.names, 2))
        results = measure_sets(pairs, sets, sensitivity_match=match)
        if summary:
            gains, additive = (np.array([getattr(r, f) for r in results]) for f in ("gain", "additive"))
            kept = ~np.isnan(gains)
            rows.append(
                [
                    *label,
                    int(kept.sum()),
                    float((additive[kept] >= 0).mean()),
                    float((gains[kept] > 0).mean()),
                    *(float(f(gains[kept])) for f in (np.mean, np.min, np.max)),
                ]
            )
        else:
            rows += [
                [*label, ",".join(r.metrics), r.reliability, r.sensitivity, r.heterogeneity, r.additive, r.gain]
                for r in results
            ]
        if figure:
            path = figure.with_name("-".join([figure.stem, *label]) + figure.suffix)
            figures.against_heterogeneity(results, path, what="gain")
    columns = ["metrics", "reliability", "sensitivity", "heterogeneity", "additive", "gain"]
    if summary:
        columns = ["sets", "additive >= 0", "gain > 0", "mean gain", "lowest", "highest"]
    write(columns, rows, form, output, by)


def _compare(part: ScoreTable, options: dict[str, Any]) -> Pairs:
    from synteval.meta.pairs import compare as compare_pairs

    names = part.choose_metrics(options["metrics"])
    return compare_pairs(
        {name: part.oriented(name, options["lower_is_better"]) for name in names},
        part.matrix(part.choose_human(options["human"])),
        pairs=options["pairs"],
        strict=options["strict"],
        hypotheses=None if options["keep_identical"] else part.hypotheses(),
        references=part.references(),
    )


def _sets(pairs: Pairs, options: dict[str, Any]) -> list[Sequence[str]]:
    """The sets the user named, and random ones of the sizes asked for."""
    from synteval.meta.experiments import draw_sets

    sets: list[Sequence[str]] = [_members(text, pairs.names) for text in options["sets"]]
    if sizes := _sizes(options):
        sets += draw_sets(pairs.names, sizes, options["n_sets"], rng=options["seed"])
    return sets


def _members(text: str, names: Sequence[str]) -> list[str]:
    """The metrics of a set as it is written; the names of metrics may hold commas themselves: `esk:d=2,beta=1`."""
    members: list[str] = []
    parts = text.split(",")
    while parts:
        longest = next((n for n in range(len(parts), 0, -1) if ",".join(parts[:n]).strip() in names), 1)
        members.append(",".join(parts[:longest]).strip())
        parts = parts[longest:]
    return members


def _sizes(options: dict[str, Any]) -> list[int]:
    text = options["sizes"]
    if text is None:
        return []
    try:
        return [int(size) for size in text.split(",")]
    except ValueError:
        raise InputError(f"--sizes {text}: give whole numbers with commas between, such as 2,3,5") from None
