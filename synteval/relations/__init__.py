"""Grammatical relations: read them, extract them from parses of any scheme, score them."""

from synteval.relations.extract import Extractor
from synteval.relations.grs import GR, GRSentence, parse_gr, read_relations, write_relations
from synteval.relations.hierarchy import Hierarchy, Options, load_hierarchy, presets
from synteval.relations.match import Matcher
from synteval.relations.score import RelationScores, score_relations

__all__ = [
    "GR",
    "Extractor",
    "GRSentence",
    "Hierarchy",
    "Matcher",
    "Options",
    "RelationScores",
    "load_hierarchy",
    "parse_gr",
    "presets",
    "read_relations",
    "score_relations",
    "write_relations",
]
