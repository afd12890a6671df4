"""Lemmas from word form and tag.

An edit script says how a form becomes its lemma: keep the case or not, cut n characters, add a suffix. The script of
a word is looked up by tag and form where the word is irregular, else by tag and its longest known suffix. Tables are
learnt from UD English treebanks (scripts/parser_training/words.py), data in models/en/.
"""

from __future__ import annotations

from collections.abc import Mapping

LONGEST_SUFFIX = 6

Script = tuple[bool, int, str]  # keep the case, cut, add


class Lemmatizer:
    """Reads the two tables: tag -> form -> script, tag -> suffix -> script; a script is written "k2+y" or "l0+"."""

    def __init__(self, forms: Mapping[str, Mapping[str, str]], suffixes: Mapping[str, Mapping[str, str]]) -> None:
        self._forms = forms
        self._suffixes = suffixes
        self._cache: dict[tuple[str, str], str] = {}

    def lemma(self, form: str, tag: str) -> str:
        """The lemma of a form with its XPOS tag."""
        key = form, tag
        found = self._cache.get(key)
        if found is None:
            plain = form.replace("’", "'")
            found = apply(plain, read_script(self._script(plain.lower(), tag)))
            if len(self._cache) < 200_000 and len(form) < 40:
                self._cache[key] = found
        return found

    def _script(self, lowered: str, tag: str) -> str:
        known = self._forms.get(tag, {}).get(lowered)
        if known is not None:
            return known
        suffixes = self._suffixes.get(tag, {})
        for length in range(min(LONGEST_SUFFIX, len(lowered)), -1, -1):
            script = suffixes.get(lowered[len(lowered) - length :])
            if script is not None:
                return script
        return "k0+"


def read_script(written: str) -> Script:
    cut, _, add = written[1:].partition("+")
    return written[0] == "k", int(cut), add


def apply(form: str, script: Script) -> str:
    """The lemma; a script that would cut the whole form away leaves it as it is."""
    keep, cut, add = script
    base = form if keep else form.lower()
    if cut >= len(base) and not add:
        return base
    return base[: max(len(base) - cut, 0)] + add


def script_of(form: str, lemma: str) -> str:
    """The shortest script that makes the lemma from the form; the case is kept only where the lemma needs it."""
    keep = lemma != lemma.lower()
    base = form if keep else form.lower()
    same = 0
    while same < min(len(base), len(lemma)) and base[same] == lemma[same]:
        same += 1
    return f"{'k' if keep else 'l'}{len(base) - same}+{lemma[same:]}"
