"""The dependency trees of a chunk: every token is a node, labelled by its form, lemma, tag or relation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from synteval.errors import MissingLayerError
from synteval.metrics.base import Chunk
from synteval.metrics.forest import Forest, Nodes, Subtrees
from synteval.metrics.interning import concatenate, intern_strings
from synteval.metrics.layout import Ints, Layout
from synteval.structures import Segment, Sentence, Strings
from synteval.structures.strings import IntArray

FORMS = ("surface", "lemma", "pos", "relation")


@dataclass(frozen=True)
class WordView:
    """What stands for a token: the options that the metrics on dependencies share.

    Lemmas fall back to the form where a token has none, tags to the treebank's own where there are no universal ones.
    Forms and lemmas are lower-cased unless `case`.
    """

    form: str = "surface"
    case: bool = False

    @property
    def needs(self) -> frozenset[str]:
        """The layers of the record that are read."""
        return frozenset({"heads"})

    def forest(self, chunk: Chunk) -> Forest:
        """The trees of all segments of the chunk, made once for all metrics with these options."""

        def build() -> Forest:
            parents, segments = tree_arrays(chunk)
            labels, table = self.units(chunk)
            return Forest(labels, parents, segments, len(table))

        return chunk.shared(("dependencies", self), build)

    def sorted_forest(self, chunk: Chunk) -> Forest:
        """The forest with siblings in canonical order, for comparison regardless of order."""

        def build() -> Forest:
            forest = self.forest(chunk)
            table = self.units(chunk)[1]
            ranks = np.empty(len(table), dtype=np.int64)
            ranks[sorted(range(len(table)), key=table.__getitem__)] = np.arange(len(table))
            return Forest(ranks[forest.labels], forest.parents, forest.segments, forest.bound).canonical()

        return chunk.shared(("sorted dependencies", self), build)

    def nodes(self, chunk: Chunk) -> list[Nodes]:
        """The same for the direct path, in surface order."""
        return chunk.shared(
            ("dependency nodes", self), lambda: [self._listed(segment) for segment in Layout.of(chunk).segments]
        )

    def subtrees(self, chunk: Chunk) -> Subtrees:
        """The distinct subtrees of the nodes."""
        return chunk.shared(("dependency subtrees", self), lambda: Subtrees.of(self.nodes(chunk)))

    def units(self, chunk: Chunk) -> tuple[Ints, list[str]]:
        """What stands for each token of the chunk, as numbers into a list of strings."""
        return chunk.shared(("units", self), lambda: self._units(chunk))

    def _units(self, chunk: Chunk) -> tuple[Ints, list[str]]:
        sentences = [sentence for segment in Layout.of(chunk).segments for sentence in segment]
        labels, table = intern_strings([self._column(sentence) for sentence in sentences])
        if self.form == "lemma" and "_" in table:
            forms, table = intern_strings([s.forms for s in sentences] + [self._column(s) for s in sentences])
            labels = np.where(forms[len(labels) :] == table.index("_"), forms[: len(labels)], forms[len(labels) :])
        if not self.lowered:
            return labels, table
        index: dict[str, int] = {}
        lower = [index.setdefault(string.lower(), len(index)) for string in table]
        return np.array(lower, dtype=np.int64)[labels], list(index)

    @property
    def lowered(self) -> bool:
        """Whether case is taken away: from words, never from tags and relations."""
        return not self.case and self.form in ("surface", "lemma")

    def words(self, sentence: Sentence) -> list[str]:
        """What stands for each token of one sentence."""
        words = self._column(sentence).list()
        if self.form == "lemma":
            words = [form if word == "_" else word for form, word in zip(sentence.forms.list(), words, strict=True)]
        return [word.lower() for word in words] if self.lowered else words

    def _column(self, sentence: Sentence) -> Strings:
        if self.form == "lemma":
            return sentence.forms if sentence.lemmas is None else sentence.lemmas
        if self.form == "pos":
            tags = sentence.xpos if sentence.upos is None else sentence.upos
            if tags is None:
                raise missing("part-of-speech tags")
            return tags
        if self.form == "relation":
            if sentence.relations is None:
                raise missing("dependency relations")
            return sentence.relations
        return sentence.forms

    def _listed(self, segment: Segment) -> Nodes:
        labels: list[str] = []
        parents: list[int] = []
        children: list[list[int]] = []
        downwards: list[int] = []
        for sentence in segment:
            start = len(labels)
            labels += self.words(sentence)
            children += [[] for _ in range(len(labels) - start)]
            begun = len(downwards)
            for token, head in enumerate(heads_of(sentence).tolist(), start=start):
                if head < 0:
                    downwards.append(token)
                    parents.append(-1)
                else:
                    children[start + head].append(token)
                    parents.append(start + head)
            while begun < len(downwards):
                downwards += children[downwards[begun]]
                begun += 1
        return Nodes(labels, parents, downwards[::-1])


def tree_arrays(chunk: Chunk) -> tuple[Ints, Ints]:
    """The head of every token of the chunk (-1 for a root) and its segment."""

    def build() -> tuple[Ints, Ints]:
        segments = Layout.of(chunk).segments
        heads = [heads_of(sentence) for segment in segments for sentence in segment]
        sizes = np.array([len(array) for array in heads], dtype=np.int64)
        parents = concatenate(heads)
        parents += np.where(parents >= 0, np.repeat(np.cumsum(sizes) - sizes, sizes), 0)
        counts = [len(segment) for segment in segments]
        return parents, np.repeat(np.repeat(np.arange(len(segments)), counts), sizes)

    return chunk.shared("heads", build)


def heads_of(sentence: Sentence) -> IntArray:
    """The heads, or an error where the parse has none."""
    if sentence.heads is None:
        raise missing("dependencies")
    return sentence.heads


def missing(layer: str) -> MissingLayerError:
    """The error for a sentence without the layer."""
    return MissingLayerError(
        f"a sentence has no {layer}; give input that has them or choose a parser that makes them "
        "(see `synteval parsers`)"
    )


def sentences_of(segments: Sequence[Segment]) -> list[Sentence]:
    """All sentences of the segments."""
    return [sentence for segment in segments for sentence in segment]
