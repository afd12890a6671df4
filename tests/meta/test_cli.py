"""`synteval meta` as a user types it."""

import json

import numpy as np
import pytest
from command import assert_refused
from scipy import stats


@pytest.fixture
def scores(tmp_path):
    rng = np.random.default_rng(0)
    lines = ["segment_id\tsystem\tlangpair\thypothesis\treference\thuman_fluency\tstm\tbleu\tter"]
    rows = []
    for k in range(40):
        for system in "ABC":
            z = rng.normal()
            values = [z, z + rng.normal(), z + 2 * rng.normal(), -z + rng.normal()]
            words = " ".join(["w"] * int(rng.integers(1, 9)))
            pair = "de-en" if k < 20 else "cs-en"
            lines.append("\t".join([f"s{k}", system, pair, f"{words} {k}{system}", "a ref", *map(str, values)]))
            rows.append([*values, len(words.split()) + 1])
    (tmp_path / "t.tsv").write_text("\n".join(lines) + "\n")
    return np.array(rows)


def records(done):
    return json.loads(done.stdout)


def test_correlate(synteval, scores):
    done = synteval("meta", "correlate", "t.tsv", "-m", "stm", "bleu", "--partial", "length", "--format", "json")
    first = records(done)[0]
    assert first["correlation"] == pytest.approx(stats.pearsonr(scores[:, 0], scores[:, 1]).statistic)
    xy, xz, yz = (stats.pearsonr(scores[:, i], scores[:, j]).statistic for i, j in ((0, 1), (0, 4), (1, 4)))
    assert first["partial"] == pytest.approx((xy - xz * yz) / np.sqrt((1 - xz**2) * (1 - yz**2)))
    done = synteval(
        *("meta", "correlate", "t.tsv", "--level", "by_segment", "--level", "system", "--by", "langpair"),
        *("--method", "kendall", "--confidence", "--n-resamples", "20", "--format", "json"),
    )
    assert len(records(done)) == 3 * 2 * 2
    assert {"low", "high"} < set(records(done)[0])


def test_other_questions(synteval, scores):
    agreement = records(synteval("meta", "agreement", "t.tsv", "--format", "json"))
    assert [r["metric"] for r in agreement] == ["stm", "bleu", "ter"]
    assert all(r["acc_eq"] > 0.5 for r in agreement)  # TER too: it is turned round
    compared = records(
        synteval("meta", "compare", "t.tsv", "--baseline", "bleu", "--n-resamples", "50", "--format", "json")
    )
    assert compared[0]["difference"] > 0
    significant = synteval("meta", "significance", "t.tsv", "--alpha", "0.05", "--format", "markdown")
    assert significant.stdout.startswith("| metric | alpha |")


def test_sets_of_metrics(synteval, scores, tmp_path):
    table = records(synteval("meta", "reliability", "t.tsv", "--format", "json"))
    assert [r["metrics"] for r in table] == ["stm", "bleu", "ter", "stm,bleu,ter"]
    assert table[-1]["reliability"] > max(r["reliability"] for r in table[:-1])
    gain = records(synteval("meta", "gain", "t.tsv", "--format", "json", "--figure", "gain.png"))
    assert len(gain) == 3
    assert (tmp_path / "gain.png").stat().st_size > 1000
    summary = records(synteval("meta", "gain", "t.tsv", "--summary", "--by", "langpair", "--format", "json"))
    assert [r["langpair"] for r in summary] == ["de-en", "cs-en"]
    sets = synteval(
        *(
            "meta",
            "heterogeneity",
            "t.tsv",
            "--linguistic",
            "stm",
            "--n-sets",
            "5",
            "--figure",
            "h.svg",
            "--format",
            "json",
        )
    )
    assert {r["sets"] for r in records(sets)} == {"lexical", "mixed"}
    assert (tmp_path / "h.svg").exists()
    chosen = records(
        synteval("meta", "gain", "t.tsv", "--set", "stm,ter", "--sizes", "2", "--n-sets", "2", "--format", "json")
    )
    assert len(chosen) == 3


