"""How scores of relations are printed: as the official scorer of DepBank prints them, or as a tabular."""

from __future__ import annotations

from collections.abc import Sequence

from synteval.relations.hierarchy import Hierarchy
from synteval.relations.score import PRF, RelationScores


def score_table(scores: RelationScores) -> str:
    """Every relation, then the averages, in percent.

    Relation              Precision     Recall    F-score    tst GRs    std GRs  agree GRs
     dependent                88.05      87.34      87.69       2678       2696       2391
    """
    columns = ("Precision", "Recall", "F-score", "tst GRs", "std GRs", "agree GRs")
    lines = [f"{'Relation':20}" + "".join(f" {column:>10}" for column in columns)]
    for name, prf in scores.relations().items():
        label = f"{' ' * (scores.hierarchy.depth[name] + 1)}{name}"
        lines.append(f"{label:20} {_percents(prf)} {prf.test:10} {prf.gold:10} {prf.match:10}")
    lines.append(f"\n{'Micro-averaged':20} {_percents(scores.micro())}")
    lines.append(f"{'Macro-averaged':20} {_percents(scores.macro())}")
    return "\n".join(lines) + "\n"


def _percents(prf: PRF) -> str:
    return f"{100 * prf.precision:10.2f} {100 * prf.recall:10.2f} {100 * prf.f:10.2f}"


def score_latex(scores: RelationScores) -> str:
    """A tabular of the rows that occur and the averages."""
    rows = [(name, prf) for name, prf in scores.relations().items() if prf.gold or prf.test]
    lines = [r"\begin{tabular}{lrrr}", r"Relation & Precision & Recall & F \\", r"\hline"]
    lines += [latex_row(scores.hierarchy, name, [prf]) for name, prf in rows]
    lines.append(r"\hline")
    averages = ("Micro-average", scores.micro()), ("Macro-average", scores.macro())
    lines += [latex_row(scores.hierarchy, name, [prf]) for name, prf in averages]
    return "\n".join([*lines, r"\end{tabular}"]) + "\n"


def latex_row(hierarchy: Hierarchy, name: str, prfs: Sequence[PRF]) -> str:
    """A relation, indented by its depth, or an average, and its figures."""
    depth = hierarchy.depth.get(name, 0)
    indent = rf"\hspace{{{depth * 0.5:g}em}}" if depth else ""
    cells = [f"{100 * value:.1f}" for prf in prfs for value in (prf.precision, prf.recall, prf.f)]
    label = name.replace("_", r"\_")
    return f"{indent}{label} & {' & '.join(cells)} \\\\"


def confusion_table(scores: RelationScores) -> str:
    """Gold relations down, test relations across, of the pairs that matched."""
    found = [name for name in scores.hierarchy.relations if any(name in pair for pair in scores.confusion)]
    lines = ["gold \\ test  " + "".join(f"{name:>8}" for name in found)]
    for gold in found:
        lines.append(f"{gold:13}" + "".join(f"{scores.confusion[gold, test] or '.':>8}" for test in found))
    return "\n".join(lines) + "\n"
