"""How good first-sense tagging is, on the all-words sets of Raganato et al. (2017) with WordNet 3.0 keys.

    python scripts/evaluate_senses.py ../shared/data/wsd/raganato --parser en

prints, for each set, the share of instances whose tagged sense is one of the gold senses: with the gold lemmas and
tags, and from the plain text, where tokens, lemmas, tags and multiword entries are the parser's; an instance without a
sense is wrong.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from defusedxml import ElementTree

from synteval.senses import SenseTagger, load_inventory
from synteval.senses.tagging import entries
from synteval.structures import Segment, Sentence

GOLD_TAGS = {"NOUN": "NOUN", "VERB": "VERB", "ADJ": "ADJ", "ADV": "ADV"}


@dataclass(frozen=True)
class GoldSentence:
    """The text, the gold sentence, and by token: the character span and the synsets that count as right."""

    text: str
    sentence: Sentence
    spans: list[tuple[int, int]]
    gold: dict[int, frozenset[str]]


def read(folder: Path) -> Iterator[GoldSentence]:
    """The sentences of a set."""
    inventory = load_inventory()
    keys = {}
    for line in (folder / f"{folder.name}.gold.key.txt").read_text(encoding="utf-8").splitlines():
        instance, *senses = line.split()
        keys[instance] = frozenset(inventory.synset_of_key(key) for key in senses)
    for element in ElementTree.parse(folder / f"{folder.name}.data.xml").iter("sentence"):
        tokens = list(element)
        forms = [token.text.replace("_", " ") for token in tokens]
        sentence = Sentence.build(
            [form.replace(" ", "_") for form in forms],
            lemmas=[token.get("lemma") for token in tokens],
            upos=[GOLD_TAGS.get(token.get("pos"), "X") for token in tokens],
        )
        spans, position = [], 0
        for form in forms:
            spans.append((position, position + len(form)))
            position += len(form) + 1
        gold = {i: keys[token.get("id")] for i, token in enumerate(tokens) if token.get("id") in keys}
        yield GoldSentence(" ".join(forms), sentence, spans, gold)


def right_with_gold_tags(item: GoldSentence, tagger: SenseTagger) -> int:
    """How many instances the tagger gets right where lemmas and tags are gold."""
    # Gold tokens already are WordNet's entries, so each is looked up by itself: a sentence of one token.
    right = 0
    for token, gold in item.gold.items():
        lemmas, tags = item.sentence.lemmas, item.sentence.upos
        assert lemmas is not None and tags is not None
        alone = Sentence.build([lemmas[token]], lemmas=[lemmas[token]], upos=[tags[token]])
        right += bool(gold.intersection((tagger.tag((alone,))[0].senses or ((),))[0]))
    return right


def right_from_text(item: GoldSentence, segment: Segment) -> int:
    """How many instances are right: an instance has the first sense of the entry that covers most of it alone."""
    inventory = load_inventory()
    found: list[tuple[int, int, str]] = []
    for sentence in segment:
        assert sentence.spans is not None
        spans = (sentence.spans + sentence.offset).tolist()
        for token, end, lemmas in entries(sentence, inventory):
            found.append((spans[token][0], spans[end - 1][1], inventory.name(lemmas[0].synset())))
    right = 0
    for token, gold in item.gold.items():
        start, end = item.spans[token]
        # Of the entries that overlap the instance, the one whose edges differ least; the earlier on a tie.
        near = [
            (abs(first - start) + abs(last - end), number)
            for number, (first, last, _) in enumerate(found)
            if first < end and start < last
        ]
        right += bool(near) and found[min(near)[1]][2] in gold
    return right


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folder", type=Path, help="the folder that holds the sets")
    arguments.add_argument("--parser", default="en")
    options = arguments.parse_args()

    from synteval.parsing.registry import load_parser

    parser = load_parser(options.parser)
    tagger = SenseTagger("first")
    print(f"{'set':<14}{'instances':>10}{'gold tags':>11}{'plain text':>12}   first sense, {parser.fingerprint}")
    for folder in sorted(path for path in options.folder.iterdir() if path.is_dir()):
        items = list(read(folder))
        total = sum(len(item.gold) for item in items)
        with_tags = sum(right_with_gold_tags(item, tagger) for item in items)
        segments = list(parser.parse([item.text for item in items]))
        from_text = sum(right_from_text(item, segment) for item, segment in zip(items, segments, strict=True))
        print(f"{folder.name:<14}{total:>10}{100 * with_tags / total:>11.1f}{100 * from_text / total:>12.1f}")


if __name__ == "__main__":
    main()
