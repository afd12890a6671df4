"""The plain-text directory of mt-metrics-eval: a test set and its language pairs (README, "File organization").

    sources/SRC-TGT.txt                           one segment a line
    references/SRC-TGT.NAME.txt
    documents/SRC-TGT.docs                        DOMAIN DOCNAME a line
    system-outputs/SRC-TGT/SYSTEM.txt
    human-scores/SRC-TGT.NAME.LEVEL.score         SYSTEM SCORE a line, `None` where missing; LEVEL is sys or seg here
    metric-scores/SRC-TGT/METRIC-REF.LEVEL.score

Segment scores stand in blocks, one a system, in the order of the lines. Names of references hold no dot and no dash.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from synteval.errors import InputError, unknown
from synteval.io.files import read_lines
from synteval.meta.matrix import FloatArray, matrix, system_means
from synteval.meta.table import ScoreTable

Level: TypeAlias = Literal["sys", "seg"]
REFERENCE_NAME = re.compile(r"[^.\-/\s]+")


@dataclass(frozen=True)
class EvalSet:
    """One test set and language pair: texts at once, score files when they are asked for."""

    folder: Path
    langpair: str
    references: Mapping[str, Sequence[str]]
    outputs: Mapping[str, Sequence[str]]
    source: Sequence[str] | None = None
    documents: Sequence[tuple[str, str]] | None = None

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems, in alphabetical order."""
        return tuple(self.outputs)

    @property
    def segments(self) -> int:
        """The number of segments."""
        return len(next(iter(self.references.values())))

    def human_names(self, level: Level = "seg") -> tuple[str, ...]:
        """What human scores there are."""
        pattern = f"{self.langpair}.*.{level}.score"
        names = sorted(p.name for p in (self.folder / "human-scores").glob(pattern))
        return tuple(n.removeprefix(f"{self.langpair}.").removesuffix(f".{level}.score") for n in names)

    def metric_names(self, level: Level = "seg") -> tuple[str, ...]:
        """What metric scores there are, as METRIC-REF."""
        names = sorted(p.name for p in (self.folder / "metric-scores" / self.langpair).glob(f"*.{level}.score"))
        return tuple(n.removesuffix(f".{level}.score") for n in names)

    def human(self, name: str, level: Level = "seg") -> FloatArray:
        """Human scores as systems x segments (one column for level sys), NaN where missing."""
        return self._scores(self.folder / "human-scores" / f"{self.langpair}.{name}.{level}.score", level)

    def metric(self, name: str, level: Level = "seg") -> FloatArray:
        """Metric scores; `name` is METRIC-REF."""
        return self._scores(self.folder / "metric-scores" / self.langpair / f"{name}.{level}.score", level)

    def write_metric(self, metric: str, reference: str, scores: FloatArray) -> list[Path]:
        """Write segment scores (systems x segments), and their means as system scores, as METRIC-REF files."""
        if not metric or re.search(r"[/\s]", metric):
            raise InputError(f"{metric!r} cannot name a metric: no slash and no blank")
        for part in reference.split("."):
            if part not in (*self.references, "all", "src"):
                raise unknown("reference", part, [*self.references, "all", "src"])
        values = matrix(scores)
        if values.shape != (len(self.systems), self.segments):
            raise InputError(f"scores are {values.shape}; give {len(self.systems)} systems x {self.segments} segments")
        if np.isnan(values).any():
            raise InputError("a metric score is missing; this format allows that in human scores only")
        folder = self.folder / "metric-scores" / self.langpair
        folder.mkdir(parents=True, exist_ok=True)
        paths = [folder / f"{metric}-{reference}.{level}.score" for level in ("seg", "sys")]
        rows = zip(self.systems, values, strict=True)
        paths[0].write_text("".join(f"{s}\t{float(v)!r}\n" for s, row in rows for v in row), encoding="utf-8")
        means = zip(self.systems, system_means(values), strict=True)
        paths[1].write_text("".join(f"{s}\t{float(v)!r}\n" for s, v in means), encoding="utf-8")
        return paths

    def _scores(self, path: Path, level: Level) -> FloatArray:
        lines = read_lines(path)
        width = 1 if level == "sys" else self.segments
        found: dict[str, list[float]] = {}
        for number, line in enumerate(lines, start=1):
            cells = line.split()
            if len(cells) != 2:
                raise InputError(f"{path}:{number}: {len(cells)} cells; a line is SYSTEM SCORE")
            if cells[0] not in self.outputs:
                continue  # a reference or human that is scored but has no output here
            try:
                found.setdefault(cells[0], []).append(np.nan if cells[1] == "None" else float(cells[1]))
            except ValueError:
                raise InputError(f"{path}:{number}: {cells[1]!r} is not a score; write a number or None") from None
        for system, scores in found.items():
            if len(scores) != width:
                raise InputError(f"{path}: system {system!r} has {len(scores)} scores, {width} are needed")
        missing = [np.nan] * width
        return np.array([found.get(system, missing) for system in self.systems], dtype=np.float64)


