"""Segment-level Pearson correlation with human adequacy on WMT17 (cs, de, ru, zh to English): every metric, the
combination on pairs it has not seen, and the figures published then.

    python scripts/reproduce_wmt17.py --data ../shared/data -o wmt17.md

`--unseen TABLE` adds tables of other language pairs (columns hypothesis, reference, langpair, human_adequacy_z), on
which the combination that ships is used as it is.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from reproduction import LEXICAL, REFERENCE_FREE, SEMANTIC, SYNTACTIC, arguments, available, scored, write

from synteval.combine import ULC
from synteval.combine.blend import Blend
from synteval.meta.correlation import correlate
from synteval.meta.presentation import render
from synteval.meta.table import ScoreTable

HUMAN = "human_adequacy_z"
PUBLISHED = {
    "Blend": (0.594, 0.571, 0.622, 0.661),
    "MEANT 2.0": (0.578, 0.565, 0.607, 0.639),
    "chrF++": (0.523, 0.534, 0.588, 0.593),
    "TreeAggreg": (0.486, 0.526, 0.555, 0.535),
    "UHH_TSKM": (0.507, 0.479, 0.465, 0.477),
}


def by_pair(
    table: ScoreTable, scores: dict[str, np.ndarray[tuple[int], np.dtype[np.float64]]], pairs: list[str]
) -> list[list[object]]:
    """One row a metric: |r| of each language pair and their mean, best mean first."""
    human, langpair = table.column(HUMAN), np.array(table.values("langpair"))
    rows: list[list[object]] = []
    for name, values in scores.items():
        found = [abs(correlate(values[langpair == pair], human[langpair == pair]).statistic) for pair in pairs]
        rows.append([name, *found, float(np.mean(found))])
    return sorted(rows, key=lambda row: -row[-1])  # type: ignore[operator]


def main() -> None:
    options = arguments(__doc__ or "")
    options.add_argument("--unseen", type=Path, nargs="*", default=[], metavar="TABLE")
    args = options.parse_args()
    specs = available([*SYNTACTIC, *SEMANTIC, *LEXICAL, *REFERENCE_FREE])
    table = scored(args.data / "wmt17_da" / "segments.tsv", specs, args)
    pairs = sorted(set(table.values("langpair")))
    columns = ["metric", *pairs, "mean"]
    scores = {spec: table.column(spec) for spec in specs}
    turned = tuple(k for k, spec in enumerate(specs) if spec.partition(":")[0] in ("ter", "wer", "per"))
    x = np.stack(list(scores.values()), axis=1)
    scores["ULC of all"] = ULC("zscore", lower_is_better=turned).fit(x).predict(x)
    rows = by_pair(table, scores, pairs)
    notes = Blend().combination.notes["held_out_pearson"]
    combined = [["**blend**, the pair held out", *(notes[pair] for pair in pairs), notes["mean"]]]
    published = [[f"{name} (published)", *values, float(np.mean(values))] for name, values in PUBLISHED.items()]
    parts = [
        "# WMT17, segment level: |Pearson| with human adequacy\n",
        f"{len(table.table)} outputs; parser {args.parser}. The combination is fitted on the other pairs of WMT17 and "
        "on WMT13 without the pair (`scripts/train_blend.py`).\n",
        render(columns, [*combined, *published, *rows], "markdown", decimals=3),
    ]
    for path in args.unseen:
        other = scored(path, [*specs, "blend"], args)
        found = sorted(set(other.values("langpair")))
        rows = by_pair(other, {spec: other.column(spec) for spec in [*specs, "blend"]}, found)
        parts += [f"# {path.parent.name}: pairs that nothing was fitted on\n"]
        parts += [render(["metric", *found, "mean"], rows, "markdown", decimals=3)]
    write(parts, args.output)


if __name__ == "__main__":
    main()
