"""ESK and WSK: the paper's example, brute force, documents, the command."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synteval.errors import MissingLayerError, OptionError
from synteval.metrics import subsequence_kernel as kernel_module
from synteval.metrics.base import Chunk
from synteval.metrics.esk import ESK, WSK
from synteval.metrics.options import configure
from synteval.metrics.subsequence_kernel import AttributeSequences, subsequence_kernel
from synteval.structures import Sentence

Nodes = Sequence[Sequence[str]]


def sentence(text: str) -> Sentence:
    """From `word:SENSE,SENSE` items."""
    items = [item.partition(":") for item in text.split()]
    return Sentence.build(
        [word for word, _, _ in items], senses=[[k for k in keys.split(",") if k] for *_, keys in items]
    )


S1 = sentence("Becoming a cosmonaut:SPACEMAN is my great dream:DREAM")
S2 = sentence("Becoming an astronaut:SPACEMAN is my ambition:DREAM")
OTHER = sentence("x y z")


def brute_force(one: Nodes, other: Nodes, d: int, decay: float) -> float:
    """Every pair of subsequences of both, by enumeration."""
    total = 0.0
    for length in range(1, d + 1):
        for left in itertools.combinations(range(len(one)), length):
            for right in itertools.combinations(range(len(other)), length):
                shared = math.prod(len(set(one[i]) & set(other[j])) for i, j in zip(left, right, strict=True))
                skipped = left[-1] - left[0] + right[-1] - right[0] + 2 - 2 * length
                total += shared * decay**skipped
    return total


def kernel(one: Nodes, other: Nodes, d: int, decay: float) -> float:
    return float(subsequence_kernel(AttributeSequences.of([one, other]), [0], [1], d, decay)[0])


def nodes(made: Sentence) -> list[tuple[Any, ...]]:
    return ESK().nodes(made)


def similarity(metric: WSK, one: Sentence, other: Sentence) -> float:
    return metric.score(metric.stats((one,), [(other,)]), segment=True)


@pytest.mark.parametrize("decay", [0.0, 0.25, 0.5, 0.8, 1.0])
def test_the_polynomials_of_the_paper(decay: float) -> None:
    """Hirao et al. 2005, table 1; d = 3 by the same enumeration."""
    powers = [decay**power if power else 1.0 for power in range(10)]
    words = [[(word,) for word, *_ in nodes(made)] for made in (S1, S2)]
    one, other = nodes(S1), nodes(S2)

    def value(coefficients: dict[int, int]) -> float:
        return sum(count * powers[power] for power, count in coefficients.items())

    assert kernel(one, other, 1, decay) == pytest.approx(5.0, abs=1e-9)
    assert kernel(one, other, 2, decay) == pytest.approx(
        value({0: 7, 1: 1, 2: 2, 3: 1, 4: 1, 5: 1, 6: 1, 9: 1}), abs=1e-9
    )
    assert kernel(one, other, 3, decay) == pytest.approx(
        value({0: 8, 1: 2, 2: 3, 3: 3, 4: 3, 5: 1, 6: 1, 7: 3, 9: 1}), abs=1e-9
    )
    assert kernel(one, other, 4, decay) == pytest.approx(brute_force(one, other, 4, decay), abs=1e-9)
    assert kernel(words[0], words[1], 2, decay) == pytest.approx(value({0: 4, 4: 1, 6: 1}), abs=1e-9)


def test_the_kernels_at_one_half() -> None:
    assert kernel(nodes(S1), nodes(S2), 2, 0.5) == pytest.approx(8.236328125, abs=1e-9)
    assert kernel(nodes(S1), nodes(S1), 2, 0.5) == pytest.approx(20.482421875, abs=1e-9)
    assert kernel(nodes(S2), nodes(S2), 2, 0.5) == pytest.approx(18.1796875, abs=1e-9)


@pytest.mark.parametrize(
    ("d", "esk", "wsk"),
    [
        (1, 0.5892556509887896, 0.4629100498862757),
        (2, 0.42682493189713416, 0.30574666077782137),
        (3, 0.3196246150754288, 0.20592887087175135),
        (4, 0.2405394921201186, 0.1590584585128665),
    ],
)
def test_the_similarities(d: int, esk: float, wsk: float) -> None:
    assert similarity(ESK(d=d), S1, S2) == pytest.approx(esk, abs=1e-9)
    assert similarity(WSK(d=d), S1, S2) == pytest.approx(wsk, abs=1e-9)
    assert similarity(ESK(d=d, senses="none"), S1, S2) == pytest.approx(wsk, abs=1e-9)
    assert similarity(ESK(d=d, beta=3), S1, S2) == pytest.approx(esk, abs=1e-9)


@pytest.mark.parametrize(("beta", "f"), [(1, 0.28454995459808946), (2, 0.35568744324761187), (3, 0.38802266536103114)])
def test_documents(beta: float, f: float) -> None:
    row = ESK(beta=beta).stats((S1, OTHER), [(S2,)])
    assert row.tolist() == pytest.approx([f, 0.21341246594856708, 0.42682493189713416, 1.0], abs=1e-9)


def test_several_references() -> None:
    references = [(S2,), (S1,)]
    assert ESK(beta=2).stats((S1, OTHER), references)[0] == pytest.approx(0.5945103882904726, abs=1e-9)
    best = ESK(beta=2, multi_ref="best").stats((S1, OTHER), references)
    assert best.tolist() == ESK(beta=2).stats((S1, OTHER), [(S1,)]).tolist()


def test_a_corpus_is_the_mean_of_its_segments() -> None:
    metric = ESK()
    chunk = Chunk([(S1,), (S1,), ()], [[(S2,)], [(S1,)], [(S1,)]])
    rows = metric.corpus(chunk)
    assert metric.score(rows.sum(axis=0)) == pytest.approx((0.42682493189713416 + 1 + 0) / 3)


@pytest.mark.parametrize("empty", [(), (Sentence.build([], senses=[]),)])
def test_empty_sentences_are_like_nothing(empty: tuple[Sentence, ...]) -> None:
    for hypothesis, reference in ((empty, (S1,)), ((S1,), empty), (empty, empty)):
        assert ESK().stats(hypothesis, [reference]).tolist() == [0, 0, 0, 1]
        assert WSK(decay=0).stats(hypothesis, [reference])[0] == 0


NODE = st.sets(st.sampled_from("abcXYZ"), max_size=3).map(sorted)
SEQUENCE = st.lists(NODE, max_size=6)


@settings(max_examples=150)
@given(st.lists(SEQUENCE, min_size=2, max_size=6), st.integers(1, 4), st.sampled_from([0.0, 0.3, 0.5, 1.0]))
def test_every_pair_of_a_batch_is_as_by_brute_force(sequences: list[Nodes], d: int, decay: float) -> None:
    pairs = list(itertools.product(range(len(sequences)), repeat=2))
    left, right = zip(*pairs, strict=True)
    found = subsequence_kernel(AttributeSequences.of(sequences), left, right, d, decay)
    wanted = [brute_force(sequences[i], sequences[j], d, decay) for i, j in pairs]
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)


@settings(max_examples=30)
@given(st.lists(SEQUENCE, min_size=2, max_size=5), st.integers(2, 4))
def test_blocks_of_rows_change_nothing(sequences: list[Nodes], d: int) -> None:
    coded = AttributeSequences.of(sequences)
    everything = np.arange(len(sequences))
    whole = subsequence_kernel(coded, everything, everything[::-1], d, 0.5)
    before = kernel_module._BLOCK
    try:
        kernel_module._BLOCK = 1
        np.testing.assert_allclose(subsequence_kernel(coded, everything, everything[::-1], d, 0.5), whole, rtol=1e-12)
    finally:
        kernel_module._BLOCK = before


@settings(max_examples=60)
@given(st.lists(SEQUENCE, min_size=1, max_size=3), st.lists(SEQUENCE, min_size=1, max_size=3), st.integers(1, 3))
def test_bounds_identity_and_symmetry(one: list[Nodes], other: list[Nodes], d: int) -> None:
    def document(sequences: list[Nodes]) -> tuple[Sentence, ...]:
        return tuple(
            Sentence.build(["w"] * len(nodes), senses=[[str(a) for a in node] for node in nodes]) for nodes in sequences
        )

    a, b = document(one), document(other)
    metric = ESK(d=d)
    there, back = metric.stats(a, [b]), metric.stats(b, [a])
    assert 0 <= there[0] <= 1 + 1e-12
    assert there[:3].tolist() == pytest.approx([back[0], back[2], back[1]], abs=1e-12)
    if all(len(made) for made in a):
        assert metric.stats(a, [a])[0] == pytest.approx(1.0)
    # A row does not depend on the other pairs of the chunk.
    rows = metric.statistics(Chunk([a, b, a], [[b], [a, b], [a]]))
    np.testing.assert_allclose(rows[0], there, rtol=1e-12)


def test_units_case_and_stop_words() -> None:
    one = Sentence.build(["The", "dogs", "bark", "."], lemmas=["the", "dog", "bark", "."])
    other = Sentence.build(["the", "dog", "barks", "!"], lemmas=["the", "dog", "bark", "!"])
    assert WSK(case=True).stats((one,), [(other,)])[0] == 0
    assert WSK(d=1).stats((one,), [(other,)])[0] == pytest.approx(1 / 4)
    assert WSK(d=1, units="lemma").stats((one,), [(other,)])[0] == pytest.approx(3 / 4)
    assert WSK(d=1, units="lemma", stopwords="remove").stats((one,), [(other,)])[0] == pytest.approx(1.0)


def test_long_sentences_and_large_kernels() -> None:
    many = Sentence.build(["w"] * 1500)
    assert WSK(d=16, decay=1.0).stats((many,), [(many,)])[0] == pytest.approx(1.0)
    monster = Sentence.build(["x" * 10_000, "\ud800"], senses=[["\udfff"], []])
    assert ESK().stats((monster,), [(monster,)])[0] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"d": "0"}, "esk:d=0"),
        ({"d": "17"}, "1 to 16"),
        ({"decay": "1.5"}, "0 to 1"),
        ({"decay": "nan"}, "decay=nan"),
        ({"beta": "-1"}, "0 or above"),
        ({"beta": "nan"}, "beta=nan"),
        ({"units": "stem"}, "form, lemma"),
        ({"stopwords": "yes"}, "keep, remove"),
        ({"senses": "best"}, "valid: first, all"),
        ({"multi_ref": "max"}, "mean, best"),
    ],
)
def test_impossible_options(options: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        configure(ESK, options)


def test_options_as_written() -> None:
    made = configure(ESK, {"d": "3", "decay": "0.7", "senses": "hypernym=2", "units": "lemma"})
    assert made == ESK(d=3, decay=0.7, senses="hypernym=2", units="lemma")
    assert made.needs == {"senses", "lemmas"} and WSK().needs == frozenset()
    assert "|d=3|decay=0.7|beta=1|" in made.signature() and "senses=hypernym=2" in made.signature()


def test_missing_layers_are_named() -> None:
    with pytest.raises(MissingLayerError, match="word senses"):
        ESK().stats((Sentence.build(["a"]),), [(S1,)])
    with pytest.raises(MissingLayerError, match="lemmas"):
        WSK(units="lemma").stats((S1,), [(S1,)])


def conllu(documents: Sequence[Sequence[Sentence]]) -> str:
    lines = []
    for number, document in enumerate(documents, start=1):
        for made in document:
            lines.append(f"# segment_id = {number}")
            for token, (form, keys) in enumerate(zip(made.forms, made.senses or (), strict=True), start=1):
                misc = "Sense=" + ",".join(keys) if keys else "_"
                lines.append("\t".join([str(token), form, *"____", str(token - 1), "dep", "_", misc]))
            lines.append("")
    return "\n".join(lines) + "\n"


def test_the_command_equals_brute_force(tmp_path: Path, synteval: Callable[..., Any]) -> None:
    generator = np.random.default_rng(5)

    def document() -> list[Sentence]:
        sentences = []
        for _ in range(generator.integers(1, 3)):
            words = [str(word) for word in generator.choice(list("abcd"), generator.integers(1, 6))]
            keys = [sorted({str(k) for k in generator.choice(list("XYZ"), generator.integers(0, 3))}) for _ in words]
            sentences.append(Sentence.build(words, senses=keys))
        return sentences

    hypotheses, references = [document() for _ in range(12)], [document() for _ in range(12)]
    (tmp_path / "hyp.conllu").write_text(conllu(hypotheses), encoding="utf-8")
    (tmp_path / "ref.conllu").write_text(conllu(references), encoding="utf-8")
    done = synteval(
        "score", "hyp.conllu", "-r", "ref.conllu", "--input", "conllu",
        "-m", "esk:d=2,decay=0.5", "--level", "segment", "--format", "json",
    )  # fmt: skip
    (system,) = json.loads(done.stdout)["systems"]

    def sim(one: Sentence, other: Sentence) -> float:
        a, b = nodes(one), nodes(other)
        return brute_force(a, b, 2, 0.5) / math.sqrt(brute_force(a, a, 2, 0.5) * brute_force(b, b, 2, 0.5))

    wanted = []
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        table = np.array([[sim(c, r) for r in reference] for c in hypothesis])
        p, r = table.max(axis=1).mean(), table.max(axis=0).mean()
        wanted.append(2 * p * r / (p + r) if p + r else 0.0)
    assert system["segment_scores"]["esk:d=2,decay=0.5"] == pytest.approx(wanted, abs=1e-9)


def test_senses_from_plain_text(tmp_path: Path, synteval: Callable[..., Any]) -> None:
    """The whole way: the embedded parser, the shipped inventory, the command."""
    (tmp_path / "hyp.txt").write_text("Becoming a cosmonaut is my great dream.\n", encoding="utf-8")
    (tmp_path / "ref.txt").write_text("Becoming an astronaut is my ambition.\n", encoding="utf-8")
    done = synteval("score", "hyp.txt", "-r", "ref.txt", "-m", "wsk", "esk", "esk:senses=all", "--format", "json")
    answer = json.loads(done.stdout)
    scores = answer["systems"][0]["scores"]
    # By first senses the spacemen match; the dream matches the ambition by its third.
    assert scores["wsk"] < scores["esk"]
    shown = synteval("explain", "hyp.txt", "-r", "ref.txt", "-m", "esk:senses=all").stdout
    assert "wn30-09818022-n" in shown and "wn30-07484547-n" in shown
    assert "inventory=first@wordnet-" in answer["signatures"]["esk"]
