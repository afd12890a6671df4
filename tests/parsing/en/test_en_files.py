"""Model files are checked before they are used."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from synteval.errors import ParserError
from synteval.model_files import ModelFiles
from synteval.parsing.en.parser import EnglishParser
from synteval.resources import resource

FILES = sorted(json.loads((resource("models", "en") / "manifest.json").read_text("utf8"))["sha256"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(resource("models", "en"), tmp_path / "en"))


@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_refused_by_name(folder: Path, name: str) -> None:
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(ParserError, match=rf"{name}.*damaged.*pip install --force-reinstall synteval"):
        next(EnglishParser(folder=folder).parse(["a"]))


@pytest.mark.parametrize("name", [*FILES, "manifest.json"])
def test_a_missing_file_is_refused_by_name(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(ParserError, match=rf"{name}.*missing.*pip install --force-reinstall synteval"):
        next(EnglishParser(folder=folder).parse(["a"]))


def test_a_damaged_manifest_is_refused(folder: Path) -> None:
    (folder / "manifest.json").write_text("{", "utf8")
    with pytest.raises(ParserError, match=r"manifest\.json.*damaged.*reinstall"):
        ModelFiles(folder)


def test_the_fingerprint_follows_the_files(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text("utf8"))
    before = ModelFiles(folder).digest
    manifest["sha256"]["lemmas.json.gz"] = "0" * 64
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf8")
    assert ModelFiles(folder).digest != before


def test_size_of_the_model() -> None:
    assert sum(path.stat().st_size for path in resource("models", "en").iterdir()) < 40 * 2**20
