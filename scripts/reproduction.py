"""What the scripts reproduce_*.py share: scoring a data set, and keeping the scores beside for the next run."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from synteval.io.tables import Table, format_table, read_table
from synteval.meta.table import ScoreTable, read_scores, read_signatures
from synteval.results.evaluate import evaluate

LEXICAL = (
    *("bleu", "bleu:max_ngram_order=1", "bleu:max_ngram_order=2", "chrf", "chrf:word_order=2", "ter", "nist", "meteor"),
    *("rouge1", "rouge2", "rougeL", "rougeSU", "wer", "per"),
)
SYNTACTIC = (
    *(
        "stm:depth=2",
        "stm:depth=3",
        "stm",
        "stm:mode=f1",
        "hwcm:length=1",
        "hwcm:length=2",
        "hwcm",
        "hwcm:length=2,mode=f1",
    ),
    *("dstm:depth=2", "dstm:depth=3", "dstm:depth=2,mode=f1", "tkm", "tkm:decay=0.4", "dtkm", "dtkm:decay=0.4"),
    *("depf", "depf:labelled=no", "gramsim"),
)
SEMANTIC = ("esk", "wsk", "soft", "hwcm:match=soft,length=2,mode=f1", "depf:match=soft,labelled=no")
# It reads no reference, so it is no similarity and has no part in sets of metrics.
REFERENCE_FREE = ("wellformed",)
# Translators whose work is among the outputs of mqm_ted_zhen.
HUMANS = ("ref", "refB")


def arguments(description: str) -> argparse.ArgumentParser:
    """The options that all have."""
    options = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, default=Path("../shared/data"), help="the folder of data sets")
    options.add_argument("--parser", default="en")
    options.add_argument("--work", type=Path, help="keep scored tables in this folder and use those that are there")
    options.add_argument("--limit", type=int, metavar="N", help="only the first N segments (of each language pair)")
    options.add_argument("-o", "--output", type=Path, help="write the tables here (default: standard output)")
    return options


def available(specs: Sequence[str]) -> list[str]:
    """Those of the metrics that are installed."""
    from synteval.metrics.registry import registered_metrics

    known = {name.lower() for name in registered_metrics()}
    return [spec for spec in specs if spec.partition(":")[0].lower() in known]


def scored(
    path: Path, specs: Sequence[str], args: argparse.Namespace, references: Sequence[str] | None = None
) -> ScoreTable:
    """A data set's table with one more column a metric; `references` names the columns to use (default: all)."""
    kept = args.work / f"{path.parent.name}.tsv" if args.work is not None else None
    table = first_segments(read_table(path), args.limit)
    if references is not None:
        table = only_references(table, references)
    if kept is not None and kept.is_file():
        found = read_scores(kept)
        if len(found.table) == len(table) and read_signatures(kept) and set(specs) <= set(found.table.columns):
            return found
    run = evaluate({"rows": table.hypotheses}, table.references, list(specs), args.parser)
    scores = run.segment_scores["rows"]
    rows = tuple((*row, *(repr(float(scores[s][k])) for s in specs)) for k, row in enumerate(table.rows))
    joined = dataclasses.replace(table, columns=(*table.columns, *specs), rows=rows)
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text("".join(format_table(joined.columns, joined.rows)), "utf8")
        Path(f"{kept}.json").write_text(json.dumps({"signatures": dict(run.signatures)}, indent=1), "utf8")
    return ScoreTable(joined, tuple(range(len(joined))))


def only_references(table: Table, names: Sequence[str]) -> Table:
    """The table with some of its references alone, and without the outputs of HUMANS."""
    columns = [table.columns.index(name) for name in names]
    references = tuple(tuple(row[c] for c in columns if row[c].strip()) for row in table.rows)
    kept = [k for k, refs in enumerate(references) if refs and table.systems[k] not in HUMANS]
    return some_rows(dataclasses.replace(table, references=references), kept)


def first_segments(table: Table, limit: int | None) -> Table:
    """The rows of the first segments of each language pair."""
    if limit is None:
        return table
    column = table.columns.index("langpair") if "langpair" in table.columns else None
    seen: dict[str, dict[str, None]] = {}
    for row, segment in zip(table.rows, table.segment_ids, strict=True):
        seen.setdefault("" if column is None else row[column], {}).setdefault(segment)
    wanted = {segment for segments in seen.values() for segment in list(segments)[:limit]}
    return some_rows(table, [k for k, segment in enumerate(table.segment_ids) if segment in wanted])


def some_rows(table: Table, rows: Sequence[int]) -> Table:
    """The table with some of its rows."""
    return dataclasses.replace(
        table,
        rows=tuple(table.rows[k] for k in rows),
        segment_ids=tuple(table.segment_ids[k] for k in rows),
        systems=tuple(table.systems[k] for k in rows),
        hypotheses=tuple(table.hypotheses[k] for k in rows),
        references=tuple(table.references[k] for k in rows),
    )


def write(parts: Sequence[str], output: Path | None) -> None:
    """Markdown to a file or to standard output."""
    text = "\n".join(parts)
    if output is None:
        print(text)
    else:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text, "utf8")
