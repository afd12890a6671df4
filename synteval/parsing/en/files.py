"""The files of the model, each checked against the manifest before it is used."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

from synteval.errors import ParserError, SyntevalError
from synteval.resources import resource

_REMEDY = "reinstall: pip install --force-reinstall synteval"


class ModelFiles:
    """models/en/ or another folder of the same form."""

    def __init__(self, folder: Path | None = None) -> None:
        try:
            self.folder = folder or resource("models", "en")
            self.manifest: dict[str, Any] = json.loads((self.folder / "manifest.json").read_text("utf8"))
            self._hashes: dict[str, str] = self.manifest["sha256"]
            self.version: str = self.manifest["version"]
        except (OSError, ValueError, KeyError, TypeError, SyntevalError):
            where = folder or "models/en"
            raise ParserError(
                f"{where}/manifest.json, the list of model files, is missing or damaged; {_REMEDY}"
            ) from None

    @property
    def digest(self) -> str:
        """Eight hexadecimal digits that stand for all files."""
        return hashlib.sha256(json.dumps(self._hashes, sort_keys=True).encode()).hexdigest()[:8]

    def read(self, name: str) -> bytes:
        """The content of a file, if it is what the manifest says. Raises ParserError."""
        try:
            content = (self.folder / name).read_bytes()
        except OSError:
            raise ParserError(f"{self.folder / name}, a file of the parser's model, is missing; {_REMEDY}") from None
        if hashlib.sha256(content).hexdigest() != self._hashes.get(name):
            raise ParserError(f"{self.folder / name}, a file of the parser's model, is damaged; {_REMEDY}")
        return content

    def read_json(self, name: str) -> Any:
        content = self.read(name)
        return json.loads(gzip.decompress(content) if name.endswith(".gz") else content)
