"""The neutral record of a parse: columns of strings, flat trees, sentences."""

from synteval.structures.sentence import (
    LAYER_NAMES,
    LAYERS,
    ROOT,
    Annotations,
    Segment,
    Sentence,
    check_heads,
)
from synteval.structures.strings import IntArray, Strings
from synteval.structures.tree import EMPTY, NONTERMINAL, Tree

__all__ = [
    "EMPTY",
    "LAYERS",
    "LAYER_NAMES",
    "NONTERMINAL",
    "ROOT",
    "Annotations",
    "IntArray",
    "Segment",
    "Sentence",
    "Strings",
    "Tree",
    "check_heads",
]
