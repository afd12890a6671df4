"""Clipped counts: how many items of a hypothesis its references have too, each at most as often as they have it.

An item is a subtree, a chain of words or an arc, as a number; items of different orders (depths, lengths) have
different numbers.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from synteval.metrics.layout import Ints, Layout

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Counts:
    """By pair and order `clipped` and `fewest`, by segment and order `totals` and `matched`.

    `clipped[i]` clips by the largest count in any single reference of pair i; `matched[s]` by reference s alone.
    `totals[s]` is the number of all items of segment s, `fewest[i]` the smallest total of a reference of pair i.
    """

    clipped: Floats
    totals: Floats
    fewest: Floats
    matched: Floats


def count(layout: Layout, orders: Sequence[tuple[Ints, Ints]], each_reference: bool) -> Counts:
    """The counts of items given order by order, as (segment, item) arrays; `matched` only where `each_reference`."""
    depth = len(orders)
    segments = len(layout.segments)
    totals = np.stack([np.bincount(numbers, minlength=segments) for numbers, _ in orders], axis=1).astype(np.float64)
    ends = np.cumsum([int(items.max(initial=-1)) + 1 for _, items in orders])
    numbers = np.concatenate([numbers for numbers, _ in orders])
    items = np.concatenate([items + end for (_, items), end in zip(orders, [0, *ends[:-1]], strict=True)])
    clipped = np.zeros((layout.pairs, depth))
    matched = np.zeros((segments if each_reference else 0, depth))
    if not len(items):
        return Counts(clipped, totals, _fewest(layout, totals), matched)
    width, bound = layout.width, int(ends[-1])
    # One sort brings together what a pair's segments have of one item: the hypothesis first, then its references.
    keys = np.sort((layout.owners[numbers] * bound + items) * width + layout.slots[numbers])
    firsts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    counts = np.diff(np.append(firsts, len(keys)))
    groups, slots = np.divmod(keys[firsts], width)
    starts = np.flatnonzero(np.append(True, groups[1:] != groups[:-1]))
    own = np.where(slots[starts] == 0, counts[starts], 0)
    most = np.maximum.reduceat(np.where(slots > 0, counts, 0), starts)
    pairs, kinds = np.divmod(groups[starts], bound)
    cells = pairs * depth + np.searchsorted(ends, kinds, side="right")
    clipped += np.bincount(cells, weights=np.minimum(own, most), minlength=clipped.size).reshape(clipped.shape)
    if each_reference:
        sizes = np.diff(np.append(starts, len(groups)))
        common = np.minimum(np.repeat(own, sizes), counts)
        offsets = np.zeros((layout.pairs, width), dtype=np.int64)
        offsets[layout.owners, layout.slots] = np.arange(segments)
        places = offsets[np.repeat(pairs, sizes), slots] * depth + np.repeat(cells % depth, sizes)
        matched += np.bincount(places, weights=common, minlength=matched.size).reshape(matched.shape)
    return Counts(clipped, totals, _fewest(layout, totals), matched)


def _fewest(layout: Layout, totals: Floats) -> Floats:
    fewest = np.full((layout.pairs, totals.shape[1]), np.inf)
    for numbers in layout.by_slot():
        owners = layout.owners[numbers]
        fewest[owners] = np.minimum(fewest[owners], totals[numbers])
    return np.where(np.isfinite(fewest), fewest, 0.0)


def count_directly(layout: Layout, items: Sequence[Sequence[Mapping[Hashable, int]]], depth: int) -> Counts:
    """The same from counts of items, for every segment and order."""
    totals = [[sum(counts.values()) for counts in orders] for orders in items]
    clipped = [[0] * depth for _ in range(layout.pairs)]
    fewest = [[0] * depth for _ in range(layout.pairs)]
    matched = [[0] * depth for _ in items]
    owners = layout.owners.tolist()
    references: list[list[int]] = [[] for _ in range(layout.pairs)]
    for segment in range(layout.pairs, len(items)):
        references[owners[segment]].append(segment)
    for pair, numbers in enumerate(references):
        for order, own in enumerate(items[pair]):
            others = [items[number][order] for number in numbers]
            for number, other in zip(numbers, others, strict=True):
                common = [(times, other[item]) for item, times in own.items() if item in other]
                matched[number][order] = sum([one if one < two else two for one, two in common])
            if len(others) == 1:
                clipped[pair][order] = matched[numbers[0]][order]
            else:
                most = [max([other.get(item, 0) for other in others], default=0) for item in own]
                clipped[pair][order] = sum(map(min, own.values(), most))
            fewest[pair][order] = min([totals[number][order] for number in numbers], default=0)
    rows = np.array(clipped + fewest + totals + matched, dtype=np.float64).reshape(-1, depth)
    pairs, segments = layout.pairs, len(items)
    totals_end = 2 * pairs + segments
    return Counts(rows[:pairs], rows[2 * pairs : totals_end], rows[pairs : 2 * pairs], rows[totals_end:])
