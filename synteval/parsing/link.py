"""Link Grammar (Sleator & Temperley 1993) as a parser: `link`, or `link:20` for a limit of 20 seconds of CPU a
sentence.

Version 5.12 of Debian, called through its library, so that any Python can use it. The first linkage is taken, as Molla
& Hutchinson (2003) do; words that fit into no linkage are left out of it (null links), never the sentence. A sentence
that is not finished within the limit has tokens and no dependencies, and is counted as not covered.

Links form a graph without directions. The record holds a tree (scheme "link"): each type of link has a head end
(grammars/relations/link_heads.toml); from the main verb downwards each word takes the first link that leads to it as
dependent, then any link that reaches it, then the root with the relation `null`. A relation is the type of the link, a
colon, its subtype: `S:s`, `MV:p`. Link Grammar's own constituents are the tree layer.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import itertools
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from synteval.errors import NotInstalledError, OptionError, ParserError
from synteval.parsing.english_lemmas import english_lemmas
from synteval.parsing.protocol import Parser, ParserInfo
from synteval.resources import resource
from synteval.structures import NONTERMINAL, ROOT, Segment, Sentence, Tree

INSTALL = "apt-get install link-grammar link-grammar-dictionaries-en liblink-grammar5"
SECONDS = 10
_LINKAGES = 1000
_NULLS = 250
_LABEL = re.compile(r"^[a-z]?([A-Z]+)(.*)$")
_BRACKET = re.compile(r"\(|\)|[^\s()]+")
# The end of a sentence inside a segment: Link Grammar has no splitter of its own.
_SENTENCE_END = re.compile(r"(?:\s[a-z0-9][^\s.]*[.!?]|[!?])[\"'”’)]*\s+(?=[\"'“‘(]*[A-Z])")
# Links from an auxiliary to the verb after it.
_VERB_CHAIN = frozenset({"I", "PP", "P"})
# Links whose right end is the main verb of a clause; the tree has its first auxiliary there.
_TO_MAIN_VERB = frozenset({"WV", "CV", "B", "RS"})
# Marks a relation whose head end is the dependent: the only link that reaches the word.
REVERSED = "^"
_POINTER, _TEXT, _SIZE, _INT = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int

_FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "linkgrammar_get_version": (_TEXT,),
    "lg_error_set_handler": (_POINTER, _POINTER, _POINTER),
    "dictionary_create_lang": (_POINTER, _TEXT),
    "parse_options_create": (_POINTER,),
    "parse_options_set_verbosity": (None, _POINTER, _INT),
    "parse_options_set_linkage_limit": (None, _POINTER, _INT),
    "parse_options_set_min_null_count": (None, _POINTER, _INT),
    "parse_options_set_max_null_count": (None, _POINTER, _INT),
    "parse_options_set_islands_ok": (None, _POINTER, ctypes.c_bool),
    "parse_options_set_max_parse_time": (None, _POINTER, _INT),
    "parse_options_reset_resources": (None, _POINTER),
    "sentence_create": (_POINTER, _TEXT, _POINTER),
    "sentence_delete": (None, _POINTER),
    "sentence_parse": (_INT, _POINTER, _POINTER),
    "linkage_create": (_POINTER, _SIZE, _POINTER, _POINTER),
    "linkage_delete": (None, _POINTER),
    "linkage_get_num_words": (_SIZE, _POINTER),
    "linkage_get_word": (_TEXT, _POINTER, _SIZE),
    "linkage_get_word_char_start": (_SIZE, _POINTER, _SIZE),
    "linkage_get_word_char_end": (_SIZE, _POINTER, _SIZE),
    "linkage_get_num_links": (_SIZE, _POINTER),
    "linkage_get_link_lword": (_SIZE, _POINTER, _SIZE),
    "linkage_get_link_rword": (_SIZE, _POINTER, _SIZE),
    "linkage_get_link_label": (_TEXT, _POINTER, _SIZE),
    "linkage_print_constituent_tree": (_POINTER, _POINTER, _INT),
    "linkage_free_constituent_tree_str": (None, _POINTER),
}


@dataclass(frozen=True)
class Linkage:
    """One linkage: words with their subscripts and spans, links as (left, right, label), constituents as brackets."""

    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    links: tuple[tuple[int, int, str], ...]
    brackets: str


@functools.cache
def _library() -> Any:
    name = ctypes.util.find_library("link-grammar") or "liblink-grammar.so.5"
    try:
        library = ctypes.CDLL(name)
        for function, (result, *arguments) in _FUNCTIONS.items():
            entry = getattr(library, function)
            entry.restype, entry.argtypes = result, arguments
        # No handler: the library prints nothing.
        library.lg_error_set_handler(None, None)
    except (OSError, AttributeError):
        raise NotInstalledError(f"Link Grammar is not installed; install it: {INSTALL}") from None
    return library


def installed() -> bool:
    """Whether the library is there."""
    try:
        _library()
    except NotInstalledError:
        return False
    return True


class LinkParser(Parser):
    """Link Grammar with its English dictionary, loaded at the first parse."""

    name = "link"
    layers = frozenset({"lemmas", "upos", "xpos", "spans", "heads", "tree"})

    def __init__(self, argument: str | None = None) -> None:
        super().__init__(argument)
        if argument is not None and not (argument.isdigit() and int(argument) > 0):
            raise OptionError(f"link:{argument}: the argument is a limit in seconds a sentence, such as link:{SECONDS}")
        self.seconds = SECONDS if argument is None else int(argument)
        _library()

    @cached_property
    def fingerprint(self) -> str:
        version = _library().linkgrammar_get_version().decode().removeprefix("link-grammar-")
        return f"link@{version}-en-{self.seconds}s"

    @cached_property
    def _dictionary(self) -> int:
        dictionary = _library().dictionary_create_lang(b"en")
        if not dictionary:
            raise NotInstalledError(f"Link Grammar's English dictionary is not installed; install it: {INSTALL}")
        return int(dictionary)

    @cached_property
    def _options(self) -> int:
        library = _library()
        options = library.parse_options_create()
        library.parse_options_set_verbosity(options, 0)
        library.parse_options_set_linkage_limit(options, _LINKAGES)
        library.parse_options_set_min_null_count(options, 0)
        library.parse_options_set_max_null_count(options, _NULLS)
        library.parse_options_set_islands_ok(options, True)
        library.parse_options_set_max_parse_time(options, self.seconds)
        return int(options)

    def parse(self, texts: Iterable[str]) -> Iterator[Segment]:
        for text in texts:
            yield tuple(self._sentence(text, start, end) for start, end in sentence_spans(text))

    def _sentence(self, text: str, start: int, end: int) -> Sentence:
        inside = text[start:end]
        linkage = self._first_linkage(inside)
        if linkage is None:
            return _unparsed(inside, start)
        return to_sentence(linkage, inside, start)

    def _first_linkage(self, text: str) -> Linkage | None:
        library = _library()
        library.parse_options_reset_resources(self._options)
        sentence = library.sentence_create(text.encode("utf-8", "replace").replace(b"\0", b" "), self._dictionary)
        if not sentence:
            raise ParserError(f"Link Grammar cannot take in {text[:60]!r}")
        try:
            if library.sentence_parse(sentence, self._options) <= 0:
                return None
            linkage = library.linkage_create(0, sentence, self._options)
            if not linkage:
                return None
            try:
                return _read_linkage(library, linkage)
            finally:
                library.linkage_delete(linkage)
        finally:
            library.sentence_delete(sentence)

    @classmethod
    def about(cls) -> list[ParserInfo]:
        description = "Link Grammar: links as dependencies, constituents"
        if not installed():
            return [ParserInfo("link", description, False, "", INSTALL)]
        version = _library().linkgrammar_get_version().decode().removeprefix("link-grammar-")
        return [ParserInfo("link", description, True, version, INSTALL)]


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of a segment are, blanks outside."""
    cuts = [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]
    for first, last in itertools.pairwise(cuts):
        part = text[first:last]
        if part.strip():
            yield first + len(part) - len(part.lstrip()), first + len(part.rstrip())


