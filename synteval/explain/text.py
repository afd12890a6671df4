"""An explanation as lines of text: both trees side by side, then the fragments, strongest first.

Marks stand behind the labels so that nothing is lost without colour: `+` matched, `~` matched in part, `-` not matched.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

from synteval.explain.explanation import Drawing, Explanation, Fragment

# Text and the name of a style: matched, partly, unlicensed, missing, heading, faint.
Style = Callable[[str, str], str]

LIMIT = 10
_WIDEST = 100
_TITLES = {
    "matched": "matched",
    "unlicensed": "unlicensed: in the hypothesis, in no reference",
    "missing": "missing: in the reference, not in the hypothesis",
}


def _unstyled(text: str, style: str) -> str:
    return text


def lines(
    explanation: Explanation, *, limit: int = LIMIT, width: int | None = None, style: Style = _unstyled
) -> Iterator[str]:
    """The explanation; at most `limit` fragments a list (0: all), trees side by side where `width` has room."""
    yield style(f"{explanation.metric} = {explanation.score:.4f}", "heading")
    if explanation.hypothesis_drawing is not None and explanation.reference_drawing is not None:
        yield ""
        yield from _trees(explanation, width, style)
    if explanation.kind:
        for name, title in _TITLES.items():
            yield ""
            yield from _listed(explanation, name, title, limit, style)
    if explanation.note:
        yield ""
        yield style(printable(explanation.note), "faint")


def printable(text: str) -> str:
    """Text without characters that would move the cursor, colour the terminal or turn the line around."""
    return "".join("\N{REPLACEMENT CHARACTER}" if unicodedata.category(c) in ("Cc", "Cf", "Cs") else c for c in text)


def text_width(text: str) -> int:
    """How many columns of a terminal the text takes."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def outline(drawing: Drawing) -> list[tuple[str, float | None]]:
    """A line a node, indented by lines of the tree, with its mark; without trees, the words in one line each."""
    children: list[list[int]] = [[] for _ in drawing.labels]
    roots: list[int] = []
    for node, parent in enumerate(drawing.parents):
        (children[parent] if parent >= 0 else roots).append(node)
    rows: list[tuple[str, float | None]] = []
    stack = [(root, "", "") for root in reversed(roots)]
    while stack:
        node, branch, below = stack.pop()
        rows.append((branch + _label(drawing, node), drawing.marks[node]))
        last = len(children[node]) - 1
        for place in range(last, -1, -1):
            ends = place == last
            stack.append((children[node][place], below + ("└ " if ends else "├ "), below + ("  " if ends else "│ ")))
    return rows


def _label(drawing: Drawing, node: int) -> str:
    note = drawing.notes[node]
    return printable(drawing.labels[node] + (f" {note}" if note else "")) + _sign(drawing.marks[node])


def _sign(mark: float | None) -> str:
    return "" if mark is None else f" {'+' if mark == 1 else '-' if mark == 0 else '~'}"


def _kind(mark: float | None, unmatched: str) -> str:
    return "faint" if mark is None else "matched" if mark == 1 else unmatched if mark == 0 else "partly"


def _trees(explanation: Explanation, width: int | None, style: Style) -> Iterator[str]:
    hypothesis, reference = explanation.hypothesis_drawing, explanation.reference_drawing
    assert hypothesis is not None and reference is not None
    drawings = (hypothesis, reference)
    titles = ("hypothesis", f"reference {explanation.reference}")
    if all(parent < 0 for drawing in drawings for parent in drawing.parents):
        for title, drawing, unmatched in zip(titles, drawings, ("unlicensed", "missing"), strict=True):
            words = (
                style(printable(label) + ("" if mark else _sign(mark).strip()), _kind(mark, unmatched))
                for label, mark in zip(drawing.labels, drawing.marks, strict=True)
            )
            yield f"{title:<13}" + " ".join(words)
        return
    left = [(titles[0], None), *outline(drawings[0])]
    right = [(titles[1], None), *outline(drawings[1])]
    column = max(text_width(text) for text, _ in left)
    widest = max(text_width(text) for text, _ in right)
    if width is not None and column + 3 + widest > width:
        for side, unmatched in ((left, "unlicensed"), (right, "missing")):
            yield from (style(text, _kind(mark, unmatched)) for text, mark in side)
            yield ""
        yield style("+ matched  ~ in part  - not", "faint")
        return
    for (one, mark), (other, other_mark) in zip_longest(left, right, fillvalue=("", None)):
        gap = " " * (column - text_width(one) + 3) if other else ""
        yield style(one, _kind(mark, "unlicensed")) + gap + style(other, _kind(other_mark, "missing"))
    yield style("+ matched  ~ in part  - not", "faint")


def _listed(explanation: Explanation, name: str, title: str, limit: int, style: Style) -> Iterator[str]:
    fragments: Sequence[Fragment] = getattr(explanation, name)
    weight = sum(fragment.weight for fragment in fragments)
    shares = [fragment.share for fragment in fragments if fragment.share is not None]
    summary = f"{title} ({_number(weight)}"
    if shares:
        summary += f", {'' if name == 'matched' else 'costing '}{sum(shares):.4f}"
    yield style(summary + ")", name if fragments else "faint")
    listed = fragments[:limit] if limit else fragments
    if not listed:
        return
    order = explanation.order
    yield style(f"  {'share':>7}  {'weight':>7}  {order + '  ' if order else ''}{explanation.kind}", "faint")
    for fragment in listed:
        share = "" if fragment.share is None else f"{fragment.share:.4f}"
        text = printable(fragment.text)
        if fragment.senses:
            text += f"  [{'; '.join(printable(sense) for sense in fragment.senses)}]"
        if len(text) > _WIDEST:
            text = text[: _WIDEST - 1] + "…"
        column = f"{fragment.order:>{len(order)}}  " if order else ""
        yield f"  {share:>7}  {_number(fragment.weight):>7}  {column}{text}"
    if len(fragments) > len(listed):
        rest = fragments[len(listed) :]
        yield style(f"  and {len(rest)} more ({_number(sum(fragment.weight for fragment in rest))})", "faint")


def _number(value: float) -> str:
    return f"{value:.0f}" if value < 1e6 and value == int(value) else f"{value:.4g}"
