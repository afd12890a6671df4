"""Where the files are that ship with the package: `models/` and `grammars/`.

In an installed copy they lie inside the package; in a checkout, beside it.
"""

from __future__ import annotations

from pathlib import Path

from synteval.errors import SyntevalError

_PACKAGE = Path(__file__).resolve().parent


def resource(*parts: str) -> Path:
    """The path of a shipped file or folder, such as `resource("grammars", "heads", "collins.toml")`."""
    for base in (_PACKAGE, _PACKAGE.parent):
        path = base.joinpath(*parts)
        if path.exists():
            return path
    raise SyntevalError(
        f"{'/'.join(parts)} is missing from the installation; reinstall: pip install --force-reinstall synteval"
    )
