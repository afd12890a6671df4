"""The constituency trees of a chunk as a forest: which nodes of a tree take part in STM and TKM.

By default phrase labels and part-of-speech tags, not words, as in the worked example of Liu & Gildea 2005; without a
wrapper around the root, function tags and empty elements (`Tree.normalised`), which parsers of different make do not
agree on.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from synteval.errors import MissingLayerError
from synteval.metrics.base import Chunk
from synteval.metrics.forest import Forest, Nodes, Subtrees
from synteval.metrics.interning import concatenate, intern, intern_strings
from synteval.metrics.layout import Ints, Layout
from synteval.structures import Segment, Tree
from synteval.structures.tree import EMPTY, NONTERMINAL, WRAPPERS, bare_category

# Tags of punctuation: the Penn Treebank's, those of its web and biomedical successors, and UD's. # and $ are currency.
PUNCTUATION = frozenset(
    [
        ".",
        ",",
        ":",
        "``",
        "''",
        '"',
        "-LRB-",
        "-RRB-",
        "-LSB-",
        "-RSB-",
        "-LCB-",
        "-RCB-",
        "(",
        ")",
        "HYPH",
        "NFP",
        "PUNCT",
    ]
)


@dataclass(frozen=True)
class TreeView:
    """What of a tree is compared: the options that STM and TKM share."""

    lexicalised: bool = False
    include_pos: bool = True
    normalise_tree: bool = True
    drop_punct: bool = False

    def forest(self, chunk: Chunk) -> Forest:
        """The trees of all segments of the chunk, made once for all metrics with these options."""
        return chunk.shared(("constituency", self), lambda: self.flatten(Layout.of(chunk).segments))

    def nodes(self, chunk: Chunk) -> list[Nodes]:
        """The same for the direct path."""
        return chunk.shared(
            ("constituency nodes", self), lambda: [self._listed(segment) for segment in Layout.of(chunk).segments]
        )

    def subtrees(self, chunk: Chunk) -> Subtrees:
        """The distinct subtrees of the nodes."""
        return chunk.shared(("constituency subtrees", self), lambda: Subtrees.of(self.nodes(chunk)))

    def flatten(self, segments: Sequence[Segment]) -> Forest:
        """The trees of the segments."""
        counts = [len(segment) for segment in segments]
        trees = [_tree(sentence.tree) for segment in segments for sentence in segment]
        tokens = concatenate([tree.tokens for tree in trees])
        if self.normalise_tree:
            trees, tokens = _without_empty(trees, tokens)
        sizes = np.array([len(tree.tokens) for tree in trees], dtype=np.int64)
        starts = np.cumsum(sizes) - sizes
        labels, table = intern_strings([tree.labels for tree in trees])
        parents = concatenate([tree.parents for tree in trees])
        parents += np.where(parents >= 0, np.repeat(starts, sizes), 0)
        numbers = np.repeat(np.repeat(np.arange(len(segments)), counts), sizes)
        phrasal = tokens == NONTERMINAL
        keep = np.ones(len(tokens), dtype=bool)
        if self.normalise_tree:
            roots = starts[sizes > 0]
            keep[roots] = ~_is_wrapper(roots, labels, table, parents, phrasal)
            labels = np.where(phrasal, _bared(labels[phrasal], len(labels), table)[labels], labels)
        if self.drop_punct or not self.include_pos:
            self._choose(keep, labels, table, parents, phrasal)
        if not self.lexicalised:
            keep &= phrasal
        # A word and a category may be spelt alike.
        labels, bound = intern((2 * labels + ~phrasal)[keep], 2 * len(table))
        return Forest(labels, _reattached(parents, keep), numbers[keep], bound)

    def _choose(self, keep: np.ndarray, labels: Ints, table: list[str], parents: Ints, phrasal: np.ndarray) -> None:
        """Take out of `keep` the punctuation and the tags that the options leave out."""
        inner = np.flatnonzero(parents >= 0)
        count = len(parents)
        arity = np.bincount(parents[inner], minlength=count)
        words = np.bincount(parents[inner[~phrasal[inner]]], minlength=count)
        tags = phrasal & (arity == words) & (arity <= 1)
        if self.drop_punct:
            is_mark = np.array([string in PUNCTUATION for string in table] or [False])
            dropped = tags & is_mark[labels]
            dropped[inner] |= ~phrasal[inner] & dropped[parents[inner]]
            emptied = dropped
            while emptied.any():
                # What has lost all its children goes too.
                left = np.bincount(parents[inner[~dropped[inner]]], minlength=count)
                emptied = (arity > 0) & (left == 0) & ~dropped
                dropped |= emptied
            keep &= ~dropped
        if not self.include_pos:
            keep &= ~tags

    def _listed(self, segment: Segment) -> Nodes:
        """One segment, for the direct path."""
        labels: list[Hashable] = []
        parents: list[int] = []
        for sentence in segment:
            tree = _tree(sentence.tree)
            if self.normalise_tree:
                normal = tree.normalised()
                if normal is None:
                    continue
                tree = normal
            tokens, uppers, names = tree.tokens.tolist(), tree.parents.tolist(), tree.labels.list()
            left_out = self._left_out(tokens, uppers, names)
            words_out = not self.lexicalised
            # The nearest kept node above or at each node; the last is for what is above the root.
            above = [-1] * (len(tokens) + 1)
            for node, upper in enumerate(uppers):
                parent = above[upper]
                if (words_out and tokens[node] != NONTERMINAL) or node in left_out:
                    above[node] = parent
                    continue
                above[node] = len(labels)
                labels.append(names[node] if tokens[node] == NONTERMINAL else (names[node],))
                parents.append(parent)
        return Nodes(labels, parents, range(len(labels) - 1, -1, -1))

    def _left_out(self, tokens: list[int], parents: list[int], names: list[str]) -> set[int]:
        """Tags and punctuation that the options leave out."""
        out: set[int] = set()
        if self.include_pos and not self.drop_punct:
            return out
        arity, words = [0] * len(tokens), [0] * len(tokens)
        for node in range(1, len(tokens)):
            arity[parents[node]] += 1
            words[parents[node]] += tokens[node] != NONTERMINAL
        tags = {n for n, t in enumerate(tokens) if t == NONTERMINAL and arity[n] == words[n] <= 1}
        if not self.include_pos:
            out |= tags
        if self.drop_punct:
            left = list(arity)
            dropped = {node for node in tags if names[node] in PUNCTUATION}
            dropped |= {
                node for node in range(1, len(tokens)) if tokens[node] != NONTERMINAL and parents[node] in dropped
            }
            for node in range(len(tokens) - 1, 0, -1):
                if arity[node] and not left[node]:
                    dropped.add(node)
                left[parents[node]] -= node in dropped
            if arity[0] and not left[0]:
                dropped.add(0)
            out |= dropped
        return out


def _tree(tree: Tree | None) -> Tree:
    if tree is None:
        raise MissingLayerError(
            "a sentence has no constituency tree; give bracketed trees or choose a parser that makes them "
            "(see `synteval parsers`)"
        )
    return tree


def _without_empty(trees: list[Tree], tokens: Ints) -> tuple[list[Tree], Ints]:
    """Trees with traces or other empty elements in normal form; the others, which are the rule, as they are."""
    if not (tokens == EMPTY).any() and not any("-NONE-" in tree.labels.table for tree in trees):
        return trees, tokens
    nothing = Tree(trees[0].labels[:0], trees[0].parents[:0], trees[0].tokens[:0])
    trees = [
        tree.normalised() or nothing if "-NONE-" in tree.labels.table or (tree.tokens == EMPTY).any() else tree
        for tree in trees
    ]
    return trees, concatenate([tree.tokens for tree in trees])


def _is_wrapper(roots: Ints, labels: Ints, table: list[str], parents: Ints, phrasal: np.ndarray) -> np.ndarray:
    """Which roots are mere brackets around a single constituent."""
    names = np.array([string in WRAPPERS for string in table] or [False])
    arity = np.bincount(parents[parents >= 0], minlength=len(parents) + 1)
    # The only child of a root follows it.
    follows = np.append(phrasal, False)[roots + 1]
    return np.asarray(names[labels[roots]] & (arity[roots] == 1) & follows)


def _bared(used: Ints, count: int, table: list[str]) -> Ints:
    """For every string of the table its number as a category: without function tags. Extends the table."""
    bare = np.arange(len(table))
    index: dict[str, int] = {}
    for number in np.flatnonzero(np.bincount(used, minlength=len(table))).tolist():
        name = bare_category(table[number])
        if name != table[number]:
            if not index:
                index.update({string: place for place, string in enumerate(table)})
            if name not in index:
                index[name] = len(table)
                table.append(name)
            bare[number] = index[name]
    return bare


def _reattached(parents: Ints, keep: np.ndarray) -> Ints:
    """The parents of the nodes that are kept, numbered among them: the nearest kept node above."""
    position = np.append(np.cumsum(keep) - 1, -1)
    kept = np.append(keep, True)  # node -1 is above every root
    upper = np.append(parents, -1)
    above = parents[keep]
    while True:
        lost = np.flatnonzero(~kept[above])
        if not len(lost):
            return np.asarray(position[above])
        above[lost] = upper[above[lost]]
