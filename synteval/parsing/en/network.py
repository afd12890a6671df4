"""The network behind the parser: batches of words in, scores out.

A sentence's scores must not depend on the sentences beside it. Products with weights are made of integers, which add
up exactly; what is computed in floating point stays within a sentence, and sentences share a batch only when their
padded sizes are equal, a padded size being a function of the sentence alone. So every sentence goes through the same
operations in the same order, whatever the batch.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from synteval.model_files import ModelFiles
from synteval.one_thread import one_thread
from synteval.parsing.en.shape import shape
from synteval.parsing.en.wordpiece import WordPiece

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int32]

MOST_PIECES = 508  # what the encoder's 512 positions leave, in multiples of the padding, with start and end
_PIECE_STEP = 8
_WORD_STEP = 4
# Bounds on a batch: pieces (the encoder's memory) and spans (the chart's).
_BATCH_PIECES = 1536
_BATCH_SPANS = 24_000


@dataclass(frozen=True)
class Scores:
    """Scores of a batch of sentences; words are numbered from 1, position 0 is the root.

    labels[sentence, span, label]: spans in the order of `starts` and `ends`, label 0 is "no constituent";
    arcs[sentence, dependent, head]; relation vectors of dependents and heads; xpos and upos logits.
    """

    members: list[int]
    lengths: NDArray[np.int64]
    starts: IntArray
    ends: IntArray
    labels: FloatArray
    arcs: FloatArray
    relation_dependent: FloatArray
    relation_head: FloatArray
    xpos: FloatArray
    upos: FloatArray


class Network:
    """The ONNX session and the pieces of words."""

    def __init__(self, files: ModelFiles, threads: int = 1) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Beyond the basics the optimiser would join sums and layer norms into an operator that is ten times slower.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(
            files.read("parser.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self._outputs = [output.name for output in self._session.get_outputs()]
        self.wordpiece = WordPiece(files.read("vocabulary.txt").decode("utf8").splitlines())
        relations = np.load(io.BytesIO(files.read("relations.npy")), allow_pickle=False)
        self._relation_weight: FloatArray = relations[:-1]
        self._relation_bias: FloatArray = relations[-1]
        self._shapes: dict[str, int] = {}

    def encode(self, words: Sequence[str]) -> tuple[list[int], list[int], list[int]]:
        """Pieces of the words, their shapes, and how many pieces each word has."""
        pieces: list[int] = []
        shapes: list[int] = []
        counts: list[int] = []
        known = self._shapes
        for word in words:
            numbers = self.wordpiece.pieces(word)
            form = known.get(word)
            if form is None:
                form = shape(word)
                if len(known) < 200_000:
                    known[word] = form
            pieces += numbers
            shapes += [form] * len(numbers)
            counts.append(len(numbers))
        return pieces, shapes, counts

    def scores(self, sentences: Sequence[Sequence[str]]) -> Iterator[Scores]:
        """Scores of all sentences, in batches; every sentence has words, and at most MOST_PIECES pieces."""
        encoded = [self.encode(words) for words in sentences]
        groups: dict[tuple[int, int], list[int]] = {}
        for number, (pieces, _, counts) in enumerate(encoded):
            size = _round_up(len(pieces) + 2, _PIECE_STEP), _round_up(len(counts) + 1, _WORD_STEP)
            groups.setdefault(size, []).append(number)
        for (width, posts), members in groups.items():
            at_once = max(1, min(_BATCH_PIECES // width, _BATCH_SPANS // (posts * (posts - 1) // 2)))
            for begin in range(0, len(members), at_once):
                batch = members[begin : begin + at_once]
                yield self._run([encoded[number] for number in batch], batch, width, posts)

    def _run(
        self, encoded: list[tuple[list[int], list[int], list[int]]], members: list[int], width: int, posts: int
    ) -> Scores:
        count = len(encoded)
        pieces = np.zeros((count, width), np.int32)
        shapes = np.zeros((count, width), np.int32)
        attended = np.zeros((count, width), np.int32)
        first = np.zeros((count, posts), np.int32)
        last = np.zeros((count, posts), np.int32)
        following = np.zeros((count, posts), np.int32)
        lengths = np.zeros(count, np.int64)
        pieces[:, 0] = self.wordpiece.start
        for row, (numbers, forms, counts) in enumerate(encoded):
            size, words = len(numbers), len(counts)
            pieces[row, 1 : size + 1] = numbers
            pieces[row, size + 1] = self.wordpiece.end
            shapes[row, 1 : size + 1] = forms
            attended[row, : size + 2] = 1
            ends = np.cumsum(counts)
            last[row, 1 : words + 1] = ends
            following[row, 0] = 1
            following[row, 1 : words + 1] = ends + 1
            first[row, 1 : words + 1] = following[row, :words]
            lengths[row] = words
        rows = np.arange(count, dtype=np.int32)[:, None] * width
        starts, ends = span_order(posts)
        inputs = {
            "pieces": pieces,
            "shapes": shapes,
            "positions": np.arange(width, dtype=np.int32),
            "attended": attended,
            "first": first + rows,
            "last": last + rows,
            "following": following + rows,
            "starts": starts,
            "ends": ends,
        }
        found = dict(zip(self._outputs, self._session.run(self._outputs, inputs), strict=True))
        return Scores(members=members, lengths=lengths, starts=starts, ends=ends, **found)

    def relation_scores(self, scores: Scores, heads: NDArray[np.int64]) -> FloatArray:
        """Scores of the relations of every word to its head. One matrix product a sentence, each of the same size."""
        chosen = np.take_along_axis(scores.relation_head, heads[:, :, None], axis=1)
        joint = np.maximum(scores.relation_dependent + chosen, 0)
        with one_thread():
            products: FloatArray = np.stack([sentence @ self._relation_weight for sentence in joint])
        return products + self._relation_bias


def _round_up(value: int, step: int) -> int:
    return -(-value // step) * step


@lru_cache(maxsize=256)
def span_order(posts: int) -> tuple[IntArray, IntArray]:
    """Starts and ends of all spans between so many fenceposts, in the order of the network's output."""
    starts, ends = np.triu_indices(posts, 1)
    return starts.astype(np.int32), ends.astype(np.int32)
