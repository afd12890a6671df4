"""Which nodes of a constituency tree take part: both paths, and the normal form of `Tree.normalised`."""

from __future__ import annotations

import dataclasses
from itertools import product

import numpy as np
import pytest
from worked_examples import brackets

from synteval.errors import MissingLayerError
from synteval.metrics.base import Chunk
from synteval.metrics.constituency import TreeView
from synteval.metrics.stm import STM
from synteval.structures import Sentence
from synteval.structures.brackets import parse_brackets

TREES = [
    "(ROOT (S (NP-SBJ-1 (DT The) (NN mother-in-law)) (VP (VBD was) (VP (VBN seen) (NP (-NONE- *-1)))) (. .)))",
    "(TOP (S (NP (-NONE- *)) (VP (VB Go))))",
    "( (FRAG (-LRB- -LRB-) (NP=2 (CD 3) ($ $) (# #)) (-RRB- -RRB-) (: --)))",
    "(S1 (S (VP (VB Stop)) (. !)) (S (. ?)))",
    "(ROOT (NN word))",
    "(X (NP a b) (PRT (RP)) (. .) (PP (, ,)))",
    "(. .)",
    "(ROOT (NP (-NONE- *)))",
    "(S (NP (PRON)) (VP (V) (NP (PRON))))",
]


def shown(nodes):
    """Labels and parents of a segment."""
    labels = [label[0] + "!" if isinstance(label, tuple) else label for label in nodes.labels]
    return list(zip(labels, nodes.parents, strict=True))


@pytest.mark.parametrize("options", list(product([False, True], repeat=4)))
def test_both_paths_see_the_same_nodes(options):
    view = TreeView(*options)
    segments = [brackets(text) for text in TREES] + [brackets(" ".join(TREES[:3])), ()]
    forest = view.flatten(segments)
    listed = [view._listed(segment) for segment in segments]
    names: dict[int, object] = {}
    for number, nodes in enumerate(listed):
        place = np.flatnonzero(forest.segments == number)
        parents = [int(parent - place[0]) if parent >= 0 else -1 for parent in forest.parents[place]]
        assert parents == nodes.parents, TREES[number]
        for number_of_label, label in zip(forest.labels[place].tolist(), nodes.labels, strict=True):
            assert names.setdefault(number_of_label, label) == label
    assert len(set(names.values())) == len(names)


def test_defaults_are_the_normal_form_without_words():
    for text in TREES:
        (found,) = parse_brackets(text)
        normal = found.tree.normalised()
        nodes = TreeView()._listed((found.sentence(),))
        if normal is None:
            assert nodes.labels == []
            continue
        assert nodes.labels == [label for label, token in zip(normal.labels, normal.tokens, strict=True) if token == -1]


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        (TREES[0], {}, "S NP DT NN VP VBD VP VBN ."),
        (TREES[0], {"lexicalised": True}, "S NP DT The! NN mother-in-law! VP VBD was! VP VBN seen! . .!"),
        (TREES[0], {"include_pos": False}, "S NP VP VP"),
        (TREES[0], {"include_pos": False, "lexicalised": True}, "S NP The! mother-in-law! VP was! VP seen! .!"),
        (TREES[0], {"normalise_tree": False}, "ROOT S NP-SBJ-1 DT NN VP VBD VP VBN NP -NONE- ."),
        (TREES[2], {"drop_punct": True}, "FRAG NP CD $ #"),
        (TREES[3], {"drop_punct": True}, "S1 S VP VB"),
        (TREES[5], {"drop_punct": True}, "X NP PRT RP"),
        (TREES[6], {"drop_punct": True}, ""),
    ],
)
def test_options(text, options, expected):
    assert " ".join(label for label, _ in shown(TreeView(**options)._listed(brackets(text)))) == expected


def test_a_word_is_no_category():
    """A word spelt like a tag is not that tag."""
    metric = STM(depth=1, lexicalised=True)
    one, other = brackets("(S (X NN))"), brackets("(S (X (NN)))")
    for size in (1, 10):
        rows = metric.statistics(Chunk([one] * size, [[other]] * size))
        assert metric.counts(rows[0])["clipped"] == [2]


def test_a_sentence_without_a_tree_is_refused():
    bare = (Sentence.build(["a"]),)
    for size in (1, 10):
        with pytest.raises(MissingLayerError, match="no constituency tree"):
            STM().statistics(Chunk([bare] * size, [[bare]] * size))
    assert dataclasses.asdict(TreeView())["lexicalised"] is False
