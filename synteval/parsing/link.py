"""Link Grammar (Sleator & Temperley 1993) as a parser: `link`, or `link:20` for a limit of 20 seconds of CPU a
sentence.

Version 5.12 of Debian, called through its library, so that any Python can use it. The first linkage is taken, as Molla
& Hutchinson (2003) do; words that fit into no linkage are left out of it (null links), never the sentence. A sentence
that is not finished within the limit has tokens and no dependencies, and is counted as not covered.
How a linkage becomes a record is in linkage.py.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import hashlib
import itertools
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from synteval.errors import NotInstalledError, OptionError, ParserError
from synteval.parsing.linkage import Linkage, to_sentence
from synteval.parsing.protocol import Parser, ParserInfo
from synteval.resources import resource
from synteval.structures import Segment, Sentence

INSTALL = "apt-get install link-grammar link-grammar-dictionaries-en liblink-grammar5"
SECONDS = 10
_LINKAGES = 1000
_NULLS = 250
# The end of a sentence inside a segment: Link Grammar has no splitter of its own.
_SENTENCE_END = re.compile(r"(?:\s[a-z0-9][^\s.]*[.!?]|[!?])[\"'”’)]*\s+(?=[\"'“‘(]*[A-Z])")
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
        # The tree of a linkage depends on the table of heads too.
        table = resource("grammars", "relations", "link_heads.toml").read_bytes()
        return f"link@{version}-{hashlib.sha256(table).hexdigest()[:8]}-{self.seconds}s"

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
