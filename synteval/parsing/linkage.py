"""A linkage of Link Grammar as a record: a tree of its links (scheme "link"), its constituents, tags and lemmas.

Links form a graph without directions. Each type of link has a head end (grammars/relations/link_heads.toml); from the
main verb downwards each word takes the first link that leads to it as dependent, then any link that reaches it (its
relation then ends in `^`), then the root with the relation `null`. A relation is the type of the link, a colon, its
subtype: `S:s`, `MV:p`.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass

from synteval.parsing.english_lemmas import english_lemmas
from synteval.resources import resource
from synteval.structures import NONTERMINAL, ROOT, Sentence, Tree

_LABEL = re.compile(r"^[a-z]?([A-Z]+)(.*)$")
_BRACKET = re.compile(r"\(|\)|[^\s()]+")
# Links from an auxiliary to the verb after it.
_VERB_CHAIN = frozenset({"I", "PP", "P"})
# Links whose right end is the main verb of a clause; the tree has its first auxiliary there.
_TO_MAIN_VERB = frozenset({"WV", "CV", "B", "RS"})
# Marks a relation whose head end is the dependent: the only link that reaches the word.
REVERSED = "^"


@dataclass(frozen=True)
class Linkage:
    """One linkage: words with their subscripts and spans, links as (left, right, label), constituents as brackets."""

    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    links: tuple[tuple[int, int, str], ...]
    brackets: str


def to_sentence(linkage: Linkage, text: str, offset: int = 0) -> Sentence:
    """The record of a linkage; `haven't` is two words, as in every treebank."""
    kept = [word for word, (start, end) in enumerate(linkage.spans) if end > start]
    heads, relations = link_tree(linkage, {word: index for index, word in enumerate(kept)})
    spans: list[tuple[int, int]] = []
    tags: list[str] = []
    first: list[int] = []  # of each kept word
    negations: list[int] = []
    for word in kept:
        start, end = linkage.spans[word]
        first.append(len(spans))
        cut = end - 3 if end - start > 3 and text[end - 3 : end].lower() in ("n't", "n’t") else end
        spans.append((start, cut))
        tags.append(_tag(linkage.words[word], text[start:cut]))
        if cut < end:
            negations.append(len(spans))
            spans.append((cut, end))
            tags.append("RB")
    new_heads, new_relations = [ROOT] * len(spans), ["N"] * len(spans)
    for index, place in enumerate(first):
        new_heads[place] = ROOT if heads[index] == ROOT else first[heads[index]]
        new_relations[place] = relations[index]
    for place in negations:
        new_heads[place] = place - 1
    forms = [text[start:end] for start, end in spans]
    return Sentence.build(
        forms,
        text=text,
        lemmas=english_lemmas(forms, tags),
        upos=[_UNIVERSAL.get(tag[:2], "X") for tag in tags],
        xpos=tags,
        spans=spans,
        heads=new_heads,
        relations=new_relations,
        scheme="link",
        tree=_constituents(linkage.brackets, first, forms, tags),
        offset=offset,
    )


@functools.cache
def _ends() -> tuple[frozenset[str], frozenset[str]]:
    path = resource("grammars", "relations", "link_heads.toml")
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return frozenset(table["right"]), frozenset(table["spare"])


def _split(label: str) -> tuple[str, str]:
    """(type, subtype): Ss*s is S and s*s, SJlp is SJ and lp. A leading h or d only marks the ends."""
    found = _LABEL.match(label)
    return (found[1], found[2]) if found else (label, "")


def _in(kind: str, subtype: str, names: frozenset[str]) -> bool:
    return kind in names or (bool(subtype) and kind + subtype[0] in names)


def link_tree(linkage: Linkage, position: dict[int, int]) -> tuple[list[int], list[str]]:
    """Heads and relations of the kept words."""
    right, spare = _ends()
    count = len(position)
    directed: list[list[tuple[int, str]]] = [[] for _ in range(count)]
    other: list[list[tuple[int, str]]] = [[] for _ in range(count)]
    from_wall: dict[str, list[int]] = {}
    first_auxiliary = _first_auxiliaries(linkage, position)
    for left, right_word, label in linkage.links:
        kind, subtype = _split(label)
        if right_word not in position:
            continue
        end = position[right_word]
        if kind in _TO_MAIN_VERB:
            end = first_auxiliary(end)
        if left not in position:
            from_wall.setdefault("Xx" if label == "Xx" else kind, []).append(end)
            continue
        head, dependent = position[left], end
        if _in(kind, subtype, right):
            head, dependent = dependent, head
        name = f"{kind}:{subtype}" if subtype else kind
        (other if _in(kind, subtype, spare) else directed)[head].append((dependent, name))
        other[dependent].append((head, f"{name}{REVERSED}"))
    # The main verb, or else what the wall points at.
    root = next((min(from_wall[kind]) for kind in ("WV", "CP", "W") if kind in from_wall), 0)
    heads, relations = [ROOT] * count, ["null"] * count
    relations[root] = "root"
    # The wall also ties a conjunction between clauses, and a verb of saying beside what is said, to the sentence.
    for word in from_wall.get("Xx", []):
        directed[root].append((word, "cc"))
        directed[root] += [(verb, "WV:c") for verb, name in other[word] if name == "WV"]
    directed[root] += [(word, "CP") for word in from_wall.get("CP", []) if word != root]
    reached = {root}
    while len(reached) < count:
        if not (_grow(directed, reached, heads, relations) or _grow(other, reached, heads, relations)):
            word = next(word for word in range(count) if word not in reached)
            heads[word] = root
            reached.add(word)
    return heads, relations


def _first_auxiliaries(linkage: Linkage, position: dict[int, int]) -> Callable[[int], int]:
    """From a verb to the first auxiliary before it, which has the subject: held to will, in will have been held."""
    above = {
        position[verb]: position[auxiliary]
        for auxiliary, verb, label in linkage.links
        if _split(label)[0] in _VERB_CHAIN
        and auxiliary in position
        and verb in position
        and not linkage.words[auxiliary].lower().startswith("to")
    }

    def climb(verb: int) -> int:
        while verb in above and above[verb] < verb:
            verb = above[verb]
        return verb

    return climb


def _grow(links: list[list[tuple[int, str]]], reached: set[int], heads: list[int], relations: list[str]) -> bool:
    grown = False
    queue = sorted(reached)
    while queue:
        head = queue.pop(0)
        for dependent, name in links[head]:
            if dependent not in reached:
                heads[dependent], relations[dependent] = head, name
                reached.add(dependent)
                queue.append(dependent)
                grown = True
    return grown


_UNIVERSAL = {
    "NN": "NOUN",
    "VB": "VERB",
    "JJ": "ADJ",
    "RB": "ADV",
    "CD": "NUM",
    "IN": "ADP",
    "CC": "CCONJ",
    "DT": "DET",
}
_CLOSED = {
    "DT": "the a an this these those that some any no every each another all both",
    "IN": "of in on at by for from with without to into over under about after before since during between against as "
    "through among within like than upon toward towards off out because if when while although though whether",
    "CC": "and or but nor &",
    "PRP": "i you he she it we they me him her us them himself herself itself themselves",
    "PRP$": "my your his its our their",
    "WDT": "which",
    "WP": "who whom what",
    "WRB": "where when why how",
    "MD": "will would can could may might shall should must 'll 'd ca wo",
    "VBZ": "'s is has does",
    "VBP": "'re 've are have do",
    "VBD": "was were had did",
    "RB": "not n't also still recently already very too only just even",
}
_CLOSED_TAGS = {word: tag for tag, words in _CLOSED.items() for word in words.split()}


def _tag(word: str, form: str) -> str:
    """A Penn tag from the subscript that Link Grammar gives a word: came.v-d, fork.n, terrific.a, 30.5[!<NUMBERS>]."""
    lowered = form.lower()
    if "NUMBERS" in word or re.fullmatch(r"[\d.,]*\d[\d.,]*", form) or lowered in ("million", "billion", "trillion"):
        return "CD"
    if "CAPITALIZED" in word:
        return "NNP"
    if not form[0].isalnum() and len(form) == 1 and form not in "&$%":
        return form
    subscript = word.rpartition(".")[2] if "." in word.rstrip(".") else ""
    if lowered in ("to",):
        return "TO"
    if subscript.startswith("j-r") or (lowered == "that" and subscript.startswith("j")):
        return "WDT"
    if lowered == "'s" and subscript == "p":
        return "POS"
    if lowered in _CLOSED_TAGS and not subscript.startswith(("n", "a")):
        return _CLOSED_TAGS[lowered]
    if subscript.startswith(("v", "w", "q", "g")):
        if lowered.endswith("ing"):
            return "VBG"
        if subscript.startswith("v-d") or subscript.endswith("-d") or subscript.startswith("w"):
            return "VBD"
        return "VBZ" if lowered.endswith("s") else "VB"
    if subscript.startswith("a"):
        return "JJ"
    if subscript.startswith("e"):
        return "RB"
    if form[0].isupper() and subscript[:1] in ("b", "f", "m", "l", "y", "t", ""):
        return "NNP"
    return "NNS" if lowered.endswith("s") and subscript.startswith("n") else "NN"


def _constituents(brackets: str, first: list[int], forms: list[str], tags: list[str]) -> Tree | None:
    """Link Grammar's constituents, with tags above the words as in a treebank; `first` is the first token of each of
    its words. None where they do not cover all words."""
    labels: list[str] = []
    parents: list[int] = []
    tokens: list[int] = []
    path: list[int] = []
    opening = False
    used = 0
    for piece in _BRACKET.findall(brackets):
        if piece == "(":
            opening = True
        elif piece == ")":
            if not path:
                return None
            path.pop()
        elif opening or not path:
            if not opening or (not path and labels):
                return None
            parents.append(path[-1] if path else -1)
            path.append(len(labels))
            labels.append(piece)
            tokens.append(NONTERMINAL)
            opening = False
        elif used == len(first):
            return None
        else:
            after = first[used + 1] if used + 1 < len(first) else len(forms)
            for token in range(first[used], after):
                labels += [tags[token], forms[token]]
                parents += [path[-1], len(parents)]
                tokens += [NONTERMINAL, token]
            used += 1
    return Tree.build(labels, parents, tokens) if used == len(first) and labels else None
