"""The worked examples of Liu & Gildea 2005 and their kind: trees that fit the counts printed in the paper."""

from __future__ import annotations

from synteval.structures import Segment, Sentence
from synteval.structures.brackets import parse_brackets


def brackets(text: str) -> Segment:
    return tuple(found.sentence() for found in parse_brackets(text))


def dependencies(text: str) -> Segment:
    """Tokens written as word/head or word/head/relation, heads counted from 1."""
    parts = [token.split("/") for token in text.split()]
    relations = [part[2] if len(part) > 2 else "root" if part[1] == "0" else "dep" for part in parts]
    heads = [int(part[1]) - 1 for part in parts]
    return (Sentence.build([part[0] for part in parts], heads=heads, relations=relations, scheme="ud"),)


# Figure 2, and a second reference that has PRON twice.
FIGURE2_HYPOTHESIS = "(S (NP (PRON)) (VP (V) (NP (PRON))))"
FIGURE2_REFERENCE = "(S (NP (PRON)) (VP (V) (NP (ART) (N))))"
TWO_PRONOUNS = "(X (PRON) (PRON))"
FOUR_NODES = "(S (NP (N)) (VP))"

# Figure 1.
DOG_REFERENCE = "(S (NP (PRON I)) (VP (V had) (NP (ART a) (N dog))))"
DOG_HYPOTHESIS_1 = "(S (NP (PRON I)) (VP (V have) (NP (ART the) (N dog))))"
DOG_HYPOTHESIS_2 = "(NP (NP (ART A) (N dog)) (SBAR (S (NP (PRON I)) (VP (V had)))))"

# Headword chains.
RED_PEN = "I/2 have/0 a/5 red/5 pen/2"
BLUE_PEN = "I/2 have/0 a/5 blue/5 pen/2"
ONE_WORD = "I/0"
# Five words, one of them in the reference, and no arc in common.
FIVE_WORDS = "pen/0 u/1 v/1 w/1 x/1"

# Table 7, with the main verb as the head of its clause.
PLANE_HYPOTHESIS = "Diplomats/3 will/3 be/0 aboard/3 the/6 plane/4 to/8 return/3 home/8 ./3"
PLANE_REFERENCES = (
    "Diplomats/2 are/0 to/4 come/2 back/4 home/4 aboard/4 the/10 fifth/10 plane/7 ./2",
    "Diplomatic/2 staff/4 would/4 go/0 home/4 in/4 a/9 fifth/9 plane/6 ./4",
    "Diplomatic/2 staff/4 will/4 take/0 the/7 fifth/7 plane/4 home/4 ./4",
)

# Dependencies: 2 of 4 match 2 of 3, without relations 3 do; and 1 of 3 matches 1 of 2.
EAT_HYPOTHESIS = "he/2/nsubj ate/0/root fish/2/iobj with/2/obl now/2/advmod ./2/punct"
EAT_REFERENCE = "he/2/nsubj ate/0/root fish/2/obj now/2/advmod !/2/punct"
SEE_HYPOTHESIS = "she/2/nsubj saw/0/root it/2/obj here/2/advmod"
SEE_REFERENCE = "they/2/nsubj saw/0/root it/2/obj"
