"""The parser `link`: linkages as trees, null links, limits, and what happens without the library."""

from __future__ import annotations

import ctypes
import ctypes.util
from typing import Any

import pytest

from synteval.errors import NotInstalledError, OptionError
from synteval.parsing import link
from synteval.parsing.link import LinkParser, sentence_spans
from synteval.parsing.linkage import Linkage, link_tree, to_sentence
from synteval.relations.extract import Extractor
from synteval.structures import Sentence
from synteval.structures.brackets import to_brackets

needs_library = pytest.mark.skipif(not link.installed(), reason=f"Link Grammar is not installed: {link.INSTALL}")


@pytest.fixture(scope="module")
def parser() -> LinkParser:
    return LinkParser()


def parsed(parser: LinkParser, text: str) -> Sentence:
    ((sentence,),) = parser.parse([text])
    return sentence


@needs_library
def test_a_sentence(parser: LinkParser) -> None:
    sentence = parsed(parser, "The cat sat on the mat.")
    assert sentence.forms.list() == ["The", "cat", "sat", "on", "the", "mat", "."]
    assert sentence.scheme == "link"
    assert sentence.heads is not None and sentence.relations is not None
    assert sentence.heads.tolist()[:6] == [1, 2, -1, 2, 5, 3]
    assert [relation.partition(":")[0] for relation in sentence.relations][:6] == ["D", "S", "root", "MV", "D", "J"]
    assert sentence.lemmas is not None and sentence.lemmas.list()[:3] == ["the", "cat", "sit"]
    assert sentence.tree is not None
    assert to_brackets(sentence.tree).startswith("(S (NP (DT The) (NN cat)) (VP (VBD sat) (PP (IN on)")


@needs_library
def test_the_relations_of_the_paper(parser: LinkParser) -> None:
    """gr.extract.seed_sentence from Link Grammar's own parse."""
    sentence = parsed(parser, "the man that came ate bananas and apples with a fork without asking")
    assert {gr.call() for gr in Extractor.of("molla2003").sentence(sentence)} == {
        *("MOD(that, man, come)", "MOD(with, eat, fork)", "OBJ(eat, apple)", "OBJ(eat, banana)"),
        *("SUBJ(come, man, _)", "SUBJ(eat, man, _)", "XCOMP(without, eat, ask)"),
    }


@needs_library
@pytest.mark.parametrize(
    "text",
    ["colorless the green of of sleep ideas", "a a a a a", "?!", "haven't", "«x» — 北京 😀", "\x00odd\x01", "Yes"],
)
def test_any_text_gets_a_tree_over_all_its_words(parser: LinkParser, text: str) -> None:
    for segment in parser.parse([text]):
        for sentence in segment:
            assert sentence.heads is not None
            assert (sentence.heads == -1).sum() == 1


@needs_library
def test_contractions_are_two_words(parser: LinkParser) -> None:
    sentence = parsed(parser, "They haven't seen it.")
    assert sentence.forms.list()[:4] == ["They", "have", "n't", "seen"]
    assert sentence.tree is not None
    assert {str(gr) for gr in Extractor.of().sentence(sentence)} >= {
        *("(ncsubj seen They _)", "(aux seen have)", "(ncmod _ seen n't)", "(dobj seen it)"),
    }


@needs_library
def test_blank_texts_and_several_sentences(parser: LinkParser) -> None:
    empty, two = parser.parse(["  ", "The cat sat. The dog ran."])
    assert empty == ()
    assert [sentence.text for sentence in two] == ["The cat sat.", "The dog ran."]
    assert [sentence.offset for sentence in two] == [0, 13]


@needs_library
def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    list(LinkParser().parse(["The cat sat."]))
    assert capfd.readouterr() == ("", "")


@needs_library
def test_a_sentence_that_is_not_finished_has_no_dependencies(
    parser: LinkParser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LinkParser, "_first_linkage", lambda self, text: None)
    sentence = parsed(parser, "The cat sat.")
    assert sentence.forms.list() == ["The", "cat", "sat."]
    assert sentence.heads is None


def test_without_the_library_the_message_has_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise OSError(name)

    link._library.cache_clear()
    monkeypatch.setattr(ctypes, "CDLL", missing)
    try:
        with pytest.raises(NotInstalledError, match="apt-get install link-grammar"):
            LinkParser()
        assert not link.installed()
        (info,) = LinkParser.about()
        assert not info.installed
        assert info.install == link.INSTALL
    finally:
        link._library.cache_clear()


@needs_library
def test_the_limit(parser: LinkParser) -> None:
    assert LinkParser("20").seconds == 20
    assert LinkParser("20").fingerprint != parser.fingerprint
    with pytest.raises(OptionError, match="limit in seconds"):
        LinkParser("soon")


def test_splitting_spares_titles() -> None:
    text = "Mr. Smith of Acme Corp. Ltd. left. He ran! Where?"
    assert [text[a:b] for a, b in sentence_spans(text)] == ["Mr. Smith of Acme Corp. Ltd. left.", "He ran!", "Where?"]


def test_a_linkage_as_a_tree() -> None:
    """LEFT-WALL will have been held: WV points at the main verb, the tree begins with the first auxiliary."""
    linkage = Linkage(
        words=("LEFT-WALL", "they", "will.v", "be.v", "held.v-d", "RIGHT-WALL"),
        spans=((0, 0), (0, 4), (5, 9), (10, 12), (13, 17), (17, 17)),
        links=((0, 4, "WV"), (0, 1, "Wd"), (1, 2, "Sp"), (2, 3, "Ix"), (3, 4, "Pv")),
        brackets="(S (NP they) (VP will (VP be (VP held))))",
    )
    heads, relations = link_tree(linkage, {1: 0, 2: 1, 3: 2, 4: 3})
    assert heads == [1, -1, 1, 2]
    assert relations == ["S:p", "root", "I:x", "P:v"]
    sentence = to_sentence(linkage, "they will be held")
    assert sentence.xpos is not None and sentence.xpos.list() == ["PRP", "MD", "VB", "VBD"]
