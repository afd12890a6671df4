"""Sentences too long for the encoder or the chart: parsed piece by piece, each seen with its surroundings.

The words are cut into stretches, after punctuation where there is some. The network reads every stretch with some
words before and after it; trees are made of the stretch's own words. The root of a later stretch hangs from the word
before it that the network prefers; the constituency trees stand side by side under one node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from synteval.parsing.en.decode import Parse, decode
from synteval.parsing.en.network import MOST_PIECES, Network, Scores, span_order

MOST_WORDS = 200  # the chart of a longer sentence would take too much memory
_STRETCH_WORDS, _STRETCH_PIECES = 56, 200
_CONTEXT_WORDS, _CONTEXT_PIECES = 12, 60
_MARKS = frozenset(".,;:!?-–—)]}\"'…")


def too_long(pieces: Sequence[int]) -> bool:
    """Whether a sentence whose words have so many pieces each has to be cut."""
    return len(pieces) > MOST_WORDS or sum(pieces) > MOST_PIECES


def stretches(words: Sequence[str], pieces: Sequence[int]) -> list[tuple[int, int]]:
    """(start, end) of each stretch."""
    cuts = [0]
    while cuts[-1] < len(words):
        start = end = cuts[-1]
        total = 0
        while end < len(words) and end - start < _STRETCH_WORDS and total + pieces[end] <= _STRETCH_PIECES:
            total += pieces[end]
            end += 1
        if end < len(words):
            marks = (i for i in range(end, start + (end - start) // 2, -1) if words[i - 1][-1] in _MARKS)
            end = next(marks, end)
        cuts.append(end)
    return list(pairwise(cuts))


def context(pieces: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """The window that the network reads for a stretch."""
    before, total = start, 0
    while before and start - before < _CONTEXT_WORDS and total + pieces[before - 1] <= _CONTEXT_PIECES:
        before -= 1
        total += pieces[before]
    after, total = end, 0
    while after < len(pieces) and after - end < _CONTEXT_WORDS and total + pieces[after] <= _CONTEXT_PIECES:
        total += pieces[after]
        after += 1
    return before, after


def restrict(scores: Scores, row: int, start: int, end: int) -> Scores:
    """The scores of one sentence's words start..end alone (from 0)."""
    count = end - start
    posts = scores.arcs.shape[1]
    starts, ends = span_order(count + 1)
    first, last = starts.astype(np.int64) + start, ends.astype(np.int64) + start
    spans = first * posts - first * (first + 1) // 2 + last - first - 1
    kept = np.r_[0, start + 1 : end + 1]
    return Scores(
        members=[0],
        lengths=np.array([count]),
        starts=starts,
        ends=ends,
        labels=scores.labels[row : row + 1, spans],
        arcs=scores.arcs[row : row + 1][:, kept][:, :, kept],
        relation_dependent=scores.relation_dependent[row : row + 1, kept],
        relation_head=scores.relation_head[row : row + 1, kept],
        xpos=scores.xpos[row : row + 1, kept],
        upos=scores.upos[row : row + 1, kept],
    )


def parse_long(network: Network, words: Sequence[str], root_relation: int, joint_label: int) -> Parse:
    """One parse of a sentence of any length."""
    pieces = network.encode(words)[2]
    parts = stretches(words, pieces)
    windows = [context(pieces, start, end) for start, end in parts]
    found: dict[int, Parse] = {}
    for scores in network.scores([words[before:after] for before, after in windows]):
        for row, number in enumerate(scores.members):
            (start, end), (before, _) = parts[number], windows[number]
            own = restrict(scores, row, start - before, end - before)
            ((_, parse),) = decode(network, own, root_relation)
            parse = shifted(parse, start)
            if number:
                root = parse.heads.index(start)  # shifted, the root's head is the word before the stretch
                head, relation = attachment(network, scores, row, start - before, root + start - before, root_relation)
                parse.heads[root], parse.relations[root] = head + before, relation
            found[number] = parse
    whole = Parse([(0, len(words), joint_label)], [], [], [], [])
    for number in range(len(parts)):
        for layer in ("constituents", "heads", "relations", "xpos", "upos"):
            getattr(whole, layer).extend(getattr(found[number], layer))
    return whole


def shifted(parse: Parse, start: int) -> Parse:
    """The parse of a stretch with the numbers of the whole sentence; 0, the head of the root, becomes `start`."""
    constituents = [(first + start, last + start, label) for first, last, label in parse.constituents]
    return replace(parse, constituents=constituents, heads=[head + start for head in parse.heads])


def attachment(
    network: Network, scores: Scores, row: int, before: int, root: int, root_relation: int
) -> tuple[int, int]:
    """Head (from 1) and relation of the root of a stretch (from 0) among the words before it in the window."""
    head = int(scores.arcs[row, root + 1, 1 : before + 1].argmax()) + 1
    pair = replace(
        scores,
        relation_dependent=scores.relation_dependent[row : row + 1, root + 1 : root + 2],
        relation_head=scores.relation_head[row : row + 1, head : head + 1],
    )
    choices = network.relation_scores(pair, np.zeros((1, 1), np.int64))[0, 0]
    choices[root_relation] = -np.inf
    return head, int(choices.argmax())
