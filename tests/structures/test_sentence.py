from __future__ import annotations

import networkx
import numpy as np
import pytest
from generated import sentences, trees
from hypothesis import given

from synteval.errors import StructureError
from synteval.structures import Sentence, Tree
from synteval.structures.interop import from_networkx, from_nltk, to_networkx, to_nltk


def test_a_readable_record() -> None:
    sentence = Sentence.build(["I", "run"], heads=[1, -1], relations=["nsubj", "root"], scheme="ud")
    assert repr(sentence) == "<Sentence 'I run': 2 tokens; spans, heads (ud)>"
    assert sentence.spans.tolist() == [[0, 1], [2, 5]]
    assert sentence == Sentence.build(["I", "run"], heads=[1, -1], relations=["nsubj", "root"], scheme="ud")
    assert sentence != Sentence.build(["I", "run"])


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        ({"lemmas": ["a"]}, "lemmas has 1 items for 2 tokens"),
        ({"heads": [0, -1], "relations": ["a", "b"]}, "cycle"),
        ({"heads": [-1, -1], "relations": ["a", "b"]}, "second root"),
        ({"tree": Tree.build(["X", "w"], [-1, 0], [-1, 0])}, "not the tokens"),
    ],
)
def test_malformed_records_are_refused(layers: dict[str, object], message: str) -> None:
    with pytest.raises(StructureError, match=message):
        Sentence.build(["I", "run"], **layers)  # type: ignore[arg-type]


def test_long_sentences() -> None:
    count = 5000
    sentence = Sentence.build(["w"] * count, heads=[*range(1, count), -1], relations=["x"] * count)
    assert len(sentence) == count
    cycle = np.roll(np.arange(count), 1)
    with pytest.raises(StructureError, match="root"):
        Sentence.build(["w"] * count, heads=cycle, relations=["x"] * count)


@given(trees())
def test_nltk_and_back(made: tuple[Tree, list[str]]) -> None:
    assert from_nltk(to_nltk(made[0])) == made[0]


@given(sentences(senses=False))
def test_networkx_and_back(sentence: Sentence) -> None:
    if sentence.heads is None:
        with pytest.raises(StructureError, match="no dependencies"):
            to_networkx(sentence)
        return
    graph = to_networkx(sentence)
    assert networkx.is_arborescence(graph)
    back = from_networkx(graph)
    assert back.heads.tolist() == sentence.heads.tolist() and back.relations == sentence.relations
    assert back.forms == sentence.forms and back.lemmas == sentence.lemmas and back.scheme == sentence.scheme
