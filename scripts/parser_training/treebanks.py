"""Treebank files as training examples: Penn brackets and CoNLL-U."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

# Document structure of CRAFT, and the noun-internal brackets that the original Penn Treebank does not have.
SPLICED = {"TOP", "ROOT", "NML", "TITLE", "HEADING", "CAPTION", "CIT", "DOCUMENT", ""}
PUNCTUATION_TAGS = {",", ".", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP"}
ESCAPES = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_TOKEN = re.compile(r"[()]|[^()\s]+")

Span = tuple[int, int, str]  # from word, to word (exclusive), label or unary chain "S+VP"


@dataclass(frozen=True)
class Example:
    """One sentence. A layer that the treebank lacks is None; a tag that it lacks is the empty string."""

    words: tuple[str, ...]
    style: str
    xpos: tuple[str, ...]
    upos: tuple[str, ...] | None = None
    spans: tuple[Span, ...] | None = None
    heads: tuple[int, ...] | None = None  # 1-based, 0 is the root
    relations: tuple[str, ...] | None = None
    lemmas: tuple[str, ...] | None = None
    spaces: tuple[bool, ...] | None = field(default=None, repr=False)  # white space after the word
    text: str = ""
    document: str = ""


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_brackets(path: Path, style: str) -> list[Example]:
    """One tree a line; empty elements, function labels and document nodes are removed."""
    return [read_tree(line, style) for line in path.read_text("utf8").splitlines() if line.strip()]


def read_tree(line: str, style: str) -> Example:
    words: list[str] = []
    tags: list[str] = []
    nodes: list[tuple[int, int, int, str]] = []  # start, end, order of opening, label
    stack: list[tuple[str, int, int]] = []
    tokens = _TOKEN.findall(line)
    opened = position = 0
    while position < len(tokens):
        token = tokens[position]
        if token == "(":
            following = tokens[position + 1]
            if following == "(":
                stack.append(("", len(words), opened))
                position += 1
            elif tokens[position + 2] not in "()":
                if following != "-NONE-":
                    words.append(tokens[position + 2])
                    tags.append(following)
                position += 4
            else:
                stack.append((re.split(r"(?<=.)[-=|]", following)[0], len(words), opened))
                position += 2
            opened += 1
        else:
            label, start, order = stack.pop()
            if start < len(words) and label not in SPLICED:
                nodes.append((start, len(words), order, label))
            position += 1
    chains: dict[tuple[int, int], list[tuple[int, str]]] = {}
    for start, end, order, label in nodes:
        chains.setdefault((start, end), []).append((order, label))
    spans = [(start, end, "+".join(label for _, label in sorted(chain))) for (start, end), chain in chains.items()]
    return Example(
        words=tuple(ESCAPES.get(word, word).replace("\\/", "/").replace("\\*", "*") for word in words),
        style=style,
        xpos=tuple(tags),
        spans=tuple(sorted(spans, key=lambda span: (span[0], -span[1]))),
    )


def read_conllu(path: Path, style: str, tags: bool = True) -> list[Example]:
    """Basic dependencies of a CoNLL-U file; multiword ranges give the spacing, their words the forms."""
    examples = []
    document = ""
    for block in path.read_text("utf8").strip().split("\n\n"):
        rows: list[list[str]] = []
        spaces: list[bool] = []
        text = ""
        inside, last = 0, False
        for line in block.split("\n"):
            if line.startswith("# text = "):
                text = line[9:]
            elif line.startswith("# newdoc"):
                document = line.partition("=")[2].strip()
            elif line and line[0] != "#":
                row = line.split("\t")
                if "-" in row[0]:
                    inside, last = int(row[0].split("-")[1]), "SpaceAfter=No" not in row[9]
                elif "." not in row[0]:
                    rows.append(row)
                    number = int(row[0])
                    spaces.append(number == inside and last if number <= inside else "SpaceAfter=No" not in row[9])
        columns = list(zip(*rows, strict=True))
        examples.append(
            Example(
                words=columns[1],
                style=style,
                xpos=columns[4] if tags else ("",) * len(rows),
                upos=columns[3],
                heads=tuple(map(int, columns[6])),
                relations=columns[7],
                lemmas=columns[2],
                spaces=tuple(spaces),
                text=text,
                document=document,
            )
        )
    return examples


def join(trees: list[Example], dependencies: list[Example]) -> list[Example]:
    """Sentences that have both trees (GUM: the two files are aligned by sentence and token)."""
    joined = []
    for tree, dependency in zip(trees, dependencies, strict=True):
        assert len(tree.words) == len(dependency.words), dependency.text
        joined.append(replace(dependency, spans=tree.spans))
    return joined


def without(example: Example, dropped: set[int]) -> Example | None:
    """The sentence without some words (0-based); None if one of them has dependents or nothing remains."""
    kept = [i for i in range(len(example.words)) if i not in dropped]
    if not kept or (example.heads and any(example.heads[i] - 1 in dropped for i in kept)):
        return None
    before = [0]
    for i in range(len(example.words)):
        before.append(before[-1] + (i not in dropped))
    spans = None
    if example.spans is not None:
        chains: dict[tuple[int, int], str] = {}
        for start, end, label in example.spans:  # outermost first
            key = before[start], before[end]
            if key[0] < key[1]:
                chains[key] = f"{chains[key]}+{label}" if key in chains else label
        spans = tuple((start, end, label) for (start, end), label in chains.items())

    def keep(column: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return None if column is None else tuple(column[i] for i in kept)

    return replace(
        example,
        words=keep(example.words),
        xpos=keep(example.xpos),
        upos=keep(example.upos),
        spans=spans,
        heads=None if example.heads is None else tuple(before[example.heads[i]] for i in kept),
        relations=keep(example.relations),
        lemmas=None,
        spaces=None,
    )


def split_hyphens(example: Example) -> Example:
    """Hyphenated words of a bracketed sentence cut as UD cuts them, flat in the phrase that held the word."""
    words: list[str] = []
    tags: list[str] = []
    starts = []
    for word, tag in zip(example.words, example.xpos, strict=True):
        starts.append(len(words))
        parts = re.split(r"(?<=[A-Za-z0-9])(-)(?=[A-Za-z])", word) if tag not in PUNCTUATION_TAGS else [word]
        words += parts
        tags += [tag] if len(parts) == 1 else ["HYPH" if part == "-" else "" for part in parts]
    starts.append(len(words))
    if len(words) == len(example.words):
        return example
    spans = tuple((starts[start], starts[end], label) for start, end, label in example.spans or ())
    return replace(example, words=tuple(words), xpos=tuple(tags), spans=spans)


def label_inventory(examples: list[Example], least: int) -> list[str]:
    """Labels and unary chains seen often enough to be learnt."""
    counts = Counter(label for example in examples for _, _, label in example.spans or ())
    return sorted(label for label, count in counts.items() if count >= least)


def nearest_label(chain: str, inventory: dict[str, int]) -> str | None:
    """A chain outside the inventory keeps as many of its outer labels as the inventory has."""
    parts = chain.split("+")
    candidates = ["+".join(parts[:end]) for end in range(len(parts), 0, -1)] + parts[1:]
    return next((candidate for candidate in candidates if candidate in inventory), None)
