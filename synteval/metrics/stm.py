"""STM, the subtree metric (Liu & Gildea 2005, Syntactic Features for Evaluation of Machine Translation, section 2).

The share of the subtrees of a hypothesis' constituency tree that a reference tree has too, for depths 1 to D,
averaged:

    STM = (1/D) * sum over n = 1..D of
              sum over subtrees t of depth n of the hypothesis of count_clip(t) / the number of these subtrees

`count_clip` is the count in the hypothesis, at most the largest count in any single reference. Depth is counted in
levels, a lone node has depth 1; a node's subtree of depth n is cut after n levels and exists only where some path has
n levels; children are ordered. A segment of several sentences is a forest. What `mode`, `empty`, `epsilon`, `mean`
and `aggregate` do is defined in `counted`.

Defaults and why: depth=4, the largest that the paper reports for single sentences. Words out (`lexicalised=False`)
and tags in (`include_pos=True`), as the worked example has it: 6/7, 3/4, 1/2 and 0/1 for its two trees, .702 with
D=3. Trees as metrics compare them (`normalise_tree=True`): no ROOT or TOP around them, NP-SBJ is NP, no traces.
Punctuation kept (`drop_punct=False`). Precision, counts added up over a corpus, no epsilon.

Differs from the package on PyPI that bears the name: that one works on dependency labels, ignores the order of
children, does not clip at depth 1, and averages over sentences.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from synteval.metrics.base import Chunk
from synteval.metrics.constituency import TreeView
from synteval.metrics.counted import CountedMetric
from synteval.metrics.layout import Ints
from synteval.metrics.subtrees import cut_subtrees, cut_subtrees_directly


@dataclass(frozen=True)
class STM(CountedMetric):
    """Mean precision of constituency subtrees of depth 1 to `depth`."""

    name: ClassVar[str] = "stm"

    depth: int = 4
    empty: str = "ref"
    epsilon: float = 0.0
    mean: str = "arithmetic"
    mode: str = "precision"
    aggregate: str = "counts"
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

    def items(self, chunk: Chunk) -> Sequence[tuple[Ints, Ints]]:
        return cut_subtrees(self.view.forest(chunk), self.depth)

    def items_directly(self, chunk: Chunk) -> Sequence[Sequence[Mapping[Hashable, int]]]:
        return cut_subtrees_directly(self.view.subtrees(chunk), self.depth)
