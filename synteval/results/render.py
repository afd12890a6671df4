"""A run as people and programs read it: aligned text, TSV, LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from synteval.io.tables import Table, format_table
from synteval.results.comparison import Findings
from synteval.results.multiplicity import familywise
from synteval.results.run import Run

ALPHA = 0.05
_TESTS = {"ar": "approximate randomization", "bs": "paired bootstrap"}


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns aligned: the first to the left, the others to the right."""
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]
    lines = []
    for row in (header, *rows):
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip() + "\n")
    return "".join(lines)


def corpus_text(run: Run, findings: Findings) -> Iterator[str]:
    """The table of corpus scores with marks, what the marks mean, and the signatures."""
    several = len(run.systems) > 1
    comparisons = findings.comparisons
    rows = []
    for system in run.systems:
        cells = [system.name]
        for metric in run.metrics:
            mark = "*" if several and system.name in run.best(metric) else " " if several else ""
            if comparisons:
                found = comparisons.get(system.name, {}).get(metric)
                mark += "†" if found is not None and found.p < ALPHA else " "
            cell = f"{run.scores[system.name][metric]:.4f}{mark}"
            if interval := findings.intervals.get(system.name, {}).get(metric):
                cell += f" [{interval[0]:.4f}, {interval[1]:.4f}]"
            cells.append(cell)
        rows.append(cells)
    yield text_table(["system", *run.metrics], rows)
    lower = [name for name, metric in run.metrics.items() if not metric.higher_is_better]
    if several:
        yield "\n* best" + (f" (lower is better: {', '.join(lower)})" if lower else "")
        first = next((c for found in comparisons.values() for c in found.values()), None)
        if first is not None:
            yield f"   † differs from {first.baseline}, p < {ALPHA} ({_TESTS[first.test]}, {findings.settings})"
        yield "\n"
        yield from _p_values(run, findings)
        yield from _pairs(run, findings)
    yield "\n"
    for signature in run.signatures.values():
        yield signature + "\n"


def _p_values(run: Run, findings: Findings) -> Iterator[str]:
    if not findings.comparisons:
        return
    rows = [
        [system, *(f"{tests[metric].p:.4f}" for metric in run.metrics)]
        for system, tests in findings.comparisons.items()
    ]
    yield "\n" + text_table(["p-value", *run.metrics], rows)


def _pairs(run: Run, findings: Findings) -> Iterator[str]:
    """All pairs: differences with Holm's adjusted p-values, and what unadjusted ones would be worth."""
    if not findings.pairs:
        return
    rows = [
        [
            f"{x} - {y}",
            *(f"{tests[m].difference:+.4f} (p {tests[m].p:.4f}, Holm {tests[m].p_holm:.4f})" for m in run.metrics),
        ]
        for (x, y), tests in findings.pairs.items()
    ]
    yield "\n" + text_table(["pair", *run.metrics], rows)
    count = len(findings.pairs) * len(run.metrics)
    if count > 1:
        yield (
            f"\n{count} tests at {ALPHA}: if no systems differed, at least one test would still be significant with "
            f"probability {familywise(ALPHA, count):.4f}; Holm's p-values allow for the pairs of each metric\n"
        )


def corpus_tsv(run: Run, findings: Findings) -> Iterator[str]:
    """One row a system; p-values and interval bounds in columns of their own."""
    comparisons, intervals = findings.comparisons, findings.intervals
    columns = ["system", *run.metrics]
    if intervals:
        columns += [f"{metric}_{bound}" for metric in run.metrics for bound in ("low", "high")]
    if comparisons:
        columns += [f"{metric}_p" for metric in run.metrics]
    rows: list[list[object]] = []
    for system in run.systems:
        row: list[object] = [system.name, *(repr(run.scores[system.name][metric]) for metric in run.metrics)]
        if intervals:
            row += [repr(bound) for metric in run.metrics for bound in intervals[system.name][metric]]
        if comparisons:
            found = comparisons.get(system.name, {})
            row += [repr(found[metric].p) if metric in found else "" for metric in run.metrics]
        rows.append(row)
    return format_table(columns, rows)


def segment_rows(run: Run) -> tuple[list[str], list[list[object]]]:
    """Columns and rows of segment scores, system by system."""
    rows: list[list[object]] = []
    for system in run.systems:
        scores = [run.segment_scores[system.name][metric].tolist() for metric in run.metrics]
        for position, segment in enumerate(system.segment_ids):
            rows.append([segment, system.name, *(repr(values[position]) for values in scores)])
    return ["segment_id", "system", *run.metrics], rows


def segment_text(run: Run) -> str:
    """Segment scores, aligned."""
    columns, rows = segment_rows(run)
    rounded = [[str(row[0]), str(row[1]), *(f"{float(str(value)):.4f}" for value in row[2:])] for row in rows]
    return text_table(columns, rounded)


def joined_table(run: Run, table: Table) -> Iterator[str]:
    """The table as it was given, with one column a metric added."""
    scores: dict[str, dict[str, list[float]]] = {
        system: {metric: values.tolist() for metric, values in found.items()}
        for system, found in run.segment_scores.items()
    }
    # A metric that was joined from a column of the table is there already.
    added = [metric for metric in run.metrics if metric not in table.columns]
    next_row: dict[str, int] = {}
    rows: list[list[object]] = []
    for row, system in zip(table.rows, table.systems, strict=True):
        position = next_row.get(system, 0)
        next_row[system] = position + 1
        rows.append([*row, *(repr(scores[system][metric][position]) for metric in added)])
    return format_table([*table.columns, *added], rows)


def latex(run: Run, findings: Findings) -> str:
    """A booktabs table, the best system in bold, significant differences with a dagger."""
    lines = [
        r"\begin{tabular}{l" + "r" * len(run.metrics) + "}",
        r"\toprule",
        " & ".join(["System", *(latex_text(metric) for metric in run.metrics)]) + r" \\",
        r"\midrule",
    ]
    for system in run.systems:
        cells = [latex_text(system.name)]
        for metric in run.metrics:
            cell = f"{run.scores[system.name][metric]:.4f}"
            if len(run.systems) > 1 and system.name in run.best(metric):
                cell = rf"\textbf{{{cell}}}"
            found = findings.comparisons.get(system.name, {}).get(metric)
            if found is not None and found.p < ALPHA:
                cell += r"$^\dagger$"
            if interval := findings.intervals.get(system.name, {}).get(metric):
                cell += rf" {{\small [{interval[0]:.4f}, {interval[1]:.4f}]}}"
            cells.append(cell)
        lines.append(" & ".join(cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}", *(f"% {signature}" for signature in run.signatures.values())]
    return "\n".join(lines) + "\n"


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{char: "\\" + char for char in "&%$#_{}"},
}


def latex_text(text: str) -> str:
    """Text with LaTeX's special characters escaped."""
    return "".join(_LATEX.get(char, char) for char in " ".join(text.split()))
