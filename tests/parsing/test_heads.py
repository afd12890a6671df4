from __future__ import annotations

import pytest
from generated import trees
from hypothesis import assume, given

from synteval.errors import MissingLayerError, OptionError, StructureError
from synteval.parsing.heads import headword_dependencies
from synteval.structures import Sentence, Tree, check_heads
from synteval.structures.brackets import parse_brackets


def arcs(text: str) -> dict[str, str]:
    sentence = headword_dependencies(parse_brackets(text)[0].sentence())
    forms = ["ROOT", *sentence.forms]
    return {form: forms[head + 1] for form, head in zip(sentence.forms, sentence.heads.tolist(), strict=True)}


def test_liu_and_gildea_2005() -> None:
    """spec: headrules.pen is have(I, pen(a, red)); a modal heads its clause under Collins' rules."""
    pen = arcs("(S (NP (PRP I)) (VP (VBP have) (NP (DT a) (JJ red) (NN pen))))")
    assert pen == {"I": "have", "have": "ROOT", "a": "pen", "red": "pen", "pen": "have"}
    modal = arcs("(S (NP (PRP I)) (VP (MD will) (VP (VB go) (NP (NN home)))) (. .))")
    assert modal["will"] == "ROOT" and modal["go"] == "will" and modal["."] == "will"


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("(NP (NP (NNP John) (POS 's)) (NN book))", "book"),
        ("(NP (NNP John) (POS 's))", "'s"),
        ("(NP (NN cats) (CC and) (NN dogs))", "cats"),
        ("(NP (NP (NN cats)) (PP (IN with) (NP (NNS tails))))", "cats"),
        ("(PP (IN in) (NP (DT the) (NN park)))", "in"),
        ("(SBAR (WHNP (WP who)) (S (VP (VBD came))))", "who"),
        ("(VP (TO to) (VP (VB go)))", "to"),
        ("(QP (RB about) ($ $) (CD 5))", "$"),
        ("(X (. .) (, ,))", ","),
        ("(UNHEARD-OF (A a) (B b))", "b"),
    ],
)
def test_head_rules(text: str, head: str) -> None:
    assert arcs(text)[head] == "ROOT"


def test_relations_are_the_labels_of_constituents() -> None:
    sentence = headword_dependencies(parse_brackets("(TOP (S (NP-SBJ (PRP I)) (VP (VBP run))))")[0].sentence())
    assert sentence.relations == ["NP", "S"] and sentence.scheme == "collins"


@given(trees(empties=True))
def test_always_a_tree(made: tuple[Tree, list[str]]) -> None:
    tree, words = made
    assume(words)
    sentence = headword_dependencies(Sentence.build(words, tree=tree))
    check_heads(sentence.heads)


def test_what_cannot_be_converted() -> None:
    with pytest.raises(MissingLayerError, match="constituency tree"):
        headword_dependencies(Sentence.build(["a"]))
    with pytest.raises(StructureError, match="words"):
        headword_dependencies(Sentence.build(["a"], tree=parse_brackets("(S (NP))")[0].tree))
    with pytest.raises(OptionError, match="did you mean collins"):
        headword_dependencies(parse_brackets("(S (A a))")[0].sentence(), "colins")
