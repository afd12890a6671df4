"""How usual it is that two words stand in a relation: "these books" is, "this books" is not.

A table counts, in treebanks, the classes of heads and dependents by relation and side, and of subjects and the finite
verbs they go with. The class of a function word is the word itself, that of another word its tag. A pair's score is

    log(P(dependent | relation, head) / P(dependent | relation))

with P(dependent | relation, head) smoothed by P(dependent | relation): 0 for what says nothing, below it for what
avoids each other.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

_CLOSED = frozenset({"DET", "PRON", "AUX", "ADP", "PART", "SCONJ", "CCONJ"})
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
_SMOOTHING = 5.0
_LIMIT = 5.0
# relation (with its side) -> class of the head -> class of the dependent -> times
Counts = Mapping[str, Mapping[str, Mapping[str, int]]]
Pair = tuple[str, str, str]


def pairs(
    words: Sequence[str], upos: Sequence[str], xpos: Sequence[str], heads: Sequence[int], relations: Sequence[str]
) -> Iterator[Pair]:
    """(relation and side, head, dependent) of every arc, and ("agreement", subject, verb); heads count from 1."""
    classes = [word.lower() if part in _CLOSED else tag for word, part, tag in zip(words, upos, xpos, strict=True)]
    below: dict[int, list[int]] = defaultdict(list)
    for token, head in enumerate(heads):
        below[head - 1].append(token)
    for token, head in enumerate(heads):
        if head == 0:
            continue
        relation = relations[token].partition(":")[0]
        if relation == "punct":
            continue
        yield f"{relation}{'<' if token < head - 1 else '>'}", classes[head - 1], classes[token]
        if relation == "nsubj":
            verbs = [head - 1, *(other for other in below[head - 1] if relations[other].startswith(("aux", "cop")))]
            finite = [verb for verb in sorted(verbs) if xpos[verb] in _FINITE]
            if finite:
                several = any(relations[other] == "conj" for other in below[token])
                yield "agreement", "several" if several else classes[token], classes[finite[0]]


class PairTable:
    """Scores of pairs from counts."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._totals = {
            relation: {head: sum(found.values()) for head, found in by_head.items()}
            for relation, by_head in counts.items()
        }
        self._overall: dict[str, Counter[str]] = {}
        for relation, by_head in counts.items():
            overall: Counter[str] = Counter()
            for found in by_head.values():
                overall.update(found)
            self._overall[relation] = overall

    @classmethod
    def count(cls, found: Iterable[Pair], least: int = 2) -> dict[str, dict[str, dict[str, int]]]:
        """Counts of pairs that occur `least` times."""
        counts: dict[str, dict[str, dict[str, int]]] = {}
        for (relation, head, dependent), times in sorted(Counter(found).items()):
            if times >= least:
                counts.setdefault(relation, {}).setdefault(head, {})[dependent] = times
        return counts

    def score(self, pair: Pair) -> float:
        """Above 0 for what goes together, below 0 for what avoids each other; 0 for what was never seen."""
        relation, head, dependent = pair
        overall = self._overall.get(relation)
        total = self._totals.get(relation, {}).get(head)
        if overall is None or total is None or dependent not in overall:
            return 0.0
        expected = overall[dependent] / overall.total()
        times = self._counts[relation][head].get(dependent, 0)
        ratio = (times + _SMOOTHING * expected) / (total + _SMOOTHING) / expected
        return max(-_LIMIT, min(_LIMIT, math.log(ratio)))
