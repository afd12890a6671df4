"""TKM, the tree kernel metric (Liu & Gildea 2005, section 2).

The cosine between the counts of all subtrees of the hypothesis' and of a reference's constituency tree; the best
reference counts. The kernel is Collins & Duffy's (`tree_kernel`); `decay`, `count_single_nodes`, `multi_ref` and
`aggregate` are defined in `kernel_metric`.

Defaults and why: the trees are those of STM, words out and tags in (`lexicalised=False`, `include_pos=True`,
`normalise_tree=True`, `drop_punct=False`); decay=1, as the paper names none; fragments of at least one production;
the mean of the segments' scores for a corpus. For the paper's two trees of Figure 2 the kernels are 12, 10 and 7: 7 /
sqrt(120) = .639.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from synteval.metrics.base import Chunk
from synteval.metrics.constituency import TreeView
from synteval.metrics.forest import Forest, Subtrees
from synteval.metrics.kernel_metric import KernelMetric


@dataclass(frozen=True)
class TKM(KernelMetric):
    """Cosine of constituency trees under the subset-tree kernel."""

    name: ClassVar[str] = "tkm"

    decay: float = 1.0
    count_single_nodes: bool = False
    multi_ref: str = "best"
    aggregate: str = "mean"
    kernel: str = "sst"
    lexicalised: bool = False
    include_pos: bool = True
    normalise_tree: bool = True
    drop_punct: bool = False

    @property
    def needs(self) -> frozenset[str]:
        return frozenset({"tree"})

    @property
    def view(self) -> TreeView:
        """Which nodes take part."""
        return TreeView(self.lexicalised, self.include_pos, self.normalise_tree, self.drop_punct)

    def forest(self, chunk: Chunk) -> Forest:
        return self.view.forest(chunk)

    def subtrees(self, chunk: Chunk) -> Subtrees:
        return self.view.subtrees(chunk)
