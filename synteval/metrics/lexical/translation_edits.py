"""The edits of TER: word edits and shifts of blocks, the number that sacrebleu counts, several times as fast.

Shifts are chosen greedily (Snover et al. 2006; the search of Tercom, as sacrebleu restates it). Of all blocks that
occur in hypothesis and reference, are wrong where they stand and missing where they would go, the one that lowers the
edit distance most is moved; of equals the longest, then the first, then the one that goes furthest left. It ends when
nothing is gained, or after 1,000 candidates.

Distances are bit-parallel (Myers 1999; Hyyrö 2003): a row of the dynamic programme is two whole numbers whose bits say
where it rises and falls, so a word of the hypothesis costs a dozen operations however long the reference is, and a
candidate is computed from the first word that it moves.

sacrebleu looks only at cells near the diagonal. Its result is the same where the path taken lies within: at once where
it is short, as a path of d edits between lengths that differ by n stays within (d + n) / 2 of the diagonal, and
otherwise by looking. The rare pair whose path strays is left to sacrebleu.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from sacrebleu.metrics.lib_ter import translation_edit_rate

MOST_CANDIDATES = 1000
LONGEST_BLOCK = 10
FURTHEST_SHIFT = 50
BEAM = 25
# Edits and difference in length up to which no path can leave the beam, whose width is 24 on one side, less rounding.
SURELY_WITHIN = 46

# Bit j says whether the row rises, and whether it falls, from column j to column j + 1.
Row = tuple[int, int]
# Cells (row, column), from the last to the first.
Path = list[tuple[int, int]]


class Alignment(NamedTuple):
    """Where each word of the reference stands in the hypothesis, or after which word it is missing; what is wrong."""

    places: list[int]
    missing: list[bool]
    wrong: list[bool]


class Block(NamedTuple):
    """Words of the hypothesis that occur in the reference elsewhere, and the places where they may go."""

    start: int
    length: int
    targets: list[int]


def translation_edits(hypothesis: Sequence[str], reference: Sequence[str]) -> int:
    """The number of edits and shifts that make the reference of the hypothesis."""
    if not reference:
        return len(hypothesis)
    edits = _search(list(hypothesis), _Distance(reference))
    return int(translation_edit_rate(list(hypothesis), list(reference))[0]) if edits is None else edits


def _search(words: list[str], distance: _Distance) -> int | None:
    """The number of edits, or None where a path leaves the beam."""
    rows = distance.rows(words)
    edits = distance.last(rows, len(words))
    shifts = tried = 0
    while edits:
        if distance.strays(words, rows):
            return None
        best = (0, 0, 0, 0)
        for block in _blocks(words, distance, distance.alignment(words, rows)):
            for target in block.targets:
                shifted = _shifted(words, block.start, block.length, target)
                changed = min(block.start, target)
                below = distance.rows(shifted[changed:], rows[changed])
                found = distance.last(below, len(words))
                if found < edits and distance.strays(shifted, rows[:changed] + below):
                    return None
                best = max(best, (edits - found, block.length, -block.start, -target))
            tried += len(block.targets)
            if tried >= MOST_CANDIDATES:
                break
        gain, length, start, target = best
        if gain <= 0 or tried >= MOST_CANDIDATES:
            break
        words = _shifted(words, -start, length, -target)
        rows = distance.rows(words)
        edits -= gain
        shifts += 1
    return shifts + edits


class _Distance:
    """Edit distances from one reference."""

    def __init__(self, reference: Sequence[str]) -> None:
        self.reference = reference
        self.columns: dict[str, list[int]] = {}
        for column, word in enumerate(reference):
            self.columns.setdefault(word, []).append(column)
        self._bits = {word: sum(1 << column for column in columns) for word, columns in self.columns.items()}
        self._all = (1 << len(reference)) - 1

    def rows(self, words: Sequence[str], above: Row | None = None) -> list[Row]:
        """The rows of these words under a row, by default the first; that row is the first of the result."""
        every, bits = self._all, self._bits
        rises, falls = above or (every, 0)
        rows = [(rises, falls)]
        for word in words:
            equal = bits.get(word, 0)
            diagonal = (((equal & rises) + rises) ^ rises) | equal | falls
            right = ((falls | (every & ~(diagonal | rises))) << 1) | 1
            left = (diagonal & rises) << 1
            rises = (left | ~(diagonal | right)) & every
            falls = right & diagonal & every
            rows.append((rises, falls))
        return rows

    @staticmethod
    def last(rows: Sequence[Row], words: int) -> int:
        """The distance at the end of the last row, which is that of so many words."""
        rises, falls = rows[-1]
        return words + rises.bit_count() - falls.bit_count()

    def path(self, words: Sequence[str], rows: Sequence[Row]) -> Path:
        """The cells from the end to the beginning: a match or substitution before a deletion before an insertion."""
        row, column = len(words), len(self.reference)
        path = [(row, column)]
        while row and column:
            if words[row - 1] == self.reference[column - 1]:
                row, column = row - 1, column - 1
            else:
                before = self._cell(rows, row, column) - 1
                if self._cell(rows, row - 1, column - 1) == before:
                    row, column = row - 1, column - 1
                elif self._cell(rows, row - 1, column) == before:
                    row -= 1
                else:
                    column -= 1
            path.append((row, column))
        path.extend((0, first) for first in range(column - 1, -1, -1))
        path.extend((first, 0) for first in range(row - 1, -1, -1))
        return path

    def strays(self, words: Sequence[str], rows: Sequence[Row]) -> bool:
        """Whether the path leaves sacrebleu's beam."""
        height, width = len(words), len(self.reference)
        if self.last(rows, height) + abs(height - width) <= SURELY_WITHIN:
            return False
        ratio = width / height if height else 1.0
        if ratio / 2 > BEAM:
            return True
        for row, column in self.path(words, rows):
            diagonal = math.floor(row * ratio)
            if row and not (diagonal - BEAM <= column and (column < diagonal + BEAM or row == height)):
                return True
        return False

    def alignment(self, words: Sequence[str], rows: Sequence[Row]) -> Alignment:
        """What the path aligns."""
        reference = self.reference
        places, missing, wrong = [-1] * len(reference), [True] * len(reference), [True] * len(words)
        for (row, column), (above, before) in pairwise(self.path(words, rows)):
            if before < column:
                places[before] = row - 1
                if above < row and words[above] == reference[before]:
                    missing[before] = wrong[above] = False
        return Alignment(places, missing, wrong)

    @staticmethod
    def _cell(rows: Sequence[Row], row: int, column: int) -> int:
        rises, falls = rows[row]
        before = (1 << column) - 1
        return row + (rises & before).bit_count() - (falls & before).bit_count()


