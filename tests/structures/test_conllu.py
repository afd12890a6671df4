from __future__ import annotations

import pytest
from generated import sentences
from hypothesis import given

from synteval.errors import StructureError
from synteval.structures import Sentence
from synteval.structures.conllu import parse_sentence, to_conllu, with_segment_id

FRENCH = """\
# sent_id = 1
# text = Il va au bois.
1\tIl\til\tPRON\t_\tNumber=Sing\t2\tnsubj\t2:nsubj\t_
2\tva\taller\tVERB\t_\t_\t0\troot\t0:root\t_
3-4\tau\t_\t_\t_\t_\t_\t_\t_\t_
3\tà\tà\tADP\t_\t_\t5\tcase\t5:case\t_
4\tle\tle\tDET\t_\t_\t5\tdet\t5:det\t_
5\tbois\tbois\tNOUN\t_\t_\t2\tobl\t2:obl\tSpaceAfter=No|Sense=wood%1,forest%1
5.1\t_\t_\tVERB\t_\t_\t_\t_\t2:conj\t_
6\t.\t.\tPUNCT\t_\t_\t2\tpunct\t2:punct\t_
"""


def rows(*lines: str) -> list[str]:
    return ["\t".join(line.split()) for line in lines]


def test_everything_is_written_back() -> None:
    sentence = parse_sentence(FRENCH.splitlines())
    assert to_conllu(sentence) == FRENCH
    assert sentence.spans.tolist() == [[0, 2], [3, 5], [6, 8], [6, 8], [9, 13], [13, 14]]
    assert sentence.senses[4] == ("wood%1", "forest%1") and sentence.senses[0] == ()
    assert sentence.xpos is None and sentence.scheme == "ud" and sentence.text == "Il va au bois."


@given(sentences())
def test_round_trip(sentence: Sentence) -> None:
    text = to_conllu(sentence)
    if len(sentence):
        assert to_conllu(parse_sentence(text.splitlines())) == text
        back = parse_sentence(with_segment_id(sentence, 3).splitlines())
        assert back.forms == sentence.forms and back.relations == sentence.relations
        assert back.heads is None or back.heads.tolist() == sentence.heads.tolist()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (rows("1 a _ _ _ _ 2 x _ _", "2 b _ _ _ _ 1 x _ _"), "line 7: no token is the root"),
        (rows("1 a _ _ _ _ 0 x _ _", "2 b _ _ _ _ 3 x _ _", "3 c _ _ _ _ 2 x _ _"), "line 7: token 2 is in a cycle"),
        (rows("1 a _ _ _ _ 0 x _ _", "2 b _ _ _ _ 0 x _ _"), "line 7: a second root: tokens 1 and 2"),
        (rows("1 a _ _ _ _ 5 x _ _"), "line 7: the head of token 1 is 5, outside"),
        (rows("1 a _ _ _ _ x x _ _"), "line 7: the head of token 1 is 'x'"),
        (rows("1 a _ _"), "line 7: 4 columns"),
        (["1 a _ _"], "separated by tabs"),
        (rows("1 a _ _ _ _ 0 x _ _", "3 b _ _ _ _ 1 x _ _"), "line 8: token 3 where 2 is due"),
    ],
)
def test_errors_name_the_line(lines: list[str], message: str) -> None:
    with pytest.raises(StructureError, match=message):
        parse_sentence(lines, first_line=7)


def test_missing_layers() -> None:
    sentence = parse_sentence(rows("1 a _ _ _ _ _ _ _ _"))
    assert sentence.heads is None and sentence.lemmas is None and sentence.scheme is None
