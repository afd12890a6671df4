"""Soft matching beside exact matching: segment-level Pearson correlation with human judgements.

    python scripts/reproduce_soft.py --data ../shared/data -o soft.md

WMT17 (adequacy, cs, de, ru, zh to English), MT of TED talks (fluency and adequacy, Arabic and Persian to English) and
WebNLG 2020 (fluency and correctness of generated text).
"""

from __future__ import annotations

import numpy as np
from reproduction import arguments, scored, write

from synteval.meta.correlation import correlate
from synteval.meta.presentation import render

METRICS = (
    *("soft", "soft:weights=rarity", "soft:assignment=optimal", "soft:mode=precision", "soft:mode=recall"),
    *("hwcm:mode=f1,length=2", "hwcm:match=soft,mode=f1,length=2", "hwcm", "hwcm:match=soft"),
    *("depf", "depf:match=soft", "depf:labelled=no", "depf:match=soft,labelled=no"),
    *("dtkm:decay=0.4", "dtkm:match=soft,decay=0.4"),
    *("esk", "esk:senses=vectors", "chrf"),
)
JUDGED = {
    "wmt17_da": ("human_adequacy_z",),
    "mt_ted_fluency_adequacy": ("human_fluency_z", "human_adequacy_z"),
    "webnlg2020": ("human_fluency", "human_correctness"),
}


def main() -> None:
    options = arguments(__doc__ or "")
    options.add_argument("--sets", nargs="+", default=list(JUDGED), choices=list(JUDGED))
    args = options.parse_args()
    blocks: list[str] = []
    for name in args.sets:
        table = scored(args.data / name / "segments.tsv", METRICS, args)
        kinds = np.array(table.values("langpair") if "langpair" in table.table.columns else ["all"] * len(table.table))
        for human in JUDGED[name]:
            judged = table.column(human)
            rows = []
            for metric in METRICS:
                values = table.column(metric)
                found = []
                for kind in sorted(set(kinds.tolist())):
                    chosen = (kinds == kind) & np.isfinite(judged)
                    found.append(correlate(values[chosen], judged[chosen]).statistic)
                rows.append([metric, *found, float(np.mean(found))])
            columns = ["metric", *sorted(set(kinds.tolist())), "mean"]
            blocks += [f"# {name}, {human}\n", render(columns, rows, "markdown", decimals=3)]
    write(blocks, args.output)


if __name__ == "__main__":
    main()
