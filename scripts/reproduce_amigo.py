"""Do the properties of Amigo et al. 2011 hold here? Additive reliability, heterogeneity, gain: numbers and figures.

    python scripts/reproduce_amigo.py --data ../shared/data -o amigo.md --figures docs/figures

Translation: TED talks from Chinese under MQM (13 systems); generation: WebNLG+ 2020 (16 systems). Quality is the sum
of fluency and adequacy, as in the paper. The metrics are the suite's, at several depths, in two groups: lexical and
linguistic.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from reproduction import LEXICAL, SEMANTIC, SYNTACTIC, arguments, available, scored, write

from synteval.meta import figures
from synteval.meta.correlation import correlate
from synteval.meta.experiments import SetResult, lexical_and_mixed, metric_pairs, random_sets
from synteval.meta.pairs import compare
from synteval.meta.presentation import render
from synteval.meta.table import ScoreTable

SUITES = {
    "mqm_ted_zhen": ("TED zh-en (MQM)", ("human_fluency", "human_accuracy"), ("reference_2",)),
    "webnlg2020": ("WebNLG+ 2020", ("human_fluency", "human_correctness"), None),
}
SIZES = (2, 3, 5, 10, 20)


def correlation(results: list[SetResult], first: str, second: str) -> float:
    """Spearman's rho of two measures over sets."""
    values = [np.array([getattr(r, name) for r in results]) for name in (first, second)]
    return correlate(*values, method="spearman").statistic


def suite(
    table: ScoreTable, quality: tuple[str, ...], specs: list[str], n_sets: int, prefix: Path | None
) -> list[list[object]]:
    """The findings on one data set, one row a question."""
    human = np.sum([table.matrix(column) for column in quality], axis=0)
    pairs = compare(
        {spec: table.oriented(spec) for spec in specs},
        human,
        hypotheses=table.hypotheses(),
        references=table.references(),
    )
    lexical = [spec for spec in specs if spec in LEXICAL]
    linguistic = [spec for spec in specs if spec not in LEXICAL]
    two = metric_pairs(pairs)
    sets = random_sets(pairs, SIZES, n_sets=n_sets, rng=0)
    plain, mixed = lexical_and_mixed(pairs, lexical, linguistic, range(2, 11), n_sets=n_sets, rng=0)
    gains = np.array([r.gain for r in sets if not np.isnan(r.gain)])
    added = np.array([r.additive for r in two])
    sizes = sorted({len(r.metrics) for r in plain})
    heterogeneity = {
        kind: [float(np.mean([r.heterogeneity for r in results if len(r.metrics) == size])) for size in sizes]
        for kind, results in (("lexical", plain), ("mixed", mixed))
    }
    if prefix is not None:
        prefix.parent.mkdir(parents=True, exist_ok=True)
        figures.additive_reliability(two, f"{prefix}-additive.png", title="Pairs of metrics")
        figures.against_heterogeneity(sets, f"{prefix}-reliability.png", title="Random sets")
        figures.against_heterogeneity(sets, f"{prefix}-gain.png", what="gain", title="Random sets")
        figures.lexical_against_mixed(plain, mixed, f"{prefix}-linguistic.png", title="Lexical and mixed sets")
    at = sizes.index(5)
    return [
        ["metrics, ordered pairs of outputs", f"{len(specs)}, {pairs.ordered}"],
        ["pairs of metrics: share with R(X) >= the better one's R", f"{(added >= -1e-12).mean():.3f} of {len(two)}"],
        ["pairs of metrics: mean and lowest difference", f"{added.mean():+.4f}, {added.min():+.4f}"],
        [
            "random sets: Spearman of heterogeneity and reliability",
            f"{correlation(sets, 'heterogeneity', 'reliability'):.3f}",
        ],
        ["random sets: share with gain > 0", f"{(gains > 0).mean():.3f} of {len(gains)}"],
        ["random sets: mean, lowest, highest gain", f"{gains.mean():+.4f}, {gains.min():+.4f}, {gains.max():+.4f}"],
        ["random sets: Spearman of heterogeneity and gain", f"{correlation(sets, 'heterogeneity', 'gain'):.3f}"],
        [
            "mean heterogeneity of 5 metrics, lexical / mixed",
            f"{heterogeneity['lexical'][at]:.3f} / {heterogeneity['mixed'][at]:.3f}",
        ],
        [
            "sizes at which mixed sets are more heterogeneous",
            f"{np.sum(np.array(heterogeneity['mixed']) > np.array(heterogeneity['lexical']))} of {len(sizes)}",
        ],
    ]


def main() -> None:
    options = arguments(__doc__ or "")
    options.add_argument("--figures", type=Path, help="draw the figures into this folder")
    options.add_argument("--n-sets", type=int, default=100)
    args = options.parse_args()
    specs = available([*SYNTACTIC, *SEMANTIC, *LEXICAL])
    parts = ["# Sets of metrics: reliability, heterogeneity, gain\n"]
    for folder, (name, quality, references) in SUITES.items():
        table = scored(args.data / folder / "segments.tsv", specs, args, references)
        prefix = args.figures / folder.replace("_", "-") if args.figures is not None else None
        rows = suite(table, quality, specs, args.n_sets, prefix)
        parts += [f"## {name}, {' + '.join(quality)}\n", render(["question", "answer"], rows, "markdown")]
    write(parts, args.output)


if __name__ == "__main__":
    main()