def test_names_with_commas_and_columns_of_which_less_is_better(synteval, scores, tmp_path):
    table = tmp_path / "t.tsv"
    table.write_text(table.read_text().replace("\tstm\t", "\tesk:d=2,beta=1\t", 1).replace("\tter\n", "\terrors\n", 1))
    call = ("--set", "esk:d=2,beta=1", "--set", "bleu,esk:d=2,beta=1,errors", "--lower-is-better", "errors")
    found = records(synteval("meta", "reliability", "t.tsv", *call, "--format", "json"))
    assert [r["metrics"] for r in found] == ["esk:d=2,beta=1", "bleu,esk:d=2,beta=1,errors"]
    compared = (
        "meta",
        "compare",
        "t.tsv",
        "--baseline",
        "bleu",
        "-m",
        "errors",
        "--n-resamples",
        "20",
        "--format",
        "json",
    )
    (plain,), (turned,) = (records(synteval(*compared, *more)) for more in ((), ("--lower-is-better", "errors")))
    assert plain["difference"] < 0 < turned["difference"]


def test_texts(synteval, tmp_path):
    lines = ["segment_id\tsystem\thypothesis\treference_1\treference_2\treference_3\treference_4"]
    refs = ["the cat sat on the mat", "a cat sat on a mat", "on the mat sat the cat", "the cat was sitting on the mat"]
    lines += [
        "\t".join(["1", system, text, *refs]) for system, text in (("A", "cat mat sit"), ("B", "the cat sat on a mat"))
    ]
    (tmp_path / "refs.tsv").write_text("\n".join(lines) + "\n")
    qarla = records(synteval("meta", "qarla", "refs.tsv", "-m", "chrf", "wer", "--format", "json"))
    assert [r["metrics"] for r in qarla] == ["chrf", "wer", "chrf,wer"]
    assert qarla[1]["KING"] > 0  # an error rate is turned round
    assert all(0 <= r["KING"] <= 1 for r in qarla)
    queens = records(synteval("meta", "qarla", "refs.tsv", "-m", "chrf", "wer", "--systems", "--format", "json"))
    assert {r["metrics"] for r in queens} == {"chrf", "wer", "chrf,wer"}
    # More metrics ask for more, so that QUEEN never rises.
    queen = {(r["metrics"], r["system"]): r["QUEEN"] for r in queens}
    assert all(0 <= q <= queen["chrf", system] <= 1 for (metrics, system), q in queen.items() if metrics == "chrf,wer")
    axioms = records(synteval("meta", "axioms", "refs.tsv", "-m", "chrf", "wer", "--format", "json"))
    assert {(r["metric"], r["axiom"]): r["holds"] for r in axioms}["chrf", "identity"] == "yes"


def test_evalset(synteval, tmp_path):
    root = tmp_path / "wmt"
    for name, text in {
        "references/cs-en.refA.txt": "one\ntwo\n",
        "system-outputs/cs-en/A.txt": "one\ntoo\n",
        "system-outputs/cs-en/B.txt": "won\ntwo\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    synteval("meta", "evalset", "wmt", "cs-en", "-o", "t.tsv")
    synteval("score", "--table", "t.tsv", "-m", "chrf", "--level", "segment", "--format", "tsv", "-o", "scored.tsv")
    done = synteval("meta", "evalset-scores", "wmt", "cs-en", "scored.tsv", "--reference", "refA")
    assert "chrf-refA.seg.score" in done.stdout
    assert (root / "metric-scores/cs-en/chrf-refA.seg.score").read_text().splitlines()[0] == "A\t100.0"


def test_refusals(synteval, scores):
    for args, words in (
        (("correlate", "none.tsv"), ("none.tsv", "no such file")),
        (("correlate", "t.tsv", "-m", "stn"), ("unknown metric", "stm")),
        (("correlate", "t.tsv", "--human", "human_adequacy"), ("human_fluency",)),
        (("correlate", "t.tsv", "--partial", "size"), ("unknown column",)),
        (("reliability", "t.tsv", "--set", "stm,meteor"), ("unknown metric 'meteor'",)),
        (("gain", "t.tsv", "--sizes", "two"), ("--sizes two",)),
        (("qarla", "t.tsv", "-m", "chrf"), ("4 different references",)),
    ):
        assert_refused(synteval("meta", *args, check=False), *words)
