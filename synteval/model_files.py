"""The files of a shipped model, each checked against the SHA-256 of its manifest before it is used."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

from synteval.errors import ModelError, SyntevalError
from synteval.resources import resource

_REMEDY = "reinstall: pip install --force-reinstall synteval"


class ModelFiles:
    """A folder of `models/` by its name (`en`, `wordnet`, ...), or another folder of the same form."""

    def __init__(self, model: str | Path) -> None:
        try:
            self.folder = resource("models", model) if isinstance(model, str) else model
            self.manifest: dict[str, Any] = json.loads((self.folder / "manifest.json").read_text("utf8"))
            self._hashes: dict[str, str] = self.manifest["sha256"]
            self.version: str = self.manifest["version"]
        except (OSError, ValueError, KeyError, TypeError, SyntevalError):
            where = f"models/{model}" if isinstance(model, str) else model
            raise ModelError(
                f"{where}/manifest.json, the list of model files, is missing or damaged; {_REMEDY}"
            ) from None

    @property
    def digest(self) -> str:
        """Eight hexadecimal digits that stand for all files."""
        return hashlib.sha256(json.dumps(self._hashes, sort_keys=True).encode()).hexdigest()[:8]

    def read(self, name: str) -> bytes:
        """The content of a file, if it is what the manifest says. Raises ModelError."""
        try:
            content = (self.folder / name).read_bytes()
        except OSError:
            raise ModelError(f"{self.folder / name}, a file of a model, is missing; {_REMEDY}") from None
        if hashlib.sha256(content).hexdigest() != self._hashes.get(name):
            raise ModelError(f"{self.folder / name}, a file of a model, is damaged; {_REMEDY}")
        return content

    def read_json(self, name: str) -> Any:
        """The same, as JSON; gzipped where the name says so."""
        content = self.read(name)
        return json.loads(gzip.decompress(content) if name.endswith(".gz") else content)
