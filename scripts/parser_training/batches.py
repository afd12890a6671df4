"""Examples as tensors, batched by length."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from parser_training.treebanks import Example, nearest_label
from synteval.parsing.en.shape import LOWER, UPPER, shape
from synteval.parsing.en.wordpiece import WordPiece

MISSING = -100


@dataclass(frozen=True)
class Inventory:
    """Names behind the numbers of the network's outputs; labels[0] is "no constituent"."""

    styles: list[str]
    labels: list[str]
    relations: list[str]
    xpos: list[str]
    upos: list[str]

    def __post_init__(self) -> None:
        for name in ("styles", "labels", "relations", "xpos", "upos"):
            numbers = {value: number for number, value in enumerate(getattr(self, name))}
            object.__setattr__(self, f"{name}_index", numbers)


@dataclass(frozen=True)
class Encoded:
    """Piece numbers with the start and end marks; first and last piece of each position."""

    pieces: list[int]
    shapes: list[int]
    first: list[int]
    last: list[int]


def encode(words: tuple[str, ...], case: str, wordpiece: WordPiece) -> Encoded:
    pieces, shapes, first, last = [wordpiece.start], [0], [0], [0]
    for word in words:
        form = shape(word)
        if case != "as is" and form:
            form = LOWER if case == "lower" else UPPER
            if any(map(str.isdigit, word)):
                form = shape(word.lower() if case == "lower" else word.upper())
        numbers = wordpiece.pieces(word)
        first.append(len(pieces))
        pieces += numbers
        shapes += [form] * len(numbers)
        last.append(len(pieces) - 1)
    first.append(len(pieces))
    last.append(len(pieces))
    return Encoded([*pieces, wordpiece.end], [*shapes, 0], first, last)


def batches(
    examples: list[tuple[Example, str]], wordpiece: WordPiece, inventory: Inventory, size: int, seed: int
) -> Iterator[dict[str, Any]]:
    """Batches of about `size` pieces, of sentences of similar length, in random order."""
    rng = random.Random(seed)
    items = [(encode(example.words, case, wordpiece), example) for example, case in examples]
    items = [item for item in items if len(item[0].pieces) <= 256]
    items.sort(key=lambda item: (len(item[0].pieces), len(item[1].words)))
    groups: list[list[tuple[Encoded, Example]]] = [[]]
    for item in items:
        longest = len(item[0].pieces)
        spans = (len(groups[-1]) + 1) * (len(item[1].words) + 1) ** 2
        if groups[-1] and ((len(groups[-1]) + 1) * longest > size or spans > 40 * size):
            groups.append([])
        groups[-1].append(item)
    rng.shuffle(groups)
    for group in groups:
        yield tensors(group, inventory)


def tensors(group: list[tuple[Encoded, Example]], inventory: Inventory) -> dict[str, Any]:
    count = len(group)
    length = max(len(encoded.pieces) for encoded, _ in group)
    n = max(len(example.words) for _, example in group)
    pieces = np.zeros((count, length), np.int64)
    shapes = np.zeros((count, length), np.int64)
    first = np.zeros((count, n + 2), np.int64)
    last = np.zeros((count, n + 2), np.int64)
    xpos = np.full((count, n), MISSING)
    upos = np.full((count, n), MISSING)
    with_spans = [row for row, (_, example) in enumerate(group) if example.spans and _whole(example)]
    with_arcs = [row for row, (_, example) in enumerate(group) if example.heads]
    heads = np.full((len(with_arcs), n), MISSING)
    relations = np.full((len(with_arcs), n), MISSING)
    labels = np.zeros((len(with_spans), n + 1, n + 1), np.int64)
    crossing = np.zeros((len(with_spans), n + 1, n + 1), bool)
    for row, (encoded, example) in enumerate(group):
        pieces[row, : len(encoded.pieces)] = encoded.pieces
        shapes[row, : len(encoded.shapes)] = encoded.shapes
        first[row, : len(encoded.first)] = encoded.first
        last[row, : len(encoded.last)] = encoded.last
        words = len(example.words)
        xpos[row, :words] = [inventory.xpos_index.get(tag, MISSING) for tag in example.xpos]
        if example.upos:
            upos[row, :words] = [inventory.upos_index.get(tag, MISSING) for tag in example.upos]
    for number, row in enumerate(with_arcs):
        example = group[row][1]
        words = len(example.words)
        heads[number, :words] = example.heads
        relations[number, :words] = [inventory.relations_index.get(r, MISSING) for r in example.relations]
    posts = np.arange(n + 1)
    starts, ends = np.triu_indices(n + 1, 1)
    for number, row in enumerate(with_spans):
        example = group[row][1]
        labels[number, :, len(example.words) + 1 :] = MISSING
        for start, end, chain in example.spans:
            label = nearest_label(chain, inventory.labels_index)
            if label is not None:
                labels[number, start, end] = inventory.labels_index[label]
            if end - start > 1:
                crossing[number] |= ((posts < start)[:, None] & (posts > start)[None] & (posts < end)[None]) | (
                    (posts > start)[:, None] & (posts < end)[:, None] & (posts > end)[None]
                )
    arrays = {
        "pieces": pieces,
        "shapes": shapes,
        "first": first,
        "last": last,
        "xpos": xpos,
        "upos": upos,
        "heads": heads,
        "relations": relations,
        "with_spans": np.array(with_spans, np.int64),
        "with_arcs": np.array(with_arcs, np.int64),
        "span_labels": labels[:, starts, ends],
        "crossing": crossing[:, starts, ends],
        "lengths": np.array([len(example.words) for _, example in group]),
        "style": np.array([inventory.styles_index.get(example.style, 0) for _, example in group]),
    }
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def _whole(example: Example) -> bool:
    """Every tree needs a label over the whole sentence; a few treebank fragments have none."""
    return example.spans is not None and example.spans[0][:2] == (0, len(example.words))
