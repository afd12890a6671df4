"""Trees as a metric saw them, with marks, for the terminal and for notebooks."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

from synteval.explain.explanation import Drawing
from synteval.metrics.base import Chunk, Metric
from synteval.metrics.constituency import TreeView
from synteval.metrics.dependencies import WordView
from synteval.metrics.layout import Layout
from synteval.structures import Segment


def drawn(metric: Metric, pair: Chunk, number: int, marks: Sequence[float | None]) -> Drawing:
    """Segment `number` of a pair (0 is the hypothesis), with the marks of the nodes that the metric's view has."""
    view: TreeView | WordView = metric.view  # type: ignore[attr-defined]
    if isinstance(view, TreeView):
        return _constituents(view, pair, number, marks)
    return dependencies_drawn(view, Layout.of(pair).segments[number], marks)


def dependencies_drawn(view: WordView, segment: Segment, marks: Sequence[float | None]) -> Drawing:
    """Dependency trees: every token with its relation as the note."""
    labels: list[str] = []
    parents: list[int] = []
    notes: list[str] = []
    for sentence in segment:
        start = len(labels)
        labels += sentence.forms.list()
        notes += sentence.relations.list() if sentence.relations is not None else [""] * len(sentence)
        heads = sentence.heads.tolist() if sentence.heads is not None else [-1] * len(sentence)
        parents += [start + head if head >= 0 else -1 for head in heads]
    return Drawing(tuple(labels), tuple(parents), tuple(notes), tuple(marks))


def _constituents(view: TreeView, pair: Chunk, number: int, marks: Sequence[float | None]) -> Drawing:
    """Constituency trees: where words take no part, the word of a tag is its note."""
    nodes = replace(view, lexicalised=True).nodes(pair)[number]
    given = iter(marks)
    labels: list[str] = []
    parents: list[int] = []
    notes: list[str] = []
    values: list[float | None] = []
    place: dict[int, int] = {-1: -1}
    for node, label in enumerate(nodes.labels):
        parent = nodes.parents[node]
        is_word = isinstance(label, tuple)
        if is_word and not view.lexicalised and parent >= 0 and len(nodes.children[parent]) == 1:
            notes[place[parent]] = _text(label)
            continue
        place[node] = len(labels)
        labels.append(_text(label))
        parents.append(place[parent])
        notes.append("")
        values.append(next(given) if view.lexicalised or not is_word else None)
    return Drawing(tuple(labels), tuple(parents), tuple(notes), tuple(values))


def _text(label: Hashable) -> str:
    return str(label[0] if isinstance(label, tuple) else label)
