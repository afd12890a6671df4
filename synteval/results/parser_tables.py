"""How a comparison of parsers is printed: relations down, parsers across."""

from __future__ import annotations

from synteval.relations.score import PRF
from synteval.relations.tables import latex_row
from synteval.results.parser_comparison import ParserComparison


def comparison_table(comparison: ParserComparison) -> str:
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


def comparison_latex(comparison: ParserComparison) -> str:
    """The same as a tabular."""
    results = comparison.results
    lines = [
        r"\begin{tabular}{l" + "rrr" * len(results) + "}",
        "".join(rf" & \multicolumn{{3}}{{c}}{{{_escaped(result.name)}}}" for result in results) + r" \\",
        "Relation" + " & P & R & F" * len(results) + r" \\",
        r"\hline",
    ]
    for name, prfs in comparison_rows(comparison):
        lines.append(latex_row(comparison.matcher.hierarchy, name, prfs))
    lines.append(r"\hline")
    lines.append("Sentences/s" + "".join(rf" & \multicolumn{{3}}{{r}}{{{r.speed:.1f}}}" for r in results) + r" \\")
    lines.append(
        "Coverage" + "".join(rf" & \multicolumn{{3}}{{r}}{{{100 * r.coverage:.1f}}}" for r in results) + r" \\"
    )
    return "\n".join([*lines, r"\end{tabular}"]) + "\n"


def _escaped(text: str) -> str:
    return text.replace("_", r"\_")


def comparison_rows(comparison: ParserComparison) -> list[tuple[str, list[PRF]]]:
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
