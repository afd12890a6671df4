"""HWCM, the headword chain metric (Liu & Gildea 2005, section 2.1 and Figure 3).

A chain of length n is the sequence of words on a path of n nodes downwards in the dependency tree, head first. The
score is the share of the hypothesis' chains that a reference has too, for lengths 1 to D, averaged:

    HWCM = (1/D) * sum over n = 1..D of
              sum over chains g of length n of the hypothesis of count_clip(g) / the number of these chains

`count_clip` is the count in the hypothesis, at most the largest count in any single reference. Chains say nothing of
relations, tags or the side of the head. A segment of several sentences is a forest. What `mode`, `empty`, `mean` and
`aggregate` do is defined in `counted`.

Defaults and why: length=4; words lower-cased (`case=False`, `form="surface"`), as the paper's Figure 1 implies;
`form` may be lemma, pos (tags) or relation instead. epsilon=1e-3 in place of a zero share in the score of a single
segment, as the paper states for HWCM; a corpus has none. All tokens are nodes, punctuation too: so the paper's .511
of Table 7 comes out.

`match="soft"` compares chains by the vectors of their words (`soft_chains`); "exact", the default, by equality.

Moses' headword chain scorer is `mode="f1"`, `empty="zero"`, epsilon=0 with one reference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from synteval.metrics.base import Chunk
from synteval.metrics.clipping import Counts
from synteval.metrics.counted import CountedMetric
from synteval.metrics.dependencies import FORMS, WordView
from synteval.metrics.forest import Forest, Nodes
from synteval.metrics.interning import intern
from synteval.metrics.layout import Ints, Layout
from synteval.metrics.options import choice


@dataclass(frozen=True)
class HWCM(CountedMetric):
    """Mean precision of headword chains of length 1 to `length`."""

    name: ClassVar[str] = "hwcm"
    order_option: ClassVar[str] = "length"

    length: int = 4
    empty: str = "ref"
    epsilon: float = 1e-3
    mean: str = "arithmetic"
    mode: str = "precision"
    aggregate: str = "counts"
    form: str = "surface"
    case: bool = False
    match: str = "exact"

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self, "form", FORMS)
        choice(self, "match", ("exact", "soft"))

    @property
    def needs(self) -> frozenset[str]:
        return self.view.needs | ({"vectors"} if self.match == "soft" else frozenset())

    @property
    def view(self) -> WordView:
        """What stands for a token."""
        return WordView(self.form, self.case)

    def counted(self, chunk: Chunk, layout: Layout, each_reference: bool) -> Counts:
        if self.match == "exact":
            return super().counted(chunk, layout, each_reference)
        from synteval.metrics.soft_chains import count_softly

        return count_softly(chunk, layout, self.view.forest(chunk), self.items(chunk), each_reference)

    def items(self, chunk: Chunk) -> Sequence[tuple[Ints, Ints]]:
        return chains(self.view.forest(chunk), self.length)

    def items_directly(self, chunk: Chunk) -> Sequence[Sequence[Mapping[Hashable, int]]]:
        return [chains_directly(nodes, self.length) for nodes in self.view.nodes(chunk)]


def chains(forest: Forest, length: int) -> list[tuple[Ints, Ints]]:
    """For lengths 1..`length` the segment and the number of every chain. One chain of a length ends at a node."""
    found = [(forest.segments, forest.labels)]
    numbers, bound = forest.labels, forest.bound
    nodes = np.arange(len(forest.labels))
    # The chain that ends at a node is the chain that ends at its parent, and the node.
    place = np.empty(len(nodes) + 1, dtype=np.int64)
    for _ in range(1, length):
        place.fill(-1)
        place[nodes] = np.arange(len(nodes))
        above = place[forest.parents]
        nodes = np.flatnonzero(above >= 0)
        keys = numbers[above[nodes]] * forest.bound + forest.labels[nodes]
        numbers, bound = intern(keys, bound * forest.bound)
        found.append((forest.segments[nodes], numbers))
    return found


def chains_directly(nodes: Nodes, length: int) -> list[Counter[Hashable]]:
    """A counter of the chains of each length."""
    labels, parents = nodes.labels, nodes.parents
    counters: list[Counter[Hashable]] = [Counter(labels)]
    # Chains as (head, (dependent, ...)), each with the node above it.
    growing: list[tuple[int, Hashable]] = list(zip(parents, labels, strict=True))
    for _ in range(1, length):
        growing = [(parents[above], (labels[above], chain)) for above, chain in growing if above >= 0]
        counters.append(Counter([chain for _, chain in growing]))
    return counters
