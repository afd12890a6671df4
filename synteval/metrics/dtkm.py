"""DTKM, the tree kernel metric on dependency trees (Liu & Gildea 2005, section 2.1, last paragraph).

TKM with the dependency tree in place of the constituency tree: every token is a node labelled by its word, a
production is a head with all its dependents in surface order. The kernel is Collins & Duffy's (`tree_kernel`);
`decay`, `count_single_nodes`, `multi_ref` and `aggregate` are defined in `kernel_metric`.

A word without dependents has no production, so two one-word trees have 0/0 and score 1 where they are equal, else 0.
`ordered=False` sorts dependents (by word, then by what hangs from them) before they are compared.

Defaults and why: as TKM; words lower-cased (`case=False`, `form="surface"`), as the paper's Figure 1 implies; `form`
may be lemma, pos (tags) or relation instead. All tokens are nodes, punctuation too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from synteval.metrics.base import Chunk, choice
from synteval.metrics.dependencies import FORMS, WordView
from synteval.metrics.forest import Forest, Subtrees
from synteval.metrics.kernel_metric import KernelMetric


@dataclass(frozen=True)
class DTKM(KernelMetric):
    """Cosine of dependency trees under the subset-tree kernel."""

    name: ClassVar[str] = "dtkm"

    decay: float = 1.0
    count_single_nodes: bool = False
    multi_ref: str = "best"
    aggregate: str = "mean"
    kernel: str = "sst"
    form: str = "surface"
    case: bool = False
    ordered: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self, "form", FORMS)

    @property
    def needs(self) -> frozenset[str]:
        return self.view.needs

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
