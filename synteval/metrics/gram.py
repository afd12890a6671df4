"""Gram matrices of trees under the subset-tree kernel, after scikit-learn's conventions.

    kernel = TreeKernel(decay=0.4)
    train = kernel.fit_transform(trees)               # square, for SVC(kernel="precomputed").fit(train, y)
    test = kernel.transform(other_trees)              # one row a tree, one column a tree of fit

The kernel is that of `tree_kernel`; with `normalise` each value is divided by the root of the two self-kernels, so
that equal trees have 1. Trees without any fragment (single nodes) then have 1 with their like and 0 with all others.
Without it, trees of many hundred nodes exceed floating point (inf); a `decay` below 1 or `normalise` helps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from synteval.errors import InputError, OptionError
from synteval.metrics.clipping import Floats
from synteval.metrics.constituency import TreeView
from synteval.metrics.scaled import cosines
from synteval.metrics.tree_kernel import kernels
from synteval.structures import Segment, Sentence, Tree
from synteval.structures.brackets import parse_brackets

# Kernels that are computed together: bounds memory.
_BLOCK = 20_000


class TreeKernel(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """The subset-tree kernel of Collins & Duffy 2001 between trees.

    A tree is a `Tree`, a `Sentence` with one, a segment (a tuple of sentences, which is a forest) or a string in Penn
    brackets. The options are those of TKM.
    """

    def __init__(
        self,
        *,
        decay: float = 1.0,
        normalise: bool = True,
        count_single_nodes: bool = False,
        lexicalised: bool = False,
        include_pos: bool = True,
        normalise_tree: bool = True,
        drop_punct: bool = False,
    ) -> None:
        self.decay = decay
        self.normalise = normalise
        self.count_single_nodes = count_single_nodes
        self.lexicalised = lexicalised
        self.include_pos = include_pos
        self.normalise_tree = normalise_tree
        self.drop_punct = drop_punct

    def fit(self, X: Sequence[Any], y: Any = None) -> Self:  # noqa: N803
        """Keep the trees that `transform` compares with."""
        self._check()
        self.trees_ = [_segment(tree) for tree in X]
        return self

    def transform(self, X: Sequence[Any]) -> Floats:  # noqa: N803
        """The kernel of each tree with each tree of `fit`."""
        check_is_fitted(self, "trees_")
        return self._gram([_segment(tree) for tree in X], self.trees_)

    def fit_transform(self, X: Sequence[Any], y: Any = None, **fit_params: Any) -> Floats:  # noqa: N803
        """The square matrix of the trees."""
        self.fit(X)
        return self._gram(self.trees_, None)

    def __call__(self, X: Sequence[Any], Y: Sequence[Any] | None = None) -> Floats:  # noqa: N803
        """The kernel of each tree of X with each of Y, or of X."""
        self._check()
        return self._gram([_segment(tree) for tree in X], None if Y is None else [_segment(tree) for tree in Y])

    def _check(self) -> None:
        if not 0 < self.decay <= 1:
            raise OptionError(f"decay={self.decay:g} is not possible; it is above 0 and at most 1")

    def _gram(self, rows: list[Segment], columns: list[Segment] | None) -> Floats:
        view = TreeView(self.lexicalised, self.include_pos, self.normalise_tree, self.drop_punct)
        forest = view.flatten(rows + (columns or []))
        count = len(rows) + len(columns or [])
        first = 0 if columns is None else len(rows)
        width = count - first
        own = np.arange(count)
        selves = kernels(forest, own, own, self.decay, self.count_single_nodes)
        gram = np.zeros((len(rows), width))
        step = max(_BLOCK // max(width, 1), 1)
        for start in range(0, len(rows), step):
            some = np.arange(start, min(start + step, len(rows)))
            # A square matrix is symmetric: only its upper half is computed.
            left = np.repeat(some, width)
            right = np.tile(np.arange(first, count), len(some))
            needed = right >= left if columns is None else np.ones(len(left), dtype=bool)
            left, right = left[needed], right[needed]
            values = kernels(forest, left, right, self.decay, self.count_single_nodes)
            numbers = cosines(values, selves[left], selves[right]) if self.normalise else values.values()
            gram[left, right - first] = numbers
            if columns is None:
                gram[right, left] = numbers
        if self.normalise:
            for row in np.flatnonzero(selves.mantissas[: len(rows)] == 0).tolist():
                own_labels = np.sort(forest.labels[forest.segments == row])
                for column in np.flatnonzero(selves.mantissas[first:] == 0).tolist():
                    labels = np.sort(forest.labels[forest.segments == first + column])
                    gram[row, column] = len(labels) > 0 and np.array_equal(own_labels, labels)
        return gram


def _segment(tree: Any) -> Segment:
    """A forest of one or several trees as a segment."""
    if isinstance(tree, str):
        return tuple(found.sentence() for found in parse_brackets(tree))
    if isinstance(tree, Tree):
        words = int((tree.tokens >= 0).sum())
        return (Sentence.build([""] * words, text="", tree=tree),)
    if isinstance(tree, Sentence):
        return (tree,)
    if isinstance(tree, tuple) and all(isinstance(sentence, Sentence) for sentence in tree):
        return tree
    raise InputError(f"{type(tree).__name__} is no tree; give a Tree, a Sentence, a segment or a string in brackets")
