"""Trees as SVG for notebooks: constituents from the top down, dependencies as arcs over the words.

Lines and text have the colour of the page around them, so that they are seen on light and dark ground alike.
"""

from __future__ import annotations

from html import escape

from synteval.explain.explanation import Drawing
from synteval.explain.text import printable, text_width

_CHARACTER = 7.2
_STEP = 32
_LEVEL = 20
# A sentence with more nodes is not drawn: no screen has room for it.
LARGEST = 1500
_GROUNDS = {"matched": "#2ea04388", "partly": "#d2992288", "unmatched": "#f8514988"}


def tree_svg(drawing: Drawing) -> str:
    """Constituency trees, the trees of several sentences side by side. Notes are words, drawn in the lowest row."""
    count = len(drawing.labels)
    children: list[int] = [0] * count
    first, last = [-1] * count, [-1] * count
    depths = [0] * count
    for node, parent in enumerate(drawing.parents):
        if parent >= 0:
            children[parent] += 1
            depths[node] = depths[parent] + 1
            first[parent] = node if first[parent] < 0 else first[parent]
            last[parent] = node
    lowest = max(depths, default=0) + any(drawing.notes)
    xs = [0.0] * count
    edge = 6.0
    for node in range(count):
        if not children[node]:
            width = max(_width(drawing.labels[node]), _width(drawing.notes[node]))
            xs[node] = edge + width / 2
            edge += width + 12
    for node in range(count - 1, -1, -1):
        if children[node]:
            xs[node] = (xs[first[node]] + xs[last[node]]) / 2
    parts = []
    for node, parent in enumerate(drawing.parents):
        y = depths[node] * _STEP + 18
        if parent >= 0:
            parts.append(_line(xs[parent], y - _STEP + 5, xs[node], y - 13))
        if drawing.notes[node]:
            bottom = lowest * _STEP + 18
            parts += [_line(xs[node], y + 5, xs[node], bottom - 13), _text(xs[node], bottom, drawing.notes[node])]
        parts.append(_text(xs[node], y, drawing.labels[node], drawing.marks[node]))
    return _svg(edge, (lowest + 1) * _STEP, parts, "constituency tree")


def arcs_svg(drawing: Drawing) -> str:
    """Dependency trees: labels are the words, notes their relations."""
    xs: list[float] = []
    edge = 6.0
    for label, note in zip(drawing.labels, drawing.notes, strict=True):
        width = max(_width(label), 0.85 * _width(note))
        xs.append(edge + width / 2)
        edge += width + 14
    arcs = sorted(
        ((token, head) for token, head in enumerate(drawing.parents) if head >= 0), key=lambda arc: abs(arc[0] - arc[1])
    )
    # Arcs that share ground stand above one another: the highest arc so far over every gap between words.
    levels: dict[int, int] = {}
    highest = [0] * len(xs)
    for token, head in arcs:
        low, high = min(token, head), max(token, head)
        levels[token] = level = 1 + max(highest[low:high])
        highest[low:high] = [level] * (high - low)
    base = max(levels.values(), default=0) * _LEVEL + 26
    parts = []
    for token, head in arcs:
        y = base - 8 - levels[token] * _LEVEL
        toward = 1 if xs[token] > xs[head] else -1
        start, end = xs[head] + 5 * toward, xs[token] - 3 * toward
        path = f"M{start:.1f} {base - 5}V{y}H{end:.1f}V{base - 6}l-3 -4m3 4l3 -4"
        parts.append(f'<path d="{path}" fill="none" stroke="currentColor" opacity="0.6"/>')
        parts.append(_text((start + end) / 2, y - 3, drawing.notes[token], size=10))
    parts += [
        _text(x, base + 10, label, mark) for x, label, mark in zip(xs, drawing.labels, drawing.marks, strict=True)
    ]
    return _svg(edge, base + 20, parts, "dependency tree")


def _width(text: str) -> float:
    return _CHARACTER * max(text_width(text), 1)


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<path d="M{x1:.1f} {y1}L{x2:.1f} {y2}" stroke="currentColor" opacity="0.5"/>'


def _text(x: float, y: float, text: str, mark: float | None = None, size: int = 12) -> str:
    shown = f'<text x="{x:.1f}" y="{y}" text-anchor="middle" font-size="{size}">{escape(printable(text))}</text>'
    if mark is None:
        return shown
    kind = "matched" if mark == 1 else "unmatched" if mark == 0 else "partly"
    width = _width(text) + 4
    ground = f'<rect x="{x - width / 2:.1f}" y="{y - 13}" width="{width:.1f}" height="18" rx="4"'
    return f'{ground} fill="{_GROUNDS[kind]}"/>{shown}'


def _svg(width: float, height: float, parts: list[str], name: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{name}" width="{width:.0f}" '
        f'height="{height:.0f}" fill="currentColor" font-family="system-ui, sans-serif">{"".join(parts)}</svg>'
    )
