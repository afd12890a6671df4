"""Sentences with vectors made up for a test: one component a word, so that similarity is equality."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np

from synteval.structures import Segment, Sentence

Unit = Callable[[Sentence], Sequence[str]]


def lowered(sentence: Sentence) -> list[str]:
    """The lower-cased forms."""
    return [form.lower() for form in sentence.forms]


def one_hot(segments: Sequence[Segment], unit: Unit = lowered) -> list[Segment]:
    """The segments with a vector for each distinct unit."""
    index: dict[str, int] = {}
    for segment in segments:
        for sentence in segment:
            for word in unit(sentence):
                index.setdefault(word, len(index))

    def vectors(sentence: Sentence) -> Sentence:
        rows = np.zeros((len(sentence), max(1, len(index))), np.int8)
        for row, word in enumerate(unit(sentence)):
            rows[row, index[word]] = 100
        return dataclasses.replace(sentence, vectors=rows)

    return [tuple(map(vectors, segment)) for segment in segments]