def _blocks(words: Sequence[str], distance: _Distance, alignment: Alignment) -> Iterator[Block]:
    """The blocks worth moving, from left to right, the shortest first."""
    reference = distance.reference
    places, missing, wrong = alignment
    for start, word in enumerate(words):
        for column in distance.columns.get(word, ()):
            if abs(column - start) > FURTHEST_SHIFT:
                continue
            most = min(LONGEST_BLOCK, len(words) - start, len(reference) - column)
            is_wrong = is_missing = False
            for length in range(1, most + 1):
                if words[start + length - 1] != reference[column + length - 1]:
                    break
                is_wrong |= wrong[start + length - 1]
                is_missing |= missing[column + length - 1]
                # Neither what is right nor what is there already moves, nor does a block move within itself.
                if is_wrong and is_missing and not start <= places[column] < start + length:
                    behind = [places[number] if number >= 0 else -1 for number in range(column - 1, column + length)]
                    targets = [place + 1 for place in behind]
                    yield Block(start, length, [t for n, t in enumerate(targets) if n == 0 or t != targets[n - 1]])


def _shifted(words: list[str], start: int, length: int, target: int) -> list[str]:
    """The words with a block moved before the word at `target`; inside the block, that many words to the right."""
    block, rest = words[start : start + length], words[:start] + words[start + length :]
    place = target if target < start else target - length if target > start + length else target
    return rest[:place] + block + rest[place:]
