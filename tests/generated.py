"""Strategies that make parses: trees and sentences of all shapes."""

from __future__ import annotations

from hypothesis import strategies as st

from synteval.structures import EMPTY, NONTERMINAL, ROOT, Sentence, Tree

LABELS = st.sampled_from(["S", "NP", "VP", "PP", "NP-SBJ", "NP=2", "ADVP-TMP", "NN", "Ärger", "句"])
WORDS = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"], exclude_characters="()"), min_size=1, max_size=6
)


@st.composite
def trees(draw: st.DrawFn, max_nodes: int = 25, empties: bool = True) -> tuple[Tree, list[str]]:
    """A tree in preorder and its words. Leaves are words, empty elements or bare labels."""
    count = draw(st.integers(1, max_nodes))
    parents = [-1]
    path = [0]
    for node in range(1, count):
        path = path[: draw(st.integers(1, len(path)))]
        parents.append(path[-1])
        path.append(node)
    has_child = set(parents)
    labels: list[str] = []
    tokens: list[int] = []
    words: list[str] = []
    kinds = ["word", "bare"] + (["empty"] if empties else [])
    bare = draw(st.booleans())
    extra_labels, extra_parents, extra_tokens = labels, [], tokens
    position: dict[int, int] = {}
    for node, parent in enumerate(parents):
        position[node] = len(labels)
        extra_parents.append(-1 if parent < 0 else position[parent])
        if node in has_child:
            extra_labels.append(draw(LABELS))
            extra_tokens.append(NONTERMINAL)
            continue
        kind = "bare" if bare else draw(st.sampled_from([k for k in kinds if k != "bare"]))
        extra_labels.append("-NONE-" if kind == "empty" else draw(LABELS))
        extra_tokens.append(NONTERMINAL)
        if kind != "bare":
            extra_parents.append(position[node])
            word = draw(WORDS)
            extra_labels.append(word)
            extra_tokens.append(EMPTY if kind == "empty" else len(words))
            if kind == "word":
                words.append(word)
    return Tree.build(labels, extra_parents, tokens), words


@st.composite
def heads(draw: st.DrawFn, count: int) -> list[int]:
    """Heads of a random dependency tree over `count` tokens."""
    order = draw(st.permutations(range(count)))
    result = [ROOT] * count
    for rank, token in enumerate(order[1:], start=1):
        result[token] = order[draw(st.integers(0, rank - 1))]
    return result


@st.composite
def sentences(draw: st.DrawFn, max_tokens: int = 12, senses: bool = True) -> Sentence:
    """A sentence with any of its layers."""
    tree = None
    if draw(st.booleans()):
        tree, forms = draw(trees(max_tokens))
    else:
        forms = draw(st.lists(WORDS, min_size=1, max_size=max_tokens))
    count = len(forms)

    def column(values: st.SearchStrategy[str]) -> list[str] | None:
        return draw(st.lists(values, min_size=count, max_size=count)) if count and draw(st.booleans()) else None

    with_heads = count > 0 and draw(st.booleans())
    keys = st.lists(st.sampled_from(["s1", "s2", "s3"]), max_size=2)
    return Sentence.build(
        forms,
        lemmas=column(WORDS),
        upos=column(st.sampled_from(["NOUN", "VERB"])),
        xpos=column(st.sampled_from(["NN", "VBZ"])),
        heads=draw(heads(count)) if with_heads else None,
        relations=draw(st.lists(LABELS, min_size=count, max_size=count)) if with_heads else None,
        scheme="ud" if with_heads else None,
        tree=tree,
        senses=[draw(keys) for _ in range(count)] if senses and draw(st.booleans()) else None,
        offset=draw(st.integers(0, 300)),
    )
