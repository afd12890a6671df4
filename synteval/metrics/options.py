"""Options of metrics: the fields of their dataclasses, as Python gives them and as they are written behind a colon."""

from __future__ import annotations

import dataclasses
import numbers
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from synteval.errors import OptionError, unknown

if TYPE_CHECKING:
    from synteval.metrics.base import Metric

# What an option takes, by the beginning of its annotation.
_KINDS: dict[str, tuple[type, str]] = {
    "bool": (bool, "true or false"),
    "int": (numbers.Integral, "a whole number"),
    "float": (numbers.Real, "a number"),
    "str": (str, "text"),
}


def choice(metric: Metric, option: str, valid: Sequence[str]) -> None:
    """Check in `__post_init__` that an option has one of its valid values."""
    value = getattr(metric, option)
    if value not in valid:
        raise OptionError(f"{metric.name}:{option}={value} is not possible; valid: {', '.join(valid)}")


def check_types(metric: Metric) -> None:
    """Refuse options of another type than theirs: Python takes "no" for true, and no tree is cut after 2.5 levels."""
    for option in dataclasses.fields(metric):
        kind, value = _kind(option), getattr(metric, option.name)
        if kind not in _KINDS or (value is None and "None" in str(option.type)):
            continue
        # A truth value is a whole number to Python.
        if not isinstance(value, _KINDS[kind][0]) or (kind != "bool" and isinstance(value, bool)):
            raise _impossible(metric.name, option, repr(value))


def configure(metric: type[Metric], options: Mapping[str, str]) -> Metric:
    """A metric from options as written on the command line (`depth=3`), converted by the type of each field."""
    known = {f.name: f for f in dataclasses.fields(metric)}
    values: dict[str, Any] = {}
    for written, text in options.items():
        name = metric.synonyms.get(written, written)
        if name not in known:
            error = unknown(f"option of {metric.name}", name, known)
            raise OptionError(f"{error}; {metric.name} takes: {', '.join(known) or 'no options'}")
        values[name] = _convert(metric.name, known[name], text)
    return metric(**values)


def _convert(metric: str, option: dataclasses.Field[Any], text: str) -> Any:
    kind = _kind(option)
    try:
        if "None" in str(option.type) and text.lower() == "none":
            return None
        if kind == "bool":
            return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[text.lower()]
        if kind == "int":
            return int(text)
        if kind == "float":
            return float(text)
    except (KeyError, ValueError):
        raise _impossible(metric, option, text) from None
    return text


def _kind(option: dataclasses.Field[Any]) -> str:
    return str(option.type).partition(" ")[0]


def _impossible(metric: str, option: dataclasses.Field[Any], value: str) -> OptionError:
    wanted = _KINDS[_kind(option)][1]
    return OptionError(f"{metric}:{option.name}={value} is not possible; it takes {wanted}")


def option_text(metric: Metric) -> dict[str, str]:
    """The options that differ from their defaults, as they are written behind the colon."""
    changed = (f for f in dataclasses.fields(metric) if f.init and getattr(metric, f.name) != f.default)
    return {f.name: short_value(getattr(metric, f.name)) for f in changed if f.name not in metric.unsigned}


def short_value(value: Any) -> str:
    """How a value of an option is written in a signature."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}" if float(f"{value:g}") == value else repr(value)
    return str(value)
