"""From what a user gives (strings, parsed segments, lists of references) to pairs, every mistake named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from synteval.errors import InputError
from synteval.structures import Segment, Sentence

Reference = str | Segment


def as_segment(value: Any, what: str) -> Reference:
    """A text, or a parsed segment: a sentence or a tuple of sentences."""
    if isinstance(value, str):
        return value
    if isinstance(value, Sentence):
        return (value,)
    if isinstance(value, (tuple, list)) and value and all(isinstance(item, Sentence) for item in value):
        return tuple(value)
    if isinstance(value, tuple) and not value:
        return value
    if value is None:
        raise InputError(f"{what} is None; give a string (an empty one for an empty segment) or a parsed segment")
    raise InputError(f"{what} is {_kind(value)}; give a string or a parsed segment")


def check_pairs(hyps: Any, refs: Any, needed: bool = True) -> tuple[list[Reference], list[list[Reference]]]:
    """Hypotheses and their references, one list a segment; `refs[i]` may be a single one.

    Where references are not needed, `refs` may be None.
    """
    hyps = _items(hyps, "the hypotheses")
    hypotheses = [as_segment(hyp, f"hypothesis {i}") for i, hyp in enumerate(hyps)]
    if refs is None and not needed:
        return hypotheses, [[] for _ in hypotheses]
    refs = _items(refs, "the references")
    references: list[list[Reference]] = []
    for i, item in enumerate(refs):
        many = not isinstance(item, (str, Sentence)) and not _is_segment(item)
        if many:
            if item is None or not isinstance(item, Iterable):
                raise InputError(f"the references of segment {i} are {_kind(item)}; give a string or a list of strings")
            if not isinstance(item, Sequence):
                raise InputError(f"the references of segment {i} are {_kind(item)}, not a list; give a list of strings")
            references.append([as_segment(ref, f"reference {k} of segment {i}") for k, ref in enumerate(item)])
        else:
            references.append([as_segment(item, f"the reference of segment {i}")])
        if not references[-1]:
            raise InputError(f"segment {i} has no reference; give at least one")
    if len(hypotheses) != len(references):
        hint = ""
        if all(len(item) == len(hypotheses) for item in references) and len(hypotheses) > 1:
            hint = "; they look transposed: give one list of references a segment, not one list a reference set"
        raise InputError(f"{len(hypotheses)} hypotheses but references for {len(references)} segments{hint}")
    return hypotheses, references


def _items(value: Any, what: str) -> Sequence[Any]:
    if isinstance(value, str):
        raise InputError(f"{what} are a string; give a list with one item a segment")
    if not isinstance(value, Sequence):
        if hasattr(value, "tolist"):  # an array or a column of a data frame
            return list(value.tolist())
        remedy = "give a list (a generator can be read only once)" if isinstance(value, Iterable) else "give a list"
        raise InputError(f"{what} are {_kind(value)}; {remedy}")
    return value


def _is_segment(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(item, Sentence) for item in value)


def _kind(value: Any) -> str:
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def text_of(value: Reference) -> str:
    """The text of a reference or hypothesis."""
    return value if isinstance(value, str) else " ".join(sentence.text for sentence in value)


def reference_count(references: Sequence[Sequence[Any]]) -> int | str:
    """How many references a segment has, as the signature tells it: `2`, or `1-4` where it varies."""
    sizes = {len(item) for item in references} or {0}
    return sizes.pop() if len(sizes) == 1 else f"{min(sizes)}-{max(sizes)}"
