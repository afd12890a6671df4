"""What a word is: tokenisation, case and sentence boundaries as Leusch et al. 2005 (sections 3.1, 3.2, 3.4) vary them.

tokenize    none     words are what stands between spaces
            strip    punctuation and symbols separate words and are removed
            mteval   punctuation marks are words, but for decimal points and hyphens inside words: the tokenisation of
                     NIST's mteval-v13a, which is sacrebleu's `13a`, through which it runs
            expand   mteval after English contractions and abbreviations are written out (grammars/contractions.tsv)
case        false    lower-case (Leusch et al.: better for single sentences, no difference for systems)
boundaries  none | initial (`<s>` before) | both (`<s>` before, `</s>` after); they matter to n-grams alone

    Powell said: "We'd not be alone; that's for sure."
    strip     Powell said We d not be alone that s for sure
    mteval    Powell said : " We'd not be alone ; that's for sure . "
    expand    Powell said : " We would not be alone ; that is for sure . "
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Literal

from synteval.metrics.base import Chunk, FloatArray, Metric
from synteval.metrics.options import choice
from synteval.resources import resource

Words = list[str]
TOKENIZE = ("none", "strip", "mteval", "expand")
BOUNDARIES = ("none", "initial", "both")


@dataclass(frozen=True)
class TextMetric(Metric):
    """A metric that reads texts, not parses."""

    reads: ClassVar[Literal["parses", "texts"]] = "texts"

    def stats(self, hyp: str, refs: Sequence[str]) -> FloatArray:  # type: ignore[override]
        """The statistics of one pair of texts."""
        row: FloatArray = self.corpus(Chunk(hypothesis_texts=[hyp], reference_texts=[list(refs)]))[0]
        return row


@dataclass(frozen=True)
class WordMetric(TextMetric):
    """A metric on words, which takes Leusch et al.'s preprocessing as options."""

    tokenize: str = "mteval"
    case: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        choice(self, "tokenize", TOKENIZE)

    def words(self, chunk: Chunk) -> tuple[list[Words], list[list[Words]]]:
        """The words of the hypotheses and of the references, shared by all metrics with the same options."""
        return chunk.shared(("words", self.tokenize, self.case), lambda: self._words(chunk))

    def _words(self, chunk: Chunk) -> tuple[list[Words], list[list[Words]]]:
        split = splitter(self.tokenize, self.case)
        return (
            [split(text) for text in chunk.hypothesis_texts],
            [[split(text) for text in texts] for texts in chunk.reference_texts],
        )


def splitter(tokenize: str, case: bool) -> Callable[[str], Words]:
    """The function that makes words of a text."""
    tokenizer = _TOKENIZERS[tokenize]()

    def split(text: str) -> Words:
        return tokenizer(text if case else text.lower()).split()

    return split


def bounded(words: Words, boundaries: str) -> Words:
    """The words with their sentence boundaries."""
    if boundaries == "none":
        return words
    return ["<s>", *words] if boundaries == "initial" else ["<s>", *words, "</s>"]


def mark(text: str, boundaries: str) -> str:
    """A tokenised text with its sentence boundaries."""
    return text if boundaries == "none" else " ".join(bounded([text], boundaries))


class _Separators(dict[int, int]):
    """For `str.translate`: punctuation and symbols become spaces. By Unicode category, so marks inside words stay."""

    def __missing__(self, code: int) -> int:
        self[code] = ord(" ") if unicodedata.category(chr(code))[0] in "PS" else code
        return self[code]


@cache
def _none() -> Callable[[str], str]:
    return str


@cache
def _strip() -> Callable[[str], str]:
    table = _Separators()
    return lambda text: text.translate(table)


@cache
def _mteval() -> Callable[[str], str]:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    tokenizer = Tokenizer13a()  # type: ignore[no-untyped-call]

    def tokenize(text: str) -> str:
        return str(tokenizer(text))

    return tokenize


@cache
def _expand() -> Callable[[str], str]:
    whole, suffix, abbreviation = _contractions()
    words = re.compile(rf"(?<![\w'])({_either(whole)})(?!\w)", re.IGNORECASE)
    endings = re.compile(rf"(?<=\w)({_either(suffix)})(?!\w)", re.IGNORECASE)
    titles = re.compile(rf"(?<!\w)({_either(abbreviation)})(?!\w)", re.IGNORECASE)
    mteval = _mteval()

    def tokenize(text: str) -> str:
        text = text.replace("’", "'")
        text = words.sub(lambda m: _as_written(m[0], whole[m[0].lower()]), text)
        text = endings.sub(lambda m: suffix[m[0].lower()], text)
        text = titles.sub(lambda m: _as_written(m[0], abbreviation[m[0].lower()]), text)
        return mteval(text)

    return tokenize


def _contractions() -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    kinds: dict[str, dict[str, str]] = {"whole": {}, "suffix": {}, "abbreviation": {}}
    for line in resource("grammars", "contractions.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            kind, written, meant = line.split("\t")
            kinds[kind][written.lower()] = meant
    return kinds["whole"], kinds["suffix"], kinds["abbreviation"]


def _either(table: dict[str, str]) -> str:
    return "|".join(re.escape(written) for written in table)


def _as_written(written: str, meant: str) -> str:
    first = written.lstrip("'")[:1]
    return meant[0].upper() + meant[1:] if first.isupper() else meant[0].lower() + meant[1:]


_TOKENIZERS: dict[str, Callable[[], Callable[[str], str]]] = {
    "none": _none,
    "strip": _strip,
    "mteval": _mteval,
    "expand": _expand,
}
