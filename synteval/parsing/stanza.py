"""Stanza (Qi et al. 2020) as a parser: `stanza:LANG` with its downloaded models, `stanza:PATH` or `stanza:LANG:PATH`
with those of another folder, laid out as Stanza's downloads are: PATH/resources.json, PATH/LANG/PROCESSOR/PACKAGE.pt.

Tokens (multiword tokens expanded), tags, lemmas and UD dependencies; constituency trees where the language has a model
for them. Nothing is downloaded: a language whose models are missing fails with the command that fetches them.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Iterable, Iterator
from functools import cached_property
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

from synteval.errors import NotInstalledError, ParserError
from synteval.parsing.protocol import Parser, ParserInfo
from synteval.structures import ROOT, Segment, Sentence
from synteval.structures.brackets import parse_brackets

INSTALL = "pip install 'synteval[stanza]'"
PROCESSORS = ("tokenize", "mwt", "pos", "lemma", "depparse", "constituency")
_BATCH = 64
_RESOURCES = "resources.json"


def _installed() -> bool:
    return importlib.util.find_spec("stanza") is not None


class StanzaParser(Parser):
    """A Stanza pipeline, loaded at the first parse."""

    name = "stanza"

    def __init__(self, argument: str | None = None) -> None:
        super().__init__(argument)
        if not _installed():
            raise NotInstalledError(f"Stanza is not installed; install it: {INSTALL}")
        self.language, self.folder = _language_and_folder(argument)
        models = self.folder / self.language
        self.processors = [name for name in PROCESSORS if (models / name).is_dir()]
        if "tokenize" not in self.processors or not (self.folder / _RESOURCES).is_file():
            raise NotInstalledError(
                f"no Stanza models for {self.language!r} in {self.folder}; fetch them: "
                f"python -c \"import stanza; stanza.download('{self.language}')\""
            )
        made = {"tokenize": "spans", "lemma": "lemmas", "depparse": "heads", "constituency": "tree"}
        layers = {made[name] for name in self.processors if name in made}
        self.layers = frozenset(layers | ({"upos", "xpos"} if "pos" in self.processors else set()))

    @cached_property
    def fingerprint(self) -> str:
        digest = hashlib.sha256()
        for path in sorted((self.folder / self.language).rglob("*.pt")):
            digest.update(str(path.relative_to(self.folder)).encode())
            with path.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
        return f"stanza:{self.language}@{version('stanza')}-{digest.hexdigest()[:8]}"

    @cached_property
    def _pipeline(self) -> Any:
        import stanza

        try:
            return stanza.Pipeline(
                self.language,
                dir=str(self.folder),
                processors=",".join(self.processors),
                download_method=None,
                verbose=False,
                use_gpu=False,
            )
        except Exception as error:  # Stanza raises many kinds, of its own and of torch
            raise ParserError(f"the Stanza models in {self.folder} cannot be loaded ({error})") from None

    def parse(self, texts: Iterable[str]) -> Iterator[Segment]:
        import stanza

        remaining = iter(texts)
        while batch := list(islice(remaining, _BATCH)):
            filled = [text for text in batch if text.strip()]
            parsed = self._pipeline.bulk_process([stanza.Document([], text=text) for text in filled]) if filled else []
            documents = iter(parsed)
            for text in batch:
                yield self._segment(text, next(documents)) if text.strip() else ()

    def _segment(self, text: str, document: Any) -> Segment:
        return tuple(self._sentence(text, sentence) for sentence in document.sentences)

    def _sentence(self, text: str, sentence: Any) -> Sentence:
        words = sentence.words
        start = sentence.tokens[0].start_char
        end = sentence.tokens[-1].end_char
        # The words of a multiword token share its span.
        spans = [(token.start_char - start, token.end_char - start) for token in sentence.tokens for _ in token.words]
        parsed = "depparse" in self.processors
        tagged = "pos" in self.processors
        tree = getattr(sentence, "constituency", None)
        return Sentence.build(
            [word.text for word in words],
            text=text[start:end],
            lemmas=[word.lemma or word.text for word in words] if "lemma" in self.processors else None,
            upos=[word.upos or "X" for word in words] if tagged else None,
            xpos=[word.xpos or "_" for word in words] if tagged else None,
            spans=spans,
            heads=[word.head - 1 if word.head else ROOT for word in words] if parsed else None,
            relations=[word.deprel for word in words] if parsed else None,
            scheme="ud" if parsed else None,
            tree=parse_brackets(str(tree))[0].tree if tree is not None else None,
            offset=start,
        )

    @classmethod
    def about(cls) -> list[ParserInfo]:
        description = "Stanza: UD dependencies, tags, lemmas; constituency trees for some languages"
        if not _installed():
            return [ParserInfo("stanza:LANG", description, False, "", INSTALL)]
        download = "python -c \"import stanza; stanza.download('en')\""
        folder = _default_folder()
        languages = sorted(path.parent.name for path in folder.glob("*/tokenize")) if folder.is_dir() else []
        if not languages:
            return [ParserInfo("stanza:LANG", description, False, f"Stanza {version('stanza')}, no models", download)]
        return [ParserInfo(f"stanza:{name}", description, True, version("stanza"), download) for name in languages]


def _default_folder() -> Path:
    """Where Stanza keeps its downloads."""
    if folder := os.environ.get("STANZA_RESOURCES_DIR"):
        return Path(folder)
    from stanza.resources.common import DEFAULT_MODEL_DIR

    return Path(DEFAULT_MODEL_DIR)


def _language_and_folder(argument: str | None) -> tuple[str, Path]:
    if not argument:
        return "en", _default_folder()
    language, colon, path = argument.partition(":")
    if colon and path:
        return language, Path(path)
    if not Path(argument).is_dir():
        return argument, _default_folder()
    folder = Path(argument)
    languages = sorted(path.parent.name for path in folder.glob("*/tokenize"))
    if len(languages) != 1:
        found = ", ".join(languages) or "none"
        raise ParserError(f"{folder}: languages with models: {found}; name one, such as stanza:en:{folder}")
    return languages[0], folder
