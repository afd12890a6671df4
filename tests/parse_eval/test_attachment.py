"""UAS and LAS: hand-counted trees, alignment of different tokens, udtools, properties."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from synteval.cli.main import cli
from synteval.errors import InputError, OptionError
from synteval.io.conllu import read_sentences
from synteval.parse_eval.attachment import attachment
from synteval.structures import Sentence

FORMS = ["The", "cat", "sat", "."]
GOLD = Sentence.build(
    FORMS, upos=["DET", "NOUN", "VERB", "PUNCT"], heads=[1, 2, -1, 2], relations=["det", "nsubj", "root", "punct"]
)


def test_identical_parses_score_one() -> None:
    scores = attachment([GOLD], [GOLD])
    assert scores.uas.f == scores.las.f == scores.words.f == 1.0


def test_a_wrong_head_and_a_wrong_label() -> None:
    test = Sentence.build(FORMS, heads=[2, 2, -1, 2], relations=["det", "obj", "root", "punct"])
    scores = attachment([GOLD], [test])
    assert scores.uas.f == 3 / 4
    assert scores.las.f == 2 / 4


def test_punctuation_may_be_left_out() -> None:
    test = Sentence.build(FORMS, heads=[1, 2, -1, 1], relations=["det", "nsubj", "root", "punct"])
    assert attachment([GOLD], [test]).uas.f == 3 / 4
    assert attachment([GOLD], [test], punctuation="drop").uas.f == 1.0
    with pytest.raises(OptionError, match="punctuation policy"):
        attachment([GOLD], [test], punctuation="ignore")


def test_subtypes_count_only_when_asked_for() -> None:
    test = Sentence.build(FORMS, heads=[1, 2, -1, 2], relations=["det", "nsubj:pass", "root", "punct"])
    assert attachment([GOLD], [test]).las.f == 1.0
    assert attachment([GOLD], [test], subtypes=True).las.f == 3 / 4


def test_other_tokens_are_aligned_by_characters() -> None:
    """sat. as one token: three words of the test, four of the gold, two aligned; the head of `cat` is not aligned."""
    test = Sentence.build(["The", "cat", "sat."], heads=[1, 2, -1], relations=["det", "nsubj", "root"])
    scores = attachment([GOLD], [test])
    assert (scores.words.right, scores.words.test, scores.words.gold) == (2, 3, 4)
    assert (scores.uas.right, scores.uas.precision, scores.uas.recall) == (1, 1 / 3, 1 / 4)


def test_sentences_may_be_split_differently() -> None:
    whole = Sentence.build(["Go", "home"], heads=[-1, 0], relations=["root", "advmod"])
    halves = [Sentence.build([form], heads=[-1], relations=["root"]) for form in ("Go", "home")]
    assert attachment([whole], halves).uas.right == 1


def test_another_text_is_an_error() -> None:
    with pytest.raises(InputError, match=r"having 'catsat\.' where the test has 'dog'"):
        attachment([GOLD], [Sentence.build(["The", "dog"], heads=[1, -1], relations=["det", "root"])])


@given(st.lists(st.integers(0, 5), min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_bounds_and_symmetry(shape: list[int], rng: random.Random) -> None:
    count = len(shape)
    forms = [f"w{i}" for i in range(count)]

    def tree() -> Sentence:
        heads = [-1] + [rng.randrange(i) for i in range(1, count)]
        relations = ["root"] + [rng.choice(["a", "b"]) for _ in range(1, count)]
        return Sentence.build(forms, heads=heads, relations=relations)

    first, second = tree(), tree()
    forward, backward = attachment([first], [second]), attachment([second], [first])
    assert 0 <= forward.las.f <= forward.uas.f <= 1
    assert forward.uas.right == backward.uas.right
    assert forward.las.right == backward.las.right


def perturbed(text: str, rng: random.Random) -> str:
    """Every tenth head and every tenth relation changed; trees stay trees."""
    blocks = []
    for block in text.strip().split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n")]
        root = next(row[0] for row in rows if len(row) == 10 and row[6] == "0")
        for row in rows:
            if len(row) == 10 and row[0].isdigit():
                if rng.random() < 0.1:
                    row[7] = rng.choice(["obj", "nsubj:pass", "nsubj"])
                if row[6] != "0" and rng.random() < 0.1:
                    row[6] = root
        blocks.append("\n".join("\t".join(row) for row in rows))
    return "\n\n".join(blocks) + "\n\n"


def sentences(path: Path) -> list[Sentence]:
    return [sentence for sentence, _, _ in read_sentences(path)]


def official_scores(gold: Path, test: Path) -> tuple[float, float]:
    """UAS and LAS of udtools."""
    udeval = pytest.importorskip("udtools.udeval", reason="udtools (GPL) is not installed; it is an outside check")
    files = (udeval.load_conllu(io.StringIO(p.read_text(encoding="utf-8")), str(p), {}) for p in (gold, test))
    found = udeval.evaluate(*files)
    return found["UAS"].f1, found["LAS"].f1


@pytest.mark.parametrize(
    "name", ["ud_ewt/en_ewt-ud-dev", "ud_other/PUD/en_pud-ud-test", "ud_other/LinES/en_lines-ud-dev", "gum/dep/dev"]
)
def test_equals_udtools_on_noise(shared_data: Path, tmp_path: Path, name: str) -> None:
    """EWT has multiword tokens."""
    gold, test = shared_data / f"{name}.conllu", tmp_path / "test.conllu"
    test.write_text(perturbed(gold.read_text(encoding="utf-8"), random.Random(7)), encoding="utf-8")
    scores = attachment(sentences(gold), sentences(test))
    assert (scores.uas.f, scores.las.f) == pytest.approx(official_scores(gold, test), abs=1e-12)
    assert 0.8 < scores.las.f < 0.95


def test_equals_udtools_on_other_tokens(shared_data: Path, tmp_path: Path) -> None:
    """The embedded parser reads the raw text, and cuts some of it otherwise."""
    gold = tmp_path / "gold.conllu"
    blocks = (
        (shared_data / "ud_other" / "PUD" / "en_pud-ud-test.conllu").read_text(encoding="utf-8").split("\n\n")[:200]
    )
    gold.write_text("\n\n".join(blocks) + "\n\n", encoding="utf-8")
    text, test = tmp_path / "text.txt", tmp_path / "test.conllu"
    text.write_text("\n".join(s.text for s in sentences(gold)) + "\n", encoding="utf-8")
    result = CliRunner().invoke(cli, ["parse", str(text), "--to", "conllu", "-o", str(test), "--no-cache"])
    assert result.exit_code == 0, result.output
    scores = attachment(sentences(gold), sentences(test))
    assert scores.words.f < 1.0
    assert (scores.uas.f, scores.las.f) == pytest.approx(official_scores(gold, test), abs=1e-12)


def test_the_command(tmp_path: Path) -> None:
    from synteval.structures.conllu import to_conllu

    test = Sentence.build(FORMS, heads=[2, 2, -1, 2], relations=["det", "nsubj", "root", "punct"])
    for name, sentence in (("gold", GOLD), ("test", test)):
        (tmp_path / f"{name}.conllu").write_text(to_conllu(sentence), encoding="utf-8")
    paths = ["--gold", str(tmp_path / "gold.conllu"), "--test", str(tmp_path / "test.conllu")]
    result = CliRunner().invoke(cli, ["parse-eval", *paths])
    assert result.exit_code == 0, result.output
    assert "75.00" in result.output
    assert "punctuation: keep" in result.output
