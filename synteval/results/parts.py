"""A chunk of one system's pairs, scored here or by a worker of an engine.

A part that stays in this process holds parsed segments, and systems share those of their references; one that leaves it
holds encoded records, which are smaller.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from synteval.metrics.base import CHUNK, Chunk, FloatArray, Metric
from synteval.metrics.inputs import Reference, text_of
from synteval.metrics.views import Dependencies, Parses, View
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

    def __len__(self) -> int:
        return len(self.hypothesis_texts)


def parts_of(
    systems: Sequence[tuple[Sequence[Reference], Sequence[Sequence[Reference]]]],
    metrics: Mapping[str, Metric],
    parses: Parses,
) -> Iterator[Part]:
    """The parts of all systems (hypotheses and references each), chunk by chunk, so that systems share references."""
    views = {name: parses.view(metric) for name, metric in metrics.items() if metric.reads == "parses"}
    longest = max((len(hypotheses) for hypotheses, _ in systems), default=0)
    for first in range(0, longest, CHUNK):
        shared: dict[tuple[int, View], Sequence[Sequence[Parsed]]] = {}
        for number, (hypotheses, references) in enumerate(systems):
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
            )


def _parsed(parses: Parses, view: View, items: Sequence[Reference]) -> Sequence[Parsed]:
    if parses.engine.parallel:
        return parses.records(items, view)
    return parses.segments(items, view)


def score_part(part: Part) -> tuple[dict[str, FloatArray], bool]:
    """The statistics of each metric, and whether dependencies were made by head rules."""
    chunks: dict[View | None, Chunk] = {None: Chunk((), (), part.hypothesis_texts, part.reference_texts)}
    converted = False
    for view, (hypotheses, references) in part.parses.items():
        hyps = [_segment(parsed) for parsed in hypotheses]
        refs = [[_segment(parsed) for parsed in item] for item in references]
        if view.heads:
            hyps = [part.dependencies.apply(segment) for segment in hyps]
            refs = [[part.dependencies.apply(segment) for segment in item] for item in refs]
            converted |= any(map(part.dependencies.made, [*hyps, *(segment for item in refs for segment in item)]))
        chunks[view] = Chunk(hyps, refs, part.hypothesis_texts, part.reference_texts)
    rows = {}
    for name, metric in part.metrics.items():
        chunk = chunks[part.views.get(name)]
        if metric.reads == "parses":
            metric.require_pairs(chunk, part.first)
        rows[name] = metric.statistics(chunk)
    return rows, converted


def _segment(parsed: Parsed) -> Segment:
    return decode(parsed) if isinstance(parsed, bytes) else parsed
