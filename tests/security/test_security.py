"""What SECURITY.md promises, tested."""

from __future__ import annotations

import ast
import gzip
import subprocess
import sys
from pathlib import Path

import pytest
from command import ROOT

from synteval.errors import InputError
from synteval.io import files, read_lines
from synteval.io.wmt import read_xml

MODULES = sorted((ROOT / "synteval").rglob("*.py"))
FORBIDDEN_IMPORTS = {
    "pickle",
    "cPickle",
    "dill",
    "cloudpickle",
    "joblib",
    "shelve",
    "marshal",
    "yaml",
    "requests",
    "urllib3",
}
FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__", "system", "popen"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_dangerous_calls(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = {alias.name.split(".")[0] for alias in node.names}
            assert not names & FORBIDDEN_IMPORTS, (path, node.lineno)
        elif isinstance(node, ast.ImportFrom):
            assert (node.module or "").split(".")[0] not in FORBIDDEN_IMPORTS, (path, node.lineno)
        elif isinstance(node, ast.Call):
            function = node.func
            name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
            if isinstance(function, ast.Name):
                assert name not in FORBIDDEN_CALLS, (path, node.lineno)
            elif isinstance(function.value, ast.Name) if isinstance(function, ast.Attribute) else False:
                assert not (function.value.id == "os" and name in FORBIDDEN_CALLS), (path, node.lineno)
            for keyword in node.keywords:
                allowed = keyword.arg not in ("shell", "allow_pickle") or (
                    isinstance(keyword.value, ast.Constant) and keyword.value.value is False
                )
                assert allowed, (path, node.lineno)


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;&x;&x;">]><dataset><doc>&z;</doc></dataset>',
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><dataset><doc><hyp><seg>&x;</seg></hyp></doc></dataset>',
        '<!DOCTYPE a SYSTEM "http://127.0.0.1:9/x.dtd"><dataset/>',
    ],
)
def test_entities_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.xml").write_text(text)
    with pytest.raises(InputError, match="document type or entities"):
        read_xml(tmp_path / "a.xml")


def test_decompression_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bomb.txt.gz").write_bytes(gzip.compress(b" " * 5_000_000))
    monkeypatch.setattr(files, "LARGEST", 1_000_000)
    with pytest.raises(InputError, match="split it"):
        read_lines(tmp_path / "bomb.txt.gz")
    monkeypatch.undo()
    assert len(read_lines(tmp_path / "bomb.txt.gz")[0]) == 5_000_000
    # A small file may not become a large one at all.
    monkeypatch.setattr(files, "ALWAYS", 1_000_000)
    with pytest.raises(InputError, match="split it"):
        read_lines(tmp_path / "bomb.txt.gz")


def test_scoring_opens_no_socket(tmp_path: Path) -> None:
    """The whole way from text, with every socket refused."""
    (tmp_path / "h.txt").write_text("I have the dog.\n")
    (tmp_path / "r.txt").write_text("I had a dog.\n")
    code = (
        "import socket, sys\n"
        "def refuse(*a, **k): raise RuntimeError('a socket was opened')\n"
        "socket.socket.__init__ = refuse; socket.create_connection = refuse; socket.getaddrinfo = refuse\n"
        "from synteval.cli.main import run\n"
        "sys.exit(run(['score', 'h.txt', '-r', 'r.txt', '-m', 'all', '--no-cache']))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
