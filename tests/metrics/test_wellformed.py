"""`wellformed`: whole sentences above broken ones, no reference needed, the same in every batch."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from command import assert_refused

from synteval import evaluate
from synteval.errors import InputError
from synteval.metrics.wellformed import WellFormed
from synteval.parsing.en.agreement import PairTable, pairs
from synteval.parsing.en.doubts import DOUBTS, Doubts
from synteval.parsing.en.parser import EnglishParser

WHOLE = [
    "The keys to the cabinet are on the table.",
    "She said that nobody had told her about the meeting.",
    "After the rain had stopped, the children played in the garden.",
    "it is one of the most important questions of our time .",
]
BROKEN = [
    "The to keys cabinet the are table on the.",
    "She that nobody said told had her meeting about the.",
    "the rain had After stopped, children the garden in played the.",
    "it of one is the important most questions time our of .",
]
Command = Callable[..., "subprocess.CompletedProcess[str]"]


def scores(texts: list[str]) -> np.ndarray:
    return evaluate({"system": texts}, metrics=["wellformed"]).segment_scores["system"]["wellformed"]


def test_whole_sentences_score_above_broken_ones() -> None:
    assert (scores(WHOLE) > scores(BROKEN) + 0.1).all()


def test_scores_are_in_bounds_and_do_not_depend_on_the_batch() -> None:
    texts = [*WHOLE, *BROKEN, "", " ", "Yes.", "x", "?!", "日本語 😀", "the " * 300, "One. Two three four. Five!"]
    together = scores(texts)
    assert ((together >= 0) & (together <= 1)).all() and together[8] == together[9] == 0
    assert [scores([text])[0] for text in texts] == together.tolist()


def test_a_segment_is_the_mean_of_its_sentences_by_their_words() -> None:
    one, other, both = scores(["Dogs bark.", "The keys are on the table.", "Dogs bark. The keys are on the table."])
    assert both == pytest.approx((3 * one + 7 * other) / 10)


def test_doubts_are_means() -> None:
    doubts = Doubts(EnglishParser().pipeline, PairTable({}))
    rows = doubts.of([text.split() for text in (*WHOLE, *BROKEN)])
    assert rows.shape == (8, len(DOUBTS)) and np.isfinite(rows).all()
    # What is broken is more doubtful.
    mean_head = rows[:, DOUBTS.index("mean_head")]
    assert mean_head[:4].mean() < mean_head[4:].mean()


def test_references_are_asked_for_where_another_metric_needs_them() -> None:
    with pytest.raises(InputError):
        evaluate({"system": WHOLE}, metrics=["wellformed", "bleu"])
    with_references = evaluate({"system": WHOLE}, BROKEN, metrics=["wellformed", "bleu"])
    assert with_references.segment_scores["system"]["wellformed"].tolist() == scores(WHOLE).tolist()
    assert WellFormed().corpus_score(WHOLE).score == pytest.approx(scores(WHOLE).mean())
    assert WellFormed().sentence_score(WHOLE[0]).score == scores(WHOLE)[0]
    assert "refs=0" in with_references.signatures["wellformed"]


def test_the_command_needs_no_reference(synteval: Command, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\n".join(WHOLE) + "\n")
    (tmp_path / "b.txt").write_text("\n".join(BROKEN) + "\n")
    table = "system\thypothesis\n" + "".join(f"a\t{text}\n" for text in WHOLE)
    (tmp_path / "t.tsv").write_text(table)
    done = synteval("score", "a.txt", "b.txt", "-m", "wellformed", "--format", "tsv")
    header, a, b = (line.split("\t") for line in done.stdout.splitlines()[:3])
    column = header.index("wellformed")
    assert float(a[column]) > float(b[column])
    assert "WELLFORMED|refs=0" in synteval("score", "--table", "t.tsv", "-m", "wellformed").stdout
    assert_refused(synteval("score", "a.txt", "-m", "wellformed", "bleu", check=False), "-r FILE")


def test_words_that_avoid_each_other_are_found() -> None:
    good = (["these", "books", "are", "old"], ["DET", "NOUN", "AUX", "ADJ"], ["DT", "NNS", "VBP", "JJ"])
    arcs = ([2, 4, 4, 0], ["det", "nsubj", "cop", "root"])
    found = list(pairs(*good, *arcs))
    assert found == [
        ("det<", "NNS", "these"),
        ("nsubj<", "JJ", "NNS"),
        ("agreement", "NNS", "are"),
        ("cop<", "JJ", "are"),
    ]
    single = [("det<", "NN", "this"), ("agreement", "NN", "is")]
    table = PairTable(PairTable.count(found * 50 + single * 50))
    assert table.score(("det<", "NNS", "these")) > 0 > table.score(("det<", "NNS", "this"))
    assert table.score(("agreement", "NN", "is")) > 0 > table.score(("agreement", "NN", "are"))
    assert table.score(("obj>", "VB", "NN")) == 0
