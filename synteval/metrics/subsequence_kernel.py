"""The extended string subsequence kernel of Hirao, Okumura and Isozaki (2005), on many pairs of sequences at once.

A sequence is a list of nodes, a node is a set of attributes (a word and its senses). The kernel counts the common
subsequences of up to `d` nodes, choosing one attribute a node, each occurrence weighted by `decay` to the number of
nodes it skips, in both sequences (gap decay: Lodhi et al. 2002 decay by the whole span instead). Equations 1 to 4:

    ESK_d(T, U) = sum over m = 1..d, i, j of K_m(t_i, u_j)
    K_1(t, u)   = val(t, u), the number of attributes that the nodes share
    K_m(t_i, u_j) = val(t_i, u_j) * sum over i' < i, j' < j of decay^((i - i' - 1) + (j - j' - 1)) * K_{m-1}(t_i', u_j')

The double sum is a decayed running sum along j, then along i: O(d |T| |U|). Pairs of similar length are padded to one
size and scanned together with the pairs innermost, so that every step works on a long array. Long sequences are scanned
in blocks of rows, so that memory stays bounded. (Products with a matrix of decays are the same sums, and slower: they
cost a factor of length more, and a threaded BLAS spends its time on starting threads.)
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IndexArray = npt.NDArray[np.int64]

# Numbers in a row of a batch (one node of the left sequences against all nodes on the right), and in a block of rows.
_ROW = 1 << 13
_BLOCK = 1 << 19
# Sequences whose lengths differ by less than this factor are padded to one length.
_GROWTH = 1.2


@dataclass(frozen=True)
class AttributeSequences:
    """Sequences of nodes. Sequence `s` has the attributes `starts[s]:starts[s + 1]`, sorted: code and node."""

    lengths: IndexArray
    starts: IndexArray
    codes: IndexArray
    nodes: IndexArray
    distinct: int

    @classmethod
    def of(cls, sequences: Iterable[Sequence[Collection[Hashable]]]) -> AttributeSequences:
        """Code sequences of nodes, each a collection of attributes; an attribute twice in a node counts once."""
        made = list(sequences)
        lengths = list(map(len, made))
        sizes = list(map(len, chain.from_iterable(made)))
        attributes = list(chain.from_iterable(chain.from_iterable(made)))
        index = {attribute: code for code, attribute in enumerate(dict.fromkeys(attributes))}
        codes = list(map(index.__getitem__, attributes))
        # Every attribute with its node and its sequence; sorted by sequence, then code, then node, each once.
        owners = np.repeat(np.arange(len(lengths)), lengths)
        places = np.arange(len(owners)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        rows = np.stack([np.repeat(owners, sizes), _array(codes), np.repeat(places, sizes)])
        rows = rows[:, np.lexsort(rows[::-1])]
        if rows.shape[1]:
            rows = rows[:, np.append(True, (rows[:, 1:] != rows[:, :-1]).any(axis=0))]
        starts = np.searchsorted(rows[0], np.arange(len(lengths) + 1))
        return cls(_array(lengths), starts, rows[1], rows[2], max(1, len(index)))

    def shared(self, left: IndexArray, right: IndexArray) -> tuple[IndexArray, IndexArray, IndexArray]:
        """Every shared attribute of every pair: the number of the pair, the node on the left, the node on the right."""
        keys_left, nodes_left = self._keyed(left)
        keys_right, nodes_right = self._keyed(right)
        # Attributes are sorted within a sequence and the keys by pair first, so both lists of keys are sorted.
        first = np.searchsorted(keys_right, keys_left, side="left")
        counts = np.searchsorted(keys_right, keys_left, side="right") - first
        position = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return (
            np.repeat(keys_left // self.distinct, counts),
            np.repeat(nodes_left, counts),
            nodes_right[np.repeat(first, counts) + position],
        )

    def _keyed(self, sequences: IndexArray) -> tuple[IndexArray, IndexArray]:
        counts = self.starts[sequences + 1] - self.starts[sequences]
        pair = np.repeat(np.arange(len(sequences)), counts)
        place = np.arange(len(pair)) - np.repeat(np.cumsum(counts) - counts, counts) + self.starts[sequences][pair]
        return pair * self.distinct + self.codes[place], self.nodes[place]


def _array(values: list[int]) -> IndexArray:
    return np.array(values, dtype=np.int64)


def subsequence_kernel(
    sequences: AttributeSequences, left: npt.ArrayLike, right: npt.ArrayLike, d: int, decay: float
) -> FloatArray:
    """ESK_d of every pair (left[p], right[p]) of sequences."""
    one, other = np.asarray(left, dtype=np.int64), np.asarray(right, dtype=np.int64)
    # The kernel is symmetric: with the longer sequence on the right, fewer shapes of batches occur.
    swap = sequences.lengths[one] > sequences.lengths[other]
    left, right = np.where(swap, other, one), np.where(swap, one, other)
    values = np.zeros(len(left))
    for batch in _batches(sequences.lengths[left], sequences.lengths[right]):
        values[batch] = _scan(sequences, left[batch], right[batch], d, decay)
    return values


def _batches(rows: IndexArray, columns: IndexArray) -> Iterator[IndexArray]:
    """Pairs of similar lengths; those with an empty sequence are in no batch, their kernel is 0."""
    with np.errstate(divide="ignore"):
        sizes = [np.where(n > 6, np.ceil(np.log(n) / np.log(_GROWTH)), n).astype(np.int64) for n in (rows, columns)]
    order = np.lexsort((sizes[0], sizes[1]))
    order = order[rows[order] > 0]
    shapes = np.stack([size[order] for size in sizes])
    edges = np.flatnonzero((shapes[:, 1:] != shapes[:, :-1]).any(axis=0)) + 1
    for group in np.split(order, edges):
        if len(group):
            width = max(1, _ROW // int(columns[group].max()))
            yield from (group[start : start + width] for start in range(0, len(group), width))


def _scan(sequences: AttributeSequences, left: IndexArray, right: IndexArray, d: int, decay: float) -> FloatArray:
    """The kernels of one batch; arrays are (nodes of the left, nodes of the right, pairs)."""
    pairs = len(left)
    rows, columns = int(sequences.lengths[left].max()), int(sequences.lengths[right].max())
    pair, node_left, node_right = sequences.shared(left, right)
    cell = (node_left * columns + node_right) * pairs + pair
    height = max(1, min(rows, _BLOCK // (columns * pairs)))
    # The decayed sums of the row above the block, one for each length of subsequence.
    above = np.zeros((d, columns, pairs))
    total = np.zeros(pairs)
    value, kernel, sums = np.empty((3, height, columns, pairs))
    for top in range(0, rows, height):
        size = min(height, rows - top)
        value, kernel, sums = value[:size], kernel[:size], sums[:size]
        inside = cell if size == rows else cell[(node_left >= top) & (node_left < top + size)] - top * columns * pairs
        value.fill(0.0)
        np.add.at(value.reshape(-1), inside, 1.0)
        kernel[...] = value
        total += np.add.reduce(value.reshape(-1, pairs), axis=0)
        for length in range(1, d):
            sums, kernel = kernel, sums
            _decayed_sums(sums, above[length], decay)
            # The sums one node before on either side; before the first row of the block stands the row above it.
            np.multiply(sums[:-1, :-1], value[1:, 1:], out=kernel[1:, 1:])
            np.multiply(above[length, :-1], value[0, 1:], out=kernel[0, 1:])
            kernel[:, 0] = 0.0
            above[length] = sums[-1]
            total += np.add.reduce(kernel.reshape(-1, pairs), axis=0)
    return total


def _decayed_sums(kernel: FloatArray, above: FloatArray, decay: float) -> None:
    """Turn `kernel` into its decayed sums over all cells up to and including each, given those of the row above it."""
    column = np.empty_like(kernel[:, 0])
    for j in range(1, kernel.shape[1]):
        np.multiply(kernel[:, j - 1], decay, out=column)
        kernel[:, j] += column
    row = np.multiply(above, decay)
    kernel[0] += row
    for i in range(1, len(kernel)):
        np.multiply(kernel[i - 1], decay, out=row)
        kernel[i] += row
