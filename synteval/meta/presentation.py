"""Results as tables: aligned text, TSV, Markdown, LaTeX or JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from synteval.errors import unknown

FORMATS = ("table", "tsv", "markdown", "latex", "json")
_LATEX = str.maketrans({c: f"\\{c}" for c in "&%$#_{}"} | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}"})


def render(columns: Sequence[str], rows: Sequence[Sequence[Any]], form: str = "table", *, decimals: int = 4) -> str:
    """A table in one of FORMATS. Numbers are rounded except in TSV and JSON; what is undefined is `-` (JSON: null)."""
    if form not in FORMATS:
        raise unknown("format", form, FORMATS)
    if form == "json":
        records = [{c: _plain(v) for c, v in zip(columns, row, strict=True)} for row in rows]
        return json.dumps(records, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    exact = form == "tsv"
    cells = [[_cell(value, None if exact else decimals) for value in row] for row in rows]
    if form == "tsv":
        return "".join("\t".join(row) + "\n" for row in [list(columns), *cells])
    numeric = [bool(rows) and all(isinstance(row[k], (int, float)) for row in rows) for k in range(len(columns))]
    if form == "markdown":
        rule = ["---:" if right else "---" for right in numeric]
        lines = [list(columns), rule, *([cell.replace("|", "\\|") for cell in row] for row in cells)]
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)
    if form == "latex":
        body = [[cell.translate(_LATEX) for cell in row] for row in [list(columns), *cells]]
        spec = "".join("r" if right else "l" for right in numeric)
        lines_out = [" & ".join(row) + r" \\" for row in body]
        head, rest = lines_out[0], "\n".join(lines_out[1:])
        return f"\\begin{{tabular}}{{{spec}}}\n\\hline\n{head}\n\\hline\n{rest}\n\\hline\n\\end{{tabular}}\n"
    widths = [max(len(row[k]) for row in [list(columns), *cells]) for k in range(len(columns))]
    return "".join(
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ).rstrip()
        + "\n"
        for row in [list(columns), *cells]
    )


def _cell(value: Any, decimals: int | None) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-" if decimals is not None else ""
    if isinstance(value, float):
        return repr(value) if decimals is None else f"{value:.{decimals}f}"
    return str(value)


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
