"""Metrics by name, through the entry-point group `synteval.metrics`, with options behind a colon: `stm:depth=3`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points

from synteval.errors import OptionError, SyntevalError, unknown
from synteval.metrics.base import Metric
from synteval.metrics.options import configure

GROUP = "synteval.metrics"

GROUPS = {
    "syntactic": ("stm", "tkm", "hwcm", "dstm", "dtkm", "depf"),
    "lexical": ("bleu", "chrf", "ter", "nist", "meteor", "rouge1", "rouge2", "rougeL", "rougeSU", "wer", "per"),
    # What follows human fluency best in docs/meta-evaluation.md: chains for segments, subtrees for systems.
    "fluency": ("hwcm:length=2", "dstm:depth=2"),
}


def registered_metrics() -> dict[str, EntryPoint]:
    """Every metric's entry point, by name."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def group_members(name: str) -> tuple[str, ...] | None:
    """The metrics of a group, or None where there is no such group."""
    if name == "all":
        return (*GROUPS["syntactic"], "esk", "wsk", *GROUPS["lexical"])
    return GROUPS.get(name)


def metric_class(name: str) -> type[Metric]:
    """The class behind a name; names differ in nothing but case from one another."""
    registered = registered_metrics()
    by_lower = {known.lower(): known for known in registered}
    if name.lower() not in by_lower:
        raise unknown("metric", name, [*registered, "all", *GROUPS])
    entry = registered[by_lower[name.lower()]]
    try:
        loaded = entry.load()
    except (ImportError, AttributeError) as error:
        raise SyntevalError(f"metric {name!r} cannot be loaded ({error}); reinstall what brings it") from error
    assert isinstance(loaded, type) and issubclass(loaded, Metric)
    return loaded


def load_metric(spec: str, lexical: Mapping[str, str] | None = None) -> Metric:
    """A metric as the user writes it: a name, and options behind a colon.

    `lexical` are options of a whole run (tokenize, case, boundaries, reference_length): they reach the metrics on texts
    that have them, unless the metric sets them itself.
    """
    name, _, rest = spec.partition(":")
    options: dict[str, str] = {}
    for item in filter(None, rest.split(",")):
        key, equals, value = item.partition("=")
        if not equals:
            raise OptionError(f"metric {spec!r}: {item!r} is no option; write {name}:option=value,option=value")
        options[key.strip()] = value.strip()
    kind = metric_class(name)
    if lexical and kind.reads == "texts":
        known = {field.name for field in dataclasses.fields(kind)}
        options = {**{key: value for key, value in lexical.items() if key in known}, **options}
    return configure(kind, options)


def load_metrics(specs: Iterable[str], lexical: Mapping[str, str] | None = None) -> dict[str, Metric]:
    """Metrics by the name the user wrote, groups unfolded, each once."""
    metrics: dict[str, Metric] = {}
    for spec in specs:
        for name in group_members(spec) or (spec,):
            metrics.setdefault(name, load_metric(name, lexical))
    return metrics
