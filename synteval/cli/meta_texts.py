"""`synteval meta qarla`, `axioms`, `evalset` and `evalset-scores`: what works on texts rather than on scores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from synteval.cli.meta_options import Rows, output_options, write
from synteval.cli.options import ManyMetrics, check_writable, parsing_options, reading, write_output
from synteval.errors import InputError


@click.command(cls=ManyMetrics, short_help="QARLA: QUEEN, KING, JACK, clusters of metrics, the best subset.")
@click.argument("table", type=click.Path(path_type=Path))
@click.option("-m", "--metric", "metrics", multiple=True, required=True, metavar="METRIC", help="As in `score`.")
@click.option("--triples", type=click.Choice(["distinct", "pair", "product"]), default="distinct", show_default=True)
@click.option("--clusters", type=click.IntRange(1), default=10, show_default=True, help="Clusters of metrics.")
@click.option("--systems", is_flag=True, help="QUEEN of every system, by each metric and by the best subset.")
@click.option("--cases", type=click.IntRange(1), metavar="N", help="Only the first N segments.")
@parsing_options
@output_options
def qarla(
    table: Path,
    metrics: tuple[str, ...],
    triples: Any,
    clusters: int,
    systems: bool,
    cases: int | None,
    form: str,
    output: Path | None,
    **options: Any,
) -> None:
    """How well metrics tell references (models) from outputs (peers); needs four or more references a segment.

    One row a metric and one a subset of the clusters' representatives, best KING first; or, with --systems, the QUEEN
    of every system.
    """
    from synteval.meta.clustering import cluster_metrics, cluster_similarity, representatives
    from synteval.meta.qarla import best_subset, jack, mean_king, mean_queen
    from synteval.meta.similarities import test_cases
    from synteval.meta.table import ScoreTable, read_scores

    check_writable(output)
    read = read_scores(table)
    if cases is not None:
        first = set(read.segments[:cases])
        read = ScoreTable(read.table, tuple(row for row in read.rows if read.table.segment_ids[row] in first))
    scorers = _scorers(metrics, options)
    found = test_cases(read, {name: _similarity(score, higher) for name, (score, higher) in scorers.items()})
    names = list(scorers)
    groups = cluster_metrics(cluster_similarity(found), min(clusters, len(names)))
    chosen = representatives(found, groups)
    subsets = [s for s in best_subset(found, candidates=chosen, triples=triples) if len(s.metrics) > 1]
    rows: Rows = []
    if systems:
        for members in (*((k,) for k in range(len(names))), *(subset.metrics for subset in subsets[:1])):
            values = mean_queen((case.only(members) for case in found), triples=triples)
            rows += [[",".join(names[k] for k in members), system, value] for system, value in values.items()]
        write(["metrics", "system", "QUEEN"], rows, form, output)
        return

    def mean_jack(members: Sequence[int]) -> float:
        return sum(jack(case.only(members), triples=triples) for case in found) / len(found)

    for k, name in enumerate(names):
        alone = mean_king((case.only([k]) for case in found), triples=triples)
        rows.append([name, int(groups[k]) + 1, alone, mean_jack([k])])
    for subset in subsets:
        rows.append([",".join(names[k] for k in subset.metrics), None, subset.king, mean_jack(subset.metrics)])
    write(["metrics", "cluster", "KING", "JACK"], rows, form, output)


@click.command(cls=ManyMetrics, short_help="Is a metric a similarity measure? The axioms, with counter-examples.")
@click.argument("table", type=click.Path(path_type=Path))
@click.option("-m", "--metric", "metrics", multiple=True, required=True, metavar="METRIC", help="As in `score`.")
@click.option("--sample", default=200, show_default=True, help="Rows to check, drawn at random.")
@click.option("--seed", default=0, show_default=True)
@click.option("--examples", default=1, show_default=True, help="Counter-examples to show.")
@parsing_options
@output_options
def axioms(
    table: Path,
    metrics: tuple[str, ...],
    sample: int,
    seed: int,
    examples: int,
    form: str,
    output: Path | None,
    **options: Any,
) -> None:
    """Check identity, uniqueness of the maximum, growing and shrinking (Amigo et al. 2011, section 3) on real texts."""
    import numpy as np

    from synteval.io.tables import read_table
    from synteval.meta.axioms import check_axioms

    check_writable(output)
    read = read_table(table)
    usable = [row for row in range(len(read)) if read.references[row] and read.hypotheses[row].strip()]
    if not usable:
        raise InputError(f"{table}: no row has both a hypothesis and a reference")
    drawn = np.random.default_rng(seed).permutation(usable)[:sample]
    hyps, refs = [read.hypotheses[k] for k in drawn], [read.references[k][0] for k in drawn]
    rows: Rows = []
    for name, (score, higher) in _scorers(metrics, options).items():
        results = check_axioms(score, hyps, refs, higher_is_better=higher, examples=examples, rng=seed)
        for result in results.values():
            shown = " / ".join(
                f"{e.worse_score:.3f} {e.worse!r} not below {e.better_score:.3f} {e.better!r} for {e.reference!r}"
                for e in result.counter_examples
            )
            rows.append([name, result.axiom, "yes" if result.holds else "no", result.held, result.tried, shown])
    write(["metric", "axiom", "holds", "held", "tried", "counter-example"], rows, form, output)


@click.command(short_help="A test set of mt-metrics-eval as a table.")
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("langpair")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write to a file.")
def evalset(folder: Path, langpair: str, output: Path | None) -> None:
    """Write the texts, human scores and metric scores of a language pair as a table that `score --table` reads."""
    from synteval.io.tables import format_table
    from synteval.meta.evalset import evalset_rows, read_evalset

    check_writable(output)
    columns, rows = evalset_rows(read_evalset(folder, langpair))
    write_output(format_table(columns, rows), output)


@click.command(
    "evalset-scores", cls=ManyMetrics, short_help="Write a table's metrics as score files of mt-metrics-eval."
)
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("langpair")
@click.argument("table", type=click.Path(path_type=Path))
@click.option("-m", "--metric", "metrics", multiple=True, metavar="COLUMN", help="Metrics (default: all).")
@click.option("--reference", default="all", show_default=True, metavar="NAME", help="The references that were used.")
def evalset_scores(folder: Path, langpair: str, table: Path, metrics: tuple[str, ...], reference: str) -> None:
    """Write metric columns of TABLE (made from `meta evalset`) into FOLDER/metric-scores."""
    from synteval.meta.evalset import read_evalset, table_scores
    from synteval.meta.table import read_scores

    target, scores = read_evalset(folder, langpair), read_scores(table)
    names = metrics or tuple(n for n in scores.metrics if n not in target.metric_names())
    for name in scores.choose_metrics(names):
        for path in target.write_metric(name.replace(":", "_"), reference, table_scores(target, scores, name)):
            click.echo(str(path))


def _similarity(score: Any, higher_is_better: bool) -> Any:
    """A metric as a similarity: error rates turned round."""
    return score if higher_is_better else lambda hyps, refs: -score(hyps, refs)


def _scorers(names: Sequence[str], options: dict[str, Any]) -> dict[str, tuple[Any, bool]]:
    """For each metric a function that scores texts against one reference each, and whether higher is better."""
    from synteval.metrics.registry import load_metrics
    from synteval.results.evaluate import evaluate

    read = reading(options)

    def scorer(name: str, metric: Any) -> Any:
        def score(hyps: Sequence[str], refs: Sequence[str]) -> Any:
            run = evaluate({"texts": list(hyps)}, [[ref] for ref in refs], {name: metric}, **read)
            return run.segment_scores["texts"][name]

        return score

    return {name: (scorer(name, metric), metric.higher_is_better) for name, metric in load_metrics(names).items()}