def read_evalset(folder: str | Path, langpair: str) -> EvalSet:
    """Read the texts of a language pair and check that they belong together."""
    root = Path(folder)
    references = _texts(root / "references", f"{langpair}.")
    if not references:
        pairs = sorted({p.name.split(".")[0] for p in (root / "references").glob("*.txt")})
        hint = f"; it has {', '.join(pairs)}" if pairs else "; is it a test set?"
        raise InputError(f"{root}: no references for {langpair!r}{hint}")
    for name in references:
        if not REFERENCE_NAME.fullmatch(name):
            raise InputError(f"{root}: reference name {name!r} holds a dot or a dash")
    outputs = _texts(root / "system-outputs" / langpair)
    source_path, documents_path = root / "sources" / f"{langpair}.txt", root / "documents" / f"{langpair}.docs"
    source = read_lines(source_path) if source_path.is_file() else None
    documents = _documents(documents_path) if documents_path.is_file() else None
    expected = len(next(iter(references.values())))
    for name, lines in [*references.items(), *outputs.items(), ("source", source), ("documents", documents)]:
        if lines is not None and len(lines) != expected:
            raise InputError(f"{root}: {name} of {langpair} has {len(lines)} lines, {expected} are needed")
    return EvalSet(root, langpair, references, outputs, source, documents)


def _texts(folder: Path, prefix: str = "") -> dict[str, list[str]]:
    found = sorted(folder.glob(f"{prefix}*.txt"))
    return {path.name.removeprefix(prefix).removesuffix(".txt"): read_lines(path) for path in found}


def _documents(path: Path) -> list[tuple[str, str]]:
    documents = []
    for number, line in enumerate(read_lines(path), start=1):
        cells = line.split()
        if len(cells) != 2:
            raise InputError(f"{path}:{number}: a line is DOMAIN DOCNAME")
        documents.append((cells[0], cells[1]))
    return documents


def evalset_rows(evalset: EvalSet) -> tuple[list[str], list[list[object]]]:
    """The columns and rows of a table: a row a system and segment, human and metric scores as columns."""
    names = tuple(evalset.references)
    references = ["reference"] if len(names) == 1 else [f"reference_{k}" for k in range(1, len(names) + 1)]
    human = {f"human_{name}": evalset.human(name) for name in evalset.human_names()}
    metrics = {name: evalset.metric(name) for name in evalset.metric_names()}
    columns = ["segment_id", "system", "langpair", "hypothesis", *references, *human, *metrics]
    scores = [*human.values(), *metrics.values()]
    rows: list[list[object]] = []
    for i, (system, outputs) in enumerate(evalset.outputs.items()):
        for k, output in enumerate(outputs):
            texts = [evalset.references[name][k] for name in names]
            values = ["" if np.isnan(s[i, k]) else float(s[i, k]) for s in scores]
            rows.append([f"{evalset.langpair}:{k + 1}", system, evalset.langpair, output, *texts, *values])
    return columns, rows


def table_scores(evalset: EvalSet, table: ScoreTable, column: str) -> FloatArray:
    """A column of a table that `evalset_rows` made, in the order of the test set."""
    scores = table.matrix(column)
    wanted = [f"{evalset.langpair}:{k + 1}" for k in range(evalset.segments)]
    strange = set(table.systems) ^ set(evalset.systems) | set(table.segments) ^ set(wanted)
    if strange:
        raise InputError(
            f"{table.table.path}: not the systems and segments of {evalset.folder} ({min(strange)!r} differs)"
        )
    rows = [table.systems.index(system) for system in evalset.systems]
    position = {segment: k for k, segment in enumerate(table.segments)}
    return np.asarray(scores[np.ix_(rows, [position[segment] for segment in wanted])])
