"""The data of a run: which treebanks, how often, and how a sentence is varied before it is learnt from."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

from parser_training.treebanks import (
    PUNCTUATION_TAGS,
    Example,
    join,
    read_brackets,
    read_conllu,
    sha256,
    split_hyphens,
    without,
)


def read_source(source: dict[str, Any], data: Path) -> list[Example]:
    """One entry of the configuration's "train" or "dev" list."""
    style = source["style"]
    trees = read_brackets(data / source["trees"], style) if "trees" in source else None
    if "dependencies" not in source:
        examples = trees or []
    else:
        dependencies = read_conllu(data / source["dependencies"], style, source.get("xpos", True))
        examples = join(trees, dependencies) if trees else dependencies
    if "genres" in source:
        examples = [e for e in examples if any(f"_{genre}_" in e.document for genre in source["genres"])]
    longest = source.get("longest", 120)
    return [e for e in examples if 0 < len(e.words) <= longest]


def file_hashes(config: dict[str, Any], data: Path) -> dict[str, str]:
    paths = {s[kind] for s in config["train"] + config["dev"] for kind in ("trees", "dependencies") if kind in s}
    return {path: sha256(data / path) for path in sorted(paths)}


def epoch(config: dict[str, Any], sources: list[list[Example]], seed: int) -> list[tuple[Example, str]]:
    """The examples of one epoch with their case ("as is", "lower", "upper"), varied and shuffled."""
    rng = random.Random(seed)
    chosen: list[tuple[Example, str]] = []
    for source, examples in zip(config["train"], sources, strict=True):
        count = source.get("sample", len(examples) * source.get("repeat", 1))
        whole, rest = divmod(count, len(examples))
        drawn = examples * whole + rng.sample(examples, rest)
        chosen += [vary(example, config["vary"], source, rng) for example in drawn]
    rng.shuffle(chosen)
    return chosen


def vary(example: Example, rates: dict[str, float], source: dict[str, Any], rng: random.Random) -> tuple[Example, str]:
    """Unpunctuated, lower-cased or capitalised text, split hyphens, unknown style: what real input looks like."""
    if example.heads is None and rng.random() < rates["hyphens"]:
        example = split_hyphens(example)
    marks = {i for i, tag in enumerate(example.xpos) if tag in PUNCTUATION_TAGS and tag != "HYPH"}
    draw = rng.random()
    if draw < rates["no_final_punctuation"]:
        last = len(example.words) - 1
        marks &= {last, last - 1} if last in marks else set()
        example = without(example, marks) or example
    elif draw < rates["no_final_punctuation"] + rates["no_punctuation"]:
        example = without(example, marks) or example
    draw = rng.random()
    case = "as is"
    if draw < rates["lower"]:
        case = "lower"
    elif draw < rates["lower"] + rates["upper"]:
        case = "upper"
    if rng.random() < rates["unknown_style"]:
        example = replace(example, style="unknown")
    return example, case
