"""Does a ranking of systems survive a change of parser?

The same systems are scored under each parser. For every metric and every two parsers:

    tau     Kendall's tau b between the systems' scores
    flips   pairs of systems that the two parsers order differently. A flip is significant where both differences are,
            each by a paired test under its own parser (p < 0.05)

and, for hypotheses and references apart, how far the parsers agree on the same texts: UAS, over words that both cut
alike, and the F of labelled brackets, over sentences that both cut alike (`parse_eval`). Where parses agree less on
hypotheses than on references, scores tell of parsers too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from synteval.errors import InputError, OptionError
from synteval.meta.correlation import kendall
from synteval.metrics.base import CHUNK, Metric
from synteval.metrics.inputs import Reference
from synteval.metrics.views import Parses, View
from synteval.parse_eval.attachment import Ratio, attachment
from synteval.parse_eval.bracketing import bracketing
from synteval.results.comparison import all_pairs_of
from synteval.results.evaluate import Reporter, SystemInput, evaluate_inputs
from synteval.results.run import Run
from synteval.structures import Segment

ALPHA = 0.05
_NOTHING = Ratio(0, 0, 0)


@dataclass(frozen=True)
class Agreement:
    """How far two parsers agree on a set of texts; `compared` of `texts` could be aligned."""

    uas: Ratio
    brackets: Ratio
    compared: int
    texts: int
    # Of dependencies, as far as both name one.
    schemes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """For JSON; null where nothing could be compared."""
        return {
            "uas": self.uas.f if self.uas.gold else None,
            "bracket_f": self.brackets.f if self.brackets.gold else None,
            "compared": self.compared,
            "texts": self.texts,
            "schemes": list(self.schemes),
        }


@dataclass(frozen=True)
class Flip:
    """Two systems that two parsers order differently: by parser, the first's score less the second's, and p."""

    systems: tuple[str, str]
    differences: tuple[float, float]
    p: tuple[float, float]

    @property
    def significant(self) -> bool:
        return max(self.p) < ALPHA


@dataclass(frozen=True)
class Robustness:
    """The runs by parser, and by pair of parsers what changes."""

    runs: Mapping[str, Run]
    # (parser, parser) -> metric
    taus: Mapping[tuple[str, str], Mapping[str, float]]
    flips: Mapping[tuple[str, str], Mapping[str, Sequence[Flip]]]
    # (parser, parser) -> hypotheses or references
    agreement: Mapping[tuple[str, str], Mapping[str, Agreement]]

    def ranking(self, metric: str, parser: str) -> list[tuple[str, float]]:
        """Systems and scores, the best first."""
        run = self.runs[parser]
        scores = [(system.name, run.scores[system.name][metric]) for system in run.systems]
        return sorted(scores, key=lambda item: item[1], reverse=run.metrics[metric].higher_is_better)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        first = next(iter(self.runs.values()))
        return {
            "parsers": {name: run.parser for name, run in self.runs.items()},
            "segments": first.segments,
            "signatures": {name: dict(run.signatures) for name, run in self.runs.items()},
            "rankings": {
                metric: {
                    parser: [{"system": name, "score": score} for name, score in self.ranking(metric, parser)]
                    for parser in self.runs
                }
                for metric in first.metrics
            },
            "pairs": [
                {
                    "parsers": list(pair),
                    "tau": {metric: None if np.isnan(tau) else tau for metric, tau in self.taus[pair].items()},
                    "flips": {
                        metric: [
                            {
                                "systems": list(flip.systems),
                                "differences": list(flip.differences),
                                "p": list(flip.p),
                                "significant": flip.significant,
                            }
                            for flip in flips
                        ]
                        for metric, flips in self.flips[pair].items()
                    },
                    "agreement": {what: found.as_dict() for what, found in self.agreement[pair].items()},
                }
                for pair in self.taus
            ],
        }


def robustness(
    inputs: Sequence[SystemInput],
    metrics: Mapping[str, Metric],
    parses: Mapping[str, Parses],
    *,
    test: str = "ar",
    trials: int = 10_000,
    seed: int = 12345,
    progress: Reporter | None = None,
) -> Robustness:
    """Score the systems under every parser and compare the rankings and the parses."""
    if len(parses) < 2:
        raise OptionError("a ranking is compared under at least two parsers; name another with --parser")
    if not any(isinstance(item, str) for item in _every(inputs)):
        raise InputError("these are trees, which no parser will parse again; give texts")
    runs = {name: evaluate_inputs(inputs, metrics, one, progress) for name, one in parses.items()}
    several = len(inputs) > 1
    tests = {name: all_pairs_of(run, test, trials=trials, rng=seed) if several else {} for name, run in runs.items()}
    pairs = list(combinations(runs, 2))
    return Robustness(
        runs,
        {pair: {metric: _tau(runs[pair[0]], runs[pair[1]], metric) for metric in metrics} for pair in pairs},
        {pair: {metric: _flips(tests[pair[0]], tests[pair[1]], metric) for metric in metrics} for pair in pairs},
        {pair: _agreements(inputs, parses[pair[0]], parses[pair[1]]) for pair in pairs},
    )


def comparable(metrics: Mapping[str, Metric], parses: Iterable[Parses]) -> dict[str, Metric]:
    """The metrics whose layers every one of the parsers makes."""
    possible = dict(metrics)
    for one in parses:
        made = set(one.parser.layers) | ({"heads"} if "tree" in one.parser.layers else set())
        possible = {name: metric for name, metric in possible.items() if metric.needs <= made}
    return possible


def _every(inputs: Sequence[SystemInput]) -> Iterable[Reference]:
    for system in inputs:
        yield from system.hypotheses
        for item in system.references:
            yield from item


def _tau(one: Run, other: Run, metric: str) -> float:
    names = [system.name for system in one.systems]
    if len(names) < 2:
        return float("nan")
    return kendall(*(np.array([run.scores[name][metric] for name in names]) for run in (one, other)))


def _flips(one: Mapping[Any, Any], other: Mapping[Any, Any], metric: str) -> list[Flip]:
    flips = []
    for pair, tests in one.items():
        here, there = tests[metric], other[pair][metric]
        if here.difference * there.difference < 0:
            flips.append(Flip(pair, (here.difference, there.difference), (here.p, there.p)))
    return flips


def _agreements(inputs: Sequence[SystemInput], one: Parses, other: Parses) -> dict[str, Agreement]:
    said = dict.fromkeys(item for system in inputs for item in system.hypotheses if isinstance(item, str))
    meant = dict.fromkeys(
        item for system in inputs for refs in system.references for item in refs if isinstance(item, str)
    )
    return {
        "hypotheses": agreement(list(said), one, other),
        "references": agreement(list(meant), one, other),
    }


def agreement(texts: Sequence[str], one: Parses, other: Parses) -> Agreement:
    """How far two parsers agree on these texts."""
    found = Agreement(_NOTHING, _NOTHING, 0, len(texts))
    view = View(True, None)
    for start in range(0, len(texts), CHUNK):
        part = texts[start : start + CHUNK]
        for first, second in zip(one.segments(part, view), other.segments(part, view), strict=True):
            found = _compared(found, first, second)
    return found


def _compared(found: Agreement, first: Segment, second: Segment) -> Agreement:
    sentences = [*first, *second]
    if sentences and all(sentence.heads is not None and sentence.relations is not None for sentence in sentences):
        try:
            words = attachment(first, second)
        except InputError:  # a parser has changed the text
            return found
        # Words that one of them cuts otherwise have no counterpart, and no part in this.
        aligned = Ratio(words.uas.right, words.words.right, words.words.right)
        schemes = tuple(dict.fromkeys([*found.schemes, *(s.scheme for s in sentences if s.scheme is not None)]))
        found = replace(found, uas=_sum(found.uas, aligned), compared=found.compared + 1, schemes=schemes)
    if len(first) == len(second) and sentences and all(sentence.tree is not None for sentence in sentences):
        found = replace(found, brackets=_sum(found.brackets, bracketing(first, second).brackets))
    return found


def _sum(one: Ratio, other: Ratio) -> Ratio:
    return Ratio(one.right + other.right, one.test + other.test, one.gold + other.gold)
