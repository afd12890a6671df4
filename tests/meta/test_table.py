"""Tables of scores as matrices."""

import json
import math

import numpy as np
import pytest

from synteval.errors import InputError, OptionError
from synteval.meta.table import parse_signatures, read_scores, read_signatures

TABLE = """segment_id	system	langpair	hypothesis	reference_1	reference_2	n_raters	human_fluency	stm	ter
1	A	de-en	a b c	x	y z	3	4	0.5	0.9
2	A	de-en	a	x		3	None	0.25	0.1
1	B	de-en	a b c	x	y z	3	2		0.2
9	B	cs-en	d	d	e	1	1	1.0	0.0
"""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text(TABLE)
    return read_scores(path)


def test_columns_are_told_apart(table):
    assert table.metrics == ("stm", "ter")
    assert table.human == ("human_fluency",)
    assert table.systems == ("A", "B")
    assert table.segments == ("1", "2", "9")


def test_missing_scores_are_missing(table):
    np.testing.assert_array_equal(table.matrix("stm"), [[0.5, 0.25, math.nan], [math.nan, math.nan, 1.0]])
    np.testing.assert_array_equal(table.matrix("human_fluency"), [[4, math.nan, math.nan], [2, math.nan, 1]])
    np.testing.assert_array_equal(table.oriented("ter")[0], [-0.9, -0.1, math.nan])


def test_lengths_and_texts(table):
    np.testing.assert_array_equal(table.matrix("length"), [[3, 1, math.nan], [3, math.nan, 1]])
    assert table.column("reference_length").tolist() == [1.5, 1, 1.5, 1]
    assert table.hypotheses() == [["a b c", "a", ""], ["a b c", "", "d"]]
    assert table.references() == [("x", "y z"), ("x",), ("d", "e")]


def test_parts(table):
    parts = table.split("langpair")
    assert list(parts) == ["de-en", "cs-en"]
    np.testing.assert_array_equal(parts["cs-en"].matrix("stm"), [[1.0]])
    np.testing.assert_array_equal(parts["de-en"].matrix("ter"), [[0.9, 0.1], [0.2, math.nan]])


def test_mistakes_are_named(table, tmp_path):
    with pytest.raises(OptionError, match="did you mean stm"):
        table.choose_metrics(["stmm"])
    with pytest.raises(OptionError, match="unknown column"):
        table.matrix("bleu")
    with pytest.raises(OptionError, match="human_fluency"):
        table.choose_human("human_fluence")
    twice = tmp_path / "twice.tsv"
    twice.write_text(TABLE + "1\tA\tde-en\tq\tx\t\t3\t4\t0.5\t1\n")
    with pytest.raises(InputError, match=r"twice.tsv:6: system 'A' has segment '1' twice"):
        read_scores(twice).matrix("stm")
    wrong = tmp_path / "wrong.tsv"
    wrong.write_text(TABLE.replace("0.25", "good"))
    with pytest.raises(InputError, match=r"wrong.tsv:3: stm is 'good', not a number"):
        read_scores(wrong).matrix("stm")
    none = tmp_path / "none.tsv"
    none.write_text("segment_id\tsystem\thypothesis\treference\n1\tA\tx\ty\n")
    with pytest.raises(InputError, match="no column of metric scores"):
        read_scores(none).choose_metrics([])
    with pytest.raises(InputError, match="0 columns of human scores"):
        read_scores(none).choose_human(None)


def test_signatures_beside_a_table(tmp_path):
    assert read_signatures(tmp_path / "t.tsv") is None
    (tmp_path / "t.tsv.json").write_text(json.dumps({"signatures": {"stm": "STM|refs=1"}}))
    assert read_signatures(tmp_path / "t.tsv") == {"stm": "STM|refs=1"}
    (tmp_path / "s.json").write_text('{"stm": 1}')
    with pytest.raises(InputError, match="no signatures"):
        parse_signatures(tmp_path / "s.json")
