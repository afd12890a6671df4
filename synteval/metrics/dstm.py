"""DSTM, the subtree metric on dependency trees (Liu & Gildea 2005, section 2.1, last paragraph).

STM with the dependency tree in place of the constituency tree: every token is a node and is labelled by its word.

    DSTM = (1/D) * sum over n = 1..D of
              sum over subtrees t of depth n of the hypothesis of count_clip(t) / the number of these subtrees

At depth 1 this is the precision of words, at depth 2 of heads with all their dependents. Dependents stand in surface
order, the position of the head among them is not encoded; `ordered=False` compares them as a set with repetitions. A
segment of several sentences is a forest. What `mode`, `empty`, `epsilon`, `mean` and `aggregate` do is defined in
`counted`.

Defaults and why: depth=4 as for STM; words lower-cased (`case=False`, `form="surface"`), as the paper's Figure 1
implies; `form` may be lemma, pos (tags) or relation instead. All tokens are nodes, punctuation too.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from synteval.metrics.base import Chunk
from synteval.metrics.counted import CountedMetric
from synteval.metrics.dependencies import FORMS, WordView
from synteval.metrics.layout import Ints
from synteval.metrics.options import choice
from synteval.metrics.subtrees import cut_subtrees, cut_subtrees_directly


@dataclass(frozen=True)
class DSTM(CountedMetric):
    """Mean precision of dependency subtrees of depth 1 to `depth`."""

    name: ClassVar[str] = "dstm"

    depth: int = 4
    empty: str = "ref"
    epsilon: float = 0.0
    mean: str = "arithmetic"
    mode: str = "precision"
    aggregate: str = "counts"
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

    def items(self, chunk: Chunk) -> Sequence[tuple[Ints, Ints]]:
        return cut_subtrees(self.view.forest(chunk), self.depth, self.ordered)

    def items_directly(self, chunk: Chunk) -> Sequence[Sequence[Mapping[Hashable, int]]]:
        return cut_subtrees_directly(self.view.subtrees(chunk), self.depth, self.ordered)
