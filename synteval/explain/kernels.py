"""TKM and DTKM: which pairs of nodes make up the kernel.

The kernel is the sum of C(n1, n2) over pairs of nodes with one production (`metrics.tree_kernel`). C counts all common
fragments that are rooted there, far too many to list; what is listed is the largest of them, with the C of all pairs
that have it. These weights add up to the kernel exactly: whole numbers without decay, decimals with it, so that the
huge kernels of long sentences are no matter.

Unlicensed and missing are the productions that the other side does not have. They have no share: what they cost is in
the self-kernels that the kernel is divided by.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from synteval.explain.closest import among_references, closest_reference
from synteval.explain.counted import shown
from synteval.explain.drawings import drawn
from synteval.explain.explanation import Explanation, Fragment, strongest
from synteval.metrics.base import Chunk
from synteval.metrics.forest import Nodes
from synteval.metrics.kernel_metric import KernelMetric

Number = int | Decimal


@dataclass
class _Subtrees:
    """The distinct whole subtrees of a pair, parts before the whole: the label and the parts of each."""

    numbers: dict[Hashable, int] = field(default_factory=dict)
    labels: list[Hashable] = field(default_factory=list)
    parts: list[list[int]] = field(default_factory=list)

    def of(self, nodes: Nodes) -> list[int]:
        """The subtree at every node."""
        found = [0] * len(nodes.labels)
        for node in nodes.upwards:
            below = [found[child] for child in nodes.children[node]]
            key = (nodes.labels[node], tuple(below))
            number = found[node] = self.numbers.setdefault(key, len(self.parts))
            if number == len(self.parts):
                self.labels.append(nodes.labels[node])
                self.parts.append(below)
        return found

    def production(self, number: int) -> Hashable:
        return self.labels[number], tuple(self.labels[part] for part in self.parts[number])

    def production_text(self, number: int) -> str:
        return f"({shown(self.labels[number])} {' '.join(shown(self.labels[part]) for part in self.parts[number])})"


@dataclass
class _Fragments:
    """The largest common fragments of pairs of subtrees, numbered: a text and the number of productions of each."""

    numbers: dict[Hashable, int] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    def number(self, label: Hashable, parts: Sequence[Hashable | int]) -> int:
        """Of the fragment with this root; a part is another fragment, or the label of a node that is not expanded."""
        key = (label, tuple(parts))
        number = self.numbers.setdefault(key, len(self.texts))
        if number == len(self.texts):
            inner = " ".join(self.texts[part] if isinstance(part, int) else shown(part) for part in parts)
            self.texts.append(f"({shown(label)} {inner})")
            self.sizes.append(1 + sum(self.sizes[part] for part in parts if isinstance(part, int)))
        return number


def explain(name: str, metric: KernelMetric, pair: Chunk, score: float, counts: Mapping[str, Any]) -> Explanation:
    """The explanation of the pair."""
    closest, cosine = closest_reference(metric, pair, lambda row: (round(row[0], 12), -row[4]))
    every = metric.view.nodes(pair)  # type: ignore[attr-defined]
    left, right = every[0], every[1 + closest]
    if not getattr(metric, "ordered", True):
        left, right = left.canonical(), right.canonical()
    subtrees = _Subtrees()
    own, other = subtrees.of(left), subtrees.of(right)
    decay: Number = 1 if metric.decay == 1 else Decimal(repr(metric.decay))
    fragments = _Fragments()
    common = _common(subtrees, fragments, own, other, decay)
    occurrences = Counter(own), Counter(other)
    weights: dict[tuple[str, int], Number] = defaultdict(int)
    pairs: Counter[tuple[str, int]] = Counter()
    for (one, two), (value, number) in common.items():
        times = occurrences[0][one] * occurrences[1][two]
        key = fragments.texts[number], fragments.sizes[number]
        weights[key] += times * value
        pairs[key] += times
    if metric.count_single_nodes:
        labels = Counter(left.labels), Counter(right.labels)
        for label, times in labels[0].items():
            if labels[1][label]:
                weights[shown(label), 0] += times * labels[1][label]
                pairs[shown(label), 0] += times * labels[1][label]
    kernel = sum(weights.values())
    part = cosine / (len(pair.references[0]) if metric.multi_ref == "mean" else 1)
    matched = [
        Fragment(text, size, pairs[text, size], _plain(weight), part * float(weight / kernel))
        for (text, size), weight in weights.items()
    ]
    return Explanation(
        name,
        score,
        counts,
        kind="common fragment",
        order="productions",
        matched=strongest(matched),
        unlicensed=_absent(subtrees, own, other),
        missing=_absent(subtrees, other, own),
        reference=closest + 1,
        hypothesis_drawing=drawn(metric, pair, 0, _marks(subtrees, own, {one for one, _ in common}, set(other))),
        reference_drawing=drawn(
            metric, pair, 1 + closest, _marks(subtrees, other, {two for _, two in common}, set(own))
        ),
        note=among_references(metric, pair, closest) or ("" if kernel else _single(score)),
    )


def _common(
    subtrees: _Subtrees, fragments: _Fragments, own: Sequence[int], other: Sequence[int], decay: Number
) -> dict[tuple[int, int], tuple[Number, int]]:
    """C and the largest common fragment of every two subtrees, one a side, that have one production."""
    partners: dict[Hashable, list[int]] = defaultdict(list)
    for number in sorted(set(other)):
        if subtrees.parts[number]:
            partners[subtrees.production(number)].append(number)
    common: dict[tuple[int, int], tuple[Number, int]] = {}
    # Parts have smaller numbers than the whole, on both sides.
    for one in sorted(set(own)):
        if not subtrees.parts[one]:
            continue
        for two in partners.get(subtrees.production(one), ()):
            value, parts = decay, list[Hashable]()
            for p, q in zip(subtrees.parts[one], subtrees.parts[two], strict=True):
                below = common.get((p, q))
                parts.append(subtrees.labels[p] if below is None else below[1])
                if below is not None:
                    value *= 1 + below[0]
            common[one, two] = value, fragments.number(subtrees.labels[one], parts)
    return common


def _absent(subtrees: _Subtrees, here: Sequence[int], there: Sequence[int]) -> tuple[Fragment, ...]:
    known = {subtrees.production(number) for number in there}
    absent = [number for number in here if subtrees.parts[number] and subtrees.production(number) not in known]
    counts = Counter(subtrees.production_text(number) for number in absent)
    return strongest(Fragment(text, 1, times, times) for text, times in counts.items())


def _marks(subtrees: _Subtrees, side: Sequence[int], common: set[int], other: set[int]) -> list[float | None]:
    """1 where the other side has the whole subtree, 1/2 where it has the production, None for a leaf."""
    return [
        None if not subtrees.parts[number] else 1.0 if number in other else 0.5 if number in common else 0.0
        for number in side
    ]


def _plain(weight: Number) -> float:
    if isinstance(weight, int) and weight < 2**53:
        return weight
    try:
        return float(weight)
    except OverflowError:
        return float("inf")


def _single(score: float) -> str:
    return "single nodes have no production; these are equal" if score else "no production is common"
