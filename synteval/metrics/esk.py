"""ESK and WSK: common subsequences of words and senses (Hirao, Okumura & Isozaki 2005).

    Sim(T, U) = ESK_d(T, U) / sqrt(ESK_d(T, T) ESK_d(U, U))                               (eq. 5)
    P = mean over candidate sentences c of max over reference sentences r of Sim(c, r)    (eq. 6)
    R = mean over reference sentences r of max over candidate sentences c of Sim(c, r)    (eq. 7)
    F = (1 + beta^2) R P / (R + beta^2 P)                                                 (eq. 8)

with the kernel ESK_d of `subsequence_kernel`. A segment is a document of sentences; where candidate and reference have
one sentence each, F is Sim itself. ESK compares words and their senses, WSK words alone. For the paper's example,

    S1  Becoming a cosmonaut:{SPACEMAN} is my great dream:{DREAM}
    S2  Becoming an astronaut:{SPACEMAN} is my ambition:{DREAM}

ESK_2 = 7 + L + 2 L^2 + L^3 + L^4 + L^5 + L^6 + L^9 (15 common subsequences); at L = 0.5 it is 8.2363 and Sim = 0.4268.

Options, their defaults and why
- `d`, the longest subsequence, 2, and `decay`, 0.5: the paper's own; it found d=2 with 0.6 to 0.8 best for summaries.
  d is at most 16: a sentence of some thousand words has no more room in floating point.
- `beta`, 1: for sentences of translations it has no influence. For summaries the paper takes 2 or 3 (recall).
- `senses` (ESK), `first`: the most frequent sense of lemma and part of speech in WordNet 3.0. `all` lets any sense
  match, as "dream" and "ambition" need; a word of many senses then weighs more, as val counts attributes. `lexname`
  (45 classes) is nearest to the paper's semantic classes; also `hypernym=k`, `none`, and `given`. `vectors` puts the
  similarity of word vectors in the place of common senses (`soft_sequences`). Senses that come
  with the input (`Sense=` in CoNLL-U) are used in place of `first`. Another WordNet than the shipped one is named
  after an @: `first@nltk`, `first@PATH`. See `synteval.senses`.
- `units`, `form`, or `lemma`; `case`, no: lower-cased. `stopwords`, `keep`, or `remove` (grammars/stopwords.txt, and
  tokens without letter or digit); the paper does either.
- `multi_ref`, `mean`: the mean of F over the references, eq. 9; `best`: the reference with the highest F.

An empty sentence has similarity 0 with everything, and so has a sentence of stop words only where they are removed. The
score of a corpus is the mean of the segments' F.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from synteval.errors import OptionError
from synteval.metrics.base import Chunk, FloatArray, Metric
from synteval.metrics.options import choice
from synteval.metrics.stopwords import stopwords
from synteval.metrics.subsequence_kernel import AttributeSequences, subsequence_kernel
from synteval.senses.tagging import check_policy
from synteval.structures import Segment, Sentence

_LONGEST = 16


@dataclass(frozen=True)
class WSK(Metric):
    """Similarity by common subsequences of words."""

    name: ClassVar[str] = "wsk"

    d: int = 2
    decay: float = 0.5
    beta: float = 1.0
    units: str = "form"
    case: bool = False
    stopwords: str = "keep"
    multi_ref: str = "mean"

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self, "units", ("form", "lemma"))
        choice(self, "stopwords", ("keep", "remove"))
        choice(self, "multi_ref", ("mean", "best"))
        if not 1 <= self.d <= _LONGEST:
            raise OptionError(f"{self.name}:d={self.d} is not possible; it takes 1 to {_LONGEST}")
        if not 0 <= self.decay <= 1:
            raise OptionError(f"{self.name}:decay={self.decay:g} is not possible; it takes 0 to 1")
        if not 0 <= self.beta < float("inf"):
            raise OptionError(f"{self.name}:beta={self.beta:g} is not possible; it is 0 or above")

    @property
    def needs(self) -> frozenset[str]:
        layers = {"lemmas"} if self.units == "lemma" else set()
        return frozenset(layers if self.sense_policy is None else {*layers, "senses"})

    @property
    def columns(self) -> tuple[str, ...]:
        return ("f", "precision", "recall", "segments")

    def statistics(self, chunk: Chunk) -> FloatArray:
        places: dict[int, int] = {}
        sentences: list[Sentence] = []

        def place(segment: Segment) -> list[int]:
            numbers = []
            for sentence in segment:
                number = places.setdefault(id(sentence), len(sentences))
                if number == len(sentences):
                    sentences.append(sentence)
                numbers.append(number)
            return numbers

        hypotheses = [place(segment) for segment in chunk.hypotheses]
        references = [[place(segment) for segment in segments] for segments in chunk.references]
        left, right = [], []
        for hypothesis, many in zip(hypotheses, references, strict=True):
            for reference in many:
                left += [c for c in hypothesis for _ in reference]
                right += reference * len(hypothesis)
        similarity = self._similarities(sentences, left, right)
        rows, start = np.zeros((len(hypotheses), 4)), 0
        for row, hypothesis, many in zip(rows, hypotheses, references, strict=True):
            scores = []
            for reference in many:
                end = start + len(hypothesis) * len(reference)
                scores.append(self._document(similarity[start:end].reshape(len(hypothesis), len(reference))))
                start = end
            if scores:
                row[:3] = max(scores) if len(scores) == 1 or self.multi_ref == "best" else np.mean(scores, axis=0)
            row[3] = 1
        return rows

    def _similarities(self, sentences: Sequence[Sentence], left: list[int], right: list[int]) -> FloatArray:
        """Sim of every pair of sentences, eq. 5; 0/0 is 0."""
        own, between = self._kernels(sentences, left, right)
        # Two roots, not the root of a product: products of large kernels may exceed floating point.
        norm = np.sqrt(own[left]) * np.sqrt(own[right])
        cosines: FloatArray = np.divide(between, norm, out=np.zeros(len(between)), where=norm > 0)
        return np.minimum(cosines, 1.0)

    def _kernels(self, sentences: Sequence[Sentence], left: list[int], right: list[int]) -> tuple[FloatArray, ...]:
        """The kernel of every sentence with itself, and of every pair."""
        sequences = AttributeSequences.of([self.nodes(sentence) for sentence in sentences])
        every = np.arange(len(sentences))
        own = subsequence_kernel(sequences, every, every, self.d, self.decay)
        return own, subsequence_kernel(sequences, left, right, self.d, self.decay)

    def _document(self, similarity: FloatArray) -> tuple[float, float, float]:
        """F, P and R of a candidate (rows) against one reference (columns)."""
        if not similarity.size:
            return 0.0, 0.0, 0.0
        if similarity.size == 1:
            return (float(similarity[0, 0]),) * 3
        precision, recall = float(similarity.max(axis=1).mean()), float(similarity.max(axis=0).mean())
        weight = self.beta**2
        bottom = recall + weight * precision
        return ((1 + weight) * recall * precision / bottom if bottom else 0.0), precision, recall

    def nodes(self, sentence: Sentence) -> list[tuple[Hashable, ...]]:
        """The nodes of a sentence: the attributes of each, its word and its senses."""
        words, kept = self._words(sentence)
        return [(words[token],) for token in kept]

    def _words(self, sentence: Sentence) -> tuple[list[str], Sequence[int]]:
        """The words, and which of them take part."""
        column = sentence.forms if self.units == "form" else sentence.lemmas
        if column is None:
            self.require((sentence,))
            column = sentence.forms
        words = column.list()
        if not self.case:
            words = [word.lower() for word in words]
        if self.stopwords == "keep":
            return words, range(len(words))
        stop = stopwords()
        return words, [
            token
            for token, form in enumerate(sentence.forms.list())
            if form.lower() not in stop and any(map(str.isalnum, form))
        ]

    def score_rows(self, sums: FloatArray, *, segment: bool = False) -> FloatArray:
        scores: FloatArray = np.divide(sums[:, 0], sums[:, 3], out=np.zeros(len(sums)), where=sums[:, 3] > 0)
        return scores


@dataclass(frozen=True)
class ESK(WSK):
    """Similarity by common subsequences of words and word senses."""

    name: ClassVar[str] = "esk"

    senses: str = "first"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.senses != "vectors":
            check_policy(self.senses)

    @property
    def needs(self) -> frozenset[str]:
        return super().needs | ({"vectors"} if self.senses == "vectors" else frozenset())

    @property
    def sense_policy(self) -> str | None:
        return None if self.senses in ("none", "vectors") else self.senses

    def _kernels(self, sentences: Sequence[Sentence], left: list[int], right: list[int]) -> tuple[FloatArray, ...]:
        if self.senses != "vectors":
            return super()._kernels(sentences, left, right)
        from synteval.metrics.similarity import WordVectors
        from synteval.metrics.soft_sequences import soft_kernels

        words, vectors = [], []
        for sentence in sentences:
            own, kept = self._words(sentence)
            if sentence.vectors is None:
                self.require((sentence,))
            words.append([own[token] for token in kept])
            vectors.append(WordVectors(np.asarray(sentence.vectors)[np.asarray(kept, dtype=np.int64)]))
        every = range(len(sentences))
        return (
            soft_kernels(words, vectors, every, every, self.d, self.decay),
            soft_kernels(words, vectors, left, right, self.d, self.decay),
        )

    def nodes(self, sentence: Sentence) -> list[tuple[Hashable, ...]]:
        if self.senses == "none":
            return super().nodes(sentence)
        if sentence.senses is None:
            self.require((sentence,))
        words, kept = self._words(sentence)
        senses = sentence.senses or ()
        # A sense is a tuple, so that it equals no word.
        return [
            (words[token], *[(key,) for key in senses[token]]) if senses[token] else (words[token],) for token in kept
        ]
