"""Numbers too large for floating point: a mantissa and a binary exponent.

The number of fragments of a tree grows exponentially with its size. Scaling by powers of two is exact, so wherever
plain arithmetic stays in range, the results are the same to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from synteval.metrics.clipping import Floats
from synteval.metrics.layout import Ints

# Beyond 2 ** LARGE, 1 + x is x to the last bit, and x is not put into one floating-point number.
LARGE = 1000


@dataclass(frozen=True, eq=False)
class Kernels:
    """Kernel values as `mantissas * 2 ** exponents`."""

    mantissas: Floats
    exponents: Ints

    @classmethod
    def of(cls, values: Floats) -> Kernels:
        """Plain numbers."""
        mantissas, exponents = np.frexp(values)
        return cls(mantissas, exponents.astype(np.int64))

    def values(self) -> Floats:
        """Plain numbers; inf beyond the range of floating point."""
        with np.errstate(over="ignore"):
            return np.asarray(np.ldexp(self.mantissas, np.clip(self.exponents, -2000, 2000).astype(np.int32)))

    def __getitem__(self, key: slice | Ints) -> Kernels:
        return Kernels(self.mantissas[key], self.exponents[key])


def cosines(between: Kernels, left: Kernels, right: Kernels) -> Floats:
    """K(l, r) / sqrt(K(l, l) K(r, r)), 0 where a self-kernel is 0."""
    norms = left.mantissas * right.mantissas
    odd = (left.exponents + right.exponents) % 2
    # sqrt(x * x) is x in binary floating point: equal trees have a cosine of exactly 1.
    roots = np.sqrt(np.where(odd == 1, 2 * norms, norms))
    shifts = between.exponents - (left.exponents + right.exponents - odd) // 2
    quotients = np.divide(between.mantissas, roots, out=np.zeros_like(roots), where=roots > 0)
    cosine = np.ldexp(quotients, np.clip(shifts, -2000, 2000).astype(np.int32))
    return np.asarray(np.minimum(cosine, 1.0))


def sums(pairs: Ints, weights: Floats, values: Kernels, singles: Floats) -> Kernels:
    """The sums of the weighted values of each pair, and its single nodes."""
    count = len(singles)
    if values.exponents.max(initial=0) < LARGE - 60:
        return Kernels.of(np.bincount(pairs, weights=weights * values.values(), minlength=count) + singles)
    tops = np.zeros(count, dtype=np.int64)
    np.maximum.at(tops, pairs, values.exponents)
    shifts = np.maximum(values.exponents - tops[pairs], -2000).astype(np.int32)
    totals = np.bincount(pairs, weights=weights * np.ldexp(values.mantissas, shifts), minlength=count)
    mantissas, exponents = np.frexp(totals + np.ldexp(singles, np.maximum(-tops, -2000).astype(np.int32)))
    return Kernels(mantissas, exponents + tops)
