from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synteval.errors import OptionError
from synteval.metrics.lexical.edit import WER
from synteval.metrics.lexical.preprocess import TOKENIZE, bounded, splitter

POWELL = "Powell said: \"We'd not be alone; that's for sure.\""


@pytest.mark.parametrize(
    ("tokenize", "expected"),
    [
        ("none", POWELL),
        ("strip", "Powell said We d not be alone that s for sure"),
        ("mteval", "Powell said : \" We'd not be alone ; that's for sure . \""),
        ("expand", 'Powell said : " We would not be alone ; that is for sure . "'),
    ],
)
def test_table_1_of_leusch_et_al(tokenize: str, expected: str) -> None:
    assert " ".join(splitter(tokenize, case=True)(POWELL)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I can't, won't and shan't.", "I can not , will not and shall not ."),
        ("They’re John's; isn't it?", "They are John's ; is not it ?"),
        ("Dr. Who's e.g. Mr. Smith", "Doctor Who is for example Mister Smith"),
        ("'Tis 3.5 well-known", "It is 3.5 well-known"),
        ("HE'LL", "HE will"),
    ],
)
def test_contractions_and_abbreviations(text: str, expected: str) -> None:
    assert " ".join(splitter("expand", case=True)(text)) == expected


def test_stripping_keeps_marks_inside_words() -> None:
    assert splitter("strip", case=True)("हिन्दी — naïve!") == ["हिन्दी", "naïve"]


def test_case_is_dropped() -> None:
    assert splitter("none", case=False)("The Cat") == ["the", "cat"]


def test_boundaries() -> None:
    assert bounded(["a"], "none") == ["a"]
    assert bounded(["a"], "initial") == ["<s>", "a"]
    assert bounded(["a"], "both") == ["<s>", "a", "</s>"]


def test_an_unknown_tokenisation_is_refused_with_the_valid_ones() -> None:
    with pytest.raises(OptionError, match=r"wer:tokenize=penn .* none, strip, mteval, expand"):
        WER(tokenize="penn")


@given(st.text(), st.sampled_from(TOKENIZE), st.booleans())
def test_any_text_has_words(text: str, tokenize: str, case: bool) -> None:
    assert all(word.strip() for word in splitter(tokenize, case)(text))
