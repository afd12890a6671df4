"""From files to systems and their references, with lengths checked and mistakes named by file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from synteval.errors import InputError
from synteval.io import Segments, Table, format_of, read_segments, read_wmt
from synteval.io.wmt import Key, WmtSet
from synteval.metrics.inputs import Reference
from synteval.results.evaluate import SystemInput


def systems_from_files(
    hypotheses: Sequence[str | Path], references: Sequence[str | Path], given: str | None = None, needed: bool = True
) -> list[SystemInput]:
    """One system a file (or several from an XML or SGM file) against one file a reference set, if needed."""
    if not hypotheses:
        raise InputError("nothing to score: name at least one file of system output, or --table FILE")
    stdin = [path for path in (*hypotheses, *references) if str(path) == "-"]
    if len(stdin) > 1:
        raise InputError("standard input can be read only once; name files for the rest")
    kinds = {str(path): format_of(path, given) for path in (*hypotheses, *references)}
    if any(kind in ("xml", "sgm") for kind in kinds.values()):
        return _wmt(hypotheses, references, kinds, needed)
    if not references and needed:
        raise InputError("no reference: name one with -r FILE")
    outputs = [read_segments(path, given) for path in hypotheses]
    sets = [read_segments(path, given) for path in references]
    for one in (*outputs[1:], *sets):
        check_lengths(outputs[0], one)
    pairs: list[list[Reference]] = [list(item) for item in zip(*(_items(one) for one in sets), strict=True)]
    pairs = pairs if sets else [[] for _ in range(len(outputs[0]))]
    ids = tuple(str(number) for number in range(1, len(outputs[0]) + 1))
    origins = [one.path for one in sets]
    return [
        SystemInput(name, _items(one), pairs, ids, (one.path, *origins))
        for name, one in zip(names(outputs), outputs, strict=True)
    ]


def check_lengths(first: Segments, other: Segments) -> None:
    """Files that belong together have the same number of segments."""
    if len(first) != len(other):
        short, long = sorted((first, other), key=len)
        raise InputError(
            f"{long.path}:{len(short) + 1}: no counterpart in {short.path}: {short.path} has {len(short)} segments, "
            f"{long.path} has {len(long)}; give files with the same segments, one a line"
        )


def names(outputs: Sequence[Segments]) -> list[str]:
    """Names of systems: of their files, or of their paths where files share a name."""
    short = [one.name for one in outputs]
    if len(set(short)) == len(short):
        return short
    paths = [one.path for one in outputs]
    if len(set(paths)) != len(paths):
        twice = next(path for path in paths if paths.count(path) > 1)
        raise InputError(f"{twice}: named twice as system output")
    return paths


def _items(segments: Segments) -> list[Reference]:
    return list(segments.texts) if segments.parses is None else list(segments.parses)


def _wmt(
    hypotheses: Sequence[str | Path], references: Sequence[str | Path], kinds: Mapping[str, str], needed: bool
) -> list[SystemInput]:
    for path, kind in kinds.items():
        if kind not in ("xml", "sgm"):
            raise InputError(f"{path}: XML and SGM files go with XML and SGM files only; convert it, or the others")
    read = {path: read_wmt(path, kind) for path, kind in kinds.items()}
    outputs = [read[str(path)] for path in hypotheses]
    sets: list[WmtSet] = [read[str(path)] for path in references] or outputs
    found = {f"{one.path}#{name}": texts for one in sets for name, texts in one.references.items()}
    if not found and needed:
        raise InputError(f"{sets[0].path}: holds no reference; name a file that does with -r FILE")
    systems = [(name, one, texts) for one in outputs for name, texts in one.systems.items()]
    if not systems:
        raise InputError(f"{outputs[0].path}: holds no system output")
    keys = list(systems[0][2])
    pairs: list[list[Reference]] = []
    for key in keys:
        texts = [reference[key] for reference in found.values() if key in reference]
        if not texts and needed:
            raise InputError(f"{sets[0].path}: no reference for segment {key[1]} of document {key[0]}")
        pairs.append(list(texts))
    ids = tuple(f"{document}:{segment}" for document, segment in keys)
    seen: dict[str, int] = {}
    inputs = []
    for name, one, texts_of in systems:
        seen[name] = seen.get(name, 0) + 1
        label = name if seen[name] == 1 else f"{name}-{seen[name]}"
        inputs.append(SystemInput(label, _lines(one, texts_of, name, keys), pairs, ids))
    return inputs


def _lines(one: WmtSet, texts: dict[Key, str], name: str, keys: list[Key]) -> list[Reference]:
    return list(one.lines(texts, f"system {name!r}", keys))


def systems_from_table(table: Table, needed: bool = True) -> list[SystemInput]:
    """One system a name in the column `system`; its rows in the order of the table. References where `needed`."""
    rows: dict[str, list[int]] = {}
    for row, system in enumerate(table.systems):
        rows.setdefault(system, []).append(row)
    if not rows:
        raise InputError(f"{table.path}: no rows below the header")
    for row, references in enumerate(table.references):
        if not references and needed:
            raise InputError(f"{table.path}:{row + 2}: no reference; fill the column reference or reference_1")
    return [
        SystemInput(
            system,
            [table.hypotheses[row] for row in of_system],
            [list(table.references[row]) for row in of_system],
            tuple(table.segment_ids[row] for row in of_system),
        )
        for system, of_system in rows.items()
    ]
