"""Where the segments of a chunk stand: the hypotheses first, then every reference, pair by pair.

Metrics flatten all segments of a chunk into one set of arrays; this says which of them belong together. A chunk of a
few small segments is worked on directly, in plain Python: an array operation costs more than the few nodes it works
on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from synteval.metrics.base import Chunk
from synteval.structures import Segment

Ints = npt.NDArray[np.int64]

# A chunk of at most so many pairs and tokens takes the direct path.
DIRECT_PAIRS = 6
DIRECT_TOKENS = 2000


@dataclass(frozen=True, eq=False)
class Layout:
    """`owners[s]` is the pair of segment `s`; `slots[s]` is 0 for a hypothesis, 1, 2, ... for its references."""

    segments: Sequence[Segment]
    pairs: int
    owners: Ints
    slots: Ints

    @classmethod
    def of(cls, chunk: Chunk) -> Layout:
        """The layout of a chunk, made once for all metrics."""
        return chunk.shared("layout", lambda: cls._build(chunk))

    @classmethod
    def _build(cls, chunk: Chunk) -> Layout:
        pairs = len(chunk.hypotheses)
        segments = list(chunk.hypotheses)
        owners, slots = list(range(pairs)), [0] * pairs
        for pair, references in enumerate(chunk.references):
            segments += references
            owners += [pair] * len(references)
            slots += range(1, len(references) + 1)
        return cls(segments, pairs, np.array(owners, dtype=np.int64), np.array(slots, dtype=np.int64))

    @property
    def references(self) -> Ints:
        """The numbers of the segments that are references."""
        return np.arange(self.pairs, len(self.segments))

    @property
    def width(self) -> int:
        """One more than the largest number of references of a pair."""
        return int(self.slots.max(initial=0)) + 1

    def by_slot(self) -> list[Ints]:
        """The reference segments: all first ones, all second ones, and so on."""
        return [np.flatnonzero(self.slots == slot) for slot in range(1, self.width)]


def is_small(chunk: Chunk) -> bool:
    """Whether the chunk takes the direct path."""
    if len(chunk.hypotheses) > DIRECT_PAIRS:
        return False
    tokens = 0
    for hypothesis, references in zip(chunk.hypotheses, chunk.references, strict=True):
        for segment in (hypothesis, *references):
            for sentence in segment:
                tokens += len(sentence) if sentence.tree is None else len(sentence.tree)
    return tokens <= DIRECT_TOKENS
