from __future__ import annotations

import random

import pytest
from generated import sentences
from hypothesis import given
from hypothesis import strategies as st

from synteval.parsing.record import DamagedRecordError, decode, encode
from synteval.structures import Sentence
from synteval.structures.brackets import parse_brackets


@given(st.lists(sentences(), max_size=3))
def test_round_trip(segment: list[Sentence]) -> None:
    assert decode(encode(tuple(segment))) == tuple(segment)


def test_extremes() -> None:
    long = Sentence.build([f"w{i}" for i in range(70_000)], heads=[*range(1, 70_000), -1], relations=["x"] * 70_000)
    odd = Sentence.build(["a\0b", "\ud800", "x" * 10_000, ""], text="a", spans=[(0, 1), (0, 1), (0, 1), (1, 1)])
    deep = parse_brackets("(A " * 3000 + "(X w)" + ")" * 3000)[0].sentence()
    for segment in ((), (long,), (odd, deep)):
        assert decode(encode(segment)) == segment


def test_damage_is_never_believed() -> None:
    record = encode((Sentence.build(["I", "run"], heads=[1, -1], relations=["nsubj", "root"], scheme="ud"),))
    rng = random.Random(1)
    for _ in range(2000):
        damaged = bytearray(record)
        for _ in range(rng.randint(1, 3)):
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        if bytes(damaged) != record:
            with pytest.raises(DamagedRecordError):
                decode(bytes(damaged))
    for length in range(len(record)):
        with pytest.raises(DamagedRecordError):
            decode(record[:length])


def test_a_record_is_small() -> None:
    """24 tokens of real text with both trees and all tags: at most 600 bytes."""
    made = parse_brackets(
        "(S (NP (NP (DT The) (JJ old) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBD came) (PRT (RP in))"
        " (ADVP (RB late)))))) (VP (VBD ate) (NP (NP (CD two) (NNS bananas)) (CC and) (NP (DT an) (NN apple)))"
        " (PP (IN with) (NP (DT a)"
        " (NN fork))) (PP (IN without) (S (VP (VBG asking) (NP (NN anybody)) (PP (IN in) (NP (DT the) (NN room)))))))"
        " (. .))"
    )[0].sentence()
    count = len(made)
    sentence = Sentence.build(
        made.forms,
        lemmas=[form.lower() for form in made.forms],
        upos=(["DET", "ADJ", "NOUN", "PRON", "VERB", "ADP"] * count)[:count],
        xpos=made.xpos,
        heads=[2, 2, 7, 4, 2, 4, 4, -1, 9, 7, 12, 12, 9, 15, 15, 7, 17, 7, 17, 21, 21, 17, 7][:count],
        relations=(["det", "amod", "nsubj", "obj", "acl:relcl", "compound:prt", "advmod"] * count)[:count],
        scheme="ud",
        tree=made.tree,
    )
    assert count == 23 and len(encode((sentence,))) <= 600
