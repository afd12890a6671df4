"""The parser `en`: text to sentences with tags, lemmas, UD dependencies and a Penn constituency tree."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from synteval.errors import unknown
from synteval.model_files import ModelFiles
from synteval.parsing.protocol import Parser, ParserInfo
from synteval.structures import NONTERMINAL, ROOT, Segment, Sentence, Strings, Tree

if TYPE_CHECKING:
    from synteval.parsing.en.decode import Parse
    from synteval.parsing.en.pipeline import Pipeline

_TEXTS_AT_ONCE = 512


class EnglishParser(Parser):
    """The embedded parser. The argument may hold options: `en:threads=2,hyphens=keep`.

    threads=N: threads of this process; the parse of a text does not depend on it, nor on batches or order.
    hyphens=split|keep: "well - known" as UD and the newer Penn treebanks write it (the default), or "well-known" as
    the original Penn Treebank does.
    """

    name = "en"
    layers = frozenset({"lemmas", "upos", "xpos", "spans", "heads", "tree"})

    def __init__(
        self,
        argument: str | None = None,
        *,
        threads: int | None = None,
        hyphens: str = "split",
        folder: Path | None = None,
    ) -> None:
        super().__init__(argument)
        for option in argument.split(",") if argument else ():
            key, _, value = option.partition("=")
            if key == "threads" and value.isdigit() and int(value) > 0:
                threads = int(value)
            elif key == "hyphens":
                hyphens = value
            else:
                raise unknown("option of the parser en", option, ["threads=N", "hyphens=split", "hyphens=keep"])
        if hyphens not in {"split", "keep"}:
            raise unknown("value of the option hyphens", hyphens, ["split", "keep"])
        self.hyphens = hyphens
        # A process of a parallel run has one core to itself; a process alone takes some.
        alone = multiprocessing.parent_process() is None
        self.threads = threads or (min(4, os.cpu_count() or 1) if alone else 1)
        self._folder = folder

    @cached_property
    def _files(self) -> ModelFiles:
        return ModelFiles(self._folder or "en")

    @cached_property
    def fingerprint(self) -> str:
        options = "" if self.hyphens == "split" else f"+hyphens={self.hyphens}"
        return f"en@{self._files.version}-{self._files.digest}{options}"

    @cached_property
    def pipeline(self) -> Pipeline:
        """Tokenizer, network and decoder, loaded at the first use; its scores are there for the curious."""
        from synteval.parsing.en.pipeline import Pipeline

        return Pipeline(self._files, self.threads, self.hyphens == "keep")

    def parse(self, texts: Iterable[str]) -> Iterator[Segment]:
        remaining = iter(texts)
        while batch := list(islice(remaining, _TEXTS_AT_ONCE)):
            yield from self._segments(batch)

    def parse_tokens(self, sentences: Iterable[Sequence[str]]) -> Iterator[Sentence]:
        """Sentences that are cut into tokens already, each kept as it is."""
        remaining = iter(sentences)
        while batch := [list(words) for words in islice(remaining, _TEXTS_AT_ONCE)]:
            parses = self.pipeline.parse([words for words in batch if words])
            for words in batch:
                if not words:
                    yield Sentence.build([])
                    continue
                ends = np.cumsum([len(word) + 1 for word in words]) - 1
                spans = [(int(end) - len(word), int(end)) for word, end in zip(words, ends, strict=True)]
                yield self._sentence(" ".join(words), words, spans, 0, next(parses))

    def _segments(self, texts: list[str]) -> Iterator[Segment]:
        pipeline = self.pipeline
        cut = [pipeline.sentences(text) for text in texts]
        words = [
            [text[start:end] for start, end in spans] for text, found in zip(texts, cut, strict=True) for spans in found
        ]
        parsed = zip(words, pipeline.parse(words), strict=True)
        for text, found in zip(texts, cut, strict=True):
            sentences = []
            for spans in found:
                offset, end = spans[0][0], spans[-1][1]
                forms, parse = next(parsed)
                sentences.append(self._sentence(text[offset:end], forms, spans, offset, parse))
            yield tuple(sentences)

    def _sentence(
        self, text: str, words: list[str], spans: Sequence[tuple[int, int]], offset: int, parse: Parse
    ) -> Sentence:
        pipeline = self.pipeline
        tags = [pipeline.xpos[code] for code in parse.xpos]
        lemma = pipeline.lemmatizer.lemma
        heads = np.array(parse.heads, dtype=np.int32) - 1
        assert ROOT == -1
        return Sentence(
            text=text,
            forms=Strings.of(words),
            lemmas=Strings.of([lemma(word, tag) for word, tag in zip(words, tags, strict=True)]),
            upos=Strings(pipeline.upos, np.array(parse.upos, dtype=np.int32)),
            xpos=Strings(pipeline.xpos, np.array(parse.xpos, dtype=np.int32)),
            spans=np.array(spans, dtype=np.int32) - np.int32(offset),
            heads=heads,
            relations=Strings(pipeline.relations, np.array(parse.relations, dtype=np.int32)),
            scheme="ud",
            tree=build_tree(parse.constituents, pipeline.chains, tags, words),
            offset=offset,
        )

    @classmethod
    def about(cls) -> list[ParserInfo]:
        description = "the embedded English parser: both trees, tags, lemmas"
        install = "pip install --force-reinstall synteval"
        return [ParserInfo("en", description, True, ModelFiles("en").version, install)]


def build_tree(
    constituents: Iterable[tuple[int, int, int]], chains: Sequence[Sequence[str]], tags: list[str], words: list[str]
) -> Tree:
    """The tree of constituents in preorder, a chain of labels each, with a preterminal and a leaf for every word."""
    labels: list[str] = []
    parents: list[int] = []
    tokens: list[int] = []
    stack: list[tuple[int, int]] = [(-1, len(words) + 1)]  # node, end
    word = 0

    def finish(until: int) -> None:
        nonlocal word
        while word < until:
            while stack[-1][1] <= word:
                stack.pop()
            node = len(labels)
            labels.extend((tags[word], words[word]))
            parents.extend((stack[-1][0], node))
            tokens.extend((NONTERMINAL, word))
            word += 1

    for start, end, chain in constituents:
        finish(start)
        while stack[-1][1] <= start:
            stack.pop()
        for label in chains[chain]:
            labels.append(label)
            parents.append(stack[-1][0])
            tokens.append(NONTERMINAL)
            stack.append((len(labels) - 1, end))
    finish(len(words))
    return Tree(Strings.of(labels), np.array(parents, dtype=np.int32), np.array(tokens, dtype=np.int32))
