"""From the network's scores to trees: the best constituency tree, the best dependency tree, the best tags."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from synteval.parsing.en.arborescence import best_heads
from synteval.parsing.en.chart import best_splits, read_tree
from synteval.parsing.en.network import Network, Scores


@dataclass(frozen=True)
class Parse:
    """One sentence in numbers: constituents (start, end, label) in preorder; heads from 1, 0 for the root."""

    constituents: list[tuple[int, int, int]]
    heads: list[int]
    relations: list[int]
    xpos: list[int]
    upos: list[int]


def decode(network: Network, scores: Scores, root_relation: int) -> Iterator[tuple[int, Parse]]:
    """The parse of every sentence of a batch, with the sentence's number."""
    lengths = scores.lengths
    posts = scores.arcs.shape[1]
    labelled = scores.labels[:, :, 1:]
    best = labelled.max(axis=2) - scores.labels[:, :, 0]
    chart = np.zeros((len(lengths), posts, posts), np.float32)
    chart[:, scores.starts, scores.ends] = np.maximum(best, 0)
    splits = best_splits(chart)
    trees = [
        read_tree(splits[row, : n + 1, : n + 1].tolist(), chart[row, : n + 1, : n + 1].tolist(), n)
        for row, n in enumerate(lengths.tolist())
    ]
    # Labels are looked up for the constituents alone; position of (start, end) in the order of triu_indices.
    rows = np.repeat(np.arange(len(trees)), [len(tree) for tree in trees])
    starts, ends = np.array([span for tree in trees for span in tree], np.int64).T
    spans = starts * posts - starts * (starts + 1) // 2 + ends - starts - 1
    labels = (labelled[rows, spans].argmax(axis=1) + 1).tolist()
    heads = best_heads(scores.arcs, lengths)
    relation_scores = network.relation_scores(scores, heads)
    # "root" belongs to the root alone.
    relation_scores[:, :, root_relation] = np.where(heads == 0, np.inf, -np.inf)
    relations = relation_scores.argmax(axis=2)
    xpos = scores.xpos.argmax(axis=2)
    upos = scores.upos.argmax(axis=2)
    done = 0
    for row, n in enumerate(lengths.tolist()):
        tree = trees[row]
        constituents = [(start, end, label) for (start, end), label in zip(tree, labels[done:], strict=False)]
        done += len(tree)
        words = slice(1, n + 1)
        yield (
            scores.members[row],
            Parse(
                constituents,
                heads[row, words].tolist(),
                relations[row, words].tolist(),
                xpos[row, words].tolist(),
                upos[row, words].tolist(),
            ),
        )
