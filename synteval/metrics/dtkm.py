"""DTKM, the tree kernel metric on dependency trees (Liu & Gildea 2005, section 2.1, last paragraph).

TKM with the dependency tree in place of the constituency tree: every token is a node labelled by its word, a
production is a head with all its dependents in surface order. The kernel is Collins & Duffy's (`tree_kernel`);
`decay`, `count_single_nodes`, `multi_ref` and `aggregate` are defined in `kernel_metric`.

A word without dependents has no production, so two one-word trees have 0/0 and score 1 where they are equal, else 0.
`ordered=False` sorts dependents (by word, then by what hangs from them) before they are compared.

`match="soft"` compares words by their vectors, not by equality; `kernel="partial"` lets any dependents of heads
match, with `decay` at most 0.5: both are defined in `smoothed_kernel`.

Defaults and why: as TKM; words lower-cased (`case=False`, `form="surface"`), as the paper's Figure 1 implies; `form`
may be lemma, pos (tags) or relation instead. All tokens are nodes, punctuation too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from synteval.errors import OptionError
from synteval.metrics.base import Chunk
from synteval.metrics.dependencies import FORMS, WordView
from synteval.metrics.forest import Forest, Subtrees
from synteval.metrics.kernel_metric import KernelMetric
from synteval.metrics.layout import Ints, Layout
from synteval.metrics.options import choice
from synteval.metrics.scaled import Kernels


@dataclass(frozen=True)
class DTKM(KernelMetric):
    """Cosine of dependency trees under the subset-tree kernel."""

    name: ClassVar[str] = "dtkm"
    kernel_choices: ClassVar[tuple[str, ...]] = ("sst", "partial")

    decay: float = 1.0
    count_single_nodes: bool = False
    multi_ref: str = "best"
    aggregate: str = "mean"
    kernel: str = "sst"
    form: str = "surface"
    case: bool = False
    ordered: bool = True
    match: str = "exact"

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self, "form", FORMS)
        choice(self, "match", ("exact", "soft"))
        if self.kernel == "partial" and self.decay > 0.5:
            raise OptionError(
                f"{self.name}:decay={self.decay:g} is not possible with kernel=partial; it is at most 0.5, "
                "as partial trees of large trees are too many to count"
            )

    @property
    def needs(self) -> frozenset[str]:
        return self.view.needs | ({"vectors"} if self.match == "soft" else frozenset())

    @property
    def is_exact(self) -> bool:
        return self.match == "exact" and self.kernel == "sst"

    def kernels(self, chunk: Chunk, forest: Forest, left: Ints, right: Ints) -> Kernels:
        if self.is_exact:
            return super().kernels(chunk, forest, left, right)
        from synteval.metrics.similarity import Floats, above_chance, vectors_of
        from synteval.metrics.smoothed_kernel import smoothed_kernels

        def by_vectors(one: int, other: int) -> Floats:
            return above_chance(vectors_of(chunk)[one], vectors_of(chunk)[other])

        def by_labels(one: int, other: int) -> Floats:
            return np.equal.outer(*(forest.labels[bounds[k] : bounds[k + 1]] for k in (one, other))).astype(np.float64)

        bounds = np.searchsorted(forest.segments, np.arange(len(Layout.of(chunk).segments) + 1))
        alike = by_vectors if self.match == "soft" else by_labels
        return smoothed_kernels(forest, alike, left, right, self.kernel, self.decay, self.count_single_nodes)

    @property
    def view(self) -> WordView:
        """What stands for a token."""
        return WordView(self.form, self.case)

    def forest(self, chunk: Chunk) -> Forest:
        return self.view.forest(chunk) if self.ordered else self.view.sorted_forest(chunk)

    def subtrees(self, chunk: Chunk) -> Subtrees:
        if self.ordered:
            return self.view.subtrees(chunk)
        return Subtrees.of([segment.canonical() for segment in self.view.nodes(chunk)])
