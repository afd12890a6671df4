"""Reading and writing relations: every notation, sentences without relations, errors that name the line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synteval.errors import InputError
from synteval.relations.grs import GR, parse_gr, read_relations, write_relations
from synteval.relations.hierarchy import load_hierarchy

HIERARCHY = load_hierarchy()


@pytest.mark.parametrize(
    ("line", "values", "positions"),
    [
        ("(ncsubj eat man _)", ("eat", "man", "_"), ()),
        ("(ncsubj eat:3 man:2 _)", ("eat", "man", "_"), (3, 2, -1)),
        ("(|ncsubj| |eat:3_VV0| |man:2_NN1| _)", ("eat", "man", "_"), (3, 2, -1)),
        ("(ncsubj T-cell_virus_I:2:6 man:8 _)", ("T-cell_virus_I", "man", "_"), (6, 8, -1)),
        ("  ( ncsubj eat\tman   _ )  ", ("eat", "man", "_"), ()),
        (r"(ncsubj \; man _)", (";", "man", "_"), ()),
        ("ncsubj(eat, man, _)", ("eat", "man", "_"), ()),
        ("(ncsubj 10:30 man _)", ("10:30", "man", "_"), ()),
        ("(|ncsubj| |left:2_VVD| |10:30:5_MC| _)", ("left", "10:30", "_"), (2, 5, -1)),
        ("(ncsubj ellip man:2 _)", ("ellip", "man", "_"), (-1, 2, -1)),
        (r"(ncsubj a\ lot |1\|2| _)", ("a lot", "1|2", "_"), ()),
        ("ncsubj(pay, 1,000, _)", ("pay", "1,000", "_"), ()),
        ("ncsubj(eat,man,_)", ("eat", "man", "_"), ()),
    ],
)
def test_notations(line: str, values: tuple[str, ...], positions: tuple[int, ...]) -> None:
    assert parse_gr(line, HIERARCHY) == GR("ncsubj", values, positions)


def test_slips_of_the_gold_files_are_mended() -> None:
    assert parse_gr("(iobj _ based in)", HIERARCHY) == GR("iobj", ("based", "in"))
    assert parse_gr("(ncmod touch of)", HIERARCHY) == GR("ncmod", ("_", "touch", "of"))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("(nsubj eat man _)", "unknown relation 'nsubj'"),
        ("(ncsubj eat man)", "has 2 slots, expected 3: head dependent initial"),
        ("(det man)", "expected 2"),
        ("ncsubj eat man", "is no relation"),
        ("(ncsubj)", "is no relation"),
    ],
)
def test_errors(line: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_gr(line, HIERARCHY)


def test_an_error_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "a.gr"
    path.write_text("(det man the)\n(det man\n\n(det)\n")
    with pytest.raises(InputError, match=r"a\.gr:4: "):
        read_relations(path, HIERARCHY)


def test_blocks_with_text_and_comments(tmp_path: Path) -> None:
    path = tmp_path / "a.gr"
    path.write_text(
        "# a comment\nThe man ate .\n(det man The)\n(ncsubj ate man _)\n\n\n()\n\nHe slept .\n(ncsubj slept He _)\n"
    )
    first, second, third = read_relations(path, HIERARCHY)
    assert [str(gr) for gr in first.relations] == ["(det man The)", "(ncsubj ate man _)"]
    assert first.text == "The man ate ."
    assert second.relations == ()
    assert third.text == "He slept ."


def test_numbered_sentences(tmp_path: Path) -> None:
    path = tmp_path / "a.parses"
    path.write_text("some header\n\n1\n\n(det man The)\n\n2\n\n3\n\n(det dog a)\n")
    assert [len(s.relations) for s in read_relations(path, HIERARCHY)] == [1, 0, 1]
    path.write_text("1\n(det man The)\n3\n(det dog a)\n")
    with pytest.raises(InputError, match="sentence 3 where 2 was expected"):
        read_relations(path, HIERARCHY)


def test_the_output_of_rasp(tmp_path: Path) -> None:
    path = tmp_path / "a.out"
    path.write_text(
        "(|The:1_AT| |man:2_NN1| |eat+ed:3_VVD|) 1 ; (-2.1)\ngr-list: 1\n(|det| |man:2_NN1| |The:1_AT|)\n\n"
        "(|No:1_AT|) 0 ; ()\n\n(|He:1_PPHS1| |sleep+s:2_VVZ|) 1 ; (-1.5)\n(|ncsubj| |sleep+s:2_VVZ| |He:1_PPHS1| _)\n"
    )
    assert [[str(gr) for gr in s.relations] for s in read_relations(path, HIERARCHY)] == [
        ["(det man The)"],
        [],
        ["(ncsubj sleep+s He _)"],
    ]


@pytest.mark.parametrize("separator", ["terminated", "joined"])
def test_empty_sentences_between_blank_lines(tmp_path: Path, separator: str) -> None:
    blocks = ["(det man The)", "", "(det dog a)\n(ncsubj runs dog _)", ""]
    text = (
        "".join(f"{b}\n\n" if b else "\n" for b in blocks) if separator == "terminated" else "\n\n".join(blocks) + "\n"
    )
    path = tmp_path / "a.gr"
    path.write_text(text)
    assert [len(s.relations) for s in read_relations(path, HIERARCHY)] == [1, 2]
    assert [len(s.relations) for s in read_relations(path, HIERARCHY, expected=4)] == [1, 0, 2, 0]


def test_jsonl(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    record = {"id": 1, "text": "The man ate.", "grs": [["det", "man", "The"], "(ncsubj ate man _)"]}
    path.write_text(json.dumps(record) + "\n")
    (sentence,) = read_relations(path, HIERARCHY)
    assert sentence.text == "The man ate."
    assert sentence.fields == {"id": 1}
    assert [gr.relation for gr in sentence.relations] == ["det", "ncsubj"]


@pytest.mark.parametrize("record", ['{"text": "no relations"}', '{"grs": 5}', '{"grs": [[]]}', '{"grs": [5]}', "{"])
def test_jsonl_that_holds_no_relations(tmp_path: Path, record: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(record + "\n")
    with pytest.raises(InputError, match=r"a\.jsonl:1: "):
        read_relations(path, HIERARCHY)


def test_gold_files_of_pe08_are_read(shared_data: Path) -> None:
    counts = {"required-wsj02.gr": (10, 274), "optional-wsj02.gr": (15, 349), "genia.gr": (9, 206)}
    for name, (sentences, relations) in counts.items():
        found = read_relations(shared_data / "pe08" / name, HIERARCHY)
        assert (len(found), sum(len(s.relations) for s in found)) == (sentences, relations)
    found = read_relations(shared_data / "depbank_gr" / "heldout140.jsonl", HIERARCHY)
    assert (len(found), sum(len(s.relations) for s in found)) == (140, 2754)


words = st.text("abcXYZ.,-$%'\\| ", min_size=1, max_size=6).filter(lambda word: not word.startswith("'"))


@given(st.lists(st.lists(st.tuples(words, words), max_size=3), min_size=1, max_size=4))
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[list[tuple[str, str]]]
) -> None:
    path = tmp_path_factory.mktemp("grs") / "a.gr"
    sentences = [[GR("dobj", pair) for pair in sentence] for sentence in pairs]
    path.write_text(write_relations(sentences, HIERARCHY), encoding="utf-8")
    assert [list(s.relations) for s in read_relations(path, HIERARCHY)] == sentences
