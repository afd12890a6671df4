"""Scoring: systems and references in, a Run out. Each text is parsed once; memory holds a chunk of parses at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from synteval.errors import InputError
from synteval.metrics.base import Metric
from synteval.metrics.inputs import Reference, check_pairs, reference_count, text_of
from synteval.metrics.registry import load_metrics
from synteval.metrics.views import Parses
from synteval.parsing.cached import Progress
from synteval.results.parts import parts_of, score_part
from synteval.results.run import Run, SystemResult

# Given a name and a total, a context in which a function is told of every step done.
Reporter = Callable[[str, int], AbstractContextManager[Progress]]


@dataclass(frozen=True)
class SystemInput:
    """What a system said, and the references of each of its segments."""

    name: str
    hypotheses: Sequence[Reference]
    references: Sequence[Sequence[Reference]]
    segment_ids: tuple[str, ...]
    # Where the hypotheses and each set of references came from, if from files of their own.
    files: tuple[str, ...] = ()


def evaluate(
    systems: Mapping[str, Sequence[Any]],
    refs: Sequence[Any] | None = None,
    metrics: Sequence[str | Metric] | Mapping[str, Metric] = ("stm",),
    parser: Any = "en",
    *,
    progress: Reporter | None = None,
    **reading: Any,
) -> Run:
    """Score systems against the same references.

    `systems` maps a name to its outputs, one string (or parsed segment) a segment; `refs[i]` is the reference of
    segment `i` or the list of its references; no references are given where no metric needs them. `metrics` are names
    as on the command line, or metric objects. `reading` is passed on to `metrics.views.Parses`: dependencies,
    head_rules, cache, jobs, engine.
    """
    if not isinstance(systems, Mapping):
        raise InputError(f"systems are a {type(systems).__name__}; give a dict from system name to its list of outputs")
    named = as_metrics(metrics)
    inputs: list[SystemInput] = []
    for name, hyps in systems.items():
        try:
            hypotheses, references = check_pairs(hyps, refs, needs_references(named))
        except InputError as error:
            raise InputError(f"system {name!r}: {error}") from None
        # One list of references for all systems, so that they are parsed and decoded once.
        shared = inputs[0].references if inputs else references
        inputs.append(SystemInput(name, hypotheses, shared, _numbered(len(hypotheses))))
    return evaluate_inputs(inputs, named, Parses(parser, **reading), progress)


def as_metrics(metrics: Sequence[str | Metric] | Mapping[str, Metric]) -> dict[str, Metric]:
    """Metrics by name, from names as on the command line or from objects."""
    if isinstance(metrics, Mapping):
        return dict(metrics)
    if isinstance(metrics, str):
        raise InputError(f"metrics are a string; give a list, such as [{metrics!r}]")
    named: dict[str, Metric] = {}
    for metric in metrics:
        if isinstance(metric, str):
            named.update(load_metrics([metric]))
        elif isinstance(metric, Metric):
            name, number = metric.name, 2
            while name in named:
                name, number = f"{metric.name}-{number}", number + 1
            named[name] = metric
        else:
            raise InputError(f"a metric is a {type(metric).__name__}; give a name or a metric object")
    if not named:
        raise InputError("no metric was given")
    return named


def needs_references(metrics: Mapping[str, Metric]) -> bool:
    """Whether any metric does; scores that are made elsewhere are believed to."""
    return not metrics or any(metric.needs_references for metric in metrics.values())


def _numbered(count: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, count + 1))


def evaluate_inputs(
    inputs: Sequence[SystemInput], metrics: Mapping[str, Metric], parses: Parses, progress: Reporter | None = None
) -> Run:
    """The same from inputs whose systems may have references of their own."""
    report: Reporter = progress or _silent
    texts = parses.announce(_every(inputs), metrics.values())
    if texts:
        with report("parsing", parses.missing(texts)) as advance:
            parses.fill(texts, metrics.values(), advance)
    ready = prepared(metrics, inputs)
    # Filled part by part, whatever order they are done in.
    rows = [
        {name: np.zeros((len(system.hypotheses), len(metric.columns))) for name, metric in metrics.items()}
        for system in inputs
    ]
    skipped: list[dict[str, set[int]]] = [{} for _ in inputs]
    parts = parts_of([(system.hypotheses, system.references, system.files) for system in inputs], ready, parses)
    with report("scoring", sum(len(system.hypotheses) for system in inputs)) as advance:
        for part, scored in parses.engine.map(score_part, parts):
            for name, statistics in scored.statistics.items():
                rows[part.system][name][part.first : part.first + len(part)] = statistics
            for name, pairs in scored.skipped.items():
                skipped[part.system].setdefault(name, set()).update(part.first + pair for pair in pairs)
            parses.converted = parses.converted or scored.converted
            advance(len(part))
    results = tuple(
        SystemResult(
            system.name,
            system.segment_ids,
            found,
            sum(not (hyp.strip() if isinstance(hyp, str) else hyp) for hyp in system.hypotheses),
            {name: tuple(sorted(pairs)) for name, pairs in left_out.items()},
        )
        for system, found, left_out in zip(inputs, rows, skipped, strict=True)
    )
    count = reference_count([item for system in inputs for item in system.references])
    signatures = {name: metric.signature(count, **parses.signed(metric)) for name, metric in metrics.items()}
    return Run(results, metrics, signatures, parses.fingerprint, _notes(results), tuple(inputs), parses)


def prepared(metrics: Mapping[str, Metric], inputs: Iterable[SystemInput]) -> dict[str, Metric]:
    """The metrics with what they derive from all references."""
    texts = [[text_of(ref) for ref in item] for item in _distinct_references(inputs)]
    return {name: metric.prepared(texts) for name, metric in metrics.items()}


def _every(inputs: Iterable[SystemInput]) -> Iterable[Reference]:
    for item in _distinct_references(inputs):
        yield from item
    for system in inputs:
        yield from system.hypotheses


def _distinct_references(inputs: Iterable[SystemInput]) -> list[Sequence[Reference]]:
    """The references of all systems; a list that systems share counts once."""
    shared = {id(system.references): system.references for system in inputs}
    return [item for references in shared.values() for item in references]


def _notes(systems: Sequence[SystemResult]) -> tuple[str, ...]:
    notes = []
    for system in systems:
        if system.empty:
            of_all = f"{system.empty} of {len(system.segment_ids)}"
            notes.append(f"system {system.name!r}: {of_all} hypotheses are empty and score 0")
        for metric, pairs in system.skipped.items():
            of_all = f"{len(pairs)} of {len(system.segment_ids)}"
            notes.append(f"system {system.name!r}: {metric} skipped {of_all} segments without a parse")
    return tuple(notes)


def _silent(name: str, total: int) -> AbstractContextManager[Progress]:
    return nullcontext(lambda done: None)
