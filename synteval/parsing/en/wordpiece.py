"""WordPiece of single words, as the uncased encoder was trained on it.

A word is normalised (Treebank escapes and typographic variants become the plain character, lower case, accents
stripped), cut at punctuation and ideographs, and each part is matched greedily, longest piece first
(Schuster & Nakajima 2012; Devlin et al. 2019). The pieces of a word depend on nothing but the word, so they are cached.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

# What the Penn Treebank, Moses and typography write for characters the encoder knows under a plainer name.
PLAIN = {
    "``": '"', "''": '"', "-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}",
    "&quot;": '"', "&apos;": "'", "&amp;": "&", "&lt;": "<", "&gt;": ">", "&bar;": "|", "&#124;": "|",
    "&#91;": "[", "&#93;": "]", "--": "–", "---": "—", "\\/": "/", "\\*": "*", "...": "…", ". . .": "…",
}  # fmt: skip
CHARACTERS = str.maketrans(
    {"’": "'", "‘": "'", "`": "'", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‐": "-", "‑": "-"}
)
MAX_PIECES = 24  # a longer word keeps its first and last pieces; nothing in a treebank comes near
MAX_PART = 100  # longer parts are unknown, as in the encoder's own training


class WordPiece:
    """The vocabulary and the greedy matcher."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self.index = {piece: number for number, piece in enumerate(vocabulary)}
        self.unknown = self.index["[UNK]"]
        self.start = self.index["[CLS]"]
        self.end = self.index["[SEP]"]
        self.padding = self.index["[PAD]"]
        self._cache: dict[str, list[int]] = {}

    def pieces(self, word: str) -> list[int]:
        """The piece numbers of one word, never empty."""
        found = self._cache.get(word)
        if found is None:
            found = self._split(word)
            if len(self._cache) > 200_000:
                self._cache.clear()
            self._cache[word] = found
        return found

    def _split(self, word: str) -> list[int]:
        numbers: list[int] = []
        for part in _parts(normalise(word)):
            numbers.extend(self._match(part))
            if len(numbers) > 8 * MAX_PIECES:
                break
        if len(numbers) > MAX_PIECES:
            half = MAX_PIECES // 2
            numbers = numbers[:half] + numbers[-half:]
        return numbers or [self.unknown]

    def _match(self, part: str) -> list[int]:
        if len(part) > MAX_PART:
            return [self.unknown]
        numbers: list[int] = []
        start = 0
        while start < len(part):
            for end in range(len(part), start, -1):
                number = self.index.get(part[start:end] if start == 0 else "##" + part[start:end])
                if number is not None:
                    break
            else:
                return [self.unknown]
            numbers.append(number)
            start = end
        return numbers


def normalise(word: str) -> str:
    """Plain lower-case text of a word: escapes undone, accents and control characters gone."""
    lowered = word.lower()
    plain = PLAIN.get(lowered)
    if plain is not None:
        return plain
    lowered = lowered.replace("\\/", "/").translate(CHARACTERS)
    if lowered.isascii():
        return lowered
    decomposed = unicodedata.normalize("NFD", lowered[: 20 * MAX_PART])
    return "".join(c for c in decomposed if unicodedata.category(c) not in {"Mn", "Cc", "Cf", "Cs", "Co", "Cn"})


def _parts(text: str) -> list[str]:
    """Runs of letters and digits; every punctuation mark and every ideograph alone."""
    if text.isalnum() and text.isascii():
        return [text]
    parts: list[str] = []
    run = ""
    for character in text[: 20 * MAX_PART]:
        if character.isspace() or not character.isprintable():
            parts.append(run)
            run = ""
        elif _alone(character):
            parts += (run, character)
            run = ""
        else:
            run += character
    parts.append(run)
    return [part for part in parts if part]


def _alone(character: str) -> bool:
    code = ord(character)
    if code < 128:
        return not character.isalnum()
    return (
        unicodedata.category(character)[0] == "P"
        or 0x4E00 <= code <= 0x9FFF
        or 0x3400 <= code <= 0x4DBF
        or (0xF900 <= code <= 0xFAFF or 0x20000 <= code <= 0x2FA1F)
    )
