"""Texts with their parses in few bytes, for the report.

A distinct text is one entry in each of four lists; texts of one segment are neighbours, so that a compressor finds what
they have in common.

    texts      its tokens, joined by a blank, or by DEL where no blank is between them; sentences are lines. Where that
               would not give the text back, [text, [[token, ...] of each sentence]]
    trees      constituency, a line a sentence, in preorder: a character opens a node, `)` closes it, at the end of the
               line all are closed; a tag is one character, with its word; a blank is a word without a tag
    heads      a character a token: 0 for the root, 2 n - 1 for a head n tokens to the right, 2 n to the left
    relations  a character a token

Numbers, and names in the order they come, are characters by `character`. Names of tags begin with a slash in `labels`,
those of phrases with a dot.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from synteval.structures import EMPTY, NONTERMINAL, Segment, Sentence, Tree
from synteval.structures.tree import WRAPPERS, bare_category

JOINER = "\x7f"
_CUTS = re.compile(f"[ \n{JOINER}]")
# One byte each in UTF-8, and without a meaning in JSON or in a tree; numbers beyond take two bytes.
ALPHABET = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) not in '"\\)')


@functools.cache
def character(number: int) -> str:
    """The character for a number."""
    return ALPHABET[number] if number < len(ALPHABET) else chr(0x100 + number)


class Names(dict[str, str]):
    """Characters for names, given as they are asked for; `listed` has the names in order, with a prefix."""

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self.prefix = prefix
        self.listed: list[str] = []

    def __missing__(self, name: str) -> str:
        # Function tags of categories are left out, as metrics do.
        bare = bare_category(name) if self.prefix else name
        if bare != name:
            found = self[bare]
        else:
            found = character(len(self.listed))
            self.listed.append(self.prefix + name)
        self[name] = found
        return found


@dataclass
class CompactTexts:
    """The four lists, and the names that their characters stand for."""

    texts: list[Any] = field(default_factory=list)
    trees: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    relations: list[str] = field(default_factory=list)
    tags: Names = field(default_factory=lambda: Names("/"))
    phrases: Names = field(default_factory=lambda: Names("."))
    relation_names: Names = field(default_factory=lambda: Names(""))

    def __post_init__(self) -> None:
        self.phrases.listed = self.tags.listed

    def add(self, text: str, segment: Segment) -> int:
        """Take in a text with its parse; gives its number."""
        self.texts.append(_tokens(text, segment))
        self.trees.append("\n".join(self._tree(sentence.tree) for sentence in segment).rstrip("\n"))
        self.heads.append("".join(_heads(sentence) for sentence in segment))
        relations = [sentence.relations.list() for sentence in segment if sentence.relations is not None]
        self.relations.append("".join([self.relation_names[name] for column in relations for name in column]))
        return len(self.texts) - 1

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "alphabet": ALPHABET,
            "texts": self.texts,
            "trees": self.trees,
            "heads": self.heads,
            "relations": self.relations,
            "labels": self.tags.listed,
            "relationNames": self.relation_names.listed,
        }

    def _tree(self, tree: Tree | None) -> str:
        if tree is not None and ("-NONE-" in tree.labels.table or (tree.tokens == EMPTY).any()):
            tree = tree.normalised()
        if tree is None:
            return ""
        labels, parents = tree.labels.list(), tree.parents.tolist()
        is_word = (tree.tokens != NONTERMINAL).tolist()
        arity = [0] * len(labels)
        for parent in parents[1:]:
            arity[parent] += 1
        parts: list[str] = []
        path: list[int] = []
        # A wrapper around the only constituent is left out, as metrics do.
        first = int(labels[0] in WRAPPERS and arity[0] == 1 and not is_word[1])
        for node, parent in enumerate(parents[first:], start=first):
            if is_word[node] and arity[parent] == 1 and node:
                continue  # its tag has told of it
            while path and path[-1] != parent:
                parts.append(")")
                path.pop()
            if is_word[node]:
                parts.append(" ")
            elif arity[node] == 1 and is_word[node + 1]:
                parts.append(self.tags[labels[node]])
            else:
                parts.append(self.phrases[labels[node]])
                path.append(node)
        return "".join(parts)


def _tokens(text: str, segment: Segment) -> Any:
    lines = [_joined(sentence) for sentence in segment]
    if all(line is not None for line in lines):
        plain = "\n".join(line for line in lines if line is not None)
        if plain.replace(JOINER, "").replace("\n", " ") == text:
            return plain
    return [text, [sentence.forms.list() for sentence in segment]]


def _joined(sentence: Sentence) -> str | None:
    """The tokens with what stands between them; None where that is something else than one blank or nothing."""
    forms = sentence.forms.list()
    if not forms or sentence.spans is None or _CUTS.search("".join(forms)):
        return None
    starts, ends = sentence.spans[:, 0].tolist(), sentence.spans[:, 1].tolist()
    parts = [forms[0]]
    for form, start, end in zip(forms[1:], starts[1:], ends[:-1], strict=True):
        parts += (JOINER if start == end else " ", form)
    return "".join(parts)


def _heads(sentence: Sentence) -> str:
    if sentence.heads is None:
        return ""
    steps = sentence.heads - np.arange(len(sentence.heads))
    codes = np.where(sentence.heads < 0, 0, np.where(steps > 0, 2 * steps - 1, -2 * steps))
    return "".join(map(character, codes.tolist()))
