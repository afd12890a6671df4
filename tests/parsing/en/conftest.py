"""The embedded parser, loaded once for all of its tests."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from synteval.parsing.en.parser import EnglishParser
from synteval.structures import NONTERMINAL, ROOT, Sentence
from synteval.structures.sentence import check_heads


@pytest.fixture(scope="session")
def english() -> EnglishParser:
    return EnglishParser(threads=1)


@pytest.fixture(scope="session")
def check() -> Callable[[Sentence, str], None]:
    """Asserts that a sentence is a whole record of its place in the text."""
    return check_record


def check_record(sentence: Sentence, text: str) -> None:
    """Everything a record promises."""
    count = len(sentence)
    assert count > 0
    assert text[sentence.offset : sentence.offset + len(sentence.text)] == sentence.text
    spans = sentence.spans.tolist()
    assert [sentence.text[start:end] for start, end in spans] == sentence.forms.list()
    assert all(start < end for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    check_heads(sentence.heads)
    relations = sentence.relations.list()
    assert [relation == "root" for relation in relations] == (sentence.heads == ROOT).tolist()
    assert sentence.scheme == "ud"
    for layer in (sentence.lemmas, sentence.upos, sentence.xpos, relations):
        assert len(layer) == count
        assert all(layer)
    tree = sentence.tree
    tree._check()
    leaves = np.flatnonzero(tree.tokens != NONTERMINAL)
    assert tree.tokens[leaves].tolist() == list(range(count))
    labels = tree.labels.list()
    assert [labels[leaf] for leaf in leaves] == sentence.forms.list()
    preterminals = tree.parents[leaves]
    assert [labels[node] for node in preterminals] == sentence.xpos.list()
    assert len(set(preterminals.tolist())) == count
    assert labels[0] not in {"TOP", "ROOT", ""} and tree.parents[1:].min() >= 0
