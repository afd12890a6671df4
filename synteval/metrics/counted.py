"""What STM, DSTM and HWCM have in common: a mean, over orders 1..D, of the share of a hypothesis' items that match.

An order is a depth of subtrees or a length of chains. With `clipped` the number of items of the hypothesis, each at
most as often as it is in any single reference, and `total` the number of all its items (Liu & Gildea 2005, section
2):

    score = (1/D) * sum over n of clipped_n / total_n

- `mode="recall"` divides by the items of a reference instead: of the one reference that gives the segment the highest
  recall (the shortest of equals); references differ in size, so their items cannot be pooled. `mode="f1"` is the mean
  over the orders of the harmonic mean of both, as in Moses' headword chain scorer.
- `empty`: an order of which the hypothesis has no item. "ref" leaves it out of the mean where some reference has none
  either, and counts it as 0 elsewhere: a short output does not gain by being short, and an output identical to its
  reference scores 1. "zero" counts it as 0, and "skip" leaves it out. For recall the roles of the two are changed;
  for F1 an order is empty where both sides (for "skip": either side) have nothing.
- `epsilon` stands in for a share of 0 in the score of a single segment, and so in a mean of such scores; never in a
  score from the counts of a corpus.
- `mean="geometric"` takes the geometric mean over the orders.
- `aggregate="counts"` adds up counts over the corpus, then divides; "mean" takes the mean of the scores of the
  segments.

A hypothesis without any item scores 0, epsilon or not, whatever its references. No brevity penalty.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from synteval.errors import OptionError
from synteval.metrics.base import Chunk, FloatArray, Metric
from synteval.metrics.clipping import Counts, count, count_directly
from synteval.metrics.layout import Ints, Layout, is_small
from synteval.metrics.options import choice

# Statistics have some columns an order.
MOST_ORDERS = 1000


class CountedMetric(Metric):
    """Base of STM, DSTM and HWCM; a subclass is a dataclass with these options and says what its items are."""

    # The option that holds D.
    order_option: ClassVar[str] = "depth"

    empty: str
    epsilon: float
    mean: str
    mode: str
    aggregate: str

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self, "empty", ("ref", "zero", "skip"))
        choice(self, "mean", ("arithmetic", "geometric"))
        choice(self, "mode", ("precision", "recall", "f1"))
        choice(self, "aggregate", ("counts", "mean"))
        if not 1 <= self.orders <= MOST_ORDERS:
            option = f"{self.name}:{self.order_option}={self.orders}"
            raise OptionError(f"{option} is not possible; it is at least 1 and at most {MOST_ORDERS}")
        if not 0 <= self.epsilon <= 1:
            raise OptionError(f"{self.name}:epsilon={self.epsilon:g} is not possible; it is between 0 and 1")

    @property
    def orders(self) -> int:
        """D, the largest depth or length."""
        return int(getattr(self, self.order_option))

    def items(self, chunk: Chunk) -> Sequence[tuple[Ints, Ints]]:
        """For each order the segment and the number of every item."""
        raise NotImplementedError

    def items_directly(self, chunk: Chunk) -> Sequence[Sequence[Mapping[Hashable, int]]]:
        """For each segment and order the items, for the direct path."""
        raise NotImplementedError

    def counted(self, chunk: Chunk, layout: Layout, each_reference: bool) -> Counts:
        """All counts of a chunk, those of single references only where `each_reference`."""
        if is_small(chunk):
            return count_directly(layout, self.items_directly(chunk), self.orders)
        return count(layout, self.items(chunk), each_reference)

    @property
    def _blocks(self) -> tuple[str, ...]:
        precision = ("clipped", "total", "fewest")
        return precision if self.mode == "precision" else (*precision, "matched", "reference")

    @property
    def columns(self) -> tuple[str, ...]:
        """By order: clipped and all items of the hypothesis, the fewest of a reference, matches in the best one."""
        names = [f"{block}_{order}" for block in self._blocks for order in range(1, self.orders + 1)]
        return (*names, "score", "segments") if self.aggregate == "mean" else tuple(names)

    def statistics(self, chunk: Chunk) -> FloatArray:
        layout = Layout.of(chunk)
        each_reference = self.mode != "precision"
        counts = self.counted(chunk, layout, each_reference)
        blocks = [counts.clipped, counts.totals[: layout.pairs], counts.fewest]
        if each_reference:
            blocks += self._best(layout, counts)
        rows = np.concatenate(blocks, axis=1)
        if self.aggregate == "counts":
            return rows
        scores = self._score(rows, segment=True)
        return np.concatenate([rows, scores[:, None], np.ones((len(rows), 1))], axis=1)

    def _best(self, layout: Layout, counts: Counts) -> list[FloatArray]:
        """By pair and order matches and items of the reference that gives the highest recall."""
        matched, totals = np.zeros((2, layout.pairs, self.orders))
        best = np.full((layout.pairs, 2), -np.inf)
        for numbers in layout.by_slot():
            owners = layout.owners[numbers]
            own = counts.totals[owners]
            recall = self._recall(counts.matched[numbers], counts.totals[numbers], own)
            value = np.stack([_mean(*recall, self.mean), -counts.totals[numbers, 0]], axis=1)
            better = (value[:, 0] > best[owners, 0]) | (
                (value[:, 0] == best[owners, 0]) & (value[:, 1] > best[owners, 1])
            )
            chosen, numbers = owners[better], numbers[better]
            best[chosen], matched[chosen], totals[chosen] = (
                value[better],
                counts.matched[numbers],
                counts.totals[numbers],
            )
        return [matched, totals]

    def score_rows(self, sums: FloatArray, *, segment: bool = False) -> FloatArray:
        if self.aggregate == "mean":
            return np.divide(sums[:, -2], sums[:, -1], out=np.zeros(len(sums)), where=sums[:, -1] > 0)
        return self._score(sums, segment)

    def _score(self, sums: FloatArray, segment: bool) -> FloatArray:
        shares, kept = self.shares(sums)
        if segment and self.epsilon:
            shares = np.where(shares == 0, self.epsilon, shares)
        return np.where(sums[:, self.orders] > 0, _mean(shares, kept, self.mean), 0.0)

    def shares(self, sums: FloatArray) -> tuple[FloatArray, FloatArray]:
        """By order the share that matched, and 1.0 where the order takes part in the mean."""
        depth = self.orders
        clipped, total, fewest = (sums[:, i * depth : (i + 1) * depth] for i in range(3))
        shares, kept = _share(clipped, total), self._kept(total, fewest)
        if self.mode != "precision":
            matched, reference = (sums[:, i * depth : (i + 1) * depth] for i in range(3, 5))
            recall, recall_kept = self._recall(matched, reference, total)
            if self.mode == "recall":
                shares, kept = recall, recall_kept
            else:
                shares = _share(2 * shares * recall, shares + recall)
                kept = self._kept(np.minimum(total, reference), np.maximum(total, reference))
        return shares, kept

    def _recall(self, matched: FloatArray, reference: FloatArray, own: FloatArray) -> tuple[FloatArray, FloatArray]:
        return _share(matched, reference), self._kept(reference, own)

    def _kept(self, total: FloatArray, other: FloatArray) -> FloatArray:
        """1.0 where an order takes part in the mean: `total` items to divide by, `other` on the other side."""
        if self.empty == "zero":
            return np.ones_like(total)
        if self.empty == "skip":
            return (total > 0).astype(np.float64)
        return ((total > 0) | (other > 0)).astype(np.float64)

    def counts(self, summed: FloatArray) -> dict[str, Any]:
        """Each block of counts as a list by order."""
        depth = self.orders
        blocks = summed[: depth * len(self._blocks)].reshape(-1, depth)
        # Soft matches are no whole numbers.
        lists = [[int(value) if value.is_integer() else value for value in block] for block in blocks.tolist()]
        named: dict[str, Any] = dict(zip(self._blocks, lists, strict=True))
        if self.aggregate == "mean":
            return named | {"score": float(summed[-2]), "segments": int(summed[-1])}
        return named


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _mean(shares: FloatArray, kept: FloatArray, kind: str) -> FloatArray:
    """The mean over the orders kept; 0 where there is none."""
    number = kept.sum(axis=1)
    divisor = np.maximum(number, 1)
    if kind == "arithmetic":
        return np.asarray((shares * kept).sum(axis=1) / divisor)
    with np.errstate(divide="ignore"):
        logs = np.log(np.where(kept > 0, shares, 1.0)).sum(axis=1)
    return np.where(number > 0, np.exp(logs / divisor), 0.0)
