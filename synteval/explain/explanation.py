"""What an explanation holds, whatever the metric.

`matched`, `unlicensed` and `missing` are the fragments behind the counts of one segment's score:

    matched     in the hypothesis, and licensed by a reference
    unlicensed  in the hypothesis, and in no reference (or not so often)
    missing     in the closest reference, and not in the hypothesis (or not so often)

A fragment that the hypothesis has twice and the references once is matched once and unlicensed once, so the weights of
the lists add up to the statistics of the metric. The shares of `matched` add up to the score, those of `unlicensed`
and `missing` are what each costs; a share is None where a fragment has no part of its own in the score.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Fragment:
    """A subtree, chain, dependency or subsequence, and how much of it there is.

    `order` is its depth, length or size. `weight` is what the metric counts: the number of occurrences for metrics
    that count, a part of the kernel for those that weigh. `senses` are those that made a subsequence match.
    """

    text: str
    order: int
    count: int
    weight: float
    share: float | None = None
    senses: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """For JSON, which has no number for the weights of very large trees."""
        return {**asdict(self), "weight": self.weight if math.isfinite(self.weight) else None}


@dataclass(frozen=True)
class Drawing:
    """A segment's trees as the metric saw them.

    A node has a label, a parent (-1 for a root), a note beside the label (its word, its relation) and a mark: 1 where
    all of it matched, 0 where nothing did, None where it takes no part. A segment without trees is a row of roots.
    """

    labels: tuple[str, ...]
    parents: tuple[int, ...]
    notes: tuple[str, ...]
    marks: tuple[float | None, ...]


@dataclass(frozen=True)
class Explanation:
    """Why a segment has its score by a metric. `reference` is the number of the closest reference, from 1."""

    metric: str
    score: float
    counts: Mapping[str, Any]
    # What a fragment is, and what its order is called; both empty where the metric has no fragments to show.
    kind: str = ""
    order: str = ""
    matched: tuple[Fragment, ...] = ()
    unlicensed: tuple[Fragment, ...] = ()
    missing: tuple[Fragment, ...] = ()
    reference: int = 1
    hypothesis_drawing: Drawing | None = None
    reference_drawing: Drawing | None = None
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "metric": self.metric,
            "score": self.score,
            "counts": dict(self.counts),
            "kind": self.kind,
            "order": self.order,
            "reference": self.reference,
            "matched": [fragment.as_dict() for fragment in self.matched],
            "unlicensed": [fragment.as_dict() for fragment in self.unlicensed],
            "missing": [fragment.as_dict() for fragment in self.missing],
            "note": self.note,
        }

    def __str__(self) -> str:
        from synteval.explain.text import lines

        return "\n".join(lines(self))

    def _repr_html_(self) -> str:
        from synteval.report.display import explanation_html

        return explanation_html(self)


def strongest(fragments: Iterable[Fragment]) -> tuple[Fragment, ...]:
    """Largest share first, then largest weight, then by order and text."""
    return tuple(sorted(fragments, key=lambda f: (-(f.share or 0.0), -f.weight, f.order, f.text, f.senses)))
