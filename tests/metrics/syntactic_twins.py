"""The syntactic metrics once more, straight from the definitions, with nested trees and recursion: slow and plain.

A tree is (label, (child, ...)). A segment is a list of trees. The tests compare the package with this.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

from hypothesis import strategies as st

from synteval.structures import Segment, Sentence, Tree

Nested = tuple[str, tuple["Nested", ...]]


# Trees.


def nodes(tree: Nested) -> list[Nested]:
    return [tree, *[node for child in tree[1] for node in nodes(child)]]


def height(tree: Nested) -> int:
    return 1 + max([height(child) for child in tree[1]], default=0)


def cut(tree: Nested, levels: int, ordered: bool = True) -> Nested:
    children = [cut(child, levels - 1, ordered) for child in tree[1]] if levels > 1 else []
    return tree[0], tuple(children if ordered else sorted(children))


def sorted_tree(tree: Nested) -> Nested:
    def key(node: Nested) -> tuple[object, ...]:
        return node[0], height(node), [key(child) for child in node[1]]

    return tree[0], tuple(sorted([sorted_tree(child) for child in tree[1]], key=key))


# What is counted.


def subtrees(segment: list[Nested], depth: int, ordered: bool = True) -> Counter[object]:
    every = [node for tree in segment for node in nodes(tree)]
    return Counter(cut(node, depth, ordered) for node in every if height(node) >= depth)


def chains(segment: list[Nested], length: int) -> Counter[object]:
    def from_node(node: Nested, length: int) -> list[tuple[str, ...]]:
        if length == 1:
            return [(node[0],)]
        return [(node[0], *rest) for child in node[1] for rest in from_node(child, length - 1)]

    return Counter(chain for tree in segment for node in nodes(tree) for chain in from_node(node, length))


def arcs(segment: list[Sentence], labelled: bool) -> Counter[object]:
    found: Counter[object] = Counter()
    for sentence in segment:
        words = [word.lower() for word in (sentence.lemmas or sentence.forms)]
        for token, head in enumerate(sentence.heads.tolist()):
            relation = sentence.relations[token]
            if head >= 0 and relation not in ("punct", "p"):
                found[words[head], words[token], relation if labelled else None] += 1
    return found


# Scores from counters: hyps[i][n] and refs[i][j][n].


def precision_row(hyp: list[Counter[object]], refs: list[list[Counter[object]]]) -> list[tuple[int, int, int]]:
    row = []
    for order, own in enumerate(hyp):
        clipped = sum(min(count, max([ref[order][item] for ref in refs], default=0)) for item, count in own.items())
        row.append((clipped, own.total(), min([ref[order].total() for ref in refs], default=0)))
    return row


def mean_precision(row: list[tuple[int, int, int]], empty: str = "ref", epsilon: float = 0.0) -> float:
    if row[0][1] == 0:
        return 0.0
    values = []
    for clipped, total, fewest in row:
        if total == 0 and (empty == "skip" or (empty == "ref" and fewest == 0)):
            continue
        share = clipped / total if total else 0.0
        values.append(share if share else epsilon)
    return sum(values) / len(values) if values else 0.0


def add_rows(rows: list[list[tuple[int, int, int]]]) -> list[tuple[int, int, int]]:
    return [tuple(map(sum, zip(*column, strict=True))) for column in zip(*rows, strict=True)]


# Kernels.


def kernel(one: list[Nested], other: list[Nested], decay: Fraction, single_nodes: bool = False) -> Fraction:
    def common(a: Nested, b: Nested) -> Fraction:
        if not a[1] or a[0] != b[0] or [c[0] for c in a[1]] != [c[0] for c in b[1]]:
            return Fraction(0)
        product = Fraction(1)
        for child, other_child in zip(a[1], b[1], strict=True):
            product *= 1 + common(child, other_child)
        return decay * product

    total = Fraction(0)
    for a in [node for tree in one for node in nodes(tree)]:
        for b in [node for tree in other for node in nodes(tree)]:
            total += common(a, b) + (single_nodes and a[0] == b[0])
    return total


def cosine(hyp: list[Nested], ref: list[Nested], decay: Fraction, single_nodes: bool = False) -> float:
    between, own, other = (kernel(a, b, decay, single_nodes) for a, b in ((hyp, ref), (hyp, hyp), (ref, ref)))
    if not own and not other:
        return float(sorted(hyp) == sorted(ref) != [])
    return math.sqrt(between * between / (own * other)) if own and other else 0.0


# The same trees as records.


def constituency(segment: list[Nested]) -> Segment:
    return tuple(Sentence.build([], tree=flat(tree)) for tree in segment)


def flat(tree: Nested) -> Tree:
    labels, parents = [], []
    stack = [(tree, -1)]
    while stack:
        (label, children), parent = stack.pop()
        stack += [(child, len(labels)) for child in reversed(children)]
        labels.append(label)
        parents.append(parent)
    return Tree.build(labels, parents, [-1] * len(labels))


def nested(sentence: Sentence) -> Nested:
    heads = sentence.heads.tolist()

    def below(token: int) -> Nested:
        children = [child for child, head in enumerate(heads) if head == token]
        return sentence.forms[token].lower(), tuple(below(child) for child in children)

    return below(heads.index(-1))


# Generated input.

LABELS = st.sampled_from(["S", "NP", "VP", "PP", "名詞", "É", "x y", "N"])
TREES: st.SearchStrategy[Nested] = st.recursive(
    st.tuples(LABELS, st.just(())),
    lambda children: st.tuples(LABELS, st.lists(children, min_size=1, max_size=4).map(tuple)),
    max_leaves=12,
)
FORESTS = st.lists(TREES, max_size=2)


@st.composite
def dependency_sentences(draw: st.DrawFn) -> Sentence:
    count = draw(st.integers(1, 9))
    order = draw(st.permutations(range(count)))
    heads = [-1] * count
    for place in range(1, count):
        heads[order[place]] = order[draw(st.integers(0, place - 1))]
    words = draw(
        st.lists(st.sampled_from(["a", "A", "dog", "Ähre", "ÄHRE", ",", "犬"]), min_size=count, max_size=count)
    )
    names = draw(st.lists(st.sampled_from(["nsubj", "obj", "punct"]), min_size=count, max_size=count))
    return Sentence.build(words, heads=heads, relations=names)


DEPENDENCIES = st.lists(dependency_sentences(), max_size=2)


def pairs(segments: st.SearchStrategy[list], most: int = 9) -> st.SearchStrategy[list]:
    """Hypotheses with one to three references, alike in part."""

    def pair(segment: list) -> st.SearchStrategy[tuple[list, list]]:
        reference = st.one_of(segments, st.just(segment))
        return st.tuples(st.just(segment), st.lists(reference, min_size=1, max_size=3))

    return st.lists(segments.flatmap(pair), min_size=1, max_size=most)
