"""The alignment of METEOR (Banerjee & Lavie 2005, section 2.1): words of two texts mapped one to one, in stages.

A stage says which words may be mapped (the same word, the same stem, a common synset) and maps what earlier stages
left: as many words as possible; of the largest mappings the one with the fewest crossings, over all stages so far,
where (h, r) and (h', r') cross iff (h - h') (r - r') < 0; of those the one with the fewest chunks (runs that are
adjacent and in order in both texts); of those the leftmost.

Words that can be mapped in one way only are mapped first, and so are n occurrences of a word to n others, in order: any
other way has more crossings. The other words are mapped from left to right, all ways at once: partial mappings that
differ in nothing that matters to later words are one, and those that cannot become the best are dropped. That is exact.
In theory their number is exponential (repeated words on both sides), so only the most promising are kept, at first few,
then more, up to the last of `WIDTHS`. Where even these do not suffice (of sentences nearly none, of summaries two in a
hundred, of documents of 200 words about half), the alignment may have more crossings than needed, but it never maps
fewer words.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.int64]
# A stage: what a word may be matched by; two words match when they share one of these.
Stage = Callable[[str], Collection[Hashable]]

# Partial mappings kept: at first few, to find a good mapping quickly; what costs more is dropped when more are kept.
WIDTHS = (16, 500, 2000)
# Numbers held at a time: with very many ways to map a word, fewer partial mappings are kept, or words go in order.
_NUMBERS = 1 << 22
SKIP = -1
# More than any cost: a choice that is no longer open.
_CLOSED = 1 << 30


def align(hypothesis: Sequence[str], reference: Sequence[str], stages: Iterable[Stage]) -> dict[int, int]:
    """The reference position of every mapped word of the hypothesis."""
    mapped: dict[int, int] = {}
    for stage in stages:
        taken = set(mapped.values())
        places: dict[Hashable, list[int]] = {}
        for r, word in enumerate(reference):
            if r not in taken:
                for key in stage(word):
                    places.setdefault(key, []).append(r)
        # Equal words share one list of places.
        lists: dict[str, list[int]] = {}
        candidates = {}
        for h, word in enumerate(hypothesis):
            if h not in mapped:
                if word not in lists:
                    lists[word] = sorted({r for key in stage(word) for r in places.get(key, ())})
                if lists[word]:
                    candidates[h] = lists[word]
        if candidates:
            mapped |= _largest(candidates, mapped)
    return dict(sorted(mapped.items()))


def chunks(mapped: dict[int, int]) -> int:
    """The number of chunks of an alignment."""
    return sum(mapped.get(h - 1, SKIP) + 1 != r or h - 1 not in mapped for h, r in mapped.items())


def crossings(mapped: dict[int, int]) -> int:
    """The number of pairs of mapped words that cross."""
    seen: list[int] = []
    count = 0
    for _, r in sorted(mapped.items()):
        count += len(seen) - bisect_left(seen, r)
        insort(seen, r)
    return count


def _largest(candidates: dict[int, list[int]], mapped: dict[int, int]) -> dict[int, int]:
    """The best of the largest mappings among `candidates`, beside what is mapped already."""
    fixed = dict(mapped)
    groups = []
    for group in _components(candidates):
        if group.complete and len(group.left) == len(group.right):
            fixed.update(zip(group.left, group.right, strict=True))
        else:
            groups.append(group)
    found = {h: r for h, r in fixed.items() if h not in mapped}
    if not groups:
        return found
    ways = {h: places for group in groups for h, places in group.ways(candidates)}
    total = sum(map(len, ways.values()))
    if total * max(map(len, ways.values())) * WIDTHS[0] <= _NUMBERS:
        return found | _Search(groups, ways, fixed).run()
    return found | {h: r for group in groups for h, r in group.largest.items()}


@dataclass(frozen=True)
class _Component:
    """Words that may be mapped to each other, directly or through others."""

    left: list[int]
    right: list[int]
    complete: bool
    # A largest mapping of it, whatever its crossings.
    largest: dict[int, int]

    @property
    def skips(self) -> int:
        """How many words of the hypothesis a largest mapping leaves out."""
        return len(self.left) - len(self.largest)

    def ways(self, candidates: dict[int, list[int]]) -> Iterator[tuple[int, list[int]]]:
        """The places that each word may be mapped to in a largest mapping without needless crossings."""
        if not self.complete:
            yield from ((h, candidates[h]) for h in self.left)
            return
        # In order, the i-th of n words is mapped to one of the places i to i + surplus, or behind by what is left out.
        surplus = len(self.right) - len(self.left)
        for number, h in enumerate(self.left):
            yield h, self.right[max(0, number + min(surplus, 0)) : number + max(surplus, 0) + 1]


def _components(candidates: dict[int, list[int]]) -> Iterator[_Component]:
    sharers: dict[int, list[int]] = {}
    for h, places in candidates.items():
        sharers.setdefault(id(places), []).append(h)
    back: dict[int, list[int]] = {}
    for alike in sharers.values():
        for r in candidates[alike[0]]:
            back.setdefault(r, []).extend(alike)
    seen: set[int] = set()
    for start in candidates:
        if start in seen:
            continue
        seen.add(start)
        left, right, queue = [], set(), [start]
        while queue:
            h = queue.pop()
            left.append(h)
            for r in candidates[h]:
                if r not in right:
                    right.add(r)
                    for other in back[r]:
                        if other not in seen:
                            seen.add(other)
                            queue.append(other)
        left.sort()
        ordered = sorted(right)
        complete = all(len(candidates[h]) == len(ordered) for h in left)
        largest = dict(zip(left, ordered, strict=False)) if complete else _matching(left, ordered, candidates)
        yield _Component(left, ordered, complete, largest)


def _matching(left: list[int], right: list[int], candidates: dict[int, list[int]]) -> dict[int, int]:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    column = {r: place for place, r in enumerate(right)}
    indices = [column[r] for h in left for r in candidates[h]]
    ends = [0]
    for h in left:
        ends.append(ends[-1] + len(candidates[h]))
    graph = csr_array(([1] * len(indices), indices, ends), shape=(len(left), len(right)))
    matched = maximum_bipartite_matching(graph, perm_type="column").tolist()
    return {h: right[place] for h, place in zip(left, matched, strict=True) if place >= 0}


@dataclass
class _Partials:
    """Partial mappings, the leftmost first: one a row."""

    cost: Array
    # For every way to map a later word, the crossings that it adds; _CLOSED where it is not open any more.
    crossed: Array
    # How many words of each group may still be left out, and what the last word was mapped to.
    skips: Array
    last: Array
    parent: Array

    def rows(self, rows: Array) -> _Partials:
        return _Partials(self.cost[rows], self.crossed[rows], self.skips[rows], self.last[rows], self.parent[rows])


class _Search:
    """The best mapping of the words that can be mapped in several ways.

    Way `w` maps word `h[w]` to place `r[w]`; the ways of the n-th word are `start[n]:start[n + 1]`. The cost of a
    mapping is one number: its crossings, weighted so that one outweighs all chunks, and its chunks.
    """

    def __init__(self, groups: list[_Component], ways: dict[int, list[int]], fixed: dict[int, int]) -> None:
        self.fixed = fixed
        self.largest = {h: r for group in groups for h, r in group.largest.items()}
        self.words = sorted(h for group in groups for h in group.left)
        self.weight = len(fixed) + len(self.words) + 1
        group_of = {h: number for number, group in enumerate(groups) for h in group.left}
        self.group = np.array([group_of[h] for h in self.words])
        self.skips = np.array([group.skips for group in groups])
        self.start = np.cumsum([0] + [len(ways[h]) for h in self.words])
        self.h = np.array([h for h in self.words for _ in ways[h]])
        self.r = np.array([r for h in self.words for r in ways[h]])
        # Words that may be mapped to the same places: of two, the first goes to the first place, or they cross.
        twins: dict[tuple[int, ...], int] = {}
        alike = {h: (SKIP, group_of[h]) if groups[group_of[h]].complete else tuple(ways[h]) for h in self.words}
        twin = [twins.setdefault(alike[h], len(twins)) for h in self.words]
        self.twin = np.repeat(twin, np.diff(self.start))

    def run(self) -> dict[int, int]:
        """The best mapping; where more partial ones would have to be kept than `WIDTHS` allows, the best found."""
        best, limit = self.largest, None
        for width in WIDTHS:
            found, cost, exact = self._scan(width, limit)
            # Partial mappings that leave out too many words come to nothing, so a scan may be in vain.
            if found:
                best, limit = found, cost
            if exact:
                break
        return best

    def _scan(self, width: int, limit: int | None) -> tuple[dict[int, int], int | None, bool]:
        """The best mapping that costs at most `limit`, its cost, and whether nothing was left out of sight."""
        partials = _Partials(
            np.zeros(1, dtype=np.int64),
            self._crossings_with_fixed()[None, :],
            self.skips[None, :],
            np.full(1, SKIP),
            np.zeros(1, dtype=np.int64),
        )
        exact, history = True, []
        for number in range(len(self.words)):
            partials = self._merged(self._extended(partials, number), number)
            least = partials.cost + self._at_least(partials, number) * self.weight
            keep = np.flatnonzero(least <= limit) if limit is not None else np.arange(len(least))
            most = int(np.diff(self.start).max())
            room = max(1, min(width, _NUMBERS // (most * (partials.crossed.shape[1] + 1))))
            if len(keep) > room:
                exact = False
                keep = np.sort(keep[np.argsort(least[keep], kind="stable")[:room]])
            partials = partials.rows(keep)
            history.append((partials.last, partials.parent))
            if not len(keep):
                return {}, None, exact
        row = int(np.argmin(partials.cost))
        cost, mapping = int(partials.cost[row]), {}
        for number in range(len(self.words) - 1, -1, -1):
            last, parent = history[number]
            if last[row] != SKIP:
                mapping[self.words[number]] = int(last[row])
            row = int(parent[row])
        return mapping, cost, exact

    def _crossings_with_fixed(self) -> Array:
        h, r = np.array(list(self.fixed.items()), dtype=np.int64).reshape(-1, 2).T
        crossed: Array = ((self.h[:, None] - h) * (self.r[:, None] - r) < 0).sum(axis=1)
        return crossed

    def _extended(self, partials: _Partials, number: int) -> _Partials:
        """Every partial mapping with every open choice for the next word, leaving it out last."""
        ways = int(self.start[number + 1] - self.start[number])
        here, rest = partials.crossed[:, :ways], partials.crossed[:, ways:]
        row, way = np.nonzero(here < _CLOSED)
        place = self.r[self.start[number] + way]
        later = slice(int(self.start[number + 1]), None)
        crossed = rest[row] + (place[:, None] > self.r[later])
        # A place is taken once, and twins are mapped in order.
        order = self.twin[later] == self.twin[self.start[number]]
        crossed[(place[:, None] == self.r[later]) | (order & (place[:, None] > self.r[later]))] = _CLOSED
        np.minimum(crossed, _CLOSED, out=crossed)
        cost = partials.cost[row] + here[row, way] * self.weight + self._chunks(number, place, partials.last[row])
        extended = _Partials(cost, crossed, partials.skips[row], place, row)
        idle = np.flatnonzero(partials.skips[:, self.group[number]])
        if len(idle):
            skips = partials.skips[idle]
            skips[:, self.group[number]] -= 1
            none = np.full(len(idle), SKIP)
            cost = partials.cost[idle] + self._chunks(number, none, partials.last[idle])
            left_out = _Partials(cost, rest[idle], skips, none, idle)
            pairs = zip(vars(extended).values(), vars(left_out).values(), strict=True)
            extended = _Partials(*(np.concatenate(pair) for pair in pairs))
            extended = extended.rows(np.argsort(extended.parent, kind="stable"))
        return extended

    def _chunks(self, number: int, place: Array, last: Array) -> Array:
        """The chunks that begin at a word and at the fixed word right after it; the choice has no effect on others."""
        h = self.words[number]
        if not number or self.words[number - 1] != h - 1:
            last = np.full(len(place), self.fixed.get(h - 1, SKIP))
        begins = (place != SKIP) & ((last == SKIP) | (last != place - 1))
        after = self.fixed.get(h + 1, SKIP)
        chunks: Array = begins.astype(np.int64) + ((after != SKIP) & ((place == SKIP) | (place != after - 1)))
        return chunks

    def _merged(self, partials: _Partials, number: int) -> _Partials:
        """One of all partial mappings that are the same to later words: the cheapest, of equals the leftmost."""
        starts = self.start[number + 1 : -1] - self.start[number + 1]
        if len(starts):
            # What every way of a word adds, the word will add: it is moved to the cost, so that more are the same.
            sure = self.skips[self.group[number + 1 :]] == 0
            fewest = np.where(sure, np.minimum.reduceat(partials.crossed, starts, axis=1), 0)
            sizes = np.diff(self.start[number + 1 :])
            open_ways = partials.crossed < _CLOSED
            partials.crossed = np.where(open_ways, partials.crossed - np.repeat(fewest, sizes, axis=1), _CLOSED)
            partials.cost = partials.cost + fewest.sum(axis=1) * self.weight
            partials = partials.rows(np.flatnonzero((fewest < _CLOSED).all(axis=1)))
        adjacent = number + 1 < len(self.words) and self.words[number + 1] == self.words[number] + 1
        last = partials.last if adjacent else np.zeros_like(partials.last)
        keys = np.column_stack([partials.crossed, partials.skips, last])
        first: dict[bytes, int] = {}
        for row in np.argsort(partials.cost, kind="stable").tolist():
            first.setdefault(keys[row].tobytes(), row)
        return partials.rows(np.sort(np.array(list(first.values()), dtype=np.int64)))

    def _at_least(self, partials: _Partials, number: int) -> Array:
        """The crossings that words which may be left out still add; those of all others are in the cost."""
        total = np.zeros(len(partials.cost), dtype=np.int64)
        groups = self.group[number + 1 :]
        starts = self.start[number + 1 : -1] - self.start[number + 1]
        for group in np.flatnonzero(self.skips).tolist():
            members = np.flatnonzero(groups == group)
            if len(members):
                fewest = np.minimum.reduceat(partials.crossed, starts, axis=1)[:, members]
                # At best, those with the most crossings are left out.
                sums = np.cumsum(np.sort(fewest, axis=1), axis=1)
                counted = len(members) - partials.skips[:, group]
                total += np.where(counted > 0, sums[np.arange(len(sums)), np.maximum(counted, 1) - 1], 0)
        return total
