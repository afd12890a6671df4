"""Lemmas from form and tag."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synteval.parsing.en.lemmatizer import Lemmatizer, apply, read_script, script_of
from synteval.parsing.en.parser import EnglishParser


@pytest.mark.parametrize(
    ("form", "tag", "lemma"),
    [
        ("dogs", "NNS", "dog"),
        ("children", "NNS", "child"),
        ("parties", "NNS", "party"),
        ("went", "VBD", "go"),
        ("running", "VBG", "run"),
        ("making", "VBG", "make"),
        ("tried", "VBD", "try"),
        ("Was", "VBD", "be"),
        ("'s", "VBZ", "be"),
        ("n't", "RB", "not"),
        ("n’t", "RB", "not"),
        ("better", "JJR", "good"),
        ("The", "DT", "the"),
        ("i", "PRP", "I"),
        ("London", "NNP", "London"),
        ("flurbs", "NNS", "flurb"),
    ],
)
def test_lemmas(english: EnglishParser, form: str, tag: str, lemma: str) -> None:
    assert english.pipeline.lemmatizer.lemma(form, tag) == lemma


@given(st.text(min_size=1, max_size=12), st.text(min_size=1, max_size=12))
def test_a_script_makes_its_lemma(form: str, lemma: str) -> None:
    if form.lower() != form and lemma != lemma.lower():
        form = form.lower()
    assert apply(form, read_script(script_of(form, lemma))) == lemma


@given(st.text(min_size=1, max_size=12), st.sampled_from(["NN", "NNS", "VBD", "VBG", "JJR", "FW", "nonsense"]))
def test_a_lemma_is_never_empty(english: EnglishParser, form: str, tag: str) -> None:
    assert english.pipeline.lemmatizer.lemma(form, tag)


def test_without_tables_a_form_is_its_lemma() -> None:
    assert Lemmatizer({}, {}).lemma("Dogs", "NNS") == "Dogs"
