"""Penn brackets: `(S (NP (DT the) (NN dog)) (VP (VBZ barks)))` to a Tree and back.

A bracket without a word, `(PRON)`, is a bare label. The words of -NONE- are empty elements. Round brackets inside
words are escaped as the Penn Treebank does (-LRB-), and blanks inside words as underscores.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from synteval.errors import StructureError
from synteval.structures.sentence import Sentence
from synteval.structures.strings import Strings
from synteval.structures.tree import EMPTY, NONTERMINAL, Tree, bare_category

_LEXER = re.compile(r"[()]|[^ \t\r\n\f\v()]+|\n")
_ROUND = str.maketrans({"(": "-LRB-", ")": "-RRB-", " ": "_", "\t": "_", "\n": "_", "\r": "_", "\f": "_", "\v": "_"})


@dataclass(frozen=True, slots=True)
class Bracketed:
    """A tree read from text: the tree, the words that are tokens, and the line it began on."""

    tree: Tree
    forms: tuple[str, ...]
    line: int

    def sentence(self) -> Sentence:
        """The record: forms and tags from the tree's own words and preterminals."""
        forms = self.forms
        sentence = Sentence.build(forms, tree=self.tree)
        if not forms:
            return sentence
        leaves = np.flatnonzero(self.tree.tokens >= 0)
        tags = [bare_category(self.tree.labels[int(self.tree.parents[leaf])]) for leaf in leaves]
        preterminal = np.bincount(self.tree.parents[1:], minlength=len(self.tree))[self.tree.parents[leaves]] == 1
        if not preterminal.all():
            return sentence
        return Sentence.build(forms, tree=self.tree, xpos=tags)


def parse_brackets(text: str, first_line: int = 1) -> list[Bracketed]:
    """All trees of the text. Errors name the line, counted from `first_line`."""
    found: list[Bracketed] = []
    labels: list[str] = []
    parents: list[int] = []
    tokens: list[int] = []
    forms: list[str] = []
    open_nodes: list[int] = []
    fresh = False  # the last thing read was an opening bracket: a label may follow
    line, begun, suspect = first_line, first_line, 0
    line_start = 0
    for match in _LEXER.finditer(text):
        piece = match.group()
        if piece == "\n":
            line += 1
            line_start = match.end()
        elif piece == "(":
            if not open_nodes:
                begun = line
            elif match.start() == line_start and not suspect:
                # Continuation lines are indented: a bracket in the first column begins a new tree.
                suspect = begun
            parents.append(open_nodes[-1] if open_nodes else -1)
            open_nodes.append(len(labels))
            labels.append("")
            tokens.append(NONTERMINAL)
            fresh = True
        elif piece == ")":
            if not open_nodes:
                raise StructureError(f"line {line}: a closing bracket too many")
            open_nodes.pop()
            fresh = False
            if not open_nodes:
                found.append(Bracketed(Tree.build(labels, parents, tokens), tuple(forms), begun))
                labels, parents, tokens, forms = [], [], [], []
        elif not open_nodes:
            raise StructureError(f"line {line}: {_shown(piece)} stands outside the brackets")
        elif fresh:
            labels[open_nodes[-1]] = piece
            fresh = False
        else:
            parent = open_nodes[-1]
            parents.append(parent)
            if labels[parent] == "-NONE-":
                labels.append(piece)
                tokens.append(EMPTY)
            else:
                word = piece.replace("-LRB-", "(").replace("-RRB-", ")")
                labels.append(word)
                tokens.append(len(forms))
                forms.append(word)
    if open_nodes:
        count = len(open_nodes)
        raise StructureError(
            f"line {suspect or begun}: unbalanced brackets, {count} not closed; close the tree that begins here"
        )
    return found


def to_brackets(tree: Tree) -> str:
    """The tree on one line."""
    parts: list[str] = []
    depths = tree.depths().tolist()
    previous = -1
    for label, depth, token in zip(tree.labels.list(), depths, tree.tokens.tolist(), strict=True):
        if depth <= previous:
            parts.append(")" * (previous - depth + 1))
        if token == NONTERMINAL:
            parts.append((" (" if previous >= 0 else "(") + label.translate(_ROUND))
            previous = depth
        else:
            parts.append(" " + label.translate(_ROUND))
            previous = depth - 1  # a word opens no bracket
    parts.append(")" * (previous + 1))
    return "".join(parts)


def pretty(tree: Tree, width: int = 100) -> str:
    """The tree over several lines, indented; a constituent that fits the width stays on one line."""
    ends = tree.ends().tolist()
    children = tree.children()
    depths = tree.depths().tolist()
    out: list[str] = []
    stack: list[tuple[int, int]] = [(0, 0)]
    while stack:
        node, closing = stack.pop()
        indent = "  " * depths[node]
        sub = _subtree(tree, node, ends[node])
        flat = to_brackets(sub) if ends[node] - node < width else ""
        if flat and len(indent) + len(flat) <= width:
            out.append(indent + flat + ")" * closing)
            continue
        words = [child for child in children[node] if tree.tokens[child] != NONTERMINAL]
        phrases = [child for child in children[node] if tree.tokens[child] == NONTERMINAL]
        if words or not phrases:
            out.append(indent + to_brackets(sub) + ")" * closing)
            continue
        out.append(f"{indent}({tree.labels[node].translate(_ROUND)}")
        stack.extend((child, closing + 1 if child == phrases[-1] else 0) for child in reversed(phrases))
    return "\n".join(out)


def _subtree(tree: Tree, start: int, end: int) -> Tree:
    parents = tree.parents[start:end] - start
    parents[0] = -1
    return Tree(Strings(tree.labels.table, tree.labels.codes[start:end]), parents, tree.tokens[start:end])


def _shown(piece: str) -> str:
    return repr(piece if len(piece) <= 40 else piece[:37] + "...")


def segment_to_brackets(sentences: Sequence[Sentence]) -> str:
    """The trees of a segment side by side on one line."""
    trees = [sentence.tree for sentence in sentences]
    if any(tree is None for tree in trees):
        raise StructureError("a sentence has no constituency tree")
    return " ".join(to_brackets(tree) for tree in trees if tree is not None)
