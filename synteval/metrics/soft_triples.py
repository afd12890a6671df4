"""Dependencies matched by the vectors of their words: `depf:match=soft`.

    sim((h, r, d), (h', r', d')) = sqrt(sim(h, h') sim(d, d'))  where r = r', else 0

with similarities above chance (`similarity`). Dependencies of the hypothesis are paired one to one with those of a
reference, the sum of similarities being largest; the sum takes the place of the number of matches. With similarities of
0 and 1 it is that number.
"""

from __future__ import annotations

import numpy as np

from synteval.metrics.base import Chunk
from synteval.metrics.clipping import Counts
from synteval.metrics.dependencies import tree_arrays
from synteval.metrics.layout import Ints, Layout
from synteval.metrics.similarity import above_chance, assigned, vectors_of


def count_softly(chunk: Chunk, layout: Layout, arcs: Ints, relations: Ints) -> Counts:
    """Matches by reference, and totals; `arcs` are the tokens whose dependencies count."""
    parents, segments = tree_arrays(chunk)
    vectors = vectors_of(chunk)
    count = len(layout.segments)
    starts = np.searchsorted(segments, np.arange(count))
    bounds = np.searchsorted(segments[arcs], np.arange(count + 1))
    totals, matched = np.diff(bounds).astype(np.float64)[:, None], np.zeros((count, 1))
    for number in layout.references.tolist():
        pair = int(layout.owners[number])
        alike = above_chance(vectors[pair], vectors[number])
        own, other = (arcs[bounds[segment] : bounds[segment + 1]] for segment in (pair, number))
        words = alike[np.ix_(own - starts[pair], other - starts[number])]
        heads = alike[np.ix_(parents[own] - starts[pair], parents[other] - starts[number])]
        matched[number] = assigned(np.sqrt(words * heads) * np.equal.outer(relations[own], relations[other]))
    return Counts(np.zeros((layout.pairs, 1)), totals, np.zeros((layout.pairs, 1)), matched)
