"""Any installed spaCy pipeline as a parser: `spacy:en_core_web_sm`.

Its tokenization, sentence splitting, tags, lemmas and dependencies; spaCy has no constituency trees. The scheme of
the dependencies is taken from the model: UD, or ClearNLP's labels, which spaCy's English models use.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Iterable, Iterator
from functools import cached_property
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from synteval.errors import NotInstalledError, ParserError
from synteval.parsing.protocol import Parser, ParserInfo
from synteval.structures import ROOT, Segment, Sentence, Strings

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Span

_INSTALL = "pip install 'synteval[spacy]'"
# Relations that ClearNLP's scheme has and UD has not.
_CLEARNLP = frozenset({"pobj", "dobj", "nsubjpass", "auxpass", "prep", "pcomp", "poss"})
# What a dependency metric may need; the rest of a pipeline (named entities, text categories, ...) is left out.
_NEEDED = ("tok2vec", "transformer", "tagger", "morphologizer", "parser", "senter", "sentencizer", "attribute_ruler")
_LEMMATIZERS = ("lemmatizer", "trainable_lemmatizer")
_BATCH = 128


class SpacyParser(Parser):
    """A spaCy package, loaded at the first parse."""

    name = "spacy"
    layers = frozenset({"lemmas", "upos", "xpos", "spans", "heads"})

    def __init__(self, argument: str | None = None) -> None:
        super().__init__(argument)
        if argument is None:
            raise ParserError("spacy needs the name of a pipeline, such as --parser spacy:en_core_web_sm")
        if importlib.util.find_spec("spacy") is None:
            raise NotInstalledError(f"spaCy is not installed; install it: {_INSTALL}")
        # Found without importing it: a warm run touches no spaCy module.
        found = importlib.util.find_spec(argument) if argument.isidentifier() else None
        if found is None or found.origin is None:
            raise NotInstalledError(
                f"the spaCy pipeline {argument!r} is not installed; install it: python -m spacy download {argument}"
            )
        self._folder = Path(found.origin).parent
        try:
            self._meta: dict[str, Any] = json.loads((self._folder / "meta.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise ParserError(f"{argument!r} is installed but is no spaCy pipeline: it has no meta.json") from None
        self.language = str(self._meta.get("lang", ""))

    @cached_property
    def fingerprint(self) -> str:
        # The description, and every file with its size: reading hundreds of megabytes of weights would cost seconds.
        files = sorted((str(p.relative_to(self._folder)), p.stat().st_size) for p in self._folder.rglob("*/*/*"))
        digest = hashlib.sha256(json.dumps([self._meta, files, version("spacy")], sort_keys=True).encode())
        return f"spacy:{self.argument}@{self._meta['version']}-{digest.hexdigest()[:8]}"

    @cached_property
    def _pipeline(self) -> Language:
        import spacy

        assert self.argument is not None
        try:
            pipeline = spacy.load(self.argument)
        except (OSError, ValueError, ImportError) as error:
            raise ParserError(f"the spaCy pipeline {self.argument!r} cannot be loaded ({error})") from None
        for component in list(pipeline.pipe_names):
            if component not in (*_NEEDED, *_LEMMATIZERS):
                pipeline.disable_pipe(component)
        if not {"parser", "senter", "sentencizer"} & set(pipeline.pipe_names):
            pipeline.add_pipe("sentencizer", first=True)
        # spaCy refuses texts of more than a million characters, to spare memory; a segment is never that long for long.
        pipeline.max_length = 2**31
        return pipeline

    @cached_property
    def _scheme(self) -> str:
        pipeline = self._pipeline
        labels = set(pipeline.pipe_labels["parser"]) if "parser" in pipeline.pipe_names else set()
        return "clearnlp" if len(labels & _CLEARNLP) >= 3 else "ud"

    def parse(self, texts: Iterable[str]) -> Iterator[Segment]:
        for doc in self._pipeline.pipe(texts, batch_size=_BATCH):
            yield self._segment(doc)

    def _segment(self, doc: Doc) -> Segment:
        return tuple(s for span in doc.sents if (s := self._sentence(doc, span)) is not None)

    def _sentence(self, doc: Doc, span: Span) -> Sentence | None:
        from spacy.attrs import DEP, LEMMA, POS, TAG

        # spaCy makes tokens of runs of blanks; a record has none.
        kept = [token.i for token in span if not token.is_space]
        if not kept:
            return None
        rows = doc.to_array([LEMMA, POS, TAG, DEP])[kept]
        texts = doc.vocab.strings
        start = int(doc[kept[0]].idx)
        last = doc[kept[-1]]
        begins = np.array([doc[i].idx for i in kept], dtype=np.int32)
        forms = [doc[i].text for i in kept]
        ends = begins + np.array([len(form) for form in forms], dtype=np.int32)
        heads = relations = None
        if doc.has_annotation("DEP"):
            heads = _heads(span, kept)
            relations = Strings.of(texts[int(code)] or "dep" for code in rows[:, 3])

        def column(index: int, missing: str) -> Strings | None:
            codes = rows[:, index]
            return Strings.of(texts[int(code)] or missing for code in codes) if codes.any() else None

        return Sentence(
            text=doc.text[start : last.idx + len(last)],
            forms=Strings.of(forms),
            lemmas=column(0, "_"),
            upos=column(1, "X"),
            xpos=column(2, "_"),
            spans=np.stack([begins, ends], axis=1) - np.int32(start),
            heads=heads,
            relations=relations,
            scheme=None if heads is None else self._scheme,
            offset=start,
        )

    @classmethod
    def about(cls) -> list[ParserInfo]:
        description = "any installed spaCy pipeline: dependencies, tags, lemmas"
        if importlib.util.find_spec("spacy") is None:
            return [ParserInfo("spacy:PACKAGE", description, False, "", _INSTALL)]
        names = sorted({entry.name for entry in entry_points(group="spacy_models")})
        download = "python -m spacy download en_core_web_sm"
        if not names:
            return [ParserInfo("spacy:PACKAGE", description, False, f"spaCy {version('spacy')}, no pipeline", download)]
        return [ParserInfo(f"spacy:{name}", description, True, _version(name), download) for name in names]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _heads(span: Span, kept: list[int]) -> Any:
    """Heads among the kept tokens; a token whose head is a blank hangs from that blank's head. One root, the first."""
    position = {token: index for index, token in enumerate(kept)}
    doc = span.doc
    heads = []
    for token in kept:
        head, seen = doc[token].head.i, 0
        while head not in position and doc[head].head.i != head and seen < len(span):
            head, seen = doc[head].head.i, seen + 1
        heads.append(ROOT if head == token else position.get(head, ROOT))
    roots = [index for index, head in enumerate(heads) if head == ROOT]
    for other in roots[1:]:
        heads[other] = roots[0]
    return np.array(heads, dtype=np.int32)
