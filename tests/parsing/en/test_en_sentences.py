"""Where sentences end inside a segment."""

from __future__ import annotations

import pytest

from synteval.parsing.en.parser import EnglishParser


@pytest.mark.parametrize(
    "text",
    [
        "One sentence.|Another one!|A third?",
        'He said: "Stop."|Then he left.',
        '"Is it?" he asked.',
        "Mr. Smith met Dr. Jones at 5 p.m. on Nov. 3.|They talked.",
        "He works for Acme Inc. in the U.S. today.",
        "We saw the U.S.|It was big.",
        "it is cold .|it is late .|go home",
        "Wait... what?|Nothing.",
        "J. K. Rowling wrote it.|(She did.)|Yes.",
        "no final punctuation here",
        "Version 2.5 costs $3.50 now.",
        "It emerged then. [10]|They left. [1 - 3]",
        "2. The second point is this.",
    ],
)
def test_splits(english: EnglishParser, text: str) -> None:
    parts = text.split("|")
    joined = " ".join(parts)
    found = [joined[spans[0][0] : spans[-1][1]] for spans in english.pipeline.sentences(joined)]
    assert found == parts


def test_a_blank_line_separates(english: EnglishParser) -> None:
    assert len(english.pipeline.sentences("A headline\n\nThe text begins")) == 2
    assert len(english.pipeline.sentences("one\nline")) == 1
