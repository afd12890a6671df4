"""What is lost to the parser and what to the mapping when parses become grammatical relations.

    python scripts/evaluate_relations.py ../shared/data/pe08 --parser en [--names required-wsj02 optional-wsj02]

The PE08 sentences have gold Penn trees and gold relations. The rules for headwords are run on the gold trees, where all
that is lost is lost to the mapping and to differences of annotation, and on the trees of a parser: the difference is
the parser's. The rules for the parser's own dependencies stand beside them. The gold of PE08 leaves out the inside of
names (Mr. Lane, Los Angeles), so the precision of ncmod is low for every system; --unnamed drops them from the test.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from synteval.io import read_segments
from synteval.parsing import load_parser
from synteval.relations.extract import Extractor
from synteval.relations.grs import GR, GRSentence, read_relations
from synteval.relations.hierarchy import load_hierarchy
from synteval.relations.match import Matcher
from synteval.relations.score import RelationScores, score_relations
from synteval.structures import Segment

HIERARCHY = load_hierarchy()


def read_gold(folder: Path, names: Sequence[str]) -> tuple[list[GRSentence], list[Segment]]:
    """Gold relations and gold trees."""
    relations: list[GRSentence] = []
    trees: list[Segment] = []
    for name in names:
        relations += read_relations(folder / f"{name}.gr", HIERARCHY)
        trees += [segment for segment in read_segments(folder / f"{name}.ptb", "ptb").parses or () if len(segment)]
    if len(relations) != len(trees):
        raise SystemExit(f"{len(relations)} sentences with relations, {len(trees)} trees")
    return relations, trees


def inside_names(segment: Segment) -> set[tuple[str, str]]:
    """(head, dependent) of proper nouns that follow one another."""
    tagged = [
        (form, tag) for sentence in segment for form, tag in zip(sentence.forms, sentence.xpos or [], strict=True)
    ]
    names = set()
    for place, (form, tag) in enumerate(tagged):
        later = place + 1
        while tag.startswith("NNP") and later < len(tagged) and tagged[later][1].startswith("NNP"):
            names.add((tagged[later][0], form))
            later += 1
    return names


def scored(
    gold: Sequence[GRSentence], segments: Sequence[Segment], scheme: str | None, unnamed: bool
) -> RelationScores:
    extractor = Extractor.of()
    test = []
    for segment in segments:
        grs = [GR(gr.relation, gr.values) for gr in extractor.segment(segment, scheme)]
        names = inside_names(segment) if unnamed else set()
        test.append([gr for gr in grs if gr.relation != "ncmod" or gr.values[1:] not in names])
    return score_relations(gold, test, Matcher(HIERARCHY, "hier"))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", type=Path)
    options.add_argument("--names", nargs="+", default=["required-wsj02", "optional-wsj02"])
    options.add_argument("--parser", default="en")
    options.add_argument("--unnamed", action="store_true")
    given = options.parse_args()
    gold, trees = read_gold(given.folder, given.names)
    texts = [sentence.text.replace("``", '"').replace("''", '"') for sentence in gold]
    parser = load_parser(given.parser)
    parses = list(parser.parse(texts))
    columns = {"gold trees": scored(gold, trees, "headword", given.unnamed)}
    if "tree" in parser.layers:
        columns["parser's trees"] = scored(gold, parses, "headword", given.unnamed)
    columns["its dependencies"] = scored(gold, parses, None, given.unnamed)
    print(f"{'F':14}" + "".join(f"{name:>22}" for name in columns) + f"{'gold':>8}")
    rows = {name: scores.relations() for name, scores in columns.items()}
    for relation in HIERARCHY.relations:
        cells = [rows[name][relation] for name in columns]
        if cells[0].gold:
            print(f"{relation:14}" + "".join(f"{100 * cell.f:22.1f}" for cell in cells) + f"{cells[0].gold:8}")
    print(f"{'Micro-average':14}" + "".join(f"{100 * scores.micro().f:22.1f}" for scores in columns.values()))


if __name__ == "__main__":
    main()
