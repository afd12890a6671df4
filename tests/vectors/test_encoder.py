"""The encoder: vectors that mean something, the same in every batch, checked files, and nothing loaded unasked."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from synteval import evaluate
from synteval.errors import MissingLayerError, OptionError, ParserError
from synteval.metrics.similarity import WordVectors, similarities
from synteval.metrics.soft import Soft
from synteval.metrics.views import Parses
from synteval.parsing.cache import Memory
from synteval.parsing.record import decode, encode
from synteval.resources import resource
from synteval.structures import Sentence
from synteval.vectors.encoder import WordEncoder

TEXTS = [
    "He bought a car yesterday .",
    "Yesterday he purchased an automobile .",
    "The",
    "",
    "It rained all day long , and nobody came to the party that we had planned for so many weeks .",
    "Donaudampfschifffahrtsgesellschaft 日本語 😀 www.example.org/" + "x" * 200,
]


@pytest.fixture(scope="module")
def encoder() -> WordEncoder:
    return WordEncoder()


def words(texts: list[str]) -> list[list[str]]:
    return [text.split() for text in texts]


def test_words_that_mean_the_same_are_nearest(encoder: WordEncoder) -> None:
    one, other = encoder.vectors(words(TEXTS[:2]))
    alike = similarities(WordVectors(one), WordVectors(other))
    left, right = words(TEXTS[:2])
    nearest = {left[i]: right[j] for i, j in enumerate(alike.argmax(axis=1))}
    assert nearest["bought"] == "purchased" and nearest["car"] == "automobile" and nearest["a"] == "an"


def test_a_vector_is_96_bytes_a_word(encoder: WordEncoder) -> None:
    for row, vectors in zip(words(TEXTS), encoder.vectors(words(TEXTS)), strict=True):
        assert vectors.shape == (len(row), 96) and vectors.dtype == np.int8
        assert (np.abs(vectors.astype(int)).max(axis=1, initial=127) == 127).all()


def test_vectors_do_not_depend_on_the_batch(encoder: WordEncoder) -> None:
    many = words([*TEXTS, *(" ".join(f"word{i} of many" for i in range(n)) for n in range(1, 60, 3))])
    together = encoder.vectors(many)
    for row, vectors in zip(many, together, strict=True):
        assert np.array_equal(encoder.vectors([row])[0], vectors)
    backwards = encoder.vectors(many[::-1])[::-1]
    assert all(map(np.array_equal, together, backwards))
    assert all(map(np.array_equal, together, WordEncoder(threads=2).vectors(many)))


def test_a_segment_of_any_length(encoder: WordEncoder) -> None:
    long = ("the council of the city decided to build a bridge , and later it did not " * 150).split()
    (vectors,) = encoder.vectors([long])
    assert len(vectors) == len(long) and (np.abs(vectors).max(axis=1) > 0).all()


def test_a_record_keeps_vectors_and_costs_nothing_without() -> None:
    bare = (Sentence.build(["a", "dog"]), Sentence.build([]))
    (full,) = WordEncoder().add([bare])
    again = decode(encode(full))
    assert again[0] == full[0] and again[0].vectors is not None
    assert again[1].vectors is not None and not again[1].vectors.size
    assert decode(encode(bare)) == bare and len(encode(full)) < len(encode(bare)) + 2 * 96 + 40


def test_the_first_run_equals_the_second() -> None:
    store = Memory()
    texts = TEXTS[:2] + TEXTS[4:5]
    runs = [evaluate({"a": texts}, texts[::-1], ["soft"], cache=store) for _ in range(2)]
    assert runs[0].segment_scores["a"]["soft"].tolist() == runs[1].segment_scores["a"]["soft"].tolist()
    assert "vectors=minilm@" in runs[0].signatures["soft"]


def test_a_run_without_soft_metrics_loads_no_encoder() -> None:
    code = (
        "import sys; from synteval import evaluate\n"
        "evaluate({'a': ['A dog barks .']}, ['The dog barked .'], ['stm', 'hwcm', 'bleu'], cache=False)\n"
        "assert 'synteval.vectors.encoder' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_other_languages_are_refused() -> None:
    with pytest.raises(OptionError, match="made for English"):
        WordEncoder().check_language("fr")


def test_missing_vectors_are_named() -> None:
    with pytest.raises(MissingLayerError, match="token vectors"):
        Soft().stats((Sentence.build(["a"]),), [(Sentence.build(["a"]),)])


@pytest.mark.parametrize("damage", ["graph", "manifest", "vocabulary"])
def test_damaged_files_are_refused(tmp_path: Path, damage: str) -> None:
    shutil.copytree(resource("models", "encoder"), tmp_path, dirs_exist_ok=True)
    if damage == "graph":
        (tmp_path / "encoder.onnx").write_bytes(b"no graph")
    elif damage == "manifest":
        (tmp_path / "manifest.json").write_text("{")
    else:
        manifest = json.loads((tmp_path / "manifest.json").read_text())
        manifest["sha256"]["vocabulary.txt"] = "0" * 64
        (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ParserError, match="reinstall"):
        WordEncoder(tmp_path).vectors([["a"]])


def test_given_parses_get_vectors_too() -> None:
    given = (Sentence.build(["A", "dog"]),)
    (segment,) = Parses(cache=False).segments([given], Parses().view(Soft()))
    assert segment[0].vectors is not None and len(segment[0].vectors) == 2
