"""`synteval combine` as a user types it."""

import json
import re

import numpy as np
import pytest
from command import assert_refused

SIGNATURES = {"stm": "STM|refs=1|depth=4|parser=en@1|synteval=0.1.0", "bleu": "BLEU|refs=1|tok=13a|synteval=0.1.0"}


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    lines = ["segment_id\tsystem\tlangpair\thypothesis\treference\thuman_z\tstm\tbleu"]
    for k in range(60):
        for system in "AB":
            z = rng.normal()
            cells = [f"s{k}", system, "de-en" if k < 30 else "cs-en", f"hyp {k} {system}", f"ref {k}"]
            lines.append("\t".join([*cells, *(f"{v:.4f}" for v in (z, z + rng.normal(), z + rng.normal()))]))
    path = tmp_path / "scored.tsv"
    path.write_text("\n".join(lines) + "\n")
    (tmp_path / "scored.tsv.json").write_text(json.dumps({"signatures": SIGNATURES}))
    return path


@pytest.mark.parametrize("kind", ["ulc", "linear", "svr", "ranking"])
@pytest.mark.parametrize("suffix", [".json", ".npz"])
def test_fit_then_score(synteval, table, tmp_path, kind, suffix):
    synteval("combine", "fit", "scored.tsv", "--kind", kind, "-o", f"m{suffix}", "--group", "langpair")
    synteval("combine", "score", "scored.tsv", "--model", f"m{suffix}", "--name", "combined", "-o", "out.tsv")
    lines = (tmp_path / "out.tsv").read_text().splitlines()
    assert lines[0].split("\t")[-1] == "combined"
    rows = np.array([[float(c) for c in line.split("\t")[5:]] for line in lines[1:]])
    assert len(rows) == 120
    assert np.corrcoef(rows[:, 0], rows[:, 3])[0, 1] > 0.7


def test_fit_tells_what_it_reaches_on_unseen_groups(synteval, table):
    for group in ("segment_id", "langpair", "system"):
        done = synteval("combine", "fit", "scored.tsv", "--kind", "linear", "-o", "m.json", "--group", group)
        assert f"on unseen groups of {group}" in done.stdout
        assert "LINEAR|metrics=2|model=" in done.stdout


def test_parameters(synteval, table, tmp_path):
    synteval("combine", "fit", "scored.tsv", "--set", "C=0.25", "--set", "gamma=none", "-o", "m.json", "-m", "bleu")
    header = json.loads((tmp_path / "m.json").read_text())
    assert header["params"]["C"] == 0.25
    assert header["metrics"] == ["bleu"]
    assert header["signatures"] == {"bleu": SIGNATURES["bleu"]}
    refused = synteval("combine", "fit", "scored.tsv", "--set", "D=1", "-o", "m.json", check=False)
    assert_refused(refused, "svr takes C=1.0")


def test_refusals(synteval, table, tmp_path):
    def refused(*args, words):
        assert_refused(synteval("combine", *args, check=False), *words)

    synteval("combine", "fit", "scored.tsv", "-o", "m.npz")
    refused("fit", "scored.tsv", "-o", "m.pkl", words=["json or .npz"])
    refused("fit", "scored.tsv", "-o", "m.npz", "-m", "stmm", words=["unknown metric", "stm"])
    refused("fit", "scored.tsv", "-o", "m.npz", "--group", "hypothesis", "--splits", "4", words=["leaks", "segment"])
    (tmp_path / "scored.tsv.json").write_text(json.dumps({**SIGNATURES, "stm": SIGNATURES["stm"].replace("4", "3")}))
    refused("score", "scored.tsv", "--model", "m.npz", words=["depth=3 instead of depth=4"])
    (tmp_path / "scored.tsv.json").unlink()
    refused("score", "scored.tsv", "--model", "m.npz", words=["signatures"])
    (tmp_path / "few.tsv").write_text("segment_id\tsystem\thypothesis\treference\tstm\n1\tA\tx\ty\t0.5\n")
    refused("score", "few.tsv", "--model", "m.npz", words=["lack: bleu"])


def test_a_reference_of_several_segments_is_not_learnt_from_where_it_is_tested(synteval, table, tmp_path):
    text = table.read_text().replace("\tref 40\t", "\tref 4\t").replace("\tref 41\t", "\tref 42\t")
    table.write_text(text)
    for group in ("segment_id", "langpair"):
        done = synteval("combine", "fit", "scored.tsv", "--kind", "linear", "-o", "m.json", "--group", group)
        assert f"on unseen groups of {group}" in done.stdout
    table.write_text(re.sub(r"\tref \d+\t", "\tref\t", text))
    refused = synteval("combine", "fit", "scored.tsv", "-o", "m.json", check=False)
    assert_refused(refused, "nothing to train on", "shares its reference")


def test_human_likeness_needs_two_classes(synteval, table):
    done = synteval("combine", "fit", "scored.tsv", "--kind", "human_likeness", "-o", "h.json", check=False)
    assert_refused(done, "scored.tsv", "human_likeness cannot be fitted")


def test_from_texts_to_a_combined_score(synteval, tmp_path):
    words = ["the", "cat", "sat", "on", "a", "mat", "and", "the", "dog", "saw", "it"]
    lines = ["segment_id\tsystem\thypothesis\treference\thuman_z"]
    lines += [f"{k}\tA\t{' '.join(words[:k])}\t{' '.join(words)} {k}\t{k}" for k in range(1, 12)]
    (tmp_path / "texts.tsv").write_text("\n".join(lines) + "\n")
    table = ("score", "--table", "texts.tsv", "--level", "segment", "--format", "tsv")
    synteval(*table, "-m", "chrf", "rouge1", "-o", "scored.tsv")
    synteval("combine", "fit", "scored.tsv", "--kind", "linear", "-o", "m.json")
    done = synteval("combine", "score", "scored.tsv", "--model", "m.json")
    assert done.stdout.splitlines()[0].endswith("\tlinear")
    synteval(*table, "-m", "chrf:word_order=2", "rouge1", "-o", "other.tsv")
    renamed = (tmp_path / "other.tsv").read_text().replace("chrf:word_order=2", "chrf", 1)
    (tmp_path / "other.tsv").write_text(renamed)
    signatures = (tmp_path / "other.tsv.json").read_text().replace("chrf:word_order=2", "chrf", 1)
    (tmp_path / "other.tsv.json").write_text(signatures)
    refused = synteval("combine", "score", "other.tsv", "--model", "m.json", check=False)
    assert_refused(refused, "word_order=2 instead of word_order=0")
