from __future__ import annotations

import pytest
from generated import trees
from hypothesis import given

from synteval.errors import StructureError
from synteval.structures import Tree
from synteval.structures.brackets import parse_brackets, pretty, to_brackets


@given(trees())
def test_round_trip(made: tuple[Tree, list[str]]) -> None:
    tree, words = made
    for text in (to_brackets(tree), pretty(tree, 20)):
        (back,) = parse_brackets(text)
        assert back.tree == tree and list(back.forms) == words


@pytest.mark.parametrize(
    "text",
    ["(S (NP (PRON)) (VP (V) (NP (PRON))))", "( (S (A a) (B b)))", "(A)", "(NP the (NN dog) barks)", "(NP (-NONE- *))"],
)
def test_text_round_trip(text: str) -> None:
    (found,) = parse_brackets(text)
    assert to_brackets(found.tree).replace("()", "( ") == text.replace("( ", "(") or to_brackets(found.tree) == text


def test_brackets_in_words() -> None:
    (found,) = parse_brackets("(NP (-LRB- -LRB-) (NN f-LRB-x-RRB-) (SYM [))")
    assert found.forms == ("(", "f(x)", "[")
    assert to_brackets(found.tree) == "(NP (-LRB- -LRB-) (NN f-LRB-x-RRB-) (SYM [))"


def test_tags_become_a_layer() -> None:
    (found,) = parse_brackets("(S (NP-SBJ (PRP I)) (VP (VBP run)) (-NONE- *))")
    sentence = found.sentence()
    assert sentence.xpos == ["PRP", "VBP"] and sentence.text == "I run"
    (flat,) = parse_brackets("(NP the dog)")
    assert flat.sentence().xpos is None
    (bare,) = parse_brackets("(S (NP))")
    assert len(bare.sentence()) == 0 and bare.sentence().tree is not None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (NP)", "line 1: unbalanced brackets, 1 not closed"),
        ("(S (NP)))", "line 1: a closing bracket too many"),
        ("word (S)", "line 1: 'word' stands outside"),
        ("(S)\n(S (NP)\n(S)\n(S)", "line 2: unbalanced"),
        ("(S\n  (NP)\n  (VP)\n(S (NP))\n", "line 1: unbalanced"),
    ],
)
def test_errors_name_the_line(text: str, message: str) -> None:
    with pytest.raises(StructureError, match=message.replace("(", r"\(")):
        parse_brackets(text)
