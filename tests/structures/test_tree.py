from __future__ import annotations

import pytest
from generated import trees
from hypothesis import given

from synteval.errors import StructureError
from synteval.structures import NONTERMINAL, Strings, Tree
from synteval.structures.brackets import parse_brackets, pretty, to_brackets


def tree(text: str) -> Tree:
    (found,) = parse_brackets(text)
    return found.tree


@pytest.mark.parametrize(
    ("given_", "normal"),
    [
        ("(TOP (S (NP-SBJ-1 (PRP it)) (VP (VBZ rains))))", "(S (NP (PRP it)) (VP (VBZ rains)))"),
        ("( (S (NP=2 (NN a))))", "(S (NP (NN a)))"),
        ("(S (NP (-NONE- *T*-1)) (VP (VB go)))", "(S (VP (VB go)))"),
        ("(S (SBAR (-NONE- 0) (S (-NONE- *))) (VP (VB go)))", "(S (VP (VB go)))"),
        ("(NP (-LRB- -LRB-) (NN a-b=c) (-RRB- -RRB-))", "(NP (-LRB- -LRB-) (NN a-b=c) (-RRB- -RRB-))"),
        ("(ROOT (S (A)) (S (B)))", "(ROOT (S (A)) (S (B)))"),
        ("(S (NP (PRON)))", "(S (NP (PRON)))"),
        ("(TOP)", "(TOP)"),
        ("(ROOT (X hello))", "(X hello)"),
    ],
)
def test_normal_form(given_: str, normal: str) -> None:
    assert to_brackets(tree(given_).normalised()) == normal


def test_only_empty_elements_normalise_to_nothing() -> None:
    assert tree("(S (NP (-NONE- *)))").normalised() is None


@given(trees())
def test_normal_form_is_stable(made: tuple[Tree, list[str]]) -> None:
    normal = made[0].normalised()
    if normal is not None and normal.labels[0] not in ("", "TOP", "ROOT", "S1"):
        assert normal.normalised() == normal
        assert [w for w, t in zip(normal.labels, normal.tokens, strict=True) if t >= 0] == made[1]


@pytest.mark.parametrize(
    ("labels", "parents", "tokens", "message"),
    [
        ([], [], [], "at least one"),
        (["A", "B"], [-1], [-1, -1], "length"),
        (["A", "B"], [-1, -1], [-1, -1], "preorder"),
        (["A", "B", "C", "D"], [-1, 0, 0, 1], [-1] * 4, "preorder"),
        (["A", "w", "B"], [-1, 0, 1], [-1, 0, -1], "children"),
    ],
)
def test_malformed_trees_are_refused(labels: list[str], parents: list[int], tokens: list[int], message: str) -> None:
    with pytest.raises(StructureError, match=message):
        Tree.build(labels, parents, tokens)


def test_shapes_without_limits() -> None:
    deep = tree("(A " * 3000 + "(X w)" + ")" * 3000)
    assert len(deep) == 3002 and deep.depths()[-1] == 3001
    assert to_brackets(deep.normalised()) == to_brackets(deep)
    wide = tree("(A " + "(X w) " * 2000 + ")")
    assert len(wide.children()[0]) == 2000
    assert tree(pretty(deep)) == deep and tree(pretty(wide)) == wide


def test_constituents_and_ends() -> None:
    one = tree("(S (NP (DT the) (NN dog)) (VP (VBZ barks)))")
    assert list(one.constituents())[:3] == [("S", 0, 3), ("NP", 0, 2), ("DT", 0, 1)]
    assert one.ends()[0] == len(one) and one.ends()[1] == 6
    assert repr(one).startswith("Tree((S (NP")


def test_strings_are_a_sequence() -> None:
    column = Strings.of(["a", "b", "a"])
    assert list(column) == ["a", "b", "a"] and column[1] == "b" and column[1:] == ["b", "a"]
    assert column == Strings.of(iter("aba")) and column.table == ("a", "b") and "Strings" in repr(column)
    assert NONTERMINAL == -1
