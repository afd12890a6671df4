"""How scores of relations are printed: a test as the official scorer of DepBank prints it, parsers side by side."""

from __future__ import annotations

from collections.abc import Sequence

from synteval.relations.compare import Comparison
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
    lines += [_latex_row(scores.hierarchy, name, [prf]) for name, prf in rows]
    lines.append(r"\hline")
    lines += [_latex_cells("Micro-average", [scores.micro()]), _latex_cells("Macro-average", [scores.macro()])]
    return "\n".join([*lines, r"\end{tabular}"]) + "\n"


def _latex_row(hierarchy: Hierarchy, name: str, prfs: Sequence[PRF]) -> str:
    indent = rf"\hspace{{{hierarchy.depth[name] * 0.5:g}em}}" if hierarchy.depth[name] else ""
    return _latex_cells(indent + name.replace("_", r"\_"), prfs)


def _latex_cells(label: str, prfs: Sequence[PRF]) -> str:
    cells = [f"{100 * value:.1f}" for prf in prfs for value in (prf.precision, prf.recall, prf.f)]
    return f"{label} & {' & '.join(cells)} \\\\"


def confusion_table(scores: RelationScores) -> str:
    """Gold relations down, test relations across, of the pairs that matched."""
    found = [name for name in scores.hierarchy.relations if any(name in pair for pair in scores.confusion)]
    lines = ["gold \\ test  " + "".join(f"{name:>8}" for name in found)]
    for gold in found:
        lines.append(f"{gold:13}" + "".join(f"{scores.confusion[gold, test] or '.':>8}" for test in found))
    return "\n".join(lines) + "\n"


def comparison_table(comparison: Comparison) -> str:
    """Precision, recall and F by relation for every parser, then speed, coverage and paired tests."""
    results = comparison.results
    width = max(24, 2 + max(len(result.name) for result in results))
    head = f"{'':16}" + "".join(f"{result.name:>{width}}" for result in results)
    lines = [head, f"{'Relation':16}" + f"{'P':>{width - 14}}{'R':>7}{'F':>7}" * len(results)]
    for name, prfs in comparison_rows(comparison):
        label = f"{' ' * comparison.matcher.hierarchy.depth.get(name, 0)}{name}"
        cells = "".join(f"{100 * p.precision:{width - 14}.2f}{100 * p.recall:7.2f}{100 * p.f:7.2f}" for p in prfs)
        lines.append(f"{label:16}{cells}")
    lines.append(f"{'sentences/s':16}" + "".join(f"{result.speed:{width}.1f}" for result in results))
    covered = [f"{result.covered}/{result.sentences}" for result in results]
    lines.append(f"{'covered':16}" + "".join(f"{cell:>{width}}" for cell in covered))
    for (first, second), test in comparison.paired.items():
        holm = "" if test.p_holm is None else f", Holm {test.p_holm:.4f}"
        lines.append(
            f"{first} - {second}: difference of micro-averaged F {100 * test.difference:+.2f}, "
            f"p {test.p:.4f}{holm} (approximate randomization, {test.trials} trials)"
        )
    return "\n".join(lines) + "\n"


def comparison_latex(comparison: Comparison) -> str:
    """The same as a tabular."""
    results = comparison.results
    lines = [
        r"\begin{tabular}{l" + "rrr" * len(results) + "}",
        "".join(rf" & \multicolumn{{3}}{{c}}{{{_escaped(result.name)}}}" for result in results) + r" \\",
        "Relation" + " & P & R & F" * len(results) + r" \\",
        r"\hline",
    ]
    for name, prfs in comparison_rows(comparison):
        row = (
            _latex_row
            if name in comparison.matcher.hierarchy.depth
            else lambda _, label, cells: _latex_cells(label, cells)
        )
        lines.append(row(comparison.matcher.hierarchy, name, prfs))
    lines.append(r"\hline")
    lines.append("Sentences/s" + "".join(rf" & \multicolumn{{3}}{{r}}{{{r.speed:.1f}}}" for r in results) + r" \\")
    lines.append(
        "Coverage" + "".join(rf" & \multicolumn{{3}}{{r}}{{{100 * r.coverage:.1f}}}" for r in results) + r" \\"
    )
    return "\n".join([*lines, r"\end{tabular}"]) + "\n"


def _escaped(text: str) -> str:
    return text.replace("_", r"\_")


def comparison_rows(comparison: Comparison) -> list[tuple[str, list[PRF]]]:
    """The relations that occur anywhere, and the averages."""
    by_parser = [result.scores.relations() for result in comparison.results]
    rows = []
    for name in comparison.matcher.hierarchy.relations:
        prfs = [relations[name] for relations in by_parser]
        if any(prf.gold or prf.test for prf in prfs):
            rows.append((name, prfs))
    rows.append(("Micro-average", [result.scores.micro() for result in comparison.results]))
    rows.append(("Macro-average", [result.scores.macro() for result in comparison.results]))
    return rows
