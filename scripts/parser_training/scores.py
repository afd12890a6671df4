"""Bracketing F1 in the sense of evalb, and attachment scores."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from parser_training.treebanks import Span

# evalb's COLLINS.prm deletes these tags; GUM writes HYPH and NFP for some of the same characters.
DELETED = {",", ".", ":", "``", "''"}


@dataclass
class Bracketing:
    """Precision and recall over labelled spans."""

    matched: int = 0
    gold: int = 0
    guessed: int = 0

    def add(self, gold: Counter[Span], guess: Counter[Span]) -> None:
        self.matched += sum((gold & guess).values())
        self.gold += sum(gold.values())
        self.guessed += sum(guess.values())

    @property
    def precision(self) -> float:
        return 100 * self.matched / max(self.guessed, 1)

    @property
    def recall(self) -> float:
        return 100 * self.matched / max(self.gold, 1)

    @property
    def f1(self) -> float:
        return 200 * self.matched / max(self.gold + self.guessed, 1)


def brackets(spans: tuple[Span, ...] | list[Span], keep: list[bool]) -> Counter[Span]:
    """Labelled brackets over the kept words (unary chains opened; PRT counts as ADVP, as in COLLINS.prm)."""
    before = [0]
    for kept in keep:
        before.append(before[-1] + kept)
    found: Counter[Span] = Counter()
    for start, end, chain in spans:
        if before[start] < before[end]:
            for label in chain.split("+"):
                found[before[start], before[end], "ADVP" if label == "PRT" else label] += 1
    return found
