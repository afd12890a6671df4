"""The parser as metrics see it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from synteval.errors import OptionError
from synteval.parsing import load_parser
from synteval.parsing.en.parser import EnglishParser
from synteval.structures import Sentence
from synteval.structures.brackets import to_brackets

Check = Callable[[Sentence, str], None]


def test_a_plain_sentence(english: EnglishParser, check: Check) -> None:
    text = "The old dog chased three cats."
    ((sentence,),) = english.parse([text])
    check(sentence, text)
    assert (
        to_brackets(sentence.tree)
        == "(S (NP (DT The) (JJ old) (NN dog)) (VP (VBD chased) (NP (CD three) (NNS cats))) (. .))"
    )
    assert sentence.heads.tolist() == [2, 2, 3, -1, 5, 3, 3]
    assert sentence.relations.list() == ["det", "amod", "nsubj", "root", "nummod", "obj", "punct"]
    assert sentence.lemmas.list() == ["the", "old", "dog", "chase", "three", "cat", "."]
    assert sentence.upos.list() == ["DET", "ADJ", "NOUN", "VERB", "NUM", "NOUN", "PUNCT"]


INPUTS = [
    "the man do n't like it",
    "HE SAID IT WAS -LRB- VERY -RRB- BAD !",
    "&quot; yes , &quot; she said . &quot; no . &quot;",
    "Visit https://example.org/x?y=z or mail a@b.co, ok?",
    "😀😀 lol",
    "3.14159 + 2 = 5.14159",
    "Das ist kein englischer Satz, oder?",
    "これは英語ではありません。",
    "هذه ليست الإنجليزية",
    ".",
    "?!",
    "word",
    "One. Two! Three?",
    "a b c d e f g h i j k l m n o p q r s t u v w x y z",
    "  leading and trailing space  ",
    "He said \u201cwell\u2026\u201d and left\u2014quietly.",
]


def test_every_kind_of_input_gets_a_whole_record(english: EnglishParser, check: Check) -> None:
    for text, segment in zip(INPUTS, english.parse(INPUTS), strict=True):
        assert segment
        for sentence in segment:
            check(sentence, text)


def test_blank_text_is_an_empty_segment(english: EnglishParser) -> None:
    assert list(english.parse(["", " ", "\t\n", "\u00a0", "word"]))[:4] == [(), (), (), ()]
    assert list(english.parse([])) == []


def test_texts_are_read_lazily(english: EnglishParser) -> None:
    def endless() -> Iterator[str]:
        while True:
            yield "one more ."

    segments = english.parse(endless())
    assert len(next(segments)) == 1


def test_given_tokens_are_kept(english: EnglishParser, check: Check) -> None:
    tokens = [["state-of-the-art", "``", "-LRB-", "U.S.", "."], [], ["No.", "He", "slept"]]
    sentences = list(english.parse_tokens(tokens))
    assert [sentence.forms.list() for sentence in sentences] == tokens
    check(sentences[0], " ".join(tokens[0]))
    check(sentences[2], " ".join(tokens[2]))


def test_case_and_final_punctuation_matter_little(english: EnglishParser) -> None:
    lines = ["The company said it will sell the old factory.", "the company said it will sell the old factory"]
    (usual,), (lowered,) = english.parse(lines)
    assert usual.heads[:-1].tolist() == lowered.heads.tolist()
    assert usual.xpos.list()[:-1] == lowered.xpos.list()


@pytest.mark.parametrize("count", [150, 260, 700])
def test_long_sentences_are_one_tree(english: EnglishParser, check: Check, count: int) -> None:
    text = " ".join(["the old man who lives here saw a dog ,"] * (count // 10))
    ((sentence,),) = english.parse([text])
    check(sentence, text)
    assert len(sentence) == count


def test_five_thousand_tokens(english: EnglishParser, check: Check) -> None:
    text = " ".join(["supercalifragilisticexpialidocious words go on and on , and"] * 625)
    ((sentence,),) = english.parse([text])
    check(sentence, text)
    assert len(sentence) == 5000


def test_words_of_many_pieces(english: EnglishParser, check: Check) -> None:
    text = " ".join(["xqzvwkjxqzvwkjxqzvwkjxqzvwkjxqzvwkjxqzvwkj"] * 60)
    ((sentence,),) = english.parse([text])
    check(sentence, text)


def test_name_fingerprint_options() -> None:
    parser = load_parser("en")
    assert isinstance(parser, EnglishParser)
    assert parser.fingerprint.startswith("en@")
    assert load_parser("en:threads=2").fingerprint == parser.fingerprint
    for wrong in ("en:threads=0", "en:threads=x", "en:speed=9", "en:hyphens=maybe"):
        with pytest.raises(OptionError):
            load_parser(wrong)


def test_hyphens_can_be_kept() -> None:
    keep = load_parser("en:hyphens=keep,threads=1")
    assert keep.fingerprint == load_parser("en").fingerprint + "+hyphens=keep"
    ((sentence,),) = keep.parse(["The state-of-the-art, well-known 5-year plan - it failed."])
    expected = ["The", "state-of-the-art", ",", "well-known", "5-year", "plan", "-", "it", "failed", "."]
    assert sentence.forms.list() == expected


def test_reading_the_fingerprint_loads_no_runtime() -> None:
    code = (
        "import sys; from synteval.parsing import load_parser; load_parser('en').fingerprint; "
        "assert not {'onnxruntime', 'torch', 'spacy', 'tokenizers', 'transformers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
