"""Headword chains matched by the vectors of their words: `hwcm:match=soft`.

    sim(g, g') = (product over places i of sim(g_i, g'_i)) ** (1 / n)        for chains g, g' of length n

the geometric mean of the similarities (above chance, `similarity`) place by place, so that lengths are comparable.
Chains of the hypothesis are paired one to one with those of a reference, the sum of similarities being largest; the sum
takes the place of the clipped count. Several references are pooled as clipping pools them: each distinct chain is there
as often as in the reference that has it most often. With similarities of 0 and 1 all counts are those of HWCM.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from synteval.metrics.base import Chunk
from synteval.metrics.clipping import Counts, Floats, count
from synteval.metrics.forest import Forest
from synteval.metrics.layout import Ints, Layout
from synteval.metrics.similarity import above_chance, assigned, vectors_of


def count_softly(
    chunk: Chunk, layout: Layout, forest: Forest, orders: Sequence[tuple[Ints, Ints]], each_reference: bool
) -> Counts:
    """The counts of HWCM with sums of similarities in place of clipped counts; `orders` as `hwcm.chains` gives them."""
    exact = count(layout, orders, each_reference)
    clipped, matched = np.zeros_like(exact.clipped), np.zeros_like(exact.matched)
    vectors = vectors_of(chunk)
    starts = np.searchsorted(forest.segments, np.arange(len(layout.segments) + 1))
    ends = _ends(forest, len(orders))
    # Where the chains of a segment stand in each order.
    bounds = [np.searchsorted(numbers, np.arange(len(layout.segments) + 1)) for numbers, _ in orders]
    members: list[list[int]] = [[] for _ in range(layout.pairs)]
    for number in layout.references.tolist():
        members[layout.owners[number]].append(number)
    for pair, references in enumerate(members):
        single = [above_chance(vectors[pair], vectors[number]) for number in references]
        for order, nodes in enumerate(ends):
            own = nodes[bounds[order][pair] : bounds[order][pair + 1]]
            parts, kinds = [], []
            for number, alike in zip(references, single, strict=True):
                place = slice(bounds[order][number], bounds[order][number + 1])
                rows = _chains_alike(
                    alike, forest.parents, own, nodes[place], int(starts[pair]), int(starts[number]), order + 1
                )
                if each_reference:
                    matched[number, order] = assigned(rows)
                parts.append(rows)
                kinds.append(orders[order][1][place])
            if len(references) == 1:
                clipped[pair, order] = matched[references[0], order] if each_reference else assigned(parts[0])
            elif references:
                clipped[pair, order] = assigned(np.concatenate(parts, axis=1)[:, _pooled(kinds)])
    return replace(exact, clipped=clipped, matched=matched)


def _ends(forest: Forest, length: int) -> list[Ints]:
    """For lengths 1..`length` the last node of every chain, in the order of `hwcm.chains`."""
    found, above = [np.arange(len(forest.parents))], forest.parents.copy()
    for _ in range(1, length):
        found.append(np.flatnonzero(above >= 0))
        above = np.where(above >= 0, forest.parents[above], -1)
    return found


def _chains_alike(
    alike: Floats, parents: Ints, own: Ints, other: Ints, first: int, first_other: int, length: int
) -> Floats:
    """The similarity of chains that end at nodes `own` and `other`; words are numbered from `first` in a segment."""
    product = np.ones((len(own), len(other)))
    for _ in range(length):
        product *= alike[np.ix_(own - first, other - first_other)]
        own, other = parents[own], parents[other]
    return product ** (1 / length)


def _pooled(kinds: Sequence[Ints]) -> Ints:
    """Of chains given reference by reference, those to keep: each as often as in the reference that has it most."""
    best: dict[int, list[int]] = {}
    start = 0
    for numbers in kinds:
        places: dict[int, list[int]] = {}
        for place, kind in enumerate(numbers.tolist(), start=start):
            places.setdefault(kind, []).append(place)
        start += len(numbers)
        best.update((kind, found) for kind, found in places.items() if len(found) > len(best.get(kind, ())))
    return np.array(sorted(place for found in best.values() for place in found), dtype=np.int64)
