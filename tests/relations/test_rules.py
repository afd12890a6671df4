"""The rule language: every kind of clause, the order of rules, errors that show the rule."""

from __future__ import annotations

import pytest

from synteval.errors import SyntevalError
from synteval.relations.extract import SCHEMES
from synteval.relations.hierarchy import load_hierarchy
from synteval.relations.rules import RuleSet, load_rules, parse_rule
from synteval.relations.words import Words

#            0      1      2     3       4      5
WORDS = Words(
    forms=["Prices", "fell", "in", "early", "May", "."],
    lemmas=["price", "fall", "in", "early", "May", "."],
    upos=["NOUN", "VERB", "ADP", "ADJ", "PROPN", "PUNCT"],
    xpos=["NNS", "VBD", "IN", "JJ", "NNP", "."],
    heads=[1, -1, 1, 4, 2, 1],
    labels=["nsubj", "root", "prep", "amod", "pobj", "punct"],
    tokens=list(range(6)),
)
LISTS = {"months": ["May", "June"], "governs": ["fall in"]}


def written(*rules: str) -> list[str]:
    rule_set = RuleSet("test", tuple(parse_rule(rule, LISTS) for rule in rules), {})
    found = []
    for _, binding, emit in rule_set.apply(WORDS.graph()):
        found.append(" ".join(WORDS.forms[binding[slot]] if slot in binding else slot for slot in emit))
    return found


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("H >nsubj D -> ncsubj H D _", ["ncsubj fell Prices _"]),
        ("H >nsubj|pobj D -> dobj H D", ["dobj fell Prices", "dobj in May"]),
        ("H >n* D -> ncsubj H D _", ["ncsubj fell Prices _"]),
        ("H >prep P & P >pobj D -> ncmod _ H P ; dobj P D", ["ncmod _ fell in", "dobj in May"]),
        ("H >prep P & P >pobj D[lemma=@months] -> dobj P D", ["dobj in May"]),
        ("H >prep P & P >pobj D[lemma!=@months] -> dobj P D", []),
        ("H[xpos=VB*] >prep P -> iobj H P", ["iobj fell in"]),
        ("H[xpos=VB*, lemma=rise] >prep P -> iobj H P", []),
        ("H >prep P & H+P in @governs -> iobj H P", ["iobj fell in"]),
        ("H >prep P & H >nsubj S & S < P -> ncsubj H S _", ["ncsubj fell Prices _"]),
        ("H >prep P & H >nsubj S & P < S -> ncsubj H S _", []),
        ("H >prep P & !H >obj _ -> iobj H P", ["iobj fell in"]),
        ("H >prep P & !H >nsubj _ -> iobj H P", []),
        ("P >pobj D & H >prep P -> ncmod _ H D", ["ncmod _ fell May"]),
        ("H >prep P & S . H -> ncsubj H S _", ["ncsubj fell Prices _"]),
        ("H >prep P & P . A & A[xpos=JJ] -> ncmod _ P A", ["ncmod _ in early"]),
        ("H >amod D & D[label=amod] -> ncmod D H D", ["ncmod early May early"]),
        ("H >punct D ->", []),
    ],
)
def test_clauses(rule: str, expected: list[str]) -> None:
    assert written(rule) == expected


def test_an_edge_goes_to_the_first_rule_that_matches() -> None:
    assert written("H[lemma=rise] >prep P -> iobj H P", "H >prep P -> ncmod _ H P", "H >prep P -> pmod H P") == [
        "ncmod _ fell in"
    ]
    assert written("H >prep P ->", "H >prep P -> ncmod _ H P") == []


def test_a_rule_with_plus_leaves_the_edge() -> None:
    assert written("+ H >prep P -> pmod H P", "H >prep P -> ncmod _ H P") == ["pmod fell in", "ncmod _ fell in"]


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("H >nsubj D", "without ->"),
        ("H[xpos=NN] -> det H H", "begins with an edge"),
        ("H >nsubj D & H ~ D -> det H D", "cannot read 'H ~ D'"),
        ("H[colour=red] >nsubj D -> det H D", "attributes: form lemma upos xpos label"),
        ("H[lemma=@unknown] >nsubj D -> det H D", "no list @unknown"),
    ],
)
def test_errors_show_the_rule(rule: str, message: str) -> None:
    with pytest.raises(SyntevalError, match=message):
        parse_rule(rule, LISTS)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_rules_of_every_scheme_write_relations_with_their_slots(scheme: str) -> None:
    rules = load_rules(scheme)
    slots = load_hierarchy().slots
    assert len(rules.rules) > 30
    for rule in rules.rules:
        bound = {name for clause in rule.clauses if not clause.negated for name in (clause.first, clause.second)}
        for relation, *filled in rule.emits:
            assert len(filled) == len(slots[relation]), rule.text
            for slot, value in zip(slots[relation], filled, strict=True):
                assert value in bound or slot in ("type", "initial"), rule.text
                if slot in ("type", "initial") and value not in bound:
                    assert value == value.lower(), rule.text
