"""A flat parse for a sentence that its parser could not parse: every word below one root.

It stands in for a missing tree or missing dependencies where a run asks for it (`--on-failure flat`), so that such a
segment scores low instead of stopping the run or leaving it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from synteval.structures import NONTERMINAL, ROOT, Segment, Sentence, Strings, Tree


def flat_parse(segment: Segment) -> Segment:
    """The segment with a flat tree and flat dependencies where a sentence has neither."""
    return tuple(
        _flat(sentence) if sentence.tree is None and sentence.heads is None and len(sentence) else sentence
        for sentence in segment
    )


def _flat(sentence: Sentence) -> Sentence:
    count = len(sentence)
    tags = sentence.xpos.list() if sentence.xpos is not None else ["X"] * count
    labels, parents, tokens = ["X"], [-1], [NONTERMINAL]
    for token, (tag, form) in enumerate(zip(tags, sentence.forms.list(), strict=True)):
        parents += [0, len(labels)]
        labels += [tag, form]
        tokens += [NONTERMINAL, token]
    heads = np.zeros(count, dtype=np.int32)
    heads[0] = ROOT
    relations = Strings.of(["root", *["dep"] * (count - 1)])
    return replace(sentence, tree=Tree.build(labels, parents, tokens), heads=heads, relations=relations, scheme="flat")
