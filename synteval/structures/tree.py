"""A constituency tree in flat arrays: nodes in preorder, a label and a parent each. No recursion, so no depth limit.

Words are leaves of their own: `tokens[i]` is the token that leaf `i` stands for, NONTERMINAL for an inner node (or a
bare label such as the `(PRON)` of a delexicalised tree), EMPTY for a terminal that is no token (a trace).
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from synteval.errors import StructureError
from synteval.structures.strings import IntArray, Strings

NONTERMINAL = -1
EMPTY = -2

# What wraps a whole tree in treebanks and parser output; "" is the unlabelled outer bracket of the Penn Treebank.
WRAPPERS = frozenset({"", "TOP", "ROOT", "S1"})
# Labels that begin with a hyphen and are not a category with a function tag.
HYPHENATED = frozenset({"-NONE-", "-LRB-", "-RRB-", "-LCB-", "-RCB-", "-LSB-", "-RSB-"})


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Tree:
    """Nodes in preorder. `parents[0]` is -1 and no other is."""

    labels: Strings
    parents: IntArray
    tokens: IntArray

    @classmethod
    def build(
        cls,
        labels: Sequence[str],
        parents: Sequence[int] | npt.NDArray[np.integer],
        tokens: Sequence[int] | npt.NDArray[np.integer],
    ) -> Tree:
        """A tree from plain sequences, checked."""
        tree = cls(
            labels if isinstance(labels, Strings) else Strings.of(labels),
            np.asarray(parents, dtype=np.int32),
            np.asarray(tokens, dtype=np.int32),
        )
        tree._check()
        return tree

    def _check(self) -> None:
        if not len(self.labels) == len(self.parents) == len(self.tokens):
            raise StructureError("labels, parents and tokens of a tree differ in length")
        if not len(self.parents):
            raise StructureError("a tree has at least one node")
        path: list[int] = []
        for node, parent in enumerate(self.parents.tolist()):
            while path and path[-1] != parent:
                path.pop()
            if not path and node:
                raise StructureError(f"node {node} of the tree is not in preorder or has no parent")
            path.append(node)
        if self.parents[0] != -1:
            raise StructureError("the first node of a tree is its root, with parent -1")
        inner = self.parents[1:]
        if (self.tokens[inner] != NONTERMINAL).any():
            raise StructureError("a word in the tree has children")

    def __len__(self) -> int:
        return len(self.parents)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return (
            np.array_equal(self.parents, other.parents)
            and np.array_equal(self.tokens, other.tokens)
            and self.labels == other.labels
        )

    def __hash__(self) -> int:
        return hash((self.labels, self.parents.tobytes()))

    def _repr_html_(self) -> str:
        from synteval.report.display import tree_html

        return tree_html(self)

    def __repr__(self) -> str:
        from synteval.structures.brackets import to_brackets

        text = to_brackets(self)
        return f"Tree({text if len(text) <= 300 else text[:297] + '...'})"

    def children(self) -> list[list[int]]:
        """The children of every node, in order."""
        lists: list[list[int]] = [[] for _ in range(len(self))]
        for node, parent in enumerate(self.parents.tolist()):
            if parent >= 0:
                lists[parent].append(node)
        return lists

    def depths(self) -> IntArray:
        """The depth of every node; the root has 0."""
        depths = np.zeros(len(self), dtype=np.int32)
        parents = self.parents.tolist()
        values = depths.tolist()
        for node in range(1, len(values)):
            values[node] = values[parents[node]] + 1
        return np.array(values, dtype=np.int32)

    def ends(self) -> IntArray:
        """One past the last descendant of every node, so that `node:ends[node]` is its subtree."""
        parents = self.parents.tolist()
        ends = list(range(1, len(parents) + 1))
        for node in range(len(parents) - 1, 0, -1):
            if ends[node] > ends[parents[node]]:
                ends[parents[node]] = ends[node]
        return np.array(ends, dtype=np.int32)

    def constituents(self) -> Iterator[tuple[str, int, int]]:
        """(label, first token, one past the last token) of every nonterminal that covers tokens, in preorder."""
        count = len(self)
        tokens = self.tokens.tolist()
        parents = self.parents.tolist()
        first, last = [-1] * count, [-1] * count
        for node in range(count - 1, -1, -1):
            if tokens[node] >= 0:
                first[node], last[node] = tokens[node], tokens[node] + 1
            parent = parents[node]
            if parent >= 0 and first[node] >= 0:
                first[parent] = first[node] if first[parent] < 0 else min(first[parent], first[node])
                last[parent] = max(last[parent], last[node])
        for node, label in enumerate(self.labels):
            if tokens[node] == NONTERMINAL and first[node] >= 0:
                yield label, first[node], last[node]

    def select(self, keep: npt.NDArray[np.bool_]) -> Tree | None:
        """The tree without the nodes that `keep` leaves out; their children move up.

        None where nothing, or no single root, is left.
        """
        if keep.all():
            return self
        kept = np.flatnonzero(keep)
        if not len(kept):
            return None
        position = np.cumsum(keep, dtype=np.int32) - 1
        # The nearest kept ancestor-or-self; parents precede children, so one pass in preorder finds it.
        nearest = np.where(keep, position, -1).tolist()
        parents = self.parents.tolist()
        above = [-1] * len(parents)
        for node in range(1, len(parents)):
            parent = parents[node]
            above[node] = nearest[parent] if nearest[parent] >= 0 else above[parent]
        new_parents = np.array([above[node] for node in kept.tolist()], dtype=np.int32)
        if (new_parents[1:] < 0).any():
            return None
        return Tree(Strings(self.labels.table, self.labels.codes[kept]), new_parents, self.tokens[kept])

    def normalised(self) -> Tree | None:
        """As metrics compare trees: no wrapper around the root, no function tags, no empty elements, nothing emptied.

        None where only empty elements were in the tree. A tree in normal form is returned as it is.
        """
        labels = self.labels
        keep = np.ones(len(self), dtype=bool)
        if (self.tokens == EMPTY).any() or "-NONE-" in labels.table:
            keep = self._non_empty()
            if not keep.any():
                return None
        if labels[0] in WRAPPERS and len(self) > 1 and keep[1:].any():
            roots = np.flatnonzero(keep & (self.parents == 0))
            if len(roots) == 1 and self.tokens[roots[0]] == NONTERMINAL:
                keep[0] = False
        tree = self.select(keep)
        if tree is None:
            return None
        bare = tuple(bare_category(label) for label in tree.labels.table)
        if bare != tree.labels.table:
            # Only nonterminals carry function tags: a word such as "mother-in-law" stays as it is.
            values = [
                bare_category(label) if token == NONTERMINAL else label
                for label, token in zip(tree.labels.list(), tree.tokens.tolist(), strict=True)
            ]
            tree = Tree(Strings.of(values), tree.parents, tree.tokens)
        return tree

    def _non_empty(self) -> npt.NDArray[np.bool_]:
        """Nodes that cover a token or a bare label: what is left when empty elements go."""
        parents = self.parents.tolist()
        tokens = self.tokens.tolist()
        labels = self.labels.list()
        has_child = [False] * len(parents)
        for parent in parents[1:]:
            has_child[parent] = True
        keep = [
            token >= 0 or (token == NONTERMINAL and not has_child[node] and labels[node] != "-NONE-")
            for node, token in enumerate(tokens)
        ]
        for node in range(len(parents) - 1, 0, -1):
            if keep[node] and labels[parents[node]] != "-NONE-":
                keep[parents[node]] = True
        return np.array(keep, dtype=bool)


@functools.lru_cache(maxsize=65536)
def bare_category(label: str) -> str:
    """The category without function tags and indices, cut at the first - or =: NP-SBJ-1 is NP; -LRB- stays."""
    if label in HYPHENATED or not label:
        return label
    for position in range(1, len(label)):
        if label[position] in "-=":
            return label[:position]
    return label