def _read_linkage(library: Any, linkage: int) -> Linkage:
    words = range(library.linkage_get_num_words(linkage))
    links = range(library.linkage_get_num_links(linkage))
    pointer = library.linkage_print_constituent_tree(linkage, 3)
    brackets = ctypes.string_at(pointer).decode("utf-8", "replace") if pointer else ""
    if pointer:
        library.linkage_free_constituent_tree_str(pointer)
    return Linkage(
        words=tuple(library.linkage_get_word(linkage, word).decode("utf-8", "replace") for word in words),
        spans=tuple(
            (
                int(library.linkage_get_word_char_start(linkage, word)),
                int(library.linkage_get_word_char_end(linkage, word)),
            )
            for word in words
        ),
        links=tuple(
            (
                int(library.linkage_get_link_lword(linkage, link)),
                int(library.linkage_get_link_rword(linkage, link)),
                library.linkage_get_link_label(linkage, link).decode(),
            )
            for link in links
        ),
        brackets=brackets,
    )


def _unparsed(text: str, offset: int) -> Sentence:
    """A sentence that was not finished: tokens at blanks, nothing else."""
    spans = [match.span() for match in re.finditer(r"\S+", text)]
    return Sentence.build([text[a:b] for a, b in spans], text=text, spans=spans, offset=offset)


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
        tree=_constituents(linkage.brackets, len(forms)),
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


def _constituents(brackets: str, count: int) -> Tree | None:
    """Link Grammar's constituents over the kept words; None where they do not cover them all."""
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
        else:
            if not path and labels:
                return None
            labels.append(piece)
            parents.append(path[-1] if path else -1)
            tokens.append(NONTERMINAL if opening else used)
            if opening:
                path.append(len(labels) - 1)
            else:
                used += 1
            opening = False
    if used != count or not labels:
        return None
    return Tree.build(labels, parents, tokens)
