"""Dependency F: the triples that are matched, spurious (unlicensed) and missing.

F = 2 matched / (system + reference): a match adds 2 / (system + reference), a spurious or missing one costs half that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from synteval.explain.closest import among_references, closest_reference
from synteval.explain.drawings import dependencies_drawn
from synteval.explain.explanation import Explanation, Fragment, strongest
from synteval.metrics.base import Chunk
from synteval.metrics.dependencies import heads_of, missing
from synteval.metrics.depf import PUNCTUATION, DependencyF
from synteval.structures import Segment

Triple = tuple[str, str, str]


def explain(name: str, metric: DependencyF, pair: Chunk, score: float, counts: Mapping[str, Any]) -> Explanation:
    """The explanation of the pair."""
    closest, _ = closest_reference(metric, pair, lambda row: (row[3], row[0], -row[2]))
    segments = [pair.hypotheses[0], pair.references[0][closest]]
    arcs = [_arcs(metric, segment) for segment in segments]
    own, reference = (Counter(arc for arc in side if arc is not None) for side in arcs)
    common = own & reference
    parts = len(pair.references[0]) if metric.multi_ref == "mean" else 1
    each = 1 / max(own.total() + reference.total(), 1) / parts

    def fragments(triples: Counter[Triple], worth: float) -> tuple[Fragment, ...]:
        return strongest(
            Fragment(_shown(triple), 1, times, times, worth * times) for triple, times in triples.items() if times
        )

    return Explanation(
        name,
        score,
        counts,
        kind="dependency",
        matched=fragments(common, 2 * each),
        unlicensed=fragments(own - reference, each),
        missing=fragments(reference - own, each),
        reference=closest + 1,
        hypothesis_drawing=dependencies_drawn(metric.view, segments[0], _marks(arcs[0], common)),
        reference_drawing=dependencies_drawn(metric.view, segments[1], _marks(arcs[1], common)),
        note=among_references(metric, pair, closest) or _no_dependencies(own, reference, score),
    )


def _arcs(metric: DependencyF, segment: Segment) -> list[Triple | None]:
    """(relation, head, dependent) of every token; None for a root and for punctuation."""
    arcs: list[Triple | None] = []
    for sentence in segment:
        if sentence.relations is None and metric.labelled:
            raise missing("dependency relations")
        words = metric.view.words(sentence)
        relations = [""] * len(words) if sentence.relations is None else sentence.relations.list()
        for word, head, relation in zip(words, heads_of(sentence).tolist(), relations, strict=True):
            counted = head >= 0 and relation not in PUNCTUATION
            arcs.append((relation if metric.labelled else "", words[head], word) if counted else None)
    return arcs


def _shown(triple: Triple) -> str:
    relation, head, dependent = triple
    return f"{relation}({head}, {dependent})" if relation else f"({head}, {dependent})"


def _marks(arcs: list[Triple | None], common: Counter[Triple]) -> list[float | None]:
    left, marks = Counter(common), list[float | None]()
    for arc in arcs:
        if arc is None:
            marks.append(None)
            continue
        marks.append(float(left[arc] > 0))
        left[arc] -= 1
    return marks


def _no_dependencies(own: Counter[Triple], reference: Counter[Triple], score: float) -> str:
    if own or reference:
        return ""
    return f"neither side has a dependency; their words are {'equal' if score else 'not equal'}"
