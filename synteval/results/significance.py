"""Is a difference between two systems more than chance? Tests and intervals for every metric, on its statistics alone.

Approximate randomization (Noreen 1989; Riezler & Maxwell 2005, figure 1). If the systems are the same, it does not
matter which of them produced which output: in each of R trials the statistics of every segment change sides with
probability 1/2, and c counts the trials in which |S_X - S_Y| is at least what was observed; p = (c + 1) / (R + 1).
Where all 2^S shuffles are no more than R, they are enumerated and p = c / 2^S.

Bootstrap with Noreen's shift (figure 2). B times, S segments are drawn with replacement.
    shift="abs", as printed:  c counts |S_X - S_Y| - tau >= observed, tau the mean of |S_X - S_Y| over samples
    shift="signed":           c counts |S_X - S_Y - tau| >= observed, tau the mean of S_X - S_Y: two-sided
p = (c + 1) / (B + 1). Riezler & Maxwell find smaller p-values than randomization gives, and prefer randomization.

Both figures print loops from 0 to R (B): one trial more than p divides by, so that p may exceed 1. `paper=True` does as
they print, and enumerates nothing.

Confidence intervals are percentiles of a system's bootstrap scores.

Nothing is scored again: statistics are (segments x columns) arrays, a trial is a row of weights (resampling.py), and
`score_rows` scores all trials. One matrix of weights serves all systems and metrics; it depends on the seed and the
number of segments alone. Differences within 1e-12 of one another, relative to the scores, are equal.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from synteval.errors import InputError, OptionError, unknown
from synteval.metrics.base import column_sums
from synteval.results.multiplicity import holm
from synteval.results.resampling import FloatArray, all_samples, all_shuffles, samples, shuffles, summable

Scorer = Callable[[FloatArray], FloatArray]
Statistics = Mapping[str, FloatArray]
Rng = np.random.Generator | int | None
Pair = tuple[str, str]
Exact = bool | Literal["auto"]

TRIALS = 10_000
TOLERANCE = 1e-12


@dataclass(frozen=True)
class PairedTest:
    """The test of one metric on two systems: the first minus the second."""

    test: str
    difference: float
    p: float
    count: int
    trials: int
    exact: bool = False
    # Holm's adjusted p-value over all pairs tested on this metric.
    p_holm: float | None = None


def approximate_randomization(
    stats_x: FloatArray,
    stats_y: FloatArray,
    score_rows: Scorer,
    *,
    trials: int = TRIALS,
    rng: Rng = None,
    exact: Exact = "auto",
    paper: bool = False,
) -> PairedTest:
    """Two-sided randomization test of one metric; `stats_x[i]` and `stats_y[i]` are of the same segment."""
    systems = {"x": {"": stats_x}, "y": {"": stats_y}}
    found = compare(systems, {"": score_rows}, test="ar", trials=trials, rng=rng, exact=exact, paper=paper)
    return found["x", "y"][""]


def bootstrap(
    stats_x: FloatArray,
    stats_y: FloatArray,
    score_rows: Scorer,
    *,
    trials: int = TRIALS,
    rng: Rng = None,
    shift: str = "abs",
    exact: bool = False,
    paper: bool = False,
) -> PairedTest:
    """Paired bootstrap test of one metric; with `exact` all S^S samples are enumerated and p = c / S^S."""
    systems = {"x": {"": stats_x}, "y": {"": stats_y}}
    found = compare(systems, {"": score_rows}, test="bs", trials=trials, rng=rng, shift=shift, exact=exact, paper=paper)
    return found["x", "y"][""]


def confidence_interval(
    stats: FloatArray, score_rows: Scorer, *, trials: int = TRIALS, confidence_level: float = 0.95, rng: Rng = None
) -> tuple[float, float]:
    """The percentile bootstrap interval of one system and metric."""
    intervals = confidence_intervals(
        {"x": {"": stats}}, {"": score_rows}, trials=trials, confidence_level=confidence_level, rng=rng
    )
    return intervals["x"][""]


def compare(
    systems: Mapping[str, Statistics],
    scorers: Mapping[str, Scorer],
    *,
    baseline: str | None = None,
    test: str = "ar",
    trials: int = TRIALS,
    rng: Rng = None,
    shift: str = "abs",
    exact: Exact = "auto",
    paper: bool = False,
) -> dict[Pair, dict[str, PairedTest]]:
    """Every further system against the baseline, or without one all pairs; Holm's p-values are over these pairs.

    `exact="auto"` enumerates all shuffles where they are no more than `trials`, and never all samples.
    """
    if baseline is None:
        pairs = list(combinations(systems, 2))
    elif baseline in systems:
        pairs = [(name, baseline) for name in systems if name != baseline]
    else:
        raise unknown("baseline", baseline, systems)
    if test not in ("ar", "bs"):
        raise unknown("paired test", test, ["ar", "bs"])
    if shift not in ("abs", "signed"):
        raise unknown("shift", shift, ["abs", "signed"])
    if exact not in (True, False, "auto"):
        raise unknown("value of exact", str(exact), ["auto", "True", "False"])
    if paper and exact is True:
        raise OptionError("the paper enumerates nothing; leave out exact or paper")
    table = _Table(systems, scorers)
    if exact == "auto":
        exact = test == "ar" and not paper and 2**table.segments <= trials
    draws = trials + 1 if paper else trials
    if test == "ar":
        counts, done = _randomized(table, pairs, draws, rng, exact)
    else:
        counts, done = _resampled(table, pairs, draws, rng, shift, exact)
    return table.results(test, pairs, counts, done, exact, paper)


def _randomized(
    table: _Table, pairs: Sequence[Pair], trials: int, rng: Rng, exact: bool
) -> tuple[dict[tuple[Pair, str], int], int]:
    """In how many shuffles, the same for all metrics, the difference is at least that observed; and of how many."""
    blocks: Iterable[FloatArray] = (
        [all_shuffles(table.segments)] if exact else shuffles(table.segments, trials, np.random.default_rng(rng))
    )
    keys = [(pair, metric) for pair in pairs for metric in table.scorers]
    least = {(pair, metric): table.threshold(pair, metric) for pair, metric in keys}
    counts = dict.fromkeys(keys, 0)
    done = 0
    for kept in table.sums(blocks):
        done += len(next(iter(kept.values()), ()))
        for pair, metric in keys:
            x, y = kept[pair[0], metric], kept[pair[1], metric]
            # What X keeps and what it gets from Y, and the other way round.
            score = table.scorers[metric]
            shuffled_x = score(x + (table.total[pair[1], metric] - y))
            shuffled_y = score(y + (table.total[pair[0], metric] - x))
            counts[pair, metric] += int((np.abs(shuffled_x - shuffled_y) >= least[pair, metric]).sum())
    return counts, done


def _resampled(
    table: _Table, pairs: Sequence[Pair], trials: int, rng: Rng, shift: str, exact: bool
) -> tuple[dict[tuple[Pair, str], int], int]:
    """The same of bootstrap samples, whose differences are shifted to the null hypothesis."""
    scores = table.bootstrap_scores(trials, rng, exact)
    counts = {}
    for pair in pairs:
        for metric in table.scorers:
            differences = scores[pair[0], metric] - scores[pair[1], metric]
            if shift == "abs":
                shifted = np.abs(differences) - np.abs(differences).mean()
            else:
                shifted = np.abs(differences - differences.mean())
            counts[pair, metric] = int((shifted >= table.threshold(pair, metric)).sum())
    return counts, len(next(iter(scores.values()), ()))


def confidence_intervals(
    systems: Mapping[str, Statistics],
    scorers: Mapping[str, Scorer],
    *,
    trials: int = TRIALS,
    confidence_level: float = 0.95,
    rng: Rng = None,
) -> dict[str, dict[str, tuple[float, float]]]:
    """The percentile bootstrap intervals of all systems and metrics, on the same samples."""
    if not 0 < confidence_level < 1:
        raise OptionError(
            f"confidence level {confidence_level} is not possible; give one between 0 and 1, such as 0.95"
        )
    scores = _Table(systems, scorers).bootstrap_scores(trials, rng, exact=False)
    tails = [50 * (1 - confidence_level), 50 * (1 + confidence_level)]
    intervals: dict[str, dict[str, tuple[float, float]]] = {name: {} for name in systems}
    for (name, metric), values in scores.items():
        low, high = np.percentile(values, tails)
        intervals[name][metric] = (float(low), float(high))
    return intervals


class _Table:
    """The statistics of all systems and metrics side by side, so that one product sums them all."""

    def __init__(self, systems: Mapping[str, Statistics], scorers: Mapping[str, Scorer]) -> None:
        self.scorers = scorers
        self.places: dict[Pair, slice] = {}
        self.total: dict[Pair, FloatArray] = {}
        # Scores of the sums that trials are compared with, and of the statistics as they were given.
        self.score: dict[Pair, float] = {}
        self.reported: dict[Pair, float] = {}
        matrices: list[FloatArray] = []
        width = 0
        for name, statistics in systems.items():
            for metric, scorer in scorers.items():
                matrix = np.asarray(statistics[metric], dtype=np.float64)
                if matrices and len(matrix) != len(matrices[0]):
                    raise InputError(
                        f"{metric or 'the metric'} has statistics of {len(matrix)} segments for system {name!r} where "
                        f"others have {len(matrices[0])}; a paired test needs the same segments"
                    )
                if not np.isfinite(matrix).all():
                    raise InputError(
                        f"{metric or 'the metric'} has statistics of system {name!r} that are no numbers; "
                        "leave these segments out for all systems"
                    )
                matrices.append(summable(matrix))
                self.places[name, metric] = slice(width, width + matrix.shape[1])
                self.total[name, metric] = matrices[-1].sum(axis=0)
                self.score[name, metric] = _score(scorer, self.total[name, metric])
                self.reported[name, metric] = _score(scorer, column_sums(matrix))
                width += matrix.shape[1]
        self.matrix = np.concatenate(matrices, axis=1) if matrices else np.zeros((0, 0))
        self.segments = len(self.matrix)
        if not self.segments:
            raise InputError("there are no segments to test on; give at least one system, metric and segment")

    def sums(self, blocks: Iterable[FloatArray]) -> Iterator[dict[Pair, FloatArray]]:
        """For each block of trials the summed statistics of each system and metric, a row a trial."""
        for weights in blocks:
            summed = weights @ self.matrix
            yield {key: summed[:, place] for key, place in self.places.items()}

    def bootstrap_scores(self, trials: int, rng: Rng, exact: bool) -> dict[Pair, FloatArray]:
        """The scores of each system and metric on all samples."""
        generator = np.random.default_rng(rng)
        blocks: Iterable[FloatArray] = (
            [all_samples(self.segments)] if exact else samples(self.segments, trials, generator)
        )
        parts: dict[Pair, list[FloatArray]] = {key: [] for key in self.places}
        for summed in self.sums(blocks):
            for key, rows in summed.items():
                parts[key].append(self.scorers[key[1]](rows))
        return {key: np.concatenate(scores) for key, scores in parts.items()}

    def threshold(self, pair: Pair, metric: str) -> float:
        """The observed difference, less what rounding may take from an equal one."""
        x, y = (self.score[name, metric] for name in pair)
        return abs(x - y) - TOLERANCE * max(1.0, abs(x), abs(y))

    def results(
        self,
        test: str,
        pairs: Sequence[Pair],
        counts: Mapping[tuple[Pair, str], int],
        trials: int,
        exact: bool,
        paper: bool,
    ) -> dict[Pair, dict[str, PairedTest]]:
        """What was found, from the counts of all pairs and metrics; `paper`: `trials` is R + 1 as it is."""
        tests: dict[Pair, dict[str, PairedTest]] = {pair: {} for pair in pairs}
        for metric in self.scorers:
            found = []
            for pair in pairs:
                count = counts[pair, metric]
                difference = self.reported[pair[0], metric] - self.reported[pair[1], metric]
                p = count / trials if exact else (count + 1) / (trials if paper else trials + 1)
                p = p if np.isfinite(difference) else float("nan")
                found.append(PairedTest(test, difference, p, count, trials, exact))
            for pair, result, adjusted in zip(pairs, found, holm([result.p for result in found]), strict=True):
                tests[pair][metric] = dataclasses.replace(result, p_holm=adjusted)
        return tests


def _score(scorer: Scorer, summed: FloatArray) -> float:
    return float(scorer(summed[None, :])[0])
