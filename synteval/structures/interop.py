"""The record to and from the structures of other libraries: `nltk.Tree` and `networkx` graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from synteval.errors import StructureError
from synteval.structures.sentence import ROOT, Sentence
from synteval.structures.tree import EMPTY, NONTERMINAL, Tree

if TYPE_CHECKING:
    import networkx
    import nltk


def to_nltk(tree: Tree) -> nltk.Tree:
    """An `nltk.Tree` with the words as leaves."""
    import nltk

    nodes: list[Any] = []
    for label, token in zip(tree.labels.list(), tree.tokens.tolist(), strict=True):
        nodes.append(nltk.Tree(label, []) if token == NONTERMINAL else label)
    for node, parent in enumerate(tree.parents.tolist()):
        if parent >= 0:
            nodes[parent].append(nodes[node])
    if not isinstance(nodes[0], nltk.Tree):
        raise StructureError("a tree of one word has no nltk.Tree")
    return nodes[0]


def from_nltk(tree: nltk.Tree) -> Tree:
    """A flat tree; leaves under -NONE- are empty elements."""
    import nltk

    labels: list[str] = []
    parents: list[int] = []
    tokens: list[int] = []
    words = 0
    stack: list[tuple[Any, int]] = [(tree, -1)]
    while stack:
        node, parent = stack.pop()
        parents.append(parent)
        if isinstance(node, nltk.Tree):
            position = len(labels)
            labels.append(str(node.label()))
            tokens.append(NONTERMINAL)
            stack.extend((child, position) for child in reversed(node))
        else:
            empty = parent >= 0 and labels[parent] == "-NONE-"
            labels.append(str(node))
            tokens.append(EMPTY if empty else words)
            words += not empty
    return Tree.build(labels, parents, tokens)


def to_networkx(sentence: Sentence) -> networkx.DiGraph:
    """The dependency tree: an edge from head to dependent with its `relation`, a node a token with its layers."""
    import networkx

    if sentence.heads is None or sentence.relations is None:
        raise StructureError("the sentence has no dependencies")
    graph = networkx.DiGraph(text=sentence.text, scheme=sentence.scheme)
    layers = {"form": sentence.forms, "lemma": sentence.lemmas, "upos": sentence.upos, "xpos": sentence.xpos}
    present = {name: layer.list() for name, layer in layers.items() if layer is not None}
    for token in range(len(sentence)):
        graph.add_node(token, **{name: values[token] for name, values in present.items()})
    heads = sentence.heads.tolist()
    for token, (head, relation) in enumerate(zip(heads, sentence.relations.list(), strict=True)):
        if head != ROOT:
            graph.add_edge(head, token, relation=relation)
        else:
            graph.graph["root"] = token
            graph.nodes[token]["relation"] = relation
    return graph


def from_networkx(graph: networkx.DiGraph) -> Sentence:
    """The inverse of `to_networkx`: nodes are 0..n-1 in the order of the text."""
    count = graph.number_of_nodes()
    if set(graph.nodes) != set(range(count)):
        raise StructureError("the nodes of a dependency graph are the numbers 0 to n-1, in the order of the text")

    def layer(name: str) -> list[str] | None:
        values = [graph.nodes[token].get(name) for token in range(count)]
        return None if any(value is None for value in values) else [str(value) for value in values]

    heads, relations = [ROOT] * count, [str(graph.nodes[token].get("relation", "root")) for token in range(count)]
    for head, token, data in graph.edges(data=True):
        if heads[token] != ROOT:
            raise StructureError(f"token {token} has two heads")
        heads[token], relations[token] = head, str(data.get("relation", "_"))
    forms = layer("form")
    if forms is None:
        raise StructureError("every node of a dependency graph has a `form`")
    return Sentence.build(
        forms,
        text=graph.graph.get("text"),
        lemmas=layer("lemma"),
        upos=layer("upos"),
        xpos=layer("xpos"),
        heads=heads,
        relations=relations,
        scheme=graph.graph.get("scheme"),
    )
