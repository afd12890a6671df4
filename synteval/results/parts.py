"""A chunk of one system's pairs, scored here or by a worker of an engine.

A part that stays in this process holds parsed segments, and systems share those of their references; one that leaves it
holds encoded records, which are smaller.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from synteval.metrics.base import CHUNK, Chunk, FloatArray, Metric
from synteval.metrics.inputs import Reference, text_of
from synteval.metrics.views import Dependencies, Parses, View
from synteval.one_thread import one_thread
from synteval.parsing.flat import flat_parse
from synteval.parsing.record import decode
from synteval.structures import Segment

Parsed = Segment | bytes


@dataclass(frozen=True, eq=False)
class Part:
    """Pairs `first`.. of the system with number `system`."""

    system: int
    first: int
    metrics: Mapping[str, Metric]
    views: Mapping[str, View]
    parses: Mapping[View, tuple[Sequence[Parsed], Sequence[Sequence[Parsed]]]]
    hypothesis_texts: Sequence[str]
    reference_texts: Sequence[Sequence[str]]
    dependencies: Dependencies
    on_failure: str
    files: Sequence[str]

    def __len__(self) -> int:
        return len(self.hypothesis_texts)


def parts_of(
    systems: Sequence[tuple[Sequence[Reference], Sequence[Sequence[Reference]], Sequence[str]]],
    metrics: Mapping[str, Metric],
    parses: Parses,
) -> Iterator[Part]:
    """The parts of all systems (hypotheses, references, files), chunk by chunk, so that systems share references."""
    views = {name: parses.view(metric) for name, metric in metrics.items() if metric.reads == "parses"}
    longest = max((len(hypotheses) for hypotheses, _, _ in systems), default=0)
    for first in range(0, longest, CHUNK):
        shared: dict[tuple[int, View], Sequence[Sequence[Parsed]]] = {}
        for number, (hypotheses, references, files) in enumerate(systems):
            hyps, refs = hypotheses[first : first + CHUNK], references[first : first + CHUNK]
            if not hyps:
                continue
            parsed = {}
            for view in dict.fromkeys(views.values()):
                key = (id(references), view)
                if key not in shared:
                    flat = iter(_parsed(parses, view, [ref for item in refs for ref in item]))
                    shared[key] = [[next(flat) for _ in item] for item in refs]
                parsed[view] = (_parsed(parses, view, hyps), shared[key])
            yield Part(
                number,
                first,
                metrics,
                views,
                parsed,
                [text_of(hyp) for hyp in hyps],
                [[text_of(ref) for ref in item] for item in refs],
                parses.dependency_choice,
                parses.on_failure,
                files,
            )


def _parsed(parses: Parses, view: View, items: Sequence[Reference]) -> Sequence[Parsed]:
    if parses.engine.parallel:
        return parses.records(items, view)
    return parses.segments(items, view)


@dataclass(frozen=True, eq=False)
class Scored:
    """The statistics of each metric; the pairs it skipped; whether dependencies were made by head rules."""

    statistics: Mapping[str, FloatArray]
    skipped: Mapping[str, Sequence[int]]
    converted: bool


def score_part(part: Part) -> Scored:
    """Score one part, here or in a worker."""
    chunks: dict[View | None, Chunk] = {None: Chunk((), (), part.hypothesis_texts, part.reference_texts)}
    converted = False
    for view, (hypotheses, references) in part.parses.items():
        hyps = [_segment(parsed) for parsed in hypotheses]
        refs = [[_segment(parsed) for parsed in item] for item in references]
        if part.on_failure == "flat":
            hyps = [flat_parse(segment) for segment in hyps]
            refs = [[flat_parse(segment) for segment in item] for item in refs]
        if view.heads:
            hyps = [part.dependencies.apply(segment) for segment in hyps]
            refs = [[part.dependencies.apply(segment) for segment in item] for item in refs]
            converted |= any(map(part.dependencies.made, [*hyps, *(segment for item in refs for segment in item)]))
        chunks[view] = Chunk(hyps, refs, part.hypothesis_texts, part.reference_texts)
    rows: dict[str, FloatArray] = {}
    skipped: dict[str, Sequence[int]] = {}
    with one_thread():
        for name, metric in part.metrics.items():
            chunk = chunks[part.views.get(name)]
            lacking = metric.lacking(chunk) if metric.reads == "parses" else []
            if lacking and part.on_failure != "skip":
                metric.require_pairs(chunk, part.first, part.files)
            if lacking:
                skipped[name] = lacking
            rows[name] = _statistics(metric, chunk, lacking)
    return Scored(rows, skipped, converted)


def _statistics(metric: Metric, chunk: Chunk, lacking: Sequence[int]) -> FloatArray:
    """The statistics of a chunk; zeros, which add nothing to any sum, for pairs that lack what the metric needs."""
    if not lacking:
        return metric.statistics(chunk)
    rows = np.zeros((len(chunk), len(metric.columns)))
    kept = np.setdiff1d(np.arange(len(chunk)), lacking)
    if len(kept):
        rows[kept] = metric.statistics(chunk.selected(kept.tolist()))
    return rows


def _segment(parsed: Parsed) -> Segment:
    return decode(parsed) if isinstance(parsed, bytes) else parsed
