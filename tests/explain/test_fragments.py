"""The fragments of an explanation add up exactly to the statistics behind the score, for every family of metrics."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synteval.explain import Explanation, explain
from synteval.metrics.base import Chunk, Metric
from synteval.metrics.depf import DependencyF
from synteval.metrics.dstm import DSTM
from synteval.metrics.dtkm import DTKM
from synteval.metrics.esk import ESK, WSK
from synteval.metrics.hwcm import HWCM
from synteval.metrics.lexical.bleu import BLEU
from synteval.metrics.stm import STM
from synteval.metrics.subsequence_kernel import AttributeSequences, subsequence_kernel
from synteval.metrics.tkm import TKM
from synteval.structures import NONTERMINAL, Segment, Sentence, Tree

# Few labels and words, so that much matches and much occurs twice.
CATEGORIES = st.sampled_from(["S", "NP", "VP", "N-1", "."])
WORDS = st.sampled_from(["a", "b", "A", "c"])


@st.composite
def parsed(draw: st.DrawFn) -> Sentence:
    """A sentence with every layer: a random dependency tree and a random constituency tree over its words."""
    forms = draw(st.lists(WORDS, min_size=1, max_size=7))
    count = len(forms)
    order = draw(st.permutations(range(count)))
    heads = [-1] * count
    for rank, token in enumerate(order[1:], start=1):
        heads[token] = order[draw(st.integers(0, rank - 1))]
    labels, parents, tokens, path = ["S"], [-1], [NONTERMINAL], [0]
    for token, form in enumerate(forms):
        path = path[: draw(st.integers(1, len(path)))]
        for _ in range(draw(st.integers(1, 3))):
            labels.append(draw(CATEGORIES))
            parents.append(path[-1])
            tokens.append(NONTERMINAL)
            path = [*path, len(labels) - 1]
        labels.append(form)
        parents.append(path[-1])
        tokens.append(token)
        path = path[:-1]
    return Sentence.build(
        forms,
        heads=heads,
        relations=draw(st.lists(st.sampled_from(["nsubj", "obj", "punct"]), min_size=count, max_size=count)),
        scheme="ud",
        tree=Tree.build(labels, parents, tokens),
        senses=[draw(st.lists(st.sampled_from(["s1", "s2"]), max_size=2)) for _ in range(count)],
    )


SEGMENTS = st.lists(parsed(), max_size=2).map(tuple)
PAIRS = st.builds(lambda hyp, refs: Chunk([hyp], [refs]), SEGMENTS, st.lists(SEGMENTS, min_size=1, max_size=3))
MODES = st.sampled_from(["precision", "recall", "f1"])
CHECKED = settings(max_examples=80)


def by_order(explanation: Explanation, name: str, orders: int) -> list[int]:
    counts: Counter[int] = Counter()
    for fragment in getattr(explanation, name):
        assert fragment.count > 0 and fragment.weight == fragment.count
        counts[fragment.order] += fragment.count
    return [counts[n] for n in range(1, orders + 1)]


def added(explanation: Explanation, name: str = "matched") -> float:
    return sum(fragment.share or 0.0 for fragment in getattr(explanation, name))


@CHECKED
@given(
    pair=PAIRS,
    metric=st.one_of(
        st.builds(STM, depth=st.integers(1, 5), mode=MODES, lexicalised=st.booleans(), drop_punct=st.booleans()),
        st.builds(STM, include_pos=st.booleans(), empty=st.sampled_from(["ref", "zero", "skip"])),
        st.builds(DSTM, depth=st.integers(1, 4), mode=MODES, ordered=st.booleans()),
        st.builds(HWCM, length=st.integers(1, 4), mode=MODES, epsilon=st.sampled_from([0.0, 1e-3])),
    ),
)
def test_counted_fragments_are_the_counts(pair: Chunk, metric: STM | DSTM | HWCM) -> None:
    found = explain(metric, pair)
    counts = metric.counts(metric.statistics(pair)[0])
    orders = metric.orders
    matched, unlicensed, missing = (by_order(found, name, orders) for name in ("matched", "unlicensed", "missing"))
    if metric.mode == "recall":
        assert matched == counts["matched"]
    else:
        assert matched == counts["clipped"]
    assert [m + u for m, u in zip(matched, unlicensed, strict=True)] == counts["total"]
    recall = replace(metric, mode="recall", aggregate="counts")
    against = recall.counts(recall.statistics(pair)[0])
    assert [m + n for m, n in zip(against["matched"], missing, strict=True)] == against["reference"]
    score = replace(metric, epsilon=0.0).score(metric.statistics(pair)[0], segment=True)
    assert added(found) == pytest.approx(score, abs=1e-12)
    assert found.score == metric.score(metric.statistics(pair)[0], segment=True)
    if metric.mode == "precision" and pair.hypotheses[0] and found.score:
        lost = added(found, "unlicensed")
        empty = sum(
            total == 0 and (metric.empty == "zero" or fewest > 0) and metric.empty != "skip"
            for total, fewest in zip(counts["total"], counts["fewest"], strict=True)
        )
        kept = sum(total > 0 for total in counts["total"]) + empty
        assert score + lost + empty / kept == pytest.approx(1)


@CHECKED
@given(
    pair=PAIRS,
    metric=st.one_of(
        st.builds(TKM, decay=st.sampled_from([1.0, 0.4]), count_single_nodes=st.booleans(), lexicalised=st.booleans()),
        st.builds(DTKM, decay=st.sampled_from([1.0, 0.5]), ordered=st.booleans()),
    ),
)
def test_kernel_fragments_are_the_kernel(pair: Chunk, metric: TKM | DTKM) -> None:
    found = explain(metric, pair)
    kernel = metric.counts(metric.statistics(pair)[0])["kernel"]
    assert sum(fragment.weight for fragment in found.matched) == pytest.approx(kernel, rel=1e-12)
    if kernel:
        assert added(found) == pytest.approx(found.score, abs=1e-12)


@CHECKED
@given(pair=PAIRS, metric=st.builds(DependencyF, labelled=st.booleans()))
def test_triples_are_the_counts(pair: Chunk, metric: DependencyF) -> None:
    found = explain(metric, pair)
    matched, system, reference, f, _ = metric.statistics(pair)[0].tolist()
    assert sum(fragment.count for fragment in found.matched) == matched
    assert sum(fragment.count for fragment in (*found.matched, *found.unlicensed)) == system
    assert sum(fragment.count for fragment in (*found.matched, *found.missing)) == reference
    if system + reference:
        assert added(found) == pytest.approx(f)
        assert added(found) + added(found, "unlicensed") + added(found, "missing") == pytest.approx(1)


@CHECKED
@given(one=parsed(), other=parsed(), d=st.integers(1, 5), decay=st.sampled_from([0.0, 0.5, 1.0]), kind=st.booleans())
def test_subsequences_are_the_kernel(one: Sentence, other: Sentence, d: int, decay: float, kind: bool) -> None:
    metric: WSK = ESK(d=d, decay=decay, senses="given") if kind else WSK(d=d, decay=decay)
    found = explain(metric, Chunk([(one,)], [[(other,)]]))
    sequences = AttributeSequences.of([metric.nodes(one), metric.nodes(other)])
    kernel = float(subsequence_kernel(sequences, [0], [1], d, decay)[0])
    assert sum(fragment.weight for fragment in found.matched) == pytest.approx(kernel)
    assert added(found) == pytest.approx(found.score)


@CHECKED
@given(pair=PAIRS, metric=st.sampled_from([WSK(), ESK(senses="given"), WSK(multi_ref="best")]))
def test_subsequences_of_several_sentences_share_the_score(pair: Chunk, metric: WSK) -> None:
    found = explain(metric, pair)
    if metric.multi_ref == "best" or len(pair.references[0]) == 1:
        assert added(found) == pytest.approx(found.score)
    else:
        assert added(found) <= found.score + 1e-12 and found.note


@CHECKED
@given(pair=PAIRS, metric=st.sampled_from([STM(), STM(lexicalised=True), DSTM(), HWCM(), TKM(), DependencyF(), WSK()]))
def test_drawings_are_trees_with_marks(pair: Chunk, metric: Metric) -> None:
    found = explain(metric, pair)
    for drawing in (found.hypothesis_drawing, found.reference_drawing):
        assert drawing is not None
        assert len(drawing.labels) == len(drawing.parents) == len(drawing.notes) == len(drawing.marks)
        assert all(mark is None or 0 <= mark <= 1 for mark in drawing.marks)
    assert str(found).startswith(f"{metric.name} = ")


def test_an_equal_segment_is_matched_throughout() -> None:
    tree = Tree.build(["S", "NP", "N", "x"], [-1, 0, 1, 2], [NONTERMINAL] * 3 + [0])
    same: Segment = (Sentence.build(["x"], tree=tree, heads=[-1], relations=["root"], scheme="ud"),)
    found = explain(STM(), Chunk([same], [[same]]))
    assert found.score == 1 and not found.missing and not found.unlicensed
    assert found.hypothesis_drawing is not None and found.hypothesis_drawing.marks == (1.0, 1.0, 1.0)
    assert found.hypothesis_drawing.notes[2] == "x"


def test_the_paper_example_of_subsequences() -> None:
    """Hirao et al. 2005: 15 common subsequences, ESK_2 = 8.2363 at decay 0.5."""
    one = Sentence.build(
        ["Becoming", "a", "cosmonaut", "is", "my", "great", "dream"],
        senses=[(), (), ("SPACEMAN",), (), (), (), ("DREAM",)],
    )
    two = Sentence.build(
        ["Becoming", "an", "astronaut", "is", "my", "ambition"], senses=[(), (), ("SPACEMAN",), (), (), ("DREAM",)]
    )
    found = explain(ESK(senses="given"), Chunk([(one,)], [[(two,)]]))
    assert len(found.matched) == 15
    assert sum(fragment.weight for fragment in found.matched) == pytest.approx(8.2363, abs=1e-4)
    assert ("cosmonaut~astronaut is", ("SPACEMAN",)) in [(f.text, f.senses) for f in found.matched]


def test_senses_are_told_in_words() -> None:
    one, two = (Sentence.build([word], lemmas=[word], upos=["NOUN"]) for word in ("cosmonaut", "astronaut"))
    score = ESK().sentence_score(one, [two])
    (fragment,) = score.explain().matched
    assert fragment.text == "cosmonaut~astronaut"
    assert fragment.senses == ("wn30-09818022-n: astronaut, spaceman, cosmonaut",)


def test_a_score_explains_itself() -> None:
    tree = Tree.build(["S", "NP"], [-1, 0], [NONTERMINAL] * 2)
    other = Tree.build(["S", "VP"], [-1, 0], [NONTERMINAL] * 2)
    segments = [(Sentence.build([], tree=one),) for one in (tree, other)]
    score = STM().corpus_score(segments, [segments[0], segments[0]])
    assert score.explain().score == 1
    assert [fragment.text for fragment in score.explain(2).missing] == ["NP", "(S NP)"]
    with pytest.raises(ValueError, match="segment 3"):
        score.explain(3)


def test_texts_have_no_fragments() -> None:
    found = explain(BLEU(), Chunk((), (), ["a b"], [["a b"]]))
    assert not found.kind and "no fragments" in found.note


def test_soft_matches_have_no_fragments() -> None:
    score = HWCM(match="soft").sentence_score("The dog barks.", ["A dog barked."], cache=False)
    found = score.explain()
    assert found.score == score.score and not found.matched and "word vectors" in found.note


def test_a_long_and_deep_tree() -> None:
    """Kernels beyond floating point, and no recursion."""
    depth = 300
    labels = ["S"] * depth
    tree = Tree.build(labels, range(-1, depth - 1), [NONTERMINAL] * depth)
    deep: Segment = (Sentence.build([], tree=tree),)
    wide = Tree.build(["S", *(["N", "x"] * 1200)], [-1, *(p for i in range(1200) for p in (0, 2 * i + 1))],
                      [NONTERMINAL, *(t for i in range(1200) for t in (NONTERMINAL, i))])  # fmt: skip
    flat: Segment = (Sentence.build(["x"] * 1200, tree=wide),)
    assert added(explain(TKM(), Chunk([deep], [[deep]]))) == pytest.approx(1)
    huge = explain(TKM(lexicalised=True), Chunk([flat], [[flat]]))
    assert added(huge) == pytest.approx(1)
    assert json.loads(json.dumps(huge.as_dict(), allow_nan=False))["matched"]
    assert added(explain(TKM(decay=0.4), Chunk([deep], [[deep]]))) == pytest.approx(1)
    assert added(explain(WSK(d=3), Chunk([flat], [[flat]]))) == pytest.approx(1)
