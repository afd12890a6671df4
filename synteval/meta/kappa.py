"""Kappa: agreement beyond chance, (P(A) - P(E)) / (1 - P(E)) (Carletta 1996; Kilgarriff 2003 with reservations).

`kappa` takes the two probabilities; P(E) = 1/k where k labels are equally likely. `cohen_kappa` takes P(E) from each
rater's own distribution of labels and equals scikit-learn's cohen_kappa_score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from synteval.errors import InputError


def kappa(agreement: float, chance: float) -> float:
    """Kappa from observed and expected agreement; NaN where chance alone gives full agreement."""
    if not (0 <= agreement <= 1 and 0 <= chance <= 1):
        raise InputError(f"agreement {agreement} and chance {chance} must be probabilities")
    return (agreement - chance) / (1 - chance) if chance < 1 else float("nan")


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Kappa of two raters who labelled the same items."""
    if len(first) != len(second) or not first:
        raise InputError(f"two raters must label the same items; {len(first)} and {len(second)} labels were given")
    n = len(first)
    agreement = sum(a == b for a, b in zip(first, second, strict=True)) / n
    of_first, of_second = Counter(first), Counter(second)
    return kappa(agreement, sum(count * of_second[label] for label, count in of_first.items()) / n**2)
