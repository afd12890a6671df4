"""Scores: gold against itself, averages, confusion, the JSON contract, the commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from synteval.cli.main import cli
from synteval.errors import InputError
from synteval.relations.grs import GR, GRSentence, parse_gr, read_relations
from synteval.relations.hierarchy import load_hierarchy
from synteval.relations.match import MATCHES, Matcher
from synteval.relations.score import PRF, score_relations
from synteval.relations.tables import confusion_table, score_latex, score_table

HIERARCHY = load_hierarchy()
GOLD = ["(ncsubj eat man _)", "(dobj eat banana)", "(ncmod _ eat with)", "(dobj with fork)", "(det man the)"]
TEST = ["(ncsubj eat man _)", "(dobj eat banana)", "(iobj eat with)", "(dobj with spoon)"]


def grs(lines: list[str]) -> list[GR]:
    return [parse_gr(line, HIERARCHY) for line in lines]


@pytest.mark.parametrize("match", MATCHES)
@pytest.mark.parametrize(
    "name", ["pe08/required-wsj02.gr", "pe08/optional-wsj02.gr", "pe08/genia.gr", "depbank_gr/heldout140.jsonl"]
)
def test_gold_against_itself_is_perfect(shared_data: Path, name: str, match: str) -> None:
    gold = read_relations(shared_data / name, HIERARCHY)
    scores = score_relations(gold, gold, Matcher(HIERARCHY, match))
    assert scores.micro().f == scores.macro().f == 1.0
    assert all(prf.f == 1.0 for prf in scores.relations().values() if prf.gold)


def test_rows_and_averages_of_equality() -> None:
    scores = score_relations([grs(GOLD)], [grs(TEST)], Matcher(HIERARCHY))
    rows = scores.relations()
    assert (rows["dobj"].match, rows["dobj"].test, rows["dobj"].gold) == (1, 2, 2)
    assert (rows["mod"].match, rows["mod"].test, rows["mod"].gold) == (0, 0, 1)
    assert (rows["dependent"].match, rows["dependent"].test, rows["dependent"].gold) == (2, 4, 5)
    assert scores.micro() == PRF(2 / 4, 2 / 5, pytest.approx(4 / 9), 5, 4, 2)
    # Gold has ncsubj, dobj, ncmod and det.
    assert scores.macro().precision == pytest.approx((1 + 1 / 2 + 0 + 0) / 4)
    assert scores.macro().recall == pytest.approx((1 + 1 / 2 + 0 + 0) / 4)


def test_rows_and_averages_of_the_hierarchy() -> None:
    scores = score_relations([grs(GOLD)], [grs(TEST)], Matcher(HIERARCHY, "hier"))
    rows = {name: (prf.match, prf.test, prf.gold) for name, prf in scores.relations().items()}
    assert rows["dependent"] == (3, 4, 5)
    assert rows["arg_mod"] == (3, 4, 4)
    assert rows["mod"] == (0, 0, 1)
    assert rows["arg"] == (2, 4, 3)
    assert rows["subj_dobj"] == (2, 3, 3)
    assert rows["iobj"] == (0, 1, 0)
    summed = [sum(row[i] for row in rows.values()) for i in range(3)]
    micro = scores.micro()
    assert [micro.match, micro.test, micro.gold] == summed
    assert scores.sentence_counts().sum(axis=0).tolist() == summed
    scored = [name for name, row in rows.items() if row[2]]
    assert scores.macro().recall == pytest.approx(sum(rows[n][0] / rows[n][2] for n in scored) / len(scored))


def test_unlabelled_averages_are_those_of_dependent() -> None:
    scores = score_relations([grs(GOLD)], [grs(TEST)], Matcher(HIERARCHY, "dependent"))
    assert scores.micro() == scores.relations()["dependent"] == PRF(3 / 4, 3 / 5, pytest.approx(2 / 3), 5, 4, 3)
    macro = scores.macro()
    assert (macro.precision, macro.recall, macro.f) == pytest.approx((3 / 4, 3 / 5, 2 / 3))


def test_the_average_of_table_3_is_the_mean_over_relations() -> None:
    """molla.table3.macro"""
    printed = [(50.3, 73.6, 39.1, 64.5), (48.5, 84.8, 50.0, 53.4), (62.2, 76.2, 32.1, 64.7), (57.2, 63.7, 53.7, 56.2)]
    means = [sum(column) / 4 for column in zip(*printed, strict=True)]
    assert means == pytest.approx([54.55, 74.575, 43.725, 59.7])
    hierarchy = load_hierarchy("molla2003")
    gold = [parse_gr(line, hierarchy) for line in ("SUBJ(a, b, _)", "OBJ(a, c)", "OBJ(a, d)", "MOD(_, a, e)")]
    scores = score_relations([gold], [gold[:2]], Matcher(hierarchy))
    assert scores.macro().recall == pytest.approx((1 + 1 / 2 + 0) / 3)


def test_numbers_of_sentences_must_agree() -> None:
    with pytest.raises(InputError, match="gold has 1 sentences, the test 2"):
        score_relations([grs(GOLD)], [grs(TEST), []], Matcher(HIERARCHY))


def test_nothing_to_score_is_an_error() -> None:
    with pytest.raises(InputError, match="the gold has no sentences"):
        score_relations([], [], Matcher(HIERARCHY))


def test_sentences_must_be_in_the_same_order() -> None:
    first, second = (GRSentence(tuple(grs(GOLD)), fields={"id": number}) for number in (1, 2))
    assert score_relations([first, second], [first, second], Matcher(HIERARCHY)).micro().f == 1.0
    with pytest.raises(InputError, match="sentence 1 is 1 in the gold and 2 in the test"):
        score_relations([first, second], [second, first], Matcher(HIERARCHY))


def test_tables() -> None:
    scores = score_relations([grs(GOLD)], [grs(TEST)], Matcher(HIERARCHY, "hier"))
    table = score_table(scores)
    assert " dependent                75.00      60.00      66.67          4          5          3" in table
    assert "Micro-averaged" in table
    assert "ncmod" in confusion_table(scores)
    assert score_latex(scores).startswith(r"\begin{tabular}")


def test_the_command(tmp_path: Path) -> None:
    gold, test = tmp_path / "gold.gr", tmp_path / "test.gr"
    gold.write_text("\n".join(GOLD) + "\n")
    test.write_text("\n".join(TEST) + "\n")
    paths = ["relations", "score", "--gold", str(gold), "--test", str(test)]
    result = CliRunner().invoke(cli, [*paths, "--format", "json", "--confusion"])
    assert result.exit_code == 0, result.output
    record = json.loads(result.output)
    assert record["relations"]["dobj"] == {"precision": 0.5, "recall": 0.5, "f": 0.5, "gold": 2, "test": 2, "match": 1}
    assert record["micro"]["match"] == 2
    assert set(record["macro"]) == {"precision", "recall", "f"}
    assert {"gold": "dobj", "test": "dobj", "count": 1} in record["confusion"]
    hier = CliRunner().invoke(cli, [*paths, "--match", "hier"])
    assert "subj_dobj" in hier.output
    assert "Macro-averaged" in hier.output
