"""How sure the parser is of its parse of a sentence: numbers read from its scores, each a mean over words or spans.

Text that is well formed is parsed without doubt: tags, heads and constituents stand out from their alternatives, the
spans that score high fit into one tree, and both trees agree. Means do not grow with length; `worst` is the mean over
the most doubtful fifth. Doubts are small and differ in order of magnitude, so logarithms of them are taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from synteval.parsing.en.agreement import PairTable, pairs
from synteval.parsing.en.decode import Parse, decode
from synteval.parsing.en.network import Scores
from synteval.parsing.en.pipeline import Pipeline
from synteval.parsing.en.windows import stretches, too_long

FloatArray = NDArray[np.float64]

# Negative log probabilities of what was chosen, by word: tags, heads, relations; by constituent: label and span.
_CHOSEN = ("xpos", "upos", "head", "relation", "label", "span")
DOUBTS = (
    *(f"{kind}_{name}" for name in _CHOSEN for kind in ("mean", "worst")),
    "head_entropy",  # of the choice among all heads, as a share of the largest possible
    "xpos_entropy",
    "conflict",  # scores of spans that are in no tree with the constituents, a word
    "fragments",  # the share of constituents with a label for what is no phrase
    "odd_relations",  # the share of words with a relation for what is no syntax
    "mean_pair",  # how unusual relations are between words of such classes (`agreement`)
    "worst_pair",
    "disagreement",  # the share of constituents that have several heads, going by the dependencies
)
_FRAGMENTS = frozenset({"FRAG", "X", "UCP", "INTJ", "LST", "PRN"})
_LEAST = 1e-4  # doubts below this are the same
_ODD = frozenset({"dep", "orphan", "goeswith", "reparandum", "dislocated", "parataxis", "discourse", "list"})


class Doubts:
    """Reads the doubts of tokenised sentences from a loaded parser; `usual` says which pairs of words are."""

    def __init__(self, pipeline: Pipeline, usual: PairTable) -> None:
        self._pipeline = pipeline
        self._usual = usual
        self._root = pipeline.relations.index("root")
        self._fragments = np.array([not _FRAGMENTS.isdisjoint(chain) for chain in pipeline.chains])
        self._odd = np.array([relation in _ODD for relation in pipeline.relations])

    def of(self, sentences: Sequence[Sequence[str]]) -> FloatArray:
        """A row of DOUBTS a sentence; a very long sentence has the mean of its stretches. Every sentence has words."""
        parts: list[Sequence[str]] = []
        owners: list[int] = []
        for number, words in enumerate(sentences):
            counts = [len(self._pipeline.network.wordpiece.pieces(word)) for word in words]
            cuts = stretches(words, counts) if too_long(counts) else [(0, len(words))]
            parts += [words[start:end] for start, end in cuts]
            owners += [number] * len(cuts)
        rows = np.zeros((len(parts), len(DOUBTS)))
        for scores in self._pipeline.scores(parts):
            for member, row in self._read(scores, parts):
                rows[member] = row
        sums = np.zeros((len(sentences), len(DOUBTS)))
        np.add.at(sums, owners, rows)
        return sums / np.bincount(owners, minlength=len(sentences))[:, None]

    def _read(self, scores: Scores, parts: Sequence[Sequence[str]]) -> Iterator[tuple[int, FloatArray]]:
        network = self._pipeline.network
        parses = [parse for _, parse in decode(network, scores, self._root)]
        heads = np.zeros(scores.arcs.shape[:2], np.int64)
        for row, parse in enumerate(parses):
            heads[row, 1 : len(parse.heads) + 1] = parse.heads
        relations = network.relation_scores(scores, heads)
        for row, (member, parse) in enumerate(zip(scores.members, parses, strict=True)):
            pairs = self._pairs(parts[member], parse)
            yield member, self._row(scores, row, parse, relations[row], pairs)

    def _pairs(self, words: Sequence[str], parse: Parse) -> FloatArray:
        """How usual each relation of the sentence is."""
        pipeline = self._pipeline
        found = pairs(
            words,
            [pipeline.upos[code] for code in parse.upos],
            [pipeline.xpos[code] for code in parse.xpos],
            parse.heads,
            [pipeline.relations[code] for code in parse.relations],
        )
        return np.array([self._usual.score(pair) for pair in found] or [0.0])

    def _row(
        self, scores: Scores, row: int, parse: Parse, relations: NDArray[np.float32], usual: FloatArray
    ) -> FloatArray:
        n = len(parse.heads)
        words = slice(1, n + 1)
        heads = np.array(parse.heads)
        arcs = scores.arcs[row, words, : n + 1].astype(np.float64)
        arcs[np.arange(n), np.arange(1, n + 1)] = -1e9
        arcs, xpos = _log_softmax(arcs), _log_softmax(scores.xpos[row, words])
        starts, ends, labels = np.array(parse.constituents).T
        posts = scores.arcs.shape[1]
        places = starts * posts - starts * (starts + 1) // 2 + ends - starts - 1
        found = scores.labels[row].astype(np.float64)
        margins = found[:, 1:].max(axis=1) - found[:, 0]
        # Single words may be constituents or not; whether longer spans are is what the tree is about.
        longer = (scores.ends <= n) & (scores.ends - scores.starts > 1)
        chosen = [
            xpos.max(axis=1),
            _log_softmax(scores.upos[row, words]).max(axis=1),
            arcs[np.arange(n), heads],
            _log_softmax(relations[words])[np.arange(n), parse.relations],
            _log_softmax(found[places, 1:]).max(axis=1),
            -np.logaddexp(0, -margins[places]),
        ]
        conflict = np.maximum(margins[longer], 0).sum() - np.maximum(margins[places][ends - starts > 1], 0).sum()
        # How many words of each constituent have their head outside of it: one, where it has one head.
        inside = (np.arange(n) >= starts[:, None]) & (np.arange(n) < ends[:, None])
        within = (heads - 1 >= starts[:, None]) & (heads - 1 < ends[:, None])
        outside = (inside & ~within).sum(axis=1)
        return np.array(
            [
                *(np.log(_LEAST - value) for numbers in chosen for value in (numbers.mean(), _worst(numbers))),
                np.log(_LEAST + _entropy(arcs).mean() / np.log(n + 1)),
                np.log(_LEAST + _entropy(xpos).mean() / np.log(xpos.shape[1])),
                np.log(_LEAST + max(conflict, 0) / n),
                self._fragments[labels].mean(),
                self._odd[parse.relations].mean(),
                -usual.mean(),
                -_worst(usual),
                (outside > 1).mean(),
            ]
        )


def _worst(numbers: FloatArray) -> float:
    count = -(-len(numbers) // 5)
    return float(np.partition(numbers, count - 1)[:count].mean())


def _entropy(logs: FloatArray) -> FloatArray:
    return np.asarray(-(np.exp(logs) * logs).sum(axis=1))


def _log_softmax(scores: NDArray[np.floating]) -> FloatArray:
    shifted = scores.astype(np.float64) - scores.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)))
