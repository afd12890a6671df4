"""Which metrics follow human judgements of fluency, which of adequacy? Segment and system level, with intervals.

    python scripts/reproduce_fluency.py --data ../shared/data -o fluency.md

TED talks from Arabic and Farsi (one system each), TED talks from Chinese under MQM (13 systems, the better
reference), and WebNLG+ 2020 (16 systems). Beside each correlation stands the one with the length of the output held
constant: short sentences are judged more fluent, whatever their grammar.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from reproduction import LEXICAL, REFERENCE_FREE, SEMANTIC, SYNTACTIC, arguments, available, scored, write

from synteval.meta.correlation import correlate
from synteval.meta.presentation import render
from synteval.meta.resampling import bootstrap, statistic
from synteval.meta.table import ScoreTable


@dataclass(frozen=True)
class Study:
    """A data set, its human columns of fluency and of adequacy, and the references to use."""

    name: str
    folder: str
    fluency: tuple[str, ...]
    adequacy: str
    part: str | None = None
    references: tuple[str, ...] | None = None


STUDIES = (
    Study("TED ar-en", "mt_ted_fluency_adequacy", ("human_fluency",), "human_adequacy", "ar-en", ("reference_tok",)),
    Study("TED fa-en", "mt_ted_fluency_adequacy", ("human_fluency",), "human_adequacy", "fa-en", ("reference_tok",)),
    Study(
        "TED zh-en, MQM", "mqm_ted_zhen", ("human_fluency", "human_grammar"), "human_accuracy", None, ("reference_2",)
    ),
    Study("WebNLG+ 2020", "webnlg2020", ("human_fluency",), "human_correctness"),
)
LOWER = ("ter", "wer", "per")


def cells(table: ScoreTable, metric: str, human: str, n_resamples: int) -> list[object]:
    """r with its interval, r without length, and r of systems."""
    scores, quality, length = table.matrix(metric), table.matrix(human), table.matrix("length")
    sign = -1.0 if metric.partition(":")[0] in LOWER else 1.0
    plain = bootstrap(sign * scores, quality, statistic(), resample="segments", n_resamples=n_resamples, rng=0)
    partial = correlate(sign * scores, quality, partial=[length]).statistic if metric != "length" else float("nan")
    system = correlate(sign * scores, quality, level="system").statistic if len(table.systems) > 2 else float("nan")
    return [plain.statistic, f"{plain.low:.3f} to {plain.high:.3f}", partial, system]


def main() -> None:
    options = arguments(__doc__ or "")
    options.add_argument("--n-resamples", type=int, default=300)
    args = options.parse_args()
    specs = available([*SYNTACTIC, *SEMANTIC, *LEXICAL, *REFERENCE_FREE])
    parts = ["# Fluency and adequacy\n"]
    columns = ["metric", "r fluency", "95 % interval", "length held", "systems"]
    for study in STUDIES:
        table = scored(args.data / study.folder / "segments.tsv", specs, args, study.references)
        if study.part is not None:
            table = table.split("langpair")[study.part]
        parts.append(f"## {study.name}\n")
        for human in study.fluency:
            rows = []
            for metric in [*specs, "length"]:
                adequacy = cells(table, metric, study.adequacy, 1)
                rows.append([metric, *cells(table, metric, human, args.n_resamples), adequacy[0], adequacy[2]])
            rows.sort(key=lambda row: -abs(row[3]) if not np.isnan(row[3]) else -2)
            parts.append(
                f"{human} against {study.adequacy}; {len(table.rows)} outputs of {len(table.systems)} system(s)\n"
            )
            parts.append(render([*columns, "r adequacy", "length held (adequacy)"], rows, "markdown", decimals=3))
    write(parts, args.output)


if __name__ == "__main__":
    main()
