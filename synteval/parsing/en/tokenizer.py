"""English words in running text, as Universal Dependencies and the newer Penn treebanks cut them.

White space always separates; inside a chunk between spaces one regular expression finds the units (addresses,
numbers, abbreviations, words, runs of a mark), clitics are cut off ("do|n't", "it|'s") and hyphens stand alone
("well|-|known") unless they follow a prefix ("non-profit") or are to be kept, as the original Penn Treebank keeps
them. What cannot be a rule is knowledge in models/en/: chunks with a cut of their own ("gon|na", "can|not"),
abbreviations that keep their period, prefixes that keep their hyphen. Text that is tokenised already passes through:
"do", "n't", "-LRB-", "&quot;" and "``" are single tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Spans = tuple[tuple[int, int], ...]

_CHUNK = re.compile(r"\S+")
# A chunk of more units than this is no English text; it is cut into stretches of so many characters.
_MOST_UNITS = 300
_STRETCH = 250
_MOST_CLITICS = 4
# A label of a domain name has at most 63 characters; repetitions that other characters must follow are bounded, or a
# long run of such characters would be read to its end from each of its positions.
_LABEL = r"[A-Za-z0-9][\w-]{0,62}"
# Letters and digits with the marks that combine with them (Python's \w has no combining marks) and joiners.
_W = (
    r"[^\W_\u0300-\u036f]"
    r"[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0981-\u0983"
    r"\u09bc-\u09cd\u0b82\u0bbe-\u0bcd\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u200c\u200d]*"
)
_APOSTROPHE = r"['’`´]"
_TOP_LEVEL = r"(?:com|org|net|edu|gov|mil|info|biz|int|tv|io|uk|de|fr|eu|au|ca|us|in|ru|jp|cn|ch|nl|nz|ie|me|co|html?)"
_FILE = r"(?i:docx?|xlsx?|pdf|txt|jpe?g|png|gif|pptx?|zip|exe|mp[34]|html?|xml|csv|py|js|cpp)"
_UNIT = (
    r"(?:[ap]\.?m\.?|[AP]\.?M\.?|mm|cm|km|kg|mg|ml|ft|in|lbs?|oz|mph|kmh?|mb|gb|tb|kb|MM|MB|GB|TB|KB|MW|kW|GHz|MHz"
    r"|Hz|k|K|hrs?|mins?|secs?|yrs?|bn|mn|m|bps|°[CF]?|usd|USD|x)"
)
_UNITS = re.compile(
    rf"""
    -[LRlr][RSCrsc][Bb]-                                                   # Penn escapes
  | &(?:quot|apos|amp|lt|gt|bar|nbsp|\#\d{{1,6}});                         # entities
  | (?:(?:https?|ftp)://|www\.|mailto:)[^\s<>"“”]*[^\s<>"“”.,;:!?'’)\]}}]  # addresses
  | [\w.+%-]{{1,64}}@[\w-]+(?:\.[\w-]+)*
  | (?:{_LABEL}\.){{1,9}}{_TOP_LEVEL}\b(?!\.?[\w@])(?:/[^\s<>"“”]*[\w/])?
  | \w[\w-]{{0,99}}\.{_FILE}\b(?![\w.])
  | (?<!\w)[@\#][A-Za-z_]\w+                                               # handles, tags
  | (?<![\w)])(?:                                                          # emoticons
        (?:[:;=]|8(?=-))[-o*']?[)\](\[dDpP/\\|@3]+ | [)\](\[]{{1,9}}[-o*']?[:;=](?![:;=])
      | <[/\\]?3+ | \^[_.-]?\^ | [xX]D+ | [-oO]_+[-oO]
    )(?!\w)
  | (?:\.\ ?){{2,}}\.|\.{{2,}}|…+
  | (?<!\w)(?:[^\W\d_]\.){{2,}}(?:[^\W\d_](?!\w))?|(?<!\w)(?:[^\W\d_]\.)+[^\W\d_](?![\w.])   # U.S., e.g., U.S.A
  | \d+(?:[.,:/]\d+)*(?:[-.–]\d+(?:[.,:/]\d+)*){{2,}}(?!\w)                # telephone numbers, dates
  | \d{{3}}-\d{{4}}(?!\w)
  | (?<![\w.,])[-+]?(?:\d+(?:[.,:/]\d+)*|\.\d+)(?={_UNIT}(?![\w'’]))        # 5|pm
  | (?<![\w.,)\]%])[-+−]\d+(?:[.,:/]\d+)*(?!\w)
  | \d+(?:[.,:/]\d+)+(?!\w)
  | (?<!\w)\.\d+(?!\w)
  | (?<!\w){_APOSTROPHE}(?:\d\ds?|[Ee][Mm]|[Cc][Uu][ZzSs]|[Cc][Aa][Uu][Ss][Ee]|[Tt][Ii][Ll]l?|[Nn]|[Tt]is|[Tt]was)(?!\w)
  | [Nn]{_APOSTROPHE}[Tt](?!\w) | {_APOSTROPHE}(?:[sSmMdD]|[rR][eE]|[vV][eE]|[lL][lL])(?!\w)
  | {_W}(?:{_W}|[_&](?={_W})|{_APOSTROPHE}(?={_W})|\.(?=[a-z0-9]))*        # words
  | ``|''|’’|‘‘|‘’|<<+|>>+|--+|[—–―]+|!\?[!?]*|\?![!?]*|([!?*=_~+\#|.\-])\1+
  | [\U0001F1E6-\U0001F1FF]{{2}}
  | [\u2190-\u2bff\U0001F000-\U0001FAFF](?:[\ufe0f\U0001F3FB-\U0001F3FF]|\u200d[\u2190-\u2bff\U0001F000-\U0001FAFF])*
  | .[\u0300-\u036f\u200d\ufe0f]*
    """,
    re.VERBOSE | re.DOTALL,
)
_CLITIC = re.compile(rf"[Nn]{_APOSTROPHE}[Tt]$|{_APOSTROPHE}(?:[sSmMdD]|[rR][eE]|[vV][eE]|[lL][lL])$")
_INITIALS = re.compile(r"[^\W\d_]\.|(?:[^\W\d_]{1,4}\.){2,}")
# Abbreviations only before a number: elsewhere "No." and "Fig." end a sentence.
_NUMBERED = frozenset({"no.", "nos.", "fig.", "figs.", "p.", "pp.", "vol.", "sec.", "art.", "ch.", "eq.", "nr.", "op."})
_NUMBER = re.compile(r"\s+[#(]?\d")


@dataclass(frozen=True)
class Knowledge:
    """What the tokenizer knows word by word: see the module's docstring.

    All is lower-cased but abbreviations that are words of another meaning in lower case ("Sat.", "Ill.").
    """

    exceptions: Mapping[str, tuple[int, ...]]  # chunk -> lengths of its tokens
    abbreviations: frozenset[str]
    prefixes: frozenset[str]  # "non" of "non-profit"


class Tokenizer:
    """Cuts text at spans; chunks seen before are looked up."""

    def __init__(self, knowledge: Knowledge, keep_hyphens: bool = False) -> None:
        self.knowledge = knowledge
        self.keep_hyphens = keep_hyphens
        self._cache: dict[str, Spans] = {}

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Character spans of the tokens, in order, free of white space."""
        found: list[tuple[int, int]] = []
        cache = self._cache
        for match in _CHUNK.finditer(text):
            chunk, at = match.group(), match.start()
            if chunk[-1] == "." and chunk.lower() in _NUMBERED and _NUMBER.match(text, match.end()):
                found.append(match.span())
                continue
            cut = cache.get(chunk)
            if cut is None:
                cut = tuple(self._cut(chunk))
                if len(chunk) < 40 and len(cache) < 200_000:
                    cache[chunk] = cut
            for start, end in cut:
                found.append((at + start, at + end))
        return found

    def is_abbreviation(self, word: str) -> bool:
        """Whether the word keeps its final period inside a sentence."""
        known = self.knowledge.abbreviations
        return word in known or word.lower() in known or _INITIALS.fullmatch(word) is not None

    def _cut(self, chunk: str) -> Iterable[tuple[int, int]]:
        whole = self.knowledge.exceptions.get(chunk.lower())
        if whole is not None and sum(whole) == len(chunk):
            yield from _pieces(0, whole)
            return
        units = [match.span() for match in _UNITS.finditer(chunk)]
        if len(units) > _MOST_UNITS:
            yield from ((start, min(start + _STRETCH, len(chunk))) for start in range(0, len(chunk), _STRETCH))
            return
        position = 0
        while position < len(units):
            start, end = units[position]
            position += 1
            # A period belongs to an abbreviation; a hyphen to a prefix and the word after it.
            period = position < len(units) and chunk[units[position][0] : units[position][1]] == "."
            if period and self.is_abbreviation(chunk[start : end + 1]):
                end += 1
                position += 1
            while position + 1 < len(units) and self._joins(chunk, start, units[position], units[position + 1]):
                end = units[position + 1][1]
                position += 2
            if chunk[end:].rstrip(",.?!") == "-" and 1 < end - start + 1 <= 6 and chunk[start:end].isalpha():
                end += 1  # a word broken off: "th-"
                position += 1
            yield from self._word(chunk, start, end)

    def _joins(self, chunk: str, start: int, hyphen: tuple[int, int], after: tuple[int, int]) -> bool:
        if chunk[hyphen[0] : hyphen[1]] not in {"-", "‐", "‑"} or not chunk[after[0]].isalnum():
            return False
        before = chunk[start : hyphen[0]].lower()
        if self.keep_hyphens and before[-1:].isalnum():
            return True
        return before in self.knowledge.prefixes or chunk[start : after[1]].lower() in self.knowledge.exceptions

    def _word(self, chunk: str, start: int, end: int, clitics: int = 0) -> Iterable[tuple[int, int]]:
        word = chunk[start:end]
        known = self.knowledge.exceptions.get(word.lower())
        if known is not None and sum(known) == len(word):
            yield from _pieces(start, known)
            return
        clitic = _CLITIC.search(word) if clitics < _MOST_CLITICS else None
        if clitic is None or clitic.start() == 0 or not word[clitic.start() - 1].isalnum():
            yield start, end
            return
        # "should|n't|'ve": what stands before a clitic may end in another.
        yield from self._word(chunk, start, start + clitic.start(), clitics + 1)
        yield start + clitic.start(), end


def _pieces(start: int, lengths: Iterable[int]) -> Iterable[tuple[int, int]]:
    for length in lengths:
        yield start, start + length
        start += length
