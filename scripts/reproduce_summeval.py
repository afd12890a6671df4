"""ESK on summaries, after Hirao et al. (2005): does it agree with people better than WSK and ROUGE?

    python scripts/reproduce_summeval.py ../shared/data/summeval/segments.tsv

prints, on SummEval (18 systems, 100 articles, 10 references), Pearson's and Spearman's correlation of the systems' mean
scores with their mean expert scores. ESK and WSK have the paper's settings for summaries: d=2, decay=0.5, beta=3, stop
words removed. With 18 systems, a difference of two correlations below some .1 says little.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.stats import pearsonr, spearmanr

from synteval.metrics.views import Parses
from synteval.results.evaluate import SystemInput, as_metrics, evaluate_inputs

SUMMARIES = "d=2,decay=0.5,beta=3,stopwords=remove"
METRICS = (
    f"esk:{SUMMARIES}",
    f"esk:senses=all,{SUMMARIES}",
    f"esk:senses=lexname,{SUMMARIES}",
    f"wsk:{SUMMARIES}",
    "rouge1",
    "rouge2",
    "rougeL",
)
EXPERTS = ("coherence", "consistency", "fluency", "relevance")


def read(path: Path) -> tuple[list[SystemInput], dict[str, list[float]]]:
    """The systems' summaries with their references, and by question the mean score of every system."""
    csv.field_size_limit(1 << 30)
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    systems: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        systems.setdefault(row["system"], []).append(row)
    inputs = []
    for name, own in systems.items():
        references = [[row[f"reference_{k}"] for k in range(1, 11) if row[f"reference_{k}"]] for row in own]
        inputs.append(
            SystemInput(name, [row["hypothesis"] for row in own], references, tuple(row["segment_id"] for row in own))
        )
    experts = {
        question: [float(np.mean([float(row[f"human_{question}"]) for row in own])) for own in systems.values()]
        for question in EXPERTS
    }
    return inputs, experts


def table(scores: dict[str, Sequence[float]], experts: dict[str, list[float]]) -> str:
    """Correlations, one line a metric."""
    width = max(map(len, scores))
    lines = ["".join([" " * width, *(f"{question:>22}" for question in experts)])]
    lines.append("".join([" " * width, *(["     Pearson  Spearman"] * len(experts))]))
    for name, values in scores.items():
        cells = (
            f"{pearsonr(values, human).statistic:>12.3f}{spearmanr(values, human).statistic:>10.3f}"
            for human in experts.values()
        )
        lines.append(f"{name:<{width}}" + "".join(cells))
    return "\n".join(lines)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("file", type=Path, help="the table of summaries, references and judgements")
    arguments.add_argument("--parser", default="en")
    options = arguments.parse_args()
    inputs, experts = read(options.file)
    metrics = as_metrics(METRICS)
    run = evaluate_inputs(inputs, metrics, Parses(options.parser))
    print(table({name: [run.scores[system.name][name] for system in inputs] for name in metrics}, experts))
    for signature in run.signatures.values():
        print(signature)


if __name__ == "__main__":
    main()
