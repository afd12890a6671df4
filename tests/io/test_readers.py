from __future__ import annotations

import gzip
import time
from contextlib import suppress
from pathlib import Path

import pytest

from synteval.errors import InputError, OptionError
from synteval.io import (
    format_conllu,
    format_of,
    read_brackets,
    read_conllu,
    read_lines,
    read_segments,
    read_table,
    read_wmt,
)
from synteval.structures import Sentence
from synteval.structures.brackets import segment_to_brackets

XML = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="d"><doc id="a" origlang="de">
<src lang="de"><p><seg id="1">Eins</seg></p><p><seg id="2">Zwei</seg></p></src>
<ref lang="en" translator="A"><p><seg id="1">One &amp; only</seg><seg id="2">Two</seg></p></ref>
<ref lang="en" translator="B"><p><seg id="1">The one</seg><seg id="2">The
 two</seg></p></ref>
<hyp system="X" language="en"><p><seg id="1">A one</seg><seg id="2">A two</seg></p></hyp>
<hyp system="Y" language="en"><p><seg id="1">One</seg><seg id="2"></seg></p></hyp></doc></dataset>"""
SGM = """<refset setid="s" srclang="any" trglang="en"><doc docid="a" sysid="ref"><p>
<seg id="1">Fish & chips &lt;b&gt;</seg><seg id="2">Two</seg></p></doc></refset>"""


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    data = text.encode() if isinstance(text, str) else text
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        ("a\nb\n", ["a", "b"]),
        ("a\r\n\r\nb", ["a", "", "b"]),
        ("\ufeffa\n", ["a"]),
        ("", []),
        ("\n", [""]),
        ("a\u2028b\x0cc\n", ["a\u2028b\x0cc"]),
        ("a\rb", ["a", "b"]),
    ],
)
def test_lines(tmp_path: Path, data: str, lines: list[str]) -> None:
    assert read_lines(write(tmp_path, "a.txt", data)) == lines
    assert read_lines(write(tmp_path, "a.txt.gz", data)) == lines


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.txt", b"ok\nna\xefve\n", r"a.txt:2: not UTF-8 \(byte 0xef\)"),
        ("a.txt.gz.gz", b"x", "no such file"),
        ("a.ptb", "(S (A))\n(S (A)\n", "a.ptb:2: unbalanced"),
        ("a.ptb", "(S (A))\n\n(S))(\n", "a.ptb:3: a closing bracket too many"),
        ("a.conllu", "# c\n1\ta\t_\t_\t_\t_\t1\tx\t_\t_\n", "a.conllu:2: no token is the root"),
        ("a.conllu", "1\ta\t_\t_\t_\t_\t99999999999999\tx\t_\t_\n", "a.conllu:1: the head of token 1"),
        ("a.conllu", f"{'9' * 5000}\ta\t_\t_\t_\t_\t0\tx\t_\t_\n", "a.conllu:1: token 9{40} where 1 is due"),
        ("a.conllu", "# text = a\n2-1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n", "a.conllu:2: the multiword token 2-1 ends"),
        ("a.conllu", "# text = a\nx-2\ta\t_\t_\t_\t_\t_\t_\t_\t_\n", "a.conllu:2: token x-2 where 1 is due"),
        ("a.jsonl", f'{{"hypothesis": {"9" * 5000}}}\n', "a.jsonl:1: not JSON"),
        ("a.tsv", "hypothesis\treference\na\n", "a.tsv:2: 1 cells where the header has 2"),
        ("a.tsv", "text\treference\na\tb\n", "a.tsv:1: no column 'hypothesis'"),
        ("a.tsv", "", "a.tsv: empty"),
        ("a.jsonl", '{"hypothesis": "a"}\n[1]\n', "a.jsonl:2: not an object"),
        ("a.jsonl", '{"hypothesis": "a"\n', "a.jsonl:1: not JSON"),
        ("a.xml", "<dataset><doc>", "a.xml:1: not well-formed XML"),
        ("a.xml", "<x/>", "a.xml: no segments"),
        ("a.xml", '<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>', "document type or entities"),
        ("a.xml", '<!DOCTYPE a SYSTEM "http://localhost/x"><a/>', "document type or entities"),
        ("a.sgm", "<refset><doc docid=1><seg id=1>open</doc></refset>", "a.sgm:1: segment 1 is not closed"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, name: str, data: str | bytes, message: str) -> None:
    path = tmp_path / name if name.endswith(".gz.gz") else write(tmp_path, name, data)
    with pytest.raises(InputError, match=message):
        if name.endswith((".tsv", ".jsonl")):
            read_table(path)
        elif name.endswith((".xml", ".sgm")):
            read_wmt(path, format_of(path))
        else:
            read_segments(path)


def test_folders_and_damaged_gzip(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder"):
        read_lines(tmp_path)
    path = write(tmp_path, "a.gz", "text " * 1000)
    path.write_bytes(path.read_bytes()[:30])
    with pytest.raises(InputError, match="not a sound gzip file"):
        read_lines(path)


def test_brackets_by_line_and_pretty_printed(tmp_path: Path) -> None:
    by_line = read_brackets(write(tmp_path, "a.ptb", "(S (A a)) (S (B b))\n\n( (S (C c)))\n"))
    assert [len(segment) for segment in by_line] == [2, 0, 1]
    pretty = read_brackets(write(tmp_path, "b.mrg", "( (S\n    (A a)\n  (B b)) )\n\n(X\n (Y y))\n"))
    assert [segment_to_brackets(s) for s in pretty] == ["( (S (A a) (B b)))", "(X (Y y))"]


def test_conllu_segments(tmp_path: Path) -> None:
    row = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    grouped = "".join(f"# segment_id = {n}\n{row}" for n in (1, 1, 4))
    assert [len(s) for s in read_conllu(write(tmp_path, "a.conllu", grouped))] == [2, 0, 0, 1]
    assert [len(s) for s in read_conllu(write(tmp_path, "b.conllu", row * 3))] == [1, 1, 1]
    commented = f"{row}# segment_id = x\n{row}# the end\n"
    assert [len(s) for s in read_conllu(write(tmp_path, "d.conllu", commented))] == [1, 1]
    with pytest.raises(InputError, match=r"c.conllu:4: segment_id 1 after segment 2"):
        read_conllu(write(tmp_path, "c.conllu", f"# segment_id = 2\n{row}# segment_id = 1\n{row}"))


def test_empty_segments_survive_conllu(tmp_path: Path) -> None:
    word = (Sentence.build(["a"], heads=[-1], relations=["root"], scheme="ud"),)
    for segments in ([(), word, ()], [word, (), ()], [()], []):
        path = write(tmp_path, "a.conllu", "".join(format_conllu(segments)))
        assert [len(segment) for segment in read_conllu(path)] == [len(segment) for segment in segments]


def test_tables(tmp_path: Path) -> None:
    table = read_table(
        write(tmp_path, "t.tsv", 'segment_id\tsystem\thypothesis\treference_2\treference_1\tz\n7\tA\t"h\tr2\t\t1\n')
    )
    assert table.hypotheses == ('"h',) and table.references == (("r2",),) and table.segment_ids == ("7",)
    assert table.columns[-1] == "z" and table.rows[0][-1] == "1"
    lines = '{"hypothesis": "h", "references": ["a", "b"]}\n\n{"hypothesis": "i", "reference": "c", "n": 1.5}\n'
    jsonl = read_table(write(tmp_path, "t.jsonl.gz", lines))
    assert read_table(write(tmp_path, "t.txt", lines), "jsonl").references == jsonl.references
    with pytest.raises(OptionError, match="unknown format of a table 'json'; did you mean jsonl"):
        read_table(tmp_path / "t.txt", "json")
    assert jsonl.references == (("a", "b"), ("c",)) and jsonl.systems == ("system", "system")


def test_wmt_files(tmp_path: Path) -> None:
    xml = read_wmt(write(tmp_path, "a.xml", XML), "xml")
    assert list(xml.systems) == ["X", "Y"] and xml.references["A"]["a", "1"] == "One & only"
    assert xml.references["B"]["a", "2"] == "The two"
    sgm = read_wmt(write(tmp_path, "a.sgm.gz", SGM), "sgm")
    assert sgm.references["ref"]["a", "1"] == "Fish & chips <b>"
    with pytest.raises(InputError, match="system 'Z' lacks segment 2 of document a"):
        xml.lines({("a", "1"): "x"}, "system 'Z'")


@pytest.mark.parametrize(
    "text",
    [
        "<tstset><doc>" + "".join(f"<seg id={n}>a line of text\n</seg>\n" for n in range(60_000)),
        "<seg " * 60_000,
        f"<seg {'a' * 200_000}>",
        f"<seg {'a ' * 100_000}>",
        f"<seg a{' ' * 200_000}>",
    ],
    ids=["segments", "tags", "name", "names", "blanks"],
)
def test_large_sgm_files_take_linear_time(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, "a.sgm", text)
    started = time.perf_counter()
    with suppress(InputError):
        read_wmt(path, "sgm")
    assert time.perf_counter() - started < 10


def test_formats() -> None:
    assert [format_of(p) for p in ("a.txt", "a.PTB.gz", "x.conllu", "-", "a.sgml")] == [
        *("text", "ptb", "conllu", "text", "sgm"),
    ]
    with pytest.raises(OptionError, match="did you mean conllu"):
        format_of("a", "conlu")
