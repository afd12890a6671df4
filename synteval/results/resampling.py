"""Shuffles and bootstrap samples as matrices of weights: a row a trial, a column a segment.

The summed statistics of all trials are then one matrix product, for all systems and metrics at once. The weights depend
on the seed and the number of segments alone, so a p-value is the same whatever else is asked in the same run. They come
in blocks of rows, to bound memory.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from synteval.errors import OptionError

FloatArray = npt.NDArray[np.float64]

# Weights a block (32 MB): long enough for the matrix product, short enough for any machine.
BLOCK = 1 << 22
# Enumerations beyond this many trials are refused.
MOST_ENUMERATED = 1 << 20
# Sums keep this many bits below their largest possible value: one less than a double has.
BITS = 52


def shuffles(segments: int, trials: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Random swaps: 1 where two systems keep their outputs, 0 where they exchange them, each with probability 1/2."""
    width = -(-segments // 8)
    for rows in _blocks(segments, trials):
        bits = np.frombuffer(rng.bytes(rows * width), dtype=np.uint8).reshape(rows, width)
        yield np.unpackbits(bits, axis=1, count=segments).astype(np.float64)


def all_shuffles(segments: int) -> FloatArray:
    """All 2^S swaps."""
    if 2**segments > MOST_ENUMERATED:
        raise OptionError(f"2^{segments} shuffles are too many to enumerate; leave exact out to draw trials instead")
    numbers = np.arange(2**segments)[:, None]
    return ((numbers >> np.arange(segments)) & 1).astype(np.float64)


def samples(segments: int, trials: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Bootstrap samples: how often each segment was drawn."""
    # The narrowest type is the fastest to draw.
    kind = np.uint16 if segments <= 1 << 16 else np.int64
    for rows in _blocks(segments, trials):
        drawn = rng.integers(0, segments, size=(rows, segments), dtype=kind)
        yield _counts(drawn, segments)


def all_samples(segments: int) -> FloatArray:
    """All S^S samples."""
    if segments**segments > MOST_ENUMERATED:
        raise OptionError(f"{segments}^{segments} samples are too many to enumerate; leave exact out to draw trials")
    drawn = np.indices((segments,) * segments).reshape(segments, -1).T
    return _counts(drawn, segments)


def summable(statistics: FloatArray) -> FloatArray:
    """The statistics on a grid so coarse that every sum a trial can make of them is exact.

    An exact sum does not depend on the order of its terms, so results do not depend on blocks, threads, processors or
    the other columns of a product, and shuffles that tie, tie. Counts lie on the grid already; other values move by
    less than S / 2^52 of the largest of their column.
    """
    largest = np.abs(statistics).max(axis=0, initial=0.0) * len(statistics)
    exponents = BITS - np.frexp(largest)[1]
    return np.asarray(np.ldexp(np.rint(np.ldexp(statistics, exponents)), -exponents))


def _blocks(segments: int, trials: int) -> Iterator[int]:
    if trials < 1:
        raise OptionError(f"{trials} trials are not possible; give 1 or more")
    most = max(1, BLOCK // max(segments, 1))
    for start in range(0, trials, most):
        yield min(most, trials - start)


def _counts(drawn: npt.NDArray[np.integer], segments: int) -> FloatArray:
    rows = len(drawn)
    places = drawn + (np.arange(rows) * segments)[:, None]
    return np.bincount(places.ravel(), minlength=rows * segments).reshape(rows, segments).astype(np.float64)
