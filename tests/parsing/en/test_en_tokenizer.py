"""Words in running text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synteval.parsing.en.parser import EnglishParser


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I don't know.", "I do n't know ."),
        ("It's the dogs' bone, isn't it?", "It 's the dogs ' bone , is n't it ?"),
        ("You should've said they'll come.", "You should 've said they 'll come ."),
        ("I cannot; we're gonna go.", "I can not ; we 're gon na go ."),
        ("Mr. Smith paid $5.50 (10%).", "Mr. Smith paid $ 5.50 ( 10 % ) ."),
        ("a well-known non-profit e-mail", "a well - known non-profit e-mail"),
        ("See http://www.example.com/a?b=1, please.", "See http://www.example.com/a?b=1 , please ."),
        ("Write to jane.doe@example.org!", "Write to jane.doe@example.org !"),
        ("Wow!!! Really?! :-) ...", "Wow !!! Really ?! :-) ..."),
        ("at 5pm on 11/28/2000 or 9/11", "at 5 pm on 11/28/2000 or 9/11"),
        ("1,200.50 and 3-4 and and/or", "1,200.50 and 3 - 4 and and / or"),
        ('He said, "Go."', 'He said , " Go . "'),
        ("“It’s fine,” she said—twice.", "“ It ’s fine , ” she said — twice ."),
        ("do n't -LRB- see `` this '' -RRB- &quot; &amp;", "do n't -LRB- see `` this '' -RRB- &quot; &amp;"),
        ("in the U.S. today, e.g. here", "in the U.S. today , e.g. here"),
        ("No. He lives at No. 5.", "No . He lives at No. 5 ."),
        ("Größe und naïve cafés", "Größe und naïve cafés"),
        ("great👍🏽 job #winning @user", "great 👍🏽 job #winning @user"),
        ("", ""),
        (" \t\n ", ""),
    ],
)
def test_words(english: EnglishParser, text: str, words: str) -> None:
    spans = english.pipeline.tokenizer.spans(text)
    assert [text[start:end] for start, end in spans] == words.split()


@given(st.text(max_size=80))
def test_spans_cover_everything_but_white_space(english: EnglishParser, text: str) -> None:
    spans = english.pipeline.tokenizer.spans(text)
    position = 0
    for start, end in spans:
        assert position <= start < end <= len(text)
        assert not text[position:start].strip()
        position = end
    assert not text[position:].strip()
    assert "".join(text[start:end] for start, end in spans) == "".join(text.split())


def test_the_final_period_of_an_abbreviation_ends_the_sentence_too(english: EnglishParser) -> None:
    (sentence,) = next(iter(english.parse(["He lives in the U.S."])))
    assert sentence.forms.list() == ["He", "lives", "in", "the", "U.S", "."]
