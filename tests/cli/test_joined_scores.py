from __future__ import annotations

import json
from pathlib import Path

from command import Command, assert_refused


def test_scores_from_files_and_columns(synteval: Command, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x y\nz\n")
    (tmp_path / "b.txt").write_text("x\nz\n")
    (tmp_path / "seg.score").write_text("a\t0.5\na\t0.75\nb\t0.25\nb\t0.5\n")
    (tmp_path / "plain").write_text("1\n2\n3\n4\n")
    (tmp_path / "t.tsv").write_text("segment_id\tsystem\tq\n2\ta\t4\n1\ta\t3\n1\tb\t2\n2\tb\t1\n")
    call = ("score", "a.txt", "b.txt", "-r", "b.txt", "-m", "wer", "--format", "json", "--level", "segment")
    done = synteval(*call, "--join", "c=seg.score", "--join", "p=plain", "--join", "q=t.tsv", "--lower-is-better", "p")
    first, second = json.loads(done.stdout)["systems"]
    assert first["segment_scores"]["c"] == [0.5, 0.75] and second["segment_scores"]["p"] == [3, 4]
    assert first["segment_scores"]["q"] == [3, 4] and "wer" in first["scores"]
    (tmp_path / "table.tsv").write_text("system\thypothesis\treference\th\nA\ta\ta\t0.5\nA\tb\tb\tnan\n")
    done = synteval("score", "--table", "table.tsv", "--join", "h", check=False)
    assert_refused(done, "table.tsv:3", "'nan' is no score")
    assert_refused(synteval(*call, "--join", "c", check=False), "--join c=FILE")
    assert_refused(
        synteval("score", "--table", "table.tsv", "--join", "g", check=False), "unknown column", "hypothesis"
    )


def test_all_pairs_and_preprocessing(synteval: Command, tmp_path: Path) -> None:
    for name, text in (("a", "The Cat."), ("b", "the cat ."), ("c", "a dog .")):
        (tmp_path / f"{name}.txt").write_text(f"{text}\n" * 12)
    call = ("score", "a.txt", "b.txt", "c.txt", "-r", "b.txt", "-m", "wer", "--case", "drop")
    text = synteval(*call, "--paired", "ar", "--all-pairs", "--tokenize", "mteval").stdout
    assert "a - c" in text and "Holm" in text and "probability 0.1426" in text
    assert "tokenize=mteval|case=no" in text and "a       0.0000*" in text
    assert "a       0.6667" in synteval(*call, "--tokenize", "none").stdout


def test_the_shift_of_the_bootstrap(synteval: Command, tmp_path: Path) -> None:
    for name in ("h.txt", "g.txt"):
        (tmp_path / name).write_text("a\nb\nc\n")
    (tmp_path / "scores").write_text("0\n0\n0\n2.3\n-1.1\n0.43\n")
    call = ("score", "h.txt", "g.txt", "-r", "h.txt", "-m", "wer", "--join", "x=scores", "--paired", "bs", "--format")
    for shift, p in (("abs", 4 / 27), ("signed", 14 / 27)):
        record = json.loads(synteval(*call, "json", "--shift", shift).stdout)
        assert abs(record["systems"][1]["paired"]["x"]["p"] - p) < 0.02
    assert "signed shift" in synteval(*call, "table", "--shift", "signed").stdout
