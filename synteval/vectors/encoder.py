"""Words to vectors by the shipped encoder (models/encoder/): the layer `vectors` of a sentence.

A segment is read as a whole, so that a word's vector knows its context, also across sentences; a very long one in
stretches, each with some words before and after it. The vector of a word comes from its first and last piece. Only its
direction means anything, so it is kept as 8-bit integers: the largest component is 127 or -127.

As in the parser, the vectors of a segment do not depend on the segments beside it: products with weights are sums of
integers, and what is computed in floating point stays within a passage. The passages of a batch have one length.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from synteval.errors import OptionError, ParserError
from synteval.model_files import ModelFiles
from synteval.structures import Segment

if TYPE_CHECKING:
    import onnxruntime

    from synteval.parsing.en.wordpiece import WordPiece

Vectors = NDArray[np.int8]

_MOST_PIECES = 254  # of a passage, without its start and end
_BATCH_PIECES = 512  # what is worked on at once stays in the processor's cache


class WordEncoder:
    """Made cheaply; the model is loaded with the first words."""

    def __init__(self, folder: Path | None = None, threads: int = 1) -> None:
        self._folder = folder
        self._threads = threads

    @cached_property
    def _files(self) -> ModelFiles:
        return ModelFiles(self._folder or "encoder")

    @cached_property
    def fingerprint(self) -> str:
        """What identifies the vectors, such as `minilm@1.0.0-ab12cd34`; reading it loads no model."""
        return f"minilm@{self._files.version}-{self._files.digest}"

    def check_language(self, language: str | None) -> None:
        """Raise where the encoder does not know the language."""
        if language is not None and language.split("-")[0] != "en":
            raise OptionError(
                f"token vectors are made for English, and the language is {language!r}; choose a metric without them"
            )

    @cached_property
    def _wordpiece(self) -> WordPiece:
        from synteval.parsing.en.wordpiece import WordPiece

        vocabulary = ModelFiles("en").read("vocabulary.txt")
        if hashlib.sha256(vocabulary).hexdigest() != self._files.manifest["sha256"]["vocabulary.txt"]:
            raise ParserError(
                "models/en/vocabulary.txt is not the vocabulary of models/encoder; "
                "reinstall: pip install --force-reinstall synteval"
            )
        return WordPiece(vocabulary.decode("utf8").splitlines())

    @cached_property
    def _session(self) -> onnxruntime.InferenceSession:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # As for the parser: the optimiser's joined layer norms are slow.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        return onnxruntime.InferenceSession(
            self._files.read("encoder.onnx"), options, providers=["CPUExecutionProvider"]
        )

    def add(self, segments: Sequence[Segment]) -> list[Segment]:
        """The segments with vectors; sentences that have some keep them."""
        words = [[form for sentence in segment for form in sentence.forms.list()] for segment in segments]
        found = self.vectors(words)
        return [_with_vectors(segment, vectors) for segment, vectors in zip(segments, found, strict=True)]

    def vectors(self, segments: Sequence[Sequence[str]]) -> list[Vectors]:
        """The vectors of the words of each segment, a row a word."""
        dimensions = int(self._files.manifest["dimensions"])
        found = [np.zeros((len(words), dimensions), np.int8) for words in segments]
        passages: dict[int, list[_Passage]] = {}
        for number, words in enumerate(segments):
            for passage in self._passages(number, words):
                passages.setdefault(sum(map(len, passage.words)) + 2, []).append(passage)
        for width, members in passages.items():
            at_once = max(1, _BATCH_PIECES // width)
            for begin in range(0, len(members), at_once):
                batch = members[begin : begin + at_once]
                rows, done = self._run(batch, width), 0
                for passage in batch:
                    size = passage.stop - passage.start
                    found[passage.segment][passage.start : passage.stop] = rows[done : done + size]
                    done += size
        return found

    def _passages(self, number: int, words: Sequence[str]) -> Iterator[_Passage]:
        pieces = [self._wordpiece.pieces(word) for word in words]
        counts = [len(numbers) for numbers in pieces]
        if sum(counts) <= _MOST_PIECES:
            if words:
                yield _Passage(number, 0, len(words), 0, pieces)
            return
        from synteval.parsing.en.windows import context, stretches

        for start, stop in stretches(words, counts):
            before, after = context(counts, start, stop)
            yield _Passage(number, start, stop, before, pieces[before:after])

    def _run(self, batch: list[_Passage], width: int) -> Vectors:
        """The vectors of the passages' own words, one passage after the other."""
        pieces = np.empty((len(batch), width), np.int32)
        pieces[:, 0], pieces[:, -1] = self._wordpiece.start, self._wordpiece.end
        first, last = [], []
        for row, passage in enumerate(batch):
            pieces[row, 1:-1] = [piece for word in passage.words for piece in word]
            counts = np.array([len(word) for word in passage.words])
            ends = np.cumsum(counts)
            own = slice(passage.start - passage.window, passage.stop - passage.window)
            first.append((ends - counts + 1)[own] + row * width)
            last.append(ends[own] + row * width)
        inputs = {
            "pieces": pieces,
            "positions": np.arange(width, dtype=np.int32),
            "first": np.concatenate(first).astype(np.int32),
            "last": np.concatenate(last).astype(np.int32),
        }
        return as_integers(self._session.run(["vectors"], inputs)[0])


@dataclasses.dataclass(frozen=True)
class _Passage:
    """Words `start` to `stop` of a segment, read with those around them: `words`, as pieces, from word `window`."""

    segment: int
    start: int
    stop: int
    window: int
    words: list[list[int]]


def as_integers(vectors: NDArray[np.float32]) -> Vectors:
    """The directions of the vectors in 8 bits."""
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=1e-30)
    integers: Vectors = np.rint(vectors * (127 / largest)).astype(np.int8)
    return integers


def _with_vectors(segment: Segment, vectors: Vectors) -> Segment:
    sentences, done = [], 0
    for sentence in segment:
        own = vectors[done : done + len(sentence)]
        done += len(sentence)
        sentences.append(sentence if sentence.vectors is not None else dataclasses.replace(sentence, vectors=own))
    return tuple(sentences)
