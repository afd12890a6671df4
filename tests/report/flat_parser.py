"""A parser for tests: words are cut at blanks, each hangs from the one before it, trees are flat with two tags."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from synteval.parsing.protocol import Parser, ParserInfo
from synteval.structures import NONTERMINAL, Segment, Sentence, Tree


class Flat(Parser):
    name = "flat"
    layers = frozenset({"heads", "tree", "spans"})

    def __init__(self) -> None:
        super().__init__(None)

    @property
    def fingerprint(self) -> str:
        return "flat@1"

    @classmethod
    def about(cls) -> list[ParserInfo]:
        return []

    def parse(self, texts: Iterable[str]) -> Iterator[Segment]:
        for text in texts:
            words = text.split()
            if not words:
                yield ()
                continue
            labels, parents, tokens = ["S"], [-1], [NONTERMINAL]
            spans, end = [], 0
            for token, word in enumerate(words):
                start = text.index(word, end)
                end = start + len(word)
                spans.append((start, end))
                above = 0
                for label in ("NP", "DT" if len(word) < 3 else "NN"):
                    labels.append(label)
                    parents.append(above)
                    tokens.append(NONTERMINAL)
                    above = len(labels) - 1
                labels.append(word)
                parents.append(above)
                tokens.append(token)
            yield (
                Sentence.build(
                    words,
                    text=text,
                    spans=spans,
                    heads=[token - 1 for token in range(len(words))],
                    relations=["root", *["dep"] * (len(words) - 1)],
                    scheme="flat",
                    tree=Tree.build(labels, parents, tokens),
                ),
            )
