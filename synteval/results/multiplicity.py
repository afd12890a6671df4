"""What a p-value is worth when several hypotheses are tested (Riezler & Maxwell 2005, section 4.3).

Of k true null hypotheses, each tested at level p, at least one is rejected with probability 1 - (1 - p)^k: .9954 for
all 105 pairs of 15 systems at .05. Sidak's level turns this round; Holm's procedure controls the same error for tests
that depend on one another, as comparisons on one test set do, and is the one applied to all pairs of systems.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def familywise(p: float, comparisons: int) -> float:
    """The probability of at least one false rejection in `comparisons` independent tests at level `p`."""
    if p >= 1:
        return 1.0
    return -math.expm1(comparisons * math.log1p(-p))


def sidak(alpha: float, comparisons: int) -> float:
    """The level for each of `comparisons` independent tests that keeps the level of them all at `alpha`."""
    if alpha >= 1:
        return 1.0
    return -math.expm1(math.log1p(-alpha) / comparisons)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the order given; a p-value that is not a number was no test and stays so."""
    order = sorted((number for number, p in enumerate(p_values) if not math.isnan(p)), key=lambda i: p_values[i])
    adjusted = list(p_values)
    least = 0.0
    for rank, number in enumerate(order):
        least = max(least, min(1.0, (len(order) - rank) * p_values[number]))
        adjusted[number] = least
    return adjusted
