"""The directory of mt-metrics-eval, read and written."""

import math

import numpy as np
import pytest

from synteval.errors import InputError, OptionError
from synteval.meta.evalset import evalset_rows, read_evalset


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "wmt"
    for name, text in {
        "sources/cs-en.txt": "jeden\ndva\n",
        "references/cs-en.refA.txt": "one\ntwo\n",
        "references/cs-en.refB.txt": "1\n2\n",
        "documents/cs-en.docs": "news doc1\nnews doc1\n",
        "system-outputs/cs-en/sysB.txt": "one\ntoo\n",
        "system-outputs/cs-en/sysA.txt": "won\ntwo\n",
        "human-scores/cs-en.wmt-z.seg.score": "sysB\t0.5\nsysB\tNone\nsysA\t-1\nsysA\t2\nrefA\t1\nrefA\t1\n",
        "human-scores/cs-en.wmt-z.sys.score": "sysA 0.5\nsysB None\n",
        "metric-scores/cs-en/BLEU-refA.seg.score": "sysA\t10\nsysA\t20\nsysB\t30\nsysB\t40\n",
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_reading(folder):
    evalset = read_evalset(folder, "cs-en")
    assert evalset.systems == ("sysA", "sysB")
    assert list(evalset.references) == ["refA", "refB"]
    assert evalset.documents == [("news", "doc1")] * 2
    assert evalset.human_names() == evalset.human_names("sys") == ("wmt-z",)
    assert evalset.metric_names() == ("BLEU-refA",)
    np.testing.assert_array_equal(evalset.human("wmt-z"), [[-1, 2], [0.5, math.nan]])
    np.testing.assert_array_equal(evalset.human("wmt-z", "sys"), [[0.5], [math.nan]])
    np.testing.assert_array_equal(evalset.metric("BLEU-refA"), [[10, 20], [30, 40]])


def test_writing_and_reading_back(folder):
    evalset = read_evalset(folder, "cs-en")
    scores = np.array([[0.1, 0.2], [0.3, 1 / 3]])
    seg, sys = evalset.write_metric("STM", "refA.refB", scores)
    assert seg.name == "STM-refA.refB.seg.score"
    assert sys.read_text().splitlines()[0].startswith("sysA\t0.15")
    np.testing.assert_array_equal(evalset.metric("STM-refA.refB"), scores)
    np.testing.assert_array_equal(evalset.metric("STM-refA.refB", "sys")[:, 0], scores.mean(axis=1))


def test_as_a_table(folder):
    columns, rows = evalset_rows(read_evalset(folder, "cs-en"))
    assert columns[4:] == ["reference_1", "reference_2", "human_wmt-z", "BLEU-refA"]
    assert rows[3] == ["cs-en:2", "sysB", "cs-en", "too", "two", "2", "", 40.0]


def test_mistakes_are_named(folder):
    evalset = read_evalset(folder, "cs-en")
    with pytest.raises(InputError, match="it has cs-en"):
        read_evalset(folder, "de-en")
    with pytest.raises(OptionError, match="unknown reference 'refC'"):
        evalset.write_metric("STM", "refC", np.zeros((2, 2)))
    with pytest.raises(InputError, match="missing"):
        evalset.write_metric("STM", "all", np.full((2, 2), np.nan))
    with pytest.raises(InputError, match="2 systems x 2 segments"):
        evalset.write_metric("STM", "all", np.zeros((2, 3)))
    (folder / "metric-scores/cs-en/X-refA.seg.score").write_text("sysA\t1\n")
    with pytest.raises(InputError, match="has 1 scores, 2 are needed"):
        evalset.metric("X-refA")
    (folder / "metric-scores/cs-en/Y-refA.seg.score").write_text("sysA\tone\n")
    with pytest.raises(InputError, match=r"Y-refA.seg.score:1: 'one' is not a score"):
        evalset.metric("Y-refA")
    (folder / "system-outputs/cs-en/sysA.txt").write_text("won\n")
    with pytest.raises(InputError, match="sysA of cs-en has 1 lines, 2 are needed"):
        read_evalset(folder, "cs-en")
