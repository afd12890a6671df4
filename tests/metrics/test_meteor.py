"""METEOR: the paper's example, the alignment against brute force, NLTK where it agrees and where it does not."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Collection, Hashable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.meteor_score import single_meteor_score

from synteval.errors import OptionError
from synteval.metrics.base import Chunk
from synteval.metrics.lexical import alignment
from synteval.metrics.lexical.alignment import Stage, align, chunks, crossings
from synteval.metrics.lexical.meteor import METEOR
from synteval.senses import load_inventory

EXAMPLE = ("the president spoke to the audience", "the president then spoke to the audience")
STAGES = ("the auto was stopping", "the car was stopped")


def score(hypothesis: str, *references: str, **options: Any) -> float:
    metric = METEOR(**options)
    return metric.score(metric.stats(hypothesis, list(references)), segment=True)


def same(word: str) -> tuple[str, ...]:
    return (word,)


def same_letter(word: str) -> tuple[str, ...]:
    return (word.lower(),)


def test_the_papers_example() -> None:
    assert METEOR().stats(EXAMPLE[0], [EXAMPLE[1]]).tolist() == [6, 2, 6, 7]
    assert score(*EXAMPLE) == pytest.approx(0.8534621578099839, abs=1e-9)


def test_identity_never_reaches_1() -> None:
    assert score("a b c d e f", "a b c d e f") == pytest.approx(0.9976851851851852, abs=1e-9)
    assert score("c b a", "a b c", stages="exact") == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize(
    ("stages", "wanted"),
    [("exact", 0.25), ("exact+stem", 0.6388888888888888), ("exact+stem+synonym", 0.9921875)],
)
def test_stages(stages: str, wanted: float) -> None:
    assert score(*STAGES, stages=stages) == pytest.approx(wanted, abs=1e-9)


def test_a_corpus_sums_counts_and_takes_the_best_reference() -> None:
    metric = METEOR(stages="exact")
    chunk = Chunk((), (), [EXAMPLE[0], STAGES[0]], [["nothing here", EXAMPLE[1]], [STAGES[1]]])
    rows = metric.statistics(chunk)
    assert rows.tolist() == [[6, 2, 6, 7], [2, 2, 4, 4]]
    assert metric.score(rows.sum(axis=0)) == pytest.approx(0.6880733944954128, abs=1e-9)


@pytest.mark.parametrize(
    ("hypothesis", "reference"), [("", "a"), ("a", ""), ("", ""), ("a", "zq"), ("\ud800", "x" * 10_000)]
)
def test_nothing_mapped_scores_0(hypothesis: str, reference: str) -> None:
    assert score(hypothesis, reference) == 0.0


def test_stop_words_may_wait_for_later_stages() -> None:
    assert METEOR(stages="exact", stopwords="remove").stats("the car", ["the car"]).tolist() == [1, 1, 2, 2]


@pytest.mark.parametrize("stages", ["", "exact+exact", "porter", "exact,stem"])
def test_impossible_stages(stages: str) -> None:
    with pytest.raises(OptionError, match="exact, stem, synonym"):
        METEOR(stages=stages)


def brute_force(hypothesis: str, reference: str, stages: tuple[Stage, ...]) -> dict[int, int]:
    """Every mapping of every stage: the largest, then fewest crossings, then fewest chunks, then leftmost."""
    mapped: dict[int, int] = {}
    for stage in stages:
        free = [h for h in range(len(hypothesis)) if h not in mapped]
        left = [r for r in range(len(reference)) if r not in mapped.values()]
        places = [[None, *(r for r in left if set(stage(reference[r])) & set(stage(hypothesis[h])))] for h in free]
        best: tuple[Any, dict[int, int]] | None = None
        for choice in itertools.product(*places):
            taken = [r for r in choice if r is not None]
            if len(set(taken)) == len(taken):
                found = mapped | {h: r for h, r in zip(free, choice, strict=True) if r is not None}
                leftmost = [found.get(h, len(reference)) for h in range(len(hypothesis))]
                key = (-len(found), crossings(found), chunks(found), leftmost)
                if best is None or key < best[0]:
                    best = (key, found)
        assert best is not None
        mapped = best[1]
    return dict(sorted(mapped.items()))


@settings(max_examples=150)
@given(
    st.text("abAB", max_size=5),
    st.text("abAB", max_size=6),
    st.dictionaries(st.sampled_from("abAB"), st.sets(st.integers(0, 3), max_size=2)),
)
def test_the_alignment_is_the_best_of_all(hypothesis: str, reference: str, synonyms: dict[str, set[int]]) -> None:
    def synonym(word: str) -> Collection[Hashable]:
        return synonyms.get(word, ())

    stages = (same, same_letter, synonym)
    assert align(hypothesis, reference, stages) == brute_force(hypothesis, reference, stages)


def test_crossings_count_words_of_earlier_stages() -> None:
    # "B" may go before or after the fixed "x"; only after it nothing crosses.
    assert align("xB", "bxb", (same, same_letter)) == {0: 1, 1: 2}


def test_repeated_words_take_bounded_time() -> None:
    start = time.process_time()
    assert len(align(["the"] * 40, ["the"] * 80, (same,))) == 40
    assert len(align(["the", "of"] * 40, ["of", "the", "the"] * 30, (same,))) == 70
    assert len(align(["the"] * 3000, ["the"] * 2000, (same,))) == 2000
    assert time.process_time() - start < 20


def test_a_narrow_search_maps_as_many_words(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = align("abcabdabc", "bacbadcabbca", (same,))
    monkeypatch.setattr(alignment, "WIDTHS", (1,))
    narrow = align("abcabdabc", "bacbadcabbca", (same,))
    assert len(narrow) == len(wide) and crossings(narrow) >= crossings(wide)


def test_a_hard_pair_is_searched_more_widely() -> None:
    # 500 partial mappings find 18 crossings.
    found = align("cfjgcgdjijahedgbbcjidcgdgghcchjfae", "eigjbaiifefbbcifhedbagddicfbaabafegeba", (same,))
    assert (len(found), crossings(found)) == (20, 16)


WORDS = st.lists(
    st.sampled_from(["car", "auto", "stopped", "stops", "house", "runs", "green", "quickly"]), unique=True, max_size=6
)


@settings(max_examples=60)
@given(WORDS, WORDS)
def test_nltk_agrees_where_nothing_is_ambiguous(hypothesis: list[str], reference: list[str]) -> None:
    reader = load_inventory()._reader
    places = [sum(bool(_keys(h) & _keys(r)) for r in reference) for h in hypothesis]
    back = [sum(bool(_keys(h) & _keys(r)) for h in hypothesis) for r in reference]
    if max(places + back, default=0) > 1 or not hypothesis or not reference:
        return
    wanted = single_meteor_score(reference, hypothesis, wordnet=reader)
    assert score(" ".join(hypothesis), " ".join(reference)) == pytest.approx(wanted, abs=1e-9)


def _keys(word: str) -> set[Any]:
    from synteval.metrics.lexical.stemmer import stem

    # NLTK calls two words synonyms if one is a lemma, spelt without underscore, of a synset of the other.
    return {stem(word), *load_inventory().synsets(word)}


def test_nltk_maps_greedily() -> None:
    """From the end: "a b a" to "a b" by the last a, which crosses the b and makes two chunks."""
    reader = load_inventory()._reader
    greedy = single_meteor_score(["zq", "zw"], ["zq", "zw", "zq"], wordnet=reader)
    assert align("aba", "ab", (same,)) == {0: 0, 1: 1}
    ours = score("zq zw zq", "zq zw")
    fmean = 10 * 2 / (3 + 9 * 2)
    assert ours == pytest.approx(fmean * (1 - 0.5 / 8))
    assert greedy == pytest.approx(fmean * (1 - 0.5))


def test_the_command(tmp_path: Path, synteval: Callable[..., Any]) -> None:
    (tmp_path / "hyp.txt").write_text(f"{EXAMPLE[0]}\n", encoding="utf-8")
    (tmp_path / "ref.txt").write_text(f"{EXAMPLE[1]}\n", encoding="utf-8")
    done = synteval("score", "hyp.txt", "-r", "ref.txt", "-m", "meteor", "--format", "json")
    answer = json.loads(done.stdout)
    assert answer["systems"][0]["scores"]["meteor"] == pytest.approx(0.8534621578099839, abs=1e-9)
    assert "inventory=wordnet-" in answer["signatures"]["meteor"]
