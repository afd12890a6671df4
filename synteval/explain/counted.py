"""STM, DSTM and HWCM: the subtrees and chains behind the clipped counts.

With K orders in the mean, order n adds share_n / K to the score; its matched fragments divide that, and what it lacks
to 1 / K is divided by the fragments that cost it: the unlicensed ones for precision, the missing ones for recall, both
for F1. A geometric mean has no such parts, so there are no shares.

Recall looks at the closest reference alone, so there `matched` is counted against it; elsewhere against all references.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace

from synteval.explain.closest import closest_reference
from synteval.explain.drawings import drawn
from synteval.explain.explanation import Explanation, Fragment, strongest
from synteval.metrics.base import Chunk, FloatArray
from synteval.metrics.counted import CountedMetric
from synteval.metrics.forest import Nodes
from synteval.metrics.hwcm import HWCM

# For each order, (node, item) of every item.
Items = list[list[tuple[int, int]]]


@dataclass
class _Table:
    """The distinct items of a pair, numbered, with their texts."""

    numbers: dict[Hashable, int] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)

    def number(self, key: Hashable, text: str) -> int:
        number = self.numbers.setdefault(key, len(self.texts))
        if number == len(self.texts):
            self.texts.append(text)
        return number


def shown(label: Hashable) -> str:
    """A label of `Nodes`: words of a lexicalised tree are wrapped."""
    return str(label[0] if isinstance(label, tuple) else label)


def explain(name: str, metric: CountedMetric, pair: Chunk, row: FloatArray) -> Explanation:
    """The explanation of the pair, whose statistics are `row`."""
    table = _Table()
    ordered = getattr(metric, "ordered", True)
    found: list[Items] = [
        _chains(nodes, metric.orders, table)
        if isinstance(metric, HWCM)
        else _subtrees(nodes, metric.orders, ordered, table)
        for nodes in metric.view.nodes(pair)  # type: ignore[attr-defined]
    ]
    counters = [[Counter(item for _, item in order) for order in items] for items in found]
    recall = replace(metric, mode="recall", aggregate="counts", epsilon=0.0)  # type: ignore[call-arg]
    closest, _ = closest_reference(recall, pair, lambda stats: (recall.score(stats), -stats[-metric.orders]))
    licensing = [counters[1 + closest]] if metric.mode == "recall" else counters[1:]
    own, reference = counters[0], counters[1 + closest]
    matched = [
        Counter({item: min(times, max(other[n][item] for other in licensing)) for item, times in own[n].items()})
        for n in range(metric.orders)
    ]
    unlicensed = [own[n] - matched[n] for n in range(metric.orders)]
    missing = [reference[n] - own[n] for n in range(metric.orders)]
    gains, losses = _parts(metric, row)
    blamed = {"precision": [unlicensed], "recall": [missing], "f1": [unlicensed, missing]}[metric.mode]

    def fragments(counts: Sequence[Counter[int]], kind: str) -> tuple[Fragment, ...]:
        listed = []
        for n, counter in enumerate(counts):
            if kind == "matched":
                amount, whole = gains[n], counter.total()
            else:
                amount = losses[n] if any(counts is cause for cause in blamed) else None
                whole = sum(cause[n].total() for cause in blamed)
            for item, times in counter.items():
                if times:
                    share = None if amount is None else amount * times / whole
                    listed.append(Fragment(table.texts[item], n + 1, times, times, share))
        return strongest(listed)

    common = [own[n] & reference[n] for n in range(metric.orders)]
    return Explanation(
        name,
        metric.score(row, segment=True),
        metric.counts(row),
        kind="chain" if isinstance(metric, HWCM) else "subtree",
        order=metric.order_option,
        matched=fragments(matched, "matched"),
        unlicensed=fragments(unlicensed, "unlicensed"),
        missing=fragments(missing, "missing"),
        reference=closest + 1,
        hypothesis_drawing=drawn(metric, pair, 0, _marks(found[0], matched)),
        reference_drawing=drawn(metric, pair, 1 + closest, _marks(found[1 + closest], common)),
        note=_note(metric, row),
    )


def _subtrees(nodes: Nodes, depth: int, ordered: bool, table: _Table) -> Items:
    current = [table.number(label, shown(label)) for label in nodes.labels]
    found = [list(enumerate(current))]
    for height in range(2, depth + 1):
        deeper = []
        for node, label in enumerate(nodes.labels):
            if nodes.heights[node] >= height:
                below = [current[child] for child in nodes.children[node]]
                if not ordered:
                    below.sort()
                text = f"({shown(label)} {' '.join(table.texts[part] for part in below)})"
                deeper.append((node, table.number((label, tuple(below)), text)))
        current = current.copy()
        for node, item in deeper:
            current[node] = item
        found.append(deeper)
    return found


def _chains(nodes: Nodes, length: int, table: _Table) -> Items:
    """The chain of a length that ends at a node is the one that ends at its head, and the node."""
    found = [[(node, table.number(label, shown(label))) for node, label in enumerate(nodes.labels)]]
    for _ in range(1, length):
        above = dict(found[-1])
        longer = []
        for node, label in enumerate(nodes.labels):
            head = above.get(nodes.parents[node])
            if head is not None:
                longer.append((node, table.number((head, label), f"{table.texts[head]} → {shown(label)}")))
        found.append(longer)
    return found


def _marks(items: Items, matched: Sequence[Counter[int]]) -> list[float | None]:
    """By node the part of its items that matched; of an item that matched in part, its first occurrences did."""
    had: Counter[int] = Counter()
    good: Counter[int] = Counter()
    for order, counts in zip(items, matched, strict=True):
        left = Counter(counts)
        for node, item in order:
            had[node] += 1
            if left[item] > 0:
                left[item] -= 1
                good[node] += 1
    return [good[node] / had[node] for node, _ in items[0]]


def _parts(metric: CountedMetric, row: FloatArray) -> tuple[Sequence[float | None], Sequence[float | None]]:
    """By order what it adds to the score, and what it lacks to its full part."""
    if metric.mean != "arithmetic":
        return [None] * metric.orders, [None] * metric.orders
    shares, kept = (values[0] for values in metric.shares(row[None, :]))
    parts = kept / max(kept.sum(), 1)
    if not row[metric.orders]:  # a hypothesis without items scores 0
        return [0.0] * metric.orders, parts.tolist()
    return (parts * shares).tolist(), (parts * (1 - shares)).tolist()


def _note(metric: CountedMetric, row: FloatArray) -> str:
    if metric.mean != "arithmetic":
        return "a geometric mean has no parts, so fragments have no share of the score"
    shares, kept = (values[0] for values in metric.shares(row[None, :]))
    zeros = int(((shares == 0) & (kept > 0)).sum())
    if metric.epsilon and zeros and row[metric.orders]:
        added = zeros * metric.epsilon / kept.sum()
        orders = "order" if zeros == 1 else "orders"
        return f"{added:.4f} of the score is epsilon: {zeros} {orders} without a match at {metric.epsilon:g}"
    return ""
