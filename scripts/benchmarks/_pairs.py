"""Pairs of hypothesis and reference for benchmarks: sentences of a treebank, or generated, and changed copies."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from synteval.structures import Segment, Sentence, Strings, Tree

TREEBANK = Path(__file__).resolve().parents[3] / "shared" / "data" / "gum"
PHRASES = ("S", "NP", "VP", "PP", "ADJP", "SBAR")
TAGS = ("NN", "NNS", "DT", "JJ", "IN", "VBD", "VBZ", "RB", "PRP", ",", ".")
RELATIONS = ("nsubj", "obj", "obl", "det", "amod", "case", "advmod", "punct")


def sentences(rng: random.Random, folder: Path = TREEBANK, shortest: int = 15, longest: int = 36) -> list[Sentence]:
    """Sentences with both trees: of the treebank where it is there, else generated."""
    if not (folder / "const").is_dir():
        return [generated(rng, rng.randint(shortest, longest)) for _ in range(1500)]
    from synteval.io.brackets import read_brackets
    from synteval.io.conllu import read_conllu

    found = []
    for part in ("dev", "test"):
        trees = [s for segment in read_brackets(folder / "const" / f"{part}.ptb") for s in segment]
        heads = [s for segment in read_conllu(folder / "dep" / f"{part}.conllu") for s in segment]
        for tree, dependencies in zip(trees, heads, strict=True):
            normal = tree.tree.normalised() if tree.tree is not None else None
            if normal is not None and len(tree) == len(dependencies) and shortest <= len(tree) <= longest:
                found.append(replace(dependencies, tree=normal, annotations=None))
    return found


def generated(rng: random.Random, count: int) -> Sentence:
    """A sentence of `count` tokens with random trees of natural proportions."""
    words = [f"w{int(rng.paretovariate(0.6)) % 20000}" for _ in range(count)]
    heads = [-1] * count
    spans: list[tuple[int, int, int]] = [(0, count, -1)]
    labels, parents, tokens = [], [], []
    while spans:
        start, end, parent = spans.pop()
        number = len(labels)
        if end - start == 1:
            labels += [rng.choice(TAGS), words[start]]
            parents += [parent, number]
            tokens += [-1, start]
            continue
        labels.append("S" if parent < 0 else rng.choice(PHRASES))
        parents.append(parent)
        tokens.append(-1)
        cuts = sorted(rng.sample(range(start + 1, end), min(rng.choice((1, 1, 1, 2, 3)), end - start - 1)))
        spans += [(a, b, number) for a, b in reversed(list(zip([start, *cuts], [*cuts, end], strict=True)))]
    order = sorted(range(count), key=lambda token: rng.random())
    for place, token in enumerate(order[1:], start=1):
        heads[token] = min(order[:place], key=lambda other: abs(other - token) + 4 * rng.random())
    relations = ["root" if head < 0 else rng.choice(RELATIONS) for head in heads]
    tree = Tree.build(labels, parents, tokens)
    return Sentence.build(words, lemmas=words, heads=heads, relations=relations, scheme="ud", tree=tree)


def changed(rng: random.Random, sentence: Sentence) -> Sentence:
    """A copy in which a fifth of the words have changed places, and a tenth of the labels and heads are others."""
    places = list(range(len(sentence)))
    for place in places:
        if rng.random() < 0.1:
            other = rng.randrange(len(places))
            places[place], places[other] = places[other], places[place]
    tree, heads = sentence.tree, sentence.heads
    assert tree is not None and heads is not None
    forms, lemmas = ([column[place] for place in places] for column in (sentence.forms, sentence.lemmas or ()))
    labels = [
        label if token >= 0 or rng.random() > 0.1 else rng.choice(PHRASES)
        for label, token in zip(tree.labels.list(), tree.tokens.tolist(), strict=True)
    ]
    new_heads = heads.copy()
    root = int((heads < 0).argmax())
    for token in range(len(heads)):
        # Leaves of the tree may hang from anywhere without making a cycle.
        if token != root and rng.random() < 0.1 and not (heads == token).any():
            new_heads[token] = root
    return replace(
        sentence,
        text=" ".join(forms),
        forms=Strings.of(forms),
        lemmas=Strings.of(lemmas),
        heads=new_heads,
        tree=Tree(Strings.of(labels), tree.parents, tree.tokens),
    )


def pairs(
    rng: random.Random, source: list[Sentence], count: int, references: int = 1
) -> list[tuple[Segment, list[Segment]]]:
    """Changed sentences with the original as the first reference and more changed ones as the others."""
    found = []
    for _ in range(count):
        sentence = rng.choice(source)
        more: list[Segment] = [(changed(rng, sentence),) for _ in range(references - 1)]
        found.append(((changed(rng, sentence),), [(sentence,), *more]))
    return found


def text(segment: Segment) -> str:
    """The words of a segment."""
    return " ".join(form for sentence in segment for form in sentence.forms)
