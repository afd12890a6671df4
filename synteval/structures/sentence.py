"""The neutral record of a parsed sentence: whatever parser made it, every metric reads this and nothing else.

Any layer but the tokens may be missing. A segment (what stands on one line of a system output) is a tuple of sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from synteval.errors import StructureError
from synteval.structures.strings import IntArray, Strings
from synteval.structures.tree import Tree

ROOT = -1

LAYERS = ("lemmas", "upos", "xpos", "spans", "heads", "tree", "senses", "vectors")
# How a message speaks of a layer.
LAYER_NAMES = {
    "lemmas": "lemmas",
    "upos": "universal part-of-speech tags",
    "xpos": "part-of-speech tags",
    "spans": "character spans",
    "heads": "dependencies",
    "tree": "constituency trees",
    "senses": "word senses",
    "vectors": "token vectors",
}


@dataclass(frozen=True, slots=True)
class Annotations:
    """What a CoNLL-U file says of a sentence beyond the record, kept so that it is written back as it came."""

    comments: tuple[str, ...] = ()
    feats: tuple[str, ...] = ()
    deps: tuple[str, ...] = ()
    misc: tuple[str, ...] = ()
    # Lines of multiword tokens and empty nodes, each with the number of tokens that stand before it.
    lines: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sentence:
    """One sentence.

    `spans` are character positions in `text`; `text` begins at `offset` in its segment.
    `heads` are token indices, ROOT (-1) for the root; `scheme` names their inventory of relations: "ud",
    "clearnlp", "collins" (head rules), "link".
    `senses` holds the sense keys of each token; `vectors` one row a token.
    """

    text: str
    forms: Strings
    lemmas: Strings | None = None
    upos: Strings | None = None
    xpos: Strings | None = None
    spans: IntArray | None = None
    heads: IntArray | None = None
    relations: Strings | None = None
    scheme: str | None = None
    tree: Tree | None = None
    senses: tuple[tuple[str, ...], ...] | None = None
    vectors: npt.NDArray[Any] | None = None
    offset: int = 0
    annotations: Annotations | None = None

    @classmethod
    def build(
        cls,
        forms: Iterable[str],
        *,
        text: str | None = None,
        lemmas: Iterable[str] | None = None,
        upos: Iterable[str] | None = None,
        xpos: Iterable[str] | None = None,
        spans: Sequence[tuple[int, int]] | npt.NDArray[np.integer] | None = None,
        heads: Sequence[int] | npt.NDArray[np.integer] | None = None,
        relations: Iterable[str] | None = None,
        scheme: str | None = None,
        tree: Tree | None = None,
        senses: Iterable[Iterable[str]] | None = None,
        offset: int = 0,
        annotations: Annotations | None = None,
    ) -> Sentence:
        """A sentence from plain Python values, checked. Without `text`, the forms are joined by spaces."""
        form_list = list(forms)
        column = Strings.of(form_list)
        if text is None:
            text = " ".join(form_list)
            if spans is None and form_list:
                lengths = np.array([len(form) for form in form_list], dtype=np.int32)
                ends = np.cumsum(lengths + 1) - 1
                spans = np.stack([ends - lengths, ends], axis=1)
        sentence = cls(
            text=text,
            forms=column,
            lemmas=None if lemmas is None else Strings.of(lemmas),
            upos=None if upos is None else Strings.of(upos),
            xpos=None if xpos is None else Strings.of(xpos),
            spans=None if spans is None else np.asarray(spans, dtype=np.int32).reshape(-1, 2),
            heads=None if heads is None else np.asarray(heads, dtype=np.int32),
            relations=None if relations is None else Strings.of(relations),
            scheme=scheme,
            tree=tree,
            senses=None if senses is None else tuple(tuple(keys) for keys in senses),
            offset=offset,
            annotations=annotations,
        )
        sentence._check()
        return sentence

    def _check(self) -> None:
        count = len(self.forms)
        for name in ("lemmas", "upos", "xpos", "spans", "heads", "relations", "senses"):
            layer = getattr(self, name)
            if layer is not None and len(layer) != count:
                raise StructureError(f"{name} has {len(layer)} items for {count} tokens")
        if self.heads is not None:
            check_heads(self.heads)
        if self.tree is not None:
            words = self.tree.tokens[self.tree.tokens >= 0]
            if len(words) not in (0, count) or not np.array_equal(words, np.arange(len(words))):
                raise StructureError("the words of the constituency tree are not the tokens of the sentence, in order")

    def __len__(self) -> int:
        return len(self.forms)

    def has(self, layer: str) -> bool:
        """Whether the layer (a name of LAYERS) is there."""
        return getattr(self, layer) is not None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sentence):
            return NotImplemented
        for field in fields(self):
            mine, theirs = getattr(self, field.name), getattr(other, field.name)
            if isinstance(mine, np.ndarray) or isinstance(theirs, np.ndarray):
                if mine is None or theirs is None or not np.array_equal(mine, theirs):
                    return False
            elif mine != theirs:
                return False
        return True

    def __hash__(self) -> int:
        return hash((self.text, self.forms))

    def _repr_html_(self) -> str:
        from synteval.report.display import sentence_html

        return sentence_html(self)

    def __repr__(self) -> str:
        text = self.text if len(self.text) <= 60 else self.text[:57] + "..."
        layers = [name for name in LAYERS if self.has(name)]
        scheme = f" ({self.scheme})" if self.scheme else ""
        return f"<Sentence {text!r}: {len(self)} tokens; {', '.join(layers) or 'no layers'}{scheme}>"


Segment = tuple[Sentence, ...]


def check_heads(heads: IntArray) -> None:
    """Exactly one root, every head inside the sentence, no cycle. The message counts tokens from 1, as CoNLL-U does."""
    count = len(heads)
    if not count:
        return
    outside = np.flatnonzero((heads < ROOT) | (heads >= count))
    if len(outside):
        token = int(outside[0])
        raise StructureError(
            f"the head of token {token + 1} is {int(heads[token]) + 1}, outside the sentence of {count} tokens"
        )
    roots = np.flatnonzero(heads == ROOT)
    if len(roots) == 0:
        raise StructureError("no token is the root (head 0)")
    if len(roots) > 1:
        raise StructureError(f"a second root: tokens {int(roots[0]) + 1} and {int(roots[1]) + 1} both have head 0")
    # Pointer doubling: after log2(n) steps every token of a tree has reached the root.
    reached = np.where(heads == ROOT, np.arange(count), heads)
    for _ in range(int(count).bit_length()):
        reached = reached[reached]
    lost = np.flatnonzero(reached != roots[0])
    if len(lost):
        raise StructureError(f"token {int(lost[0]) + 1} is in a cycle of heads, or hangs from one")
