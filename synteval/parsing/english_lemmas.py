"""English lemmas for trees that bring none: Link Grammar's, and bracket files.

The tables are those of the parser `en`.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from synteval.model_files import ModelFiles
from synteval.parsing.en.lemmatizer import Lemmatizer


@functools.cache
def _lemmatizer() -> Lemmatizer:
    return Lemmatizer(**ModelFiles("en").read_json("lemmas.json.gz"))


def english_lemmas(forms: Sequence[str], tags: Sequence[str]) -> list[str]:
    """The lemma of every form with its Penn tag."""
    lemma = _lemmatizer().lemma
    return [lemma(form, tag) for form, tag in zip(forms, tags, strict=True)]
