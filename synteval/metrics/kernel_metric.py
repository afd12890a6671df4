"""What TKM and DTKM have in common: the cosine of two trees' counts of all subtrees, for the best reference.

    cos(T1, T2) = K(T1, T2) / sqrt(K(T1, T1) K(T2, T2));    score = max over references t of cos(hypothesis, t)

with K the subset-tree kernel of `tree_kernel` (Liu & Gildea 2005, section 2, after Collins & Duffy 2001).

- `decay` weighs a fragment by decay ** (number of its productions); 1, the paper's plain counts, by default. Large
  trees have so many large fragments that the cosine of all but equal trees is near 0; 0.4 is a usual remedy.
- `count_single_nodes` counts fragments of one node too. Collins & Duffy's have at least one production, hence the
  default.
- `multi_ref="best"` takes the best reference, as the paper ("can only use the reference trees one by one"); "mean"
  the mean of the cosines over the references.
- `aggregate="mean"` takes the mean of the segments' scores as the score of a corpus. "pooled" takes the cosine of
  sums: sum K(h, r) / sqrt(sum K(h, h) * sum K(r, r)), with the best reference r of each segment (of equals, the one
  with the smallest self-kernel). Kernels grow exponentially with size, so the largest segments decide; kernels beyond
  2 ** 900 are scaled down, the three of a segment alike.
- Trees without any fragment (single nodes) have 0/0: the cosine is 1 where both segments have the same trees, else 0.

An empty hypothesis scores 0, whatever its references.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from synteval.errors import OptionError
from synteval.metrics.base import Chunk, FloatArray, Metric
from synteval.metrics.forest import Forest, Subtrees
from synteval.metrics.layout import Ints, Layout, is_small
from synteval.metrics.options import choice
from synteval.metrics.scaled import Kernels, cosines
from synteval.metrics.tree_kernel import kernels, kernels_directly

# Sums of kernels stay within floating point.
_LARGEST = 900
# Products of two kernels too.
_LARGE = 1e150


class KernelMetric(Metric):
    """Base of TKM and DTKM; a subclass is a dataclass with these options and says what its trees are."""

    # What `kernel` may be.
    kernel_choices: ClassVar[tuple[str, ...]] = ("sst",)

    decay: float
    count_single_nodes: bool
    multi_ref: str
    aggregate: str
    kernel: str

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self, "kernel", self.kernel_choices)
        choice(self, "multi_ref", ("best", "mean"))
        choice(self, "aggregate", ("mean", "pooled"))
        if not 0 < self.decay <= 1:
            raise OptionError(f"{self.name}:decay={self.decay:g} is not possible; it is above 0 and at most 1")

    def forest(self, chunk: Chunk) -> Forest:
        """The trees of the chunk."""
        raise NotImplementedError

    def subtrees(self, chunk: Chunk) -> Subtrees:
        """The trees of the chunk, for the direct path."""
        raise NotImplementedError

    @property
    def is_exact(self) -> bool:
        """Whether the kernel is that of `tree_kernel`."""
        return True

    def kernels(self, chunk: Chunk, forest: Forest, left: Ints, right: Ints) -> Kernels:
        """The kernel of each pair of segments."""
        return kernels(forest, left, right, self.decay, self.count_single_nodes)

    @property
    def columns(self) -> tuple[str, ...]:
        """Sum of scores, segments, and the kernels with the best reference."""
        return ("score", "segments", "kernel", "hypothesis_kernel", "reference_kernel")

    def statistics(self, chunk: Chunk) -> FloatArray:
        layout = Layout.of(chunk)
        if self.is_exact and is_small(chunk):
            rows = self._statistics_directly(chunk, layout)
            if rows is not None:
                return rows
        references = layout.references
        hypotheses = layout.owners[references]
        everything = np.arange(len(layout.segments))
        forest, pairs = self.forest(chunk), (np.append(everything, hypotheses), np.append(everything, references))
        values = self.kernels(chunk, forest, *pairs)
        own, between = values[: len(everything)], values[len(everything) :]
        left, right = own[hypotheses], own[references]
        cosine = cosines(between, left, right)
        for place in np.flatnonzero((left.mantissas == 0) & (right.mantissas == 0)).tolist():
            segments = (hypotheses[place], references[place])
            one, other = (np.sort(forest.labels[forest.segments == number]) for number in segments)
            cosine[place] = len(one) > 0 and np.array_equal(one, other)
        return self._rows(layout, cosine, between, left, right)

    def _statistics_directly(self, chunk: Chunk, layout: Layout) -> FloatArray | None:
        """The rows of a few small segments; None where a kernel is too large for plain arithmetic."""
        subtrees = self.subtrees(chunk)
        count, owners = len(layout.segments), layout.owners.tolist()
        left, right = [*range(count), *owners[layout.pairs :]], [*range(count), *range(layout.pairs, count)]
        values = kernels_directly(subtrees, left, right, self.decay, self.count_single_nodes)
        if max(values, default=0.0) > _LARGE:
            return None
        rows = np.zeros((layout.pairs, 5))
        rows[:, 1] = 1
        for pair in range(layout.pairs):
            found = []
            for reference in range(layout.pairs, count):
                if owners[reference] == pair:
                    own, other, between = values[pair], values[reference], values[count + reference - layout.pairs]
                    if own and other:
                        cosine = min(between / math.sqrt(own * other), 1.0)
                    else:
                        trees = subtrees.occurrences[pair]
                        cosine = float(own == other and bool(trees) and trees == subtrees.occurrences[reference])
                    found.append((round(cosine, 12), -other, cosine, between, own))
            if found:
                best, scores = max(found), [cosine for _, _, cosine, _, _ in found]
                score = max(scores) if self.multi_ref == "best" else sum(scores) / len(scores)
                rows[pair] = (score, 1, best[3], best[4], -best[1])
        return rows

    def _rows(self, layout: Layout, cosine: FloatArray, between: Kernels, left: Kernels, right: Kernels) -> FloatArray:
        """The row of each pair: its score and the kernels of its best reference."""
        owners = layout.owners[layout.references]
        # Cosines that differ by rounding alone are equal.
        sizes = np.where(right.mantissas > 0, right.exponents, np.iinfo(np.int64).min + 1)
        order = np.lexsort((-right.mantissas, -sizes, np.round(cosine, 12), owners))
        # The last of each owner has the highest cosine and, of equals, the smallest self-kernel.
        last = np.flatnonzero(np.append(owners[1:] != owners[:-1], True)) if len(owners) else owners
        best, rows = order[last], np.zeros((layout.pairs, 5))
        rows[:, 1] = 1
        if self.multi_ref == "best":
            np.maximum.at(rows[:, 0], owners, cosine)
        else:
            sums = np.bincount(owners, weights=cosine, minlength=layout.pairs)
            rows[:, 0] = sums / np.maximum(np.bincount(owners, minlength=layout.pairs), 1)
        chosen = [values[best] for values in (between, left, right)]
        excess = np.maximum(np.maximum.reduce([values.exponents for values in chosen]) - _LARGEST, 0)
        for column, values in enumerate(chosen, start=2):
            rows[owners[last], column] = Kernels(values.mantissas, values.exponents - excess).values()
        return rows

    def score_rows(self, sums: FloatArray, *, segment: bool = False) -> FloatArray:
        means = np.divide(sums[:, 0], sums[:, 1], out=np.zeros(len(sums)), where=sums[:, 1] > 0)
        if self.aggregate == "mean":
            return means
        pooled = cosines(*(Kernels.of(sums[:, column]) for column in (2, 3, 4)))
        # Where no tree has a fragment, what is left is the share of equal segments.
        return np.where((sums[:, 3] == 0) & (sums[:, 4] == 0), means, pooled)
