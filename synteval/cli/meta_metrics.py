"""`synteval meta correlate`, `agreement`, `compare` and `significance`: one metric at a time against human scores."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import click

from synteval.cli.meta_options import Rows, lower_is_better_option, parts, table_options, write
from synteval.cli.options import ManyMetrics, check_writable


@click.command(cls=ManyMetrics, short_help="Correlation of metrics with human scores.")
@table_options
@click.option("--method", "methods", type=click.Choice(["pearson", "spearman", "kendall"]), multiple=True)
@click.option("--level", "levels", type=click.Choice(["pooled", "by_segment", "by_system", "system"]), multiple=True)
@click.option("--partial", multiple=True, metavar="COLUMN", help="Also with this held constant: a column, or `length`.")
@click.option("--confidence", is_flag=True, help="Bootstrap intervals.")
@click.option("--confidence-level", default=0.95, show_default=True)
@click.option("--resample", type=click.Choice(["systems", "segments", "both"]), default="segments", show_default=True)
@click.option("--n-resamples", default=1000, show_default=True)
@click.option("--seed", default=0, show_default=True)
def correlate(
    table: Path,
    human: str | None,
    metrics: tuple[str, ...],
    by: str | None,
    form: str,
    output: Path | None,
    methods: tuple[Any, ...],
    levels: tuple[Any, ...],
    partial: tuple[str, ...],
    confidence: bool,
    confidence_level: float,
    resample: Any,
    n_resamples: int,
    seed: int,
) -> None:
    """Correlate metrics with human scores: pooled over all segments, averaged by segment or by system, or of systems.

    `--partial length` adds the correlation that is left when sentence length (words of the output) is held constant.
    """
    from synteval.meta.correlation import correlate as correlation
    from synteval.meta.resampling import bootstrap, statistic

    check_writable(output)
    columns = ["metric", "method", "level", "n", "correlation"]
    columns += ["low", "high"] if confidence else []
    columns += ["partial"] + (["partial low", "partial high"] if confidence else []) if partial else []
    settings = {"resample": resample, "n_resamples": n_resamples, "confidence_level": confidence_level, "rng": seed}
    rows: Rows = []
    for label, part in parts(table, by):
        quality = part.matrix(part.choose_human(human))
        held = tuple(part.matrix(name) for name in partial)
        for name in part.choose_metrics(metrics):
            scores = part.matrix(name)
            for method, level in itertools.product(methods or ("pearson",), levels or ("pooled",)):
                row: list[Any] = [*label, name, method, level]
                for covariates in ((), held) if held else ((),):
                    r = correlation(scores, quality, method=method, level=level, partial=covariates)
                    row += [r.n, r.statistic] if not covariates else [r.statistic]
                    if confidence:
                        interval = bootstrap(scores, quality, statistic(method, level), partial=covariates, **settings)
                        row += [interval.low, interval.high]
                rows.append(row)
    write(columns, rows, form, output, by)


@click.command(cls=ManyMetrics, short_help="Pairwise accuracy of systems and of segments, ties calibrated.")
@table_options
@lower_is_better_option
def agreement(
    table: Path,
    human: str | None,
    metrics: tuple[str, ...],
    by: str | None,
    form: str,
    output: Path | None,
    lower_is_better: tuple[str, ...],
) -> None:
    """Share of pairs of systems, and of outputs of the same segment, that a metric orders as humans do."""
    from synteval.meta.agreement import calibrate_ties, system_accuracy

    rows: Rows = []
    for label, part in parts(table, by):
        quality = part.matrix(part.choose_human(human))
        for name in part.choose_metrics(metrics):
            scores = part.oriented(name, lower_is_better)
            systems, ties = system_accuracy(scores, quality), calibrate_ties(scores, quality)
            rows.append(
                [
                    *label,
                    name,
                    systems.accuracy,
                    systems.pairs,
                    ties.uncalibrated,
                    ties.accuracy,
                    ties.epsilon,
                    ties.pairs,
                ]
            )
    columns = ["metric", "system accuracy", "system pairs", "acc_eq", "calibrated", "epsilon", "segment pairs"]
    write(columns, rows, form, output, by)


@click.command(cls=ManyMetrics, short_help="Is one metric better correlated than another?")
@table_options
@click.option("--baseline", required=True, metavar="COLUMN", help="The metric that the others are compared with.")
@lower_is_better_option
@click.option("--permute", type=click.Choice(["systems", "segments", "both"]), default="both", show_default=True)
@click.option("--n-resamples", default=1000, show_default=True)
@click.option("--seed", default=0, show_default=True)
def compare(
    table: Path,
    human: str | None,
    metrics: tuple[str, ...],
    by: str | None,
    form: str,
    output: Path | None,
    baseline: str,
    lower_is_better: tuple[str, ...],
    permute: Any,
    n_resamples: int,
    seed: int,
) -> None:
    """Test metrics against a baseline by their pooled Pearson correlation: Williams' test and a permutation test.

    Metrics whose scores fall as quality rises (TER) are turned round first. p is that the baseline is as good.
    """
    from synteval.meta.resampling import permutation_test, statistic
    from synteval.meta.williams import williams_test

    rows: Rows = []
    for label, part in parts(table, by):
        quality = part.matrix(part.choose_human(human))
        part.choose_metrics([baseline])
        base = part.oriented(baseline, lower_is_better)
        for name in part.choose_metrics(metrics):
            if name == baseline:
                continue
            scores = part.oriented(name, lower_is_better)
            williams = williams_test(scores, base, quality)
            test = permutation_test(
                scores,
                base,
                quality,
                statistic(),
                permute=permute,
                alternative="greater",
                n_resamples=n_resamples,
                rng=seed,
            )
            rows.append([*label, name, williams.difference, williams.pvalue, test.pvalue])
    write(["metric", "difference", "p (Williams)", "p (permutation)"], rows, form, output, by)


@click.command(cls=ManyMetrics, short_help="Do significant differences agree with the humans'?")
@table_options
@lower_is_better_option
@click.option("--alpha", "alphas", type=float, multiple=True, help="Default: .10 .05 .025 .01 .005")
@click.option("--test", type=click.Choice(["z", "t"]), default="z", show_default=True)
@click.option("--any-sign", is_flag=True, help="Count a hit with the opposite sign too.")
def significance(
    table: Path,
    human: str | None,
    metrics: tuple[str, ...],
    by: str | None,
    form: str,
    output: Path | None,
    lower_is_better: tuple[str, ...],
    alphas: tuple[float, ...],
    test: Any,
    any_sign: bool,
) -> None:
    """Precision and recall of a metric's significant pairs of systems against the humans' (Lin & Hovy 2003)."""
    from synteval.meta.significance_agreement import ALPHAS, significance_agreement

    rows: Rows = []
    for label, part in parts(table, by):
        quality = part.matrix(part.choose_human(human))
        for name, alpha in itertools.product(part.choose_metrics(metrics), alphas or ALPHAS):
            scores = part.oriented(name, lower_is_better)
            r = significance_agreement(scores, quality, alpha=alpha, test=test, require_sign=not any_sign)
            rows.append([*label, name, alpha, r.precision, r.recall, r.metric_significant, r.human_significant, r.hits])
    write(["metric", "alpha", "precision", "recall", "metric", "human", "hits"], rows, form, output, by)
