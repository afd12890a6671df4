"""The page and what is packed into it, without a browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flat_parser import Flat
from generated import sentences
from hypothesis import given, settings
from hypothesis import strategies as st
from packed import unpacked

from synteval import evaluate
from synteval.errors import InputError
from synteval.report.compact import ALPHABET, CompactTexts
from synteval.report.page import render
from synteval.results.run import Run
from synteval.structures import NONTERMINAL, Segment


def small(**systems: list[str]) -> Run:
    return evaluate(systems, ["a cat sat", "dogs bark"], ["stm", "hwcm"], Flat(), cache=False)


def test_the_policy_names_the_only_script_and_style() -> None:
    page = render(small(a=["a cat sat", "dogs bark"]))
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    script = page.split('<script type="module">')[1].split("</script>")[0]
    style = page.split("<style>")[1].split("</style>")[0]
    for kind, text in (("script-src", script), ("style-src", style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", page) and "innerHTML" not in page


def test_the_record_holds_the_run() -> None:
    run = small(a=["a cat sat", "dogs bark"], b=["a cat", "dogs"])
    data = unpacked(render(run, title="Ours"))
    assert data["title"] == "Ours" and data["parser"] == "flat@1"
    assert [system["name"] for system in data["systems"]] == ["a", "b"]
    assert data["systems"][1]["scores"][0] == run.scores["b"]["stm"]
    for metric, column in zip(run.metrics, data["scores"], strict=True):
        for system, values in zip(run.systems, column["values"], strict=True):
            exact = run.segment_scores[system.name][metric]
            assert [value * column["unit"] for value in values] == pytest.approx(exact.tolist(), abs=1e-4)
    # A reference that a system repeats is packed once.
    assert data["texts"] == ["a cat sat", "a cat", "dogs bark", "dogs"]
    assert data["segments"] == [["1", [0], [0, 1]], ["2", [2], [2, 3]]]


def test_systems_with_different_segments_are_not_tested() -> None:
    run = small(a=["a cat sat", "dogs bark"], b=["a cat", "dogs"])
    from dataclasses import replace

    other = replace(run.systems[1], segment_ids=("1", "3"))
    inputs = (run.inputs[0], replace(run.inputs[1], segment_ids=("1", "3")))
    data = unpacked(render(replace(run, systems=(run.systems[0], other), inputs=inputs)))
    assert data["test"] is None and data["systems"][1]["p"] == [None, None]
    assert [segment[0] for segment in data["segments"]] == ["1", "2", "3"]
    assert data["segments"][2][2] == [-1, 3] and data["scores"][0]["values"][0][2] is None


def test_a_lexical_run_parses_nothing() -> None:
    class Refusing(Flat):
        def parse(self, texts: Any) -> Any:
            raise AssertionError("nothing is to be parsed")

    run = evaluate({"a": ["x y"]}, ["x y"], ["bleu"], Refusing(), cache=False)
    assert unpacked(render(run))["texts"] == [["x y", []]]


def test_three_thousand_segments_of_five_systems_fit_into_two_megabytes() -> None:
    """Texts of 22 words drawn from a vocabulary as frequent as a language's; systems change a word in five."""
    rng = np.random.default_rng(7)
    vocabulary = ["".join(rng.choice(list("etaoinshrdlu"), rng.integers(2, 10))) for _ in range(8000)]
    weights = 1 / np.arange(1, 8001)
    drawn = rng.choice(8000, (6, 3000, 22), p=weights / weights.sum())
    kept = rng.random((6, 3000, 22)) < 0.8
    words = np.where(kept, drawn[0], drawn)
    reference, *outputs = ([" ".join(vocabulary[word] for word in row) for row in one] for one in words.tolist())
    systems = {f"system {number}": texts for number, texts in enumerate(outputs)}
    run = evaluate(systems, reference, ["stm", "hwcm", "depf", "bleu"], Flat(), cache=False)
    # How long it takes is measured by scripts/benchmarks/report.py: a busy machine would fail it here.
    assert len(render(run).encode()) < 2_000_000


def test_a_run_without_texts_is_refused(tmp_path: Path) -> None:
    run = Run.from_json(small(a=["a cat sat", "dogs bark"]).to_json("full"))
    with pytest.raises(InputError, match="without its texts"):
        run.report(tmp_path / "x.html")


@settings(max_examples=150)
@given(segment=st.lists(sentences(), max_size=3).map(tuple))
def test_what_is_packed_can_be_read_back(segment: Segment) -> None:
    compact = CompactTexts()
    text = " ".join(sentence.text for sentence in segment)
    compact.add(text, segment)
    data = json.loads(json.dumps(compact.as_dict(), ensure_ascii=False))
    codes = {character: number for number, character in enumerate(ALPHABET)}

    def code(character: str) -> int:
        return codes.get(character, ord(character) - 0x100)

    packed = data["texts"][0]
    if isinstance(packed, str):
        assert packed.replace("\x7f", "").replace("\n", " ") == text
        forms = [re.split("[ \x7f]", line) for line in packed.split("\n") if line]
    else:
        assert packed[0] == text
        forms = packed[1]
    assert forms == [sentence.forms.list() for sentence in segment]
    if all(sentence.heads is not None for sentence in segment):
        steps = [code(character) for character in data["heads"][0]]
        offsets = [0 if step == 0 else (step + 1) // 2 if step % 2 else -step // 2 for step in steps]
        expected = [
            head - token if head >= 0 else 0
            for sentence in segment
            for token, head in enumerate(sentence.heads.tolist())  # type: ignore[union-attr]
        ]
        assert offsets == expected
        names = [data["relationNames"][code(character)] for character in data["relations"][0]]
        assert names == [name for sentence in segment for name in sentence.relations or ()]
    lines = data["trees"][0].split("\n")
    for sentence, line in zip(segment, [*lines, *[""] * len(segment)], strict=False):
        tree = None if sentence.tree is None else sentence.tree.normalised()
        nodes: list[tuple[str, int]] = []
        path: list[int] = []
        words = iter(sentence.forms.list())
        for character in line:
            if character == ")":
                path.pop()
                continue
            parent = path[-1] if path else -1
            if character == " ":
                nodes.append((next(words), parent))
                continue
            name = data["labels"][code(character)]
            nodes.append((name[1:], parent))
            if name[0] == "/":
                nodes.append((next(words), len(nodes) - 1))
            else:
                path.append(len(nodes) - 1)
        if tree is None:
            assert not nodes
        elif not (len(tree) == 1 and tree.tokens[0] != NONTERMINAL):
            assert nodes == list(zip(tree.labels.list(), tree.parents.tolist(), strict=True))
