"""`synteval combine`: fit a combination of metrics to human scores, and score with it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from synteval.cli.options import ManyMetrics, check_writable, write_output
from synteval.errors import InputError, OptionError

if TYPE_CHECKING:
    from synteval.combine.base import Combiner
    from synteval.meta.table import ScoreTable

KINDS = ("ulc", "linear", "svr", "ranking", "human_likeness")


@click.group(short_help="Combine metrics into one score.")
def combine() -> None:
    """One score made of many metrics.

    TABLE is what `synteval score --table FILE --level segment --format tsv -o TABLE` writes; beside it lies
    TABLE.json, which says how each metric was computed. A model refuses scores that were computed otherwise.
    """


@combine.command(cls=ManyMetrics, short_help="Fit a combination to human scores.")
@click.argument("table", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The model: .json or .npz.")
@click.option("--kind", type=click.Choice(KINDS), default="svr", show_default=True)
@click.option("--human", metavar="COLUMN", help="Human scores; for human_likeness a column of 0 and 1.")
@click.option("-m", "--metric", "metrics", multiple=True, metavar="COLUMN", help="Metrics (default: all).")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A parameter of the combiner, e.g. C=0.1.")
@click.option(
    "--group",
    default="segment_id",
    show_default=True,
    metavar="COLUMN",
    help="Cross-validate by this: segment_id, langpair, system.",
)
@click.option("--splits", type=click.IntRange(2), metavar="N", help="Parts (default: leave one group out, at most 10).")
@click.option("--seed", default=0, show_default=True)
@click.option("--signatures", type=click.Path(path_type=Path), metavar="FILE", help="Default: TABLE.json.")
def fit(
    table: Path,
    output: Path,
    kind: str,
    human: str | None,
    metrics: tuple[str, ...],
    settings: tuple[str, ...],
    group: str,
    splits: int | None,
    seed: int,
    signatures: Path | None,
) -> None:
    """Fit on all rows that have every score, and print what the same kind of model reaches on groups it has not seen.

    No segment and no reference is on both sides of a split: groups that tear a segment apart are refused, and what
    shares its reference with the test part is left out of training.

    \b
    synteval combine fit scored.tsv --kind svr --set C=0.1 --group langpair -o model.npz
    """
    import numpy as np

    from synteval.combine import Model, cross_predict, crossed_splits, grouped_splits, refuse_leaks, without_shared
    from synteval.combine.model import COMBINERS
    from synteval.meta.correlation import correlate
    from synteval.meta.table import read_scores

    check_writable(output)
    if output.suffix not in (".json", ".npz"):
        raise OptionError(f"{output}: a model is saved as .json or .npz")
    scores = read_scores(table)
    names = scores.choose_metrics(metrics)
    known = _signatures(table, signatures)
    x = np.stack([scores.column(name) for name in names], axis=1)
    y = np.zeros(len(x)) if kind == "ulc" and human is None else scores.column(scores.choose_human(human))
    kept = ~(np.isnan(x).any(axis=1) | np.isnan(y))
    if kept.sum() < 10:
        raise InputError(f"{table}: only {int(kept.sum())} rows have all scores; a combination needs at least 10")
    combiner = _configure(COMBINERS[kind], settings)
    try:
        combiner.fit(x[kept], y[kept])
    except ValueError as error:
        raise InputError(f"{table}: {kind} cannot be fitted to these scores: {error}") from None
    unseen = None
    if kind not in ("ulc", "human_likeness"):
        keys = _keys(scores, kept)
        groups = [value for value, keep in zip(scores.values(group), kept, strict=True) if keep]
        parts = splits or (10 if len(set(groups)) > 10 else None)
        if group == "system":
            made = crossed_splits(groups, keys["reference"], parts, 5, rng=seed)
        else:
            made = grouped_splits(groups, parts, rng=seed)
            refuse_leaks(made, {"segment": keys["segment"]})
            # Different segments may have the same reference, which must not be learnt from where it is tested.
            made = without_shared(made, keys["reference"], "reference")
        held_out = cross_predict(combiner, x[kept], y[kept], made, keys=keys)
        unseen = correlate(held_out, y[kept]).statistic
        seen = correlate(combiner.predict(x[kept]), y[kept]).statistic
        click.echo(
            f"Pearson on {int(kept.sum())} rows: {unseen:.4f} on unseen groups of {group}, {seen:.4f} on seen ones"
        )
    notes: dict[str, Any] = {"rows": int(kept.sum()), "human": human, "group": group}
    if unseen is not None:
        notes["pearson_unseen"] = round(unseen, 6)
    model = Model(combiner, names, {n: known[n] for n in names if n in known}, notes)
    model.save(output)
    click.echo(model.signature)


@combine.command(short_help="Score a table with a model.")
@click.argument("table", type=click.Path(path_type=Path))
@click.option("--model", "model_path", type=click.Path(path_type=Path), required=True, help="What `combine fit` wrote.")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write to a file.")
@click.option("--name", metavar="COLUMN", help="The new column (default: the kind of the model).")
@click.option("--signatures", type=click.Path(path_type=Path), metavar="FILE", help="Default: TABLE.json.")
def score(table: Path, model_path: Path, output: Path | None, name: str | None, signatures: Path | None) -> None:
    """Write the table with one more column, the combined score."""
    import numpy as np

    from synteval.combine import Model
    from synteval.io.tables import format_table
    from synteval.meta.table import read_scores

    check_writable(output)
    model, scores = Model.load(model_path), read_scores(table)
    column = name or model.combiner.kind
    if column in scores.table.columns:
        raise OptionError(f"{table}: has a column {column!r} already; choose another with --name")
    known = _signatures(table, signatures)
    available = {
        n: scores.column(n) for n in model.metrics if n in scores.table.columns or n in ("length", "reference_length")
    }
    values = model.score(available, known or None)
    cells = ["" if np.isnan(value) else repr(float(value)) for value in values]
    rows = [[*row, cell] for row, cell in zip(scores.table.rows, cells, strict=True)]
    write_output(format_table([*scores.table.columns, column], rows), output)


def _signatures(table: Path, given: Path | None) -> Mapping[str, str]:
    from synteval.meta.table import parse_signatures, read_signatures

    return parse_signatures(given) if given is not None else read_signatures(table) or {}


def _keys(scores: ScoreTable, kept: Any) -> dict[str, list[Any]]:
    """What must not stand on both sides of a split: the segment and its references."""
    rows = [row for row, keep in zip(scores.rows, kept, strict=True) if keep]
    return {
        "segment": [scores.table.segment_ids[row] for row in rows],
        "reference": [scores.table.references[row] for row in rows],
    }


def _configure(combiner: type[Combiner], settings: tuple[str, ...]) -> Any:
    """A combiner with parameters as written on the command line, converted as its defaults are."""
    made = combiner()
    valid = made.get_params(deep=False)
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals or name not in valid:
            raise OptionError(
                f"--set {setting}: {combiner.kind} takes {', '.join(f'{k}={v}' for k, v in valid.items())}"
            )
        try:
            value: Any
            if isinstance(valid[name], bool):
                value = {"true": True, "yes": True, "false": False, "no": False}[text.lower()]
            elif isinstance(valid[name], int):
                value = int(text)
            elif isinstance(valid[name], tuple):
                value = tuple(int(part) for part in text.split(",") if part)
            elif isinstance(valid[name], str):
                value = text
            else:
                value = None if text.lower() == "none" else float(text)
        except (ValueError, KeyError):
            raise OptionError(f"--set {setting}: {text!r} is not possible, the default is {valid[name]}") from None
        made.set_params(**{name: value})
    return made
