"""Where sentences end inside a segment.

A segment is one line, usually one sentence: the splitter ends a sentence only where a final mark (with the quotes
and brackets that close after it) is followed by something that can begin one. Text without capitals, as some
systems write it, is split at the mark alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_FINAL = re.compile(r"[.!?…。！？]+")
_CLOSING = frozenset({'"', "''", "”", "’", "’’", "'", ")", "]", "}", "»", "-RRB-", "-rrb-", "&quot;"})
_OPENING = frozenset(
    {'"', "``", "“", "‘", "‘‘", "'", "(", "[", "{", "«", "-LRB-", "-lrb-", "&quot;", "-", "–", "—", "*", "•"}
)
_STRAIGHT = frozenset({'"', "'", "&quot;"})
_PARAGRAPH = re.compile(r"\n\s*\n")
# Words that begin a sentence after an abbreviation more often than they continue a name.
_STARTERS = """
    a after all also although an and as at but by for from he her his how however i if in it its many more most my no
    not now on one or our she since so some such that the their then there these they this those though to under we
    what when where which while who why with yes you your
"""
_TITLES = """
    mr. mrs. ms. dr. prof. gen. sen. rep. gov. col. lt. maj. capt. sgt. st. mt. ft. messrs. rev. hon. pres. vs. v.
    e.g. i.e. cf. viz. al. fig. no. eq. sec. vol. approx. ca.
    jan. feb. mar. apr. jun. jul. aug. sep. sept. oct. nov. dec.
"""
_STARTER_SET, _TITLE_SET = frozenset(_STARTERS.split()), frozenset(_TITLES.split())


def sentence_ends(text: str, spans: list[tuple[int, int]], is_abbreviation: Callable[[str], bool]) -> list[int]:
    """One past the last token of every sentence, in order; the last is len(spans)."""
    ends: list[int] = []
    if not spans:
        return ends
    words = [text[start:end] for start, end in spans]
    caseless = not any(character.isupper() for character in text)
    quotes = 0
    position = begin = 0
    while position < len(words):
        word = words[position]
        position += 1
        if word in _STRAIGHT:
            quotes += 1
        if position == len(words):
            break
        final = _FINAL.fullmatch(word) is not None
        # "2." and "b)." number what follows.
        numbering = position - begin <= 2 and (words[begin].isdigit() or len(words[begin]) == 1)
        if not numbering and (final or (word[-1] == "." and len(word) > 1 and is_abbreviation(word))):
            after = _past_closing(words, spans, position, quotes)
            if after == len(words):
                break
            if _begins(words, after, word, final, caseless, spans):
                quotes = 0
                ends.append(after)
                position = begin = after
                continue
        if "\n" in text and position > begin and _PARAGRAPH.search(text, spans[position - 1][1], spans[position][0]):
            quotes = 0
            ends.append(position)
            begin = position
    ends.append(len(words))
    return ends


def _past_closing(words: list[str], spans: list[tuple[int, int]], position: int, quotes: int) -> int:
    """The position after quotes and brackets that close; a straight quote closes when one is open or it is attached.

    Reference marks ("[12]") belong to the sentence before them.
    """
    while position < len(words) and (words[position] in _CLOSING or words[position] == "["):
        if words[position] == "[":
            end = next((i for i in range(position + 1, min(position + 8, len(words))) if words[i] == "]"), 0)
            if end < position + 2 or not all(word[0] in "0123456789,-–" for word in words[position + 1 : end]):
                break
            position = end
        if words[position] in _STRAIGHT:
            attached = spans[position][0] == spans[position - 1][1]
            opens = position + 1 < len(words) and spans[position][1] == spans[position + 1][0]
            if not attached and (opens or quotes % 2 == 0):
                break
            quotes += 1
        position += 1
    return position


def _begins(
    words: list[str], position: int, word: str, final: bool, caseless: bool, spans: list[tuple[int, int]]
) -> bool:
    """Whether a sentence can begin at the position, after the word that may have ended one."""
    first = position
    while first < len(words) - 1 and words[first] in _OPENING:
        first += 1
    following = words[first]
    apart = spans[position][0] > spans[position - 1][1]
    if not final:
        lowered = word.lower()
        return lowered not in _TITLE_SET and len(word) > 2 and following.istitle() and following.lower() in _STARTER_SET
    if word in {"...", "…", ".."} and not caseless:
        return following[0].isupper() and apart
    if caseless:
        return apart and (following[0].isalpha() or first > position)
    if not apart:
        return following[0].isupper() and word[0] in "!?." and len(following) > 1
    return following[0].isupper() or following[0].isdigit() or (not following[0].isalnum() and first > position)
