"""The papers' worked examples through the command line: bracket and CoNLL-U files, many metrics a run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import worked_examples as examples
from command import Command

FIGURE_2 = {
    "stm:depth=1": 0.8571428571428571,
    "stm:depth=2": 0.8035714285714286,
    "stm:depth=3": 0.7023809523809524,
    "stm": 0.5267857142857143,
    "tkm": 0.6390096504226938,
    "tkm:decay=0.4": 0.7621839681093088,
    "tkm:count_single_nodes=true": 0.746003846592251,
}
FIGURE_2_AND_FOUR_NODES = {
    "stm:depth=3": 0.8030303030303031,
    "stm:depth=3,aggregate=mean": 0.8511904761904763,
    "tkm": 0.8195048252113468,
    "tkm:aggregate=pooled": 0.7161148740394329,
}
DOG = {"stm": 1.0, "stm:lexicalised=true": 0.5208333333333334, "tkm": 1.0, "tkm:lexicalised=true": 0.39622641509433965}
DOG_2 = {"stm:depth=3": 0.43333333333333335, "tkm": 0.2581988897471611}
# Segment scores, where HWCM has its epsilon, and corpus scores, where it has none.
PEN_SEGMENT = {
    "hwcm:length=1": 0.8,
    "hwcm:length=2": 0.775,
    "hwcm:length=3": 0.6833333333333332,
    "hwcm:empty=skip": 0.6833333333333332,
    "hwcm:empty=zero": 0.5127499999999999,
    "dstm:depth=2": 0.65,
    "dstm:depth=3": 0.43333333333333335,
    "dtkm": 0.3333333333333333,
    "dtkm:count_single_nodes=true": 0.625,
}
PEN_CORPUS = PEN_SEGMENT | {"hwcm:empty=zero": 0.5125, "hwcm:mode=f1,empty=zero": 0.5125}
ONE_WORD = {"hwcm:length=3": 0.3339999999999999, "hwcm:length=3,empty=skip": 1.0, "hwcm:epsilon=0": 0.3333333333333333}
DEPENDENCIES = {
    "depf": 0.5714285714285715,
    "depf:labelled=false": 0.8571428571428571,
}


def write_conllu(path: Path, *sentences: str) -> None:
    lines = []
    for number, sentence in enumerate(sentences, start=1):
        lines.append(f"# segment_id = {number}")
        for place, token in enumerate(sentence.split(), start=1):
            word, head, *relation = token.split("/")
            name = relation[0] if relation else "root" if head == "0" else "dep"
            lines.append("\t".join([str(place), word, "_", "_", "_", "_", head, name, "_", "_"]))
        lines.append("")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def run(synteval: Command, suffix: str, references: int, metrics: dict[str, float]) -> dict[str, dict]:
    names = [f"-r=ref{number}.{suffix}" for number in range(references)]
    names = [part for name in names for part in name.split("=")]
    call = ("score", f"hyp.{suffix}", *names, "-m", *metrics, "--level", "both", "--format", "json")
    return json.loads(synteval(*call).stdout)["systems"][0]


@pytest.mark.parametrize(
    ("hypotheses", "references", "expected"),
    [
        ([examples.FIGURE2_HYPOTHESIS], [[examples.FIGURE2_REFERENCE]], FIGURE_2),
        ([examples.FIGURE2_REFERENCE], [[examples.FIGURE2_HYPOTHESIS]], {"stm:depth=3": 0.6666666666666666}),
        (
            [examples.FIGURE2_HYPOTHESIS],
            [[examples.FIGURE2_REFERENCE], [examples.TWO_PRONOUNS]],
            {"stm:depth=3": 0.75},
        ),
        (
            [examples.FIGURE2_HYPOTHESIS, examples.FOUR_NODES],
            [[examples.FIGURE2_REFERENCE, examples.FOUR_NODES]],
            FIGURE_2_AND_FOUR_NODES,
        ),
        ([examples.DOG_HYPOTHESIS_1], [[examples.DOG_REFERENCE]], DOG),
        ([examples.DOG_HYPOTHESIS_2], [[examples.DOG_REFERENCE]], DOG_2),
    ],
    ids=["figure 2", "swapped", "two references", "corpus", "dog 1", "dog 2"],
)
def test_brackets(synteval: Command, tmp_path: Path, hypotheses, references, expected) -> None:
    (tmp_path / "hyp.ptb").write_text("\n".join(hypotheses) + "\n")
    for number, lines in enumerate(references):
        (tmp_path / f"ref{number}.ptb").write_text("\n".join(lines) + "\n")
    assert run(synteval, "ptb", len(references), expected)["scores"] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("hypotheses", "references", "segment", "corpus"),
    [
        ([examples.RED_PEN], [[examples.BLUE_PEN]], PEN_SEGMENT, PEN_CORPUS),
        ([examples.ONE_WORD], [[examples.RED_PEN]], ONE_WORD, {}),
        (
            [examples.PLANE_HYPOTHESIS],
            [[ref] for ref in examples.PLANE_REFERENCES],
            {},
            {"hwcm:length=2": 0.5111111111111111},
        ),
        ([examples.EAT_HYPOTHESIS], [[examples.EAT_REFERENCE]], DEPENDENCIES, DEPENDENCIES),
        (
            [examples.EAT_HYPOTHESIS, examples.SEE_HYPOTHESIS],
            [[examples.EAT_REFERENCE, examples.SEE_REFERENCE]],
            {},
            {"depf": 0.5, "depf:aggregate=mean": 0.48571428571428577},
        ),
    ],
    ids=["pen", "one word", "plane", "dependencies", "corpus of dependencies"],
)
def test_dependencies(synteval: Command, tmp_path: Path, hypotheses, references, segment, corpus) -> None:
    write_conllu(tmp_path / "hyp.conllu", *hypotheses)
    for number, sentences in enumerate(references):
        write_conllu(tmp_path / f"ref{number}.conllu", *sentences)
    found = run(synteval, "conllu", len(references), segment | corpus)
    first = {name: scores[0] for name, scores in found["segment_scores"].items()}
    assert {name: first[name] for name in segment} == pytest.approx(segment, abs=1e-9)
    assert {name: found["scores"][name] for name in corpus} == pytest.approx(corpus, abs=1e-9)


def test_an_empty_hypothesis_scores_zero(synteval: Command, tmp_path: Path) -> None:
    (tmp_path / "hyp.ptb").write_text(f"\n{examples.DOG_REFERENCE}\n")
    (tmp_path / "ref0.ptb").write_text(f"{examples.DOG_REFERENCE}\n{examples.DOG_REFERENCE}\n")
    found = run(synteval, "ptb", 1, {"stm": 0, "tkm": 0})
    assert found["segment_scores"] == {"stm": [0.0, 1.0], "tkm": [0.0, 1.0]}
    assert found["scores"] == {"stm": 1.0, "tkm": 0.5}


def test_figure_1_with_a_real_parser(synteval: Command, tmp_path: Path) -> None:
    """Liu & Gildea's Figure 1: n-grams prefer "A dog I had.", syntax prefers "I have the dog."."""
    for name, text in (("one", "I have the dog."), ("two", "A dog I had."), ("ref", "I had a dog.")):
        (tmp_path / f"{name}.txt").write_text(text + "\n")
    call = ("score", "one.txt", "two.txt", "-r", "ref.txt", "-m", "stm", "tkm", "bleu:case=false", "--format", "json")
    one, two = (system["scores"] for system in json.loads(synteval(*call).stdout)["systems"])
    assert one["stm"] > two["stm"]
    assert one["tkm"] > two["tkm"]
    assert one["bleu:case=false"] < two["bleu:case=false"]
