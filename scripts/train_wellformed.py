"""Make models/wellformed/: how much each doubt of the parser speaks against a sentence.

    python scripts/train_wellformed.py --data ../shared/data --out models/wellformed

Sentences of UD EWT and GUM (development parts, which the parser was not trained on) are compared with broken copies of
themselves: words swapped, moved, left out, doubled or replaced, agreement and verb forms changed. A logistic
regression on the differences between a sentence and its copy gives the weights, so that topic and style cancel out;
a second one, of one variable, gives the scale on which the score of a sentence becomes a number between 0 and 1. Half
of all pairs are lower-cased, as the output of systems often is. Which words go together is counted in the training
parts of both treebanks.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

from synteval.io import read_segments
from synteval.parsing.en.agreement import PairTable, pairs
from synteval.parsing.en.doubts import DOUBTS, Doubts
from synteval.parsing.en.parser import EnglishParser
from synteval.structures import Sentence

COUNTED = ("ud_ewt/en_ewt-ud-train.conllu", "gum/dep/train.conllu")
TREEBANKS = ("ud_ewt/en_ewt-ud-dev.conllu", "gum/dep/dev.conllu")
FUNCTION_WORDS = (
    "a", "an", "the", "this", "that", "these", "those", "of", "in", "on", "at", "to", "for", "with", "by", "from",
    "about", "as", "into", "is", "are", "was", "were", "be", "been", "has", "have", "had", "do", "does", "did",
    "will", "would", "can", "could", "and", "or", "but", "if", "because", "he", "she", "it", "they", "him", "her",
    "them", "his", "their", "its", "who", "which", "what",
)  # fmt: skip
Words = list[str]


def swapped(rng: random.Random, words: Words, sentence: Sentence) -> Words | None:
    i = rng.randrange(len(words) - 2)
    return [*words[:i], words[i + 1], words[i], *words[i + 2 :]]


def moved(rng: random.Random, words: Words, sentence: Sentence) -> Words | None:
    rest = words.copy()
    word = rest.pop(rng.randrange(len(words) - 1))
    rest.insert(rng.randrange(len(rest)), word)
    return rest


def left_out(rng: random.Random, words: Words, sentence: Sentence) -> Words | None:
    i = rng.randrange(len(words) - 1)
    return words[:i] + words[i + 1 :]


def doubled(rng: random.Random, words: Words, sentence: Sentence) -> Words | None:
    i = rng.randrange(len(words) - 1)
    return words[: i + 1] + words[i:]


def function_word(rng: random.Random, words: Words, sentence: Sentence) -> Words | None:
    places = [i for i, word in enumerate(words) if word.lower() in FUNCTION_WORDS]
    if not places:
        return None
    i = rng.choice(places)
    return [*words[:i], rng.choice(FUNCTION_WORDS), *words[i + 1 :]]


def inflected(rng: random.Random, words: Words, sentence: Sentence) -> Words | None:
    """Another number, person, tense or form of a word."""
    tags, lemmas = list(sentence.xpos or ()), list(sentence.lemmas or ())
    other = {"is": "are", "are": "is", "was": "were", "were": "was", "has": "have", "have": "has", "does": "do"}
    places = [
        i
        for i, (word, tag) in enumerate(zip(words, tags, strict=True))
        if word.lower() in other or (tag in ("VBZ", "VBP", "VBD", "VBN", "VBG", "VB", "NNS", "NN") and word.isalpha())
    ]
    if not places:
        return None
    i = rng.choice(places)
    word, lemma = words[i], lemmas[i]
    forms = {lemma, lemma + ("es" if lemma.endswith(("s", "x", "ch", "sh")) else "s")}
    if tags[i].startswith("V"):
        forms |= {lemma.removesuffix("e") + "ing", lemma.removesuffix("e") + "ed"}
    new = other.get(word.lower()) or rng.choice(sorted(forms - {word.lower()}))
    return [*words[:i], new, *words[i + 1 :]]


WAYS = (swapped, moved, left_out, doubled, function_word, inflected, inflected, function_word)


def usual_pairs(data: Path) -> Iterator[tuple[str, str, str]]:
    """The pairs of words of the training parts."""
    for name in COUNTED:
        for segment in read_segments(data / name).parses or ():
            for sentence in segment:
                columns = (sentence.upos or (), sentence.xpos or (), (sentence.heads + 1).tolist(), sentence.relations)
                yield from pairs(sentence.forms.list(), *map(list, columns))


def broken_copies(data: Path, count: int) -> list[tuple[Words, Words]]:
    rng = random.Random(1)
    sentences = [
        sentence
        for name in TREEBANKS
        for segment in read_segments(data / name).parses or ()
        for sentence in segment
        if 5 <= len(sentence) <= 40
    ]
    rng.shuffle(sentences)
    found = []
    for number, sentence in enumerate(sentences[:count]):
        words = sentence.forms.list()
        for way in rng.sample(WAYS, 3):
            broken = way(rng, words, sentence)
            if broken is not None and broken != words:
                lower = number % 2 == 0
                found.append(tuple([w.lower() if lower else w for w in side] for side in (words, broken)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, default=Path("models/wellformed"))
    parser.add_argument("--version", default="1.0.0")
    parser.add_argument("--sentences", type=int, default=2000)
    arguments = parser.parse_args()
    english = EnglishParser(threads=1)
    counts = PairTable.count(usual_pairs(arguments.data))
    doubts = Doubts(english.pipeline, PairTable(counts))
    sides = broken_copies(arguments.data, arguments.sentences)
    whole = doubts.of([words for words, _ in sides])
    broken = doubts.of([words for _, words in sides])
    scale = np.concatenate([whole, broken]).std(axis=0)
    differences = (whole - broken) / scale
    # Each difference once either way round: the regression has no intercept to learn.
    x, y = np.concatenate([differences, -differences]), np.repeat([1, 0], len(differences))
    order = np.argsort(np.tile(np.arange(len(differences)), 2), kind="stable")
    ranking = LogisticRegression(C=0.1, fit_intercept=False, max_iter=1000)
    accuracy = cross_val_score(ranking, x[order], y[order], cv=10)
    weights = ranking.fit(x, y).coef_[0] / scale
    values = np.concatenate([whole, broken]) @ weights
    slope = LogisticRegression(max_iter=1000).fit(values[:, None], np.repeat([1, 0], len(whole)))
    weights = weights * slope.coef_[0, 0]
    content = {
        "version": arguments.version,
        "parser": english.fingerprint,
        "pairs": len(sides),
        "accuracy": round(float(accuracy.mean()), 4),
        "intercept": round(float(slope.intercept_[0]), 6),
        "weights": {name: round(float(weight), 6) for name, weight in zip(DOUBTS, weights, strict=True)},
    }
    arguments.out.mkdir(parents=True, exist_ok=True)
    files = {
        "weights.json": (json.dumps(content, indent=1) + "\n").encode(),
        "pairs.json.gz": gzip.compress(json.dumps(counts, ensure_ascii=False).encode(), mtime=0),
    }
    for name, written in files.items():
        (arguments.out / name).write_bytes(written)
    hashes = {name: hashlib.sha256(written).hexdigest() for name, written in files.items()}
    manifest = {"version": arguments.version, "sha256": hashes}
    (arguments.out / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    print(files["weights.json"].decode())


if __name__ == "__main__":
    main()
