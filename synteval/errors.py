"""Errors that a user can mend: each message is one line that says what was given, where, and the remedy.

Library code raises these and never prints; the command line turns them into one line on standard error and
exit status 2.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class SyntevalError(Exception):
    """Base of every error that synteval raises on purpose."""


class InputError(SyntevalError, ValueError):
    """Input that cannot be read: names the file and, where known, the line."""


class StructureError(SyntevalError, ValueError):
    """A tree, a dependency structure or a record that is not well formed."""


class OptionError(SyntevalError, ValueError):
    """An unknown or impossible name, option or value; lists the valid ones."""


class MissingLayerError(SyntevalError):
    """A metric needs a layer of the parse (a tree, dependencies, ...) that the input does not have."""


class NotInstalledError(SyntevalError, ImportError):
    """An optional part is not installed; the message holds the one command that installs it."""


class ParserError(SyntevalError):
    """A parser could not be loaded or could not parse."""


class ModelError(ParserError):
    """A file of a shipped model is missing or damaged."""


class CacheError(SyntevalError):
    """The parse cache cannot be used as asked."""


def unknown(kind: str, name: str, valid: Iterable[str]) -> OptionError:
    """The error for a misspelt name: the nearest valid ones, or all of them where nothing is near."""
    names = sorted(set(valid))
    near = difflib.get_close_matches(name.lower(), names, n=3, cutoff=0.5)
    if near:
        hint = "did you mean " + " or ".join(near) + "?"
    elif names:
        hint = "valid: " + ", ".join(names)
    else:
        hint = "there is none"
    return OptionError(f"unknown {kind} {name!r}; {hint}")
