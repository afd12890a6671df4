"""Exact small numbers for keys, strings and sequences: equal things get equal numbers, different things different ones.

Nothing is hashed to a fixed width, so no two structures ever share a number by accident.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from synteval.metrics.layout import Ints
from synteval.structures import Strings

# Keys are packed into 63 bits, position by position, as long as they fit.
KEY_LIMIT = 2**62


def intern(keys: Ints, bound: int = KEY_LIMIT) -> tuple[Ints, int]:
    """A dense number for each distinct key, in the order of the keys, and how many there are; keys are < `bound`."""
    if not len(keys):
        return np.zeros(0, dtype=np.int64), 0
    if bound <= 4 * len(keys):
        seen = np.zeros(bound, dtype=np.int64)
        seen[keys] = 1
        numbers = np.cumsum(seen) - 1
        return numbers[keys], int(numbers[-1]) + 1
    order = np.argsort(keys)
    ordered = keys[order]
    is_new = np.empty(len(keys), dtype=np.int64)
    is_new[0] = 0
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:], casting="unsafe")
    ranks = np.cumsum(is_new)
    numbers = np.empty_like(ranks)
    numbers[order] = ranks
    return numbers, int(ranks[-1]) + 1


def intern_sequences(
    heads: Ints, starts: Ints, counts: Ints, items: Ints, values: Ints, bound: int
) -> tuple[Ints, int]:
    """A dense number for each distinct sequence `heads[i], values[items[starts[i]]], ...` of `counts[i]` values.

    Heads and values are >= 0 and < `bound`. Sequences are packed into one key as far as it reaches; where it is full,
    prefixes are numbered and the packing goes on from there. A missing value is the digit 0, so lengths never mix.
    """
    longest_first = np.argsort(-counts, kind="stable")
    starts, keys = starts[longest_first], heads[longest_first] + 1
    lengths = -counts[longest_first]
    numbers = np.empty_like(keys)
    radix = size = bound + 1
    active, total = len(keys), 0
    for position in range(int(-lengths[0]) if active else 0):
        longer = int(np.searchsorted(lengths, -position))
        if size * radix > KEY_LIMIT:
            ended, count = intern(keys[longer:active])
            numbers[longer:active] = ended + total
            total += count
            prefixes, count = intern(keys[:longer])
            keys[:longer] = prefixes + 1
            size, active = count + 1, longer
        keys[:active] *= radix
        keys[:longer] += values[items[starts[:longer] + position]] + 1
        size *= radix
    last, count = intern(keys[:active], size)
    numbers[:active] = last + total
    unsorted = np.empty_like(numbers)
    unsorted[longest_first] = numbers
    return unsorted, total + count


def intern_strings(columns: Sequence[Strings]) -> tuple[Ints, list[str]]:
    """The columns one after the other, as numbers into one list of distinct strings."""
    tables: dict[int, int] = {}
    distinct: list[tuple[str, ...]] = []
    places = []
    for column in columns:
        # Columns of a sentence may share one table; it is looked up once.
        place = tables.setdefault(id(column.table), len(distinct))
        if place == len(distinct):
            distinct.append(column.table)
        places.append(place)
    index = {string: number for number, string in enumerate(dict.fromkeys(chain.from_iterable(distinct)))}
    lookup = np.fromiter(map(index.__getitem__, chain.from_iterable(distinct)), dtype=np.int64)
    sizes = np.array([len(table) for table in distinct], dtype=np.int64)
    offsets = (np.cumsum(sizes) - sizes)[places] if places else np.zeros(0, dtype=np.int64)
    codes = concatenate([column.codes for column in columns])
    return lookup[codes + np.repeat(offsets, [len(column.codes) for column in columns])], list(index)


def concatenate(arrays: Sequence[np.ndarray]) -> Ints:
    """The arrays one after the other, as 64-bit integers."""
    return np.concatenate(arrays).astype(np.int64) if arrays else np.zeros(0, dtype=np.int64)
