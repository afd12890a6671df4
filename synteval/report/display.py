"""How notebooks show trees, sentences, scores, explanations and runs. All text is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from synteval.explain.explanation import Drawing, Explanation, Fragment
from synteval.explain.text import printable
from synteval.report.svg import LARGEST, arcs_svg, tree_svg
from synteval.structures import NONTERMINAL, Sentence, Tree

if TYPE_CHECKING:
    from synteval.metrics.base import Score
    from synteval.results.run import Run

_ROWS = 10


def tree_html(tree: Tree) -> str:
    """The tree drawn."""
    return _scrolled(tree_svg(_constituents(tree))) if len(tree) <= LARGEST else _code(repr(tree))


def sentence_html(sentence: Sentence) -> str:
    """The text, then whichever trees there are."""
    parts = [f"<p>{_text(sentence.text)}</p>"]
    if sentence.tree is not None:
        parts.append(tree_html(sentence.tree))
    if sentence.heads is not None and 0 < len(sentence) <= LARGEST:
        words = tuple(sentence.forms.list())
        relations = tuple(sentence.relations.list()) if sentence.relations is not None else ("",) * len(words)
        drawing = Drawing(words, tuple(sentence.heads.tolist()), relations, (None,) * len(words))
        parts.append(_scrolled(arcs_svg(drawing)))
    return "".join(parts)


def score_html(score: Score) -> str:
    """The score, its counts and its signature."""
    rows = [[name, str(value)] for name, value in score.counts.items()]
    return f"<p><b>{_text(str(score))}</b></p>{_table(['counts', ''], rows)}{_code(score.signature)}"


def run_html(run: Run) -> str:
    """The table of corpus scores, the best in bold, and the signatures."""
    several = len(run.systems) > 1
    rows = []
    for system in run.systems:
        cells = [_text(system.name)]
        for metric, score in run.scores[system.name].items():
            best = several and system.name in run.best(metric)
            cells.append(f"<b>{score:.4f}</b>" if best else f"{score:.4f}")
        rows.append(cells)
    signatures = "".join(f"<div>{_code(signature)}</div>" for signature in run.signatures.values())
    return (
        _table(["system", *run.metrics], rows, escaped=True)
        + f"<details><summary>{run.segments} segments; signatures</summary>{signatures}</details>"
    )


def explanation_html(explanation: Explanation) -> str:
    """Both trees with marks, and the strongest fragments of each list."""
    parts = [f"<p><b>{_text(explanation.metric)} = {explanation.score:.4f}</b></p>"]
    for title, drawing in (
        ("hypothesis", explanation.hypothesis_drawing),
        (f"reference {explanation.reference}", explanation.reference_drawing),
    ):
        if drawing is not None and 0 < len(drawing.labels) <= LARGEST:
            dependencies = explanation.kind in ("chain", "dependency", "common subsequence")
            draw = arcs_svg if dependencies or _crosses(drawing) else tree_svg
            parts.append(f"<div>{title}</div>{_scrolled(draw(drawing))}")
    for name in ("matched", "unlicensed", "missing"):
        fragments: Sequence[Fragment] = getattr(explanation, name)
        if fragments:
            rows = [
                [fragment.text, str(fragment.order), f"{fragment.weight:g}", _share(fragment)]
                for fragment in fragments[:_ROWS]
            ]
            more = f" of {len(fragments)}" if len(fragments) > _ROWS else ""
            parts.append(f"<div>{name}: {len(rows)}{more}</div>")
            parts.append(_table([explanation.kind, explanation.order or "order", "weight", "share"], rows))
    if explanation.note:
        parts.append(f"<p>{_text(explanation.note)}</p>")
    return "".join(parts)


def _crosses(drawing: Drawing) -> bool:
    """Whether nodes are not in preorder: the tokens of a dependency tree."""
    return any(parent > node for node, parent in enumerate(drawing.parents))


def _constituents(tree: Tree) -> Drawing:
    """The tree with the only word of a tag as its note."""
    labels, parents, notes, place = list[str](), list[int](), list[str](), {-1: -1}
    children = tree.children()
    tokens = tree.tokens.tolist()
    for node, (label, parent) in enumerate(zip(tree.labels.list(), tree.parents.tolist(), strict=True)):
        if tokens[node] != NONTERMINAL and parent >= 0 and len(children[parent]) == 1:
            notes[place[parent]] = label
            continue
        place[node] = len(labels)
        labels.append(label)
        parents.append(place[parent])
        notes.append("")
    return Drawing(tuple(labels), tuple(parents), tuple(notes), (None,) * len(labels))


def _share(fragment: Fragment) -> str:
    return "" if fragment.share is None else f"{fragment.share:.4f}"


def _scrolled(drawing: str) -> str:
    return f'<div style="overflow-x:auto">{drawing}</div>'


def _text(text: str) -> str:
    return escape(printable(text))


def _code(text: str) -> str:
    return f'<code style="overflow-wrap:anywhere">{_text(text)}</code>'


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], escaped: bool = False) -> str:
    head = "".join(f"<th>{_text(cell)}</th>" for cell in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{cell if escaped else _text(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
