from __future__ import annotations

import math
from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.significance import PairedTest as RivalTest

from synteval.errors import InputError, OptionError
from synteval.metrics.base import Chunk, Metric
from synteval.metrics.lexical.bleu import BLEU
from synteval.metrics.lexical.chrf import CHRF
from synteval.metrics.lexical.edit import WER
from synteval.metrics.lexical.rouge_skip import ROUGESU
from synteval.results.resampling import samples, shuffles, summable
from synteval.results.significance import (
    approximate_randomization,
    bootstrap,
    compare,
    confidence_interval,
    confidence_intervals,
)

Floats = npt.NDArray[np.float64]


def f_score(rows: Floats) -> Floats:
    """2PR / (P + R) of (match, system, reference) counts."""
    return 2 * rows[:, 0] / np.maximum(rows[:, 1] + rows[:, 2], 1)


def mean(rows: Floats) -> Floats:
    return rows[:, 0] / rows[:, 1]


def with_counts(values: list[float]) -> Floats:
    return np.array([(value, 1.0) for value in values])


# Six (match, system, reference) tuples of each system, the first better on every segment.
X = np.array([(3, 4, 4), (2, 4, 5), (4, 6, 5), (3, 5, 4), (2, 3, 4), (3, 4, 4)], dtype=float)
Y = np.array([(2, 4, 4), (1, 4, 5), (4, 7, 5), (2, 5, 4), (1, 3, 4), (3, 5, 4)], dtype=float)


class TestApproximateRandomization:
    def test_a_difference_on_every_segment_is_extreme_in_two_shuffles_of_all(self) -> None:
        assert f_score(np.array([X.sum(0), Y.sum(0)])) == pytest.approx([0.6538461538461539, 0.48148148148148145])
        result = approximate_randomization(X, Y, f_score)
        assert (result.count, result.trials, result.exact) == (2, 64, True)
        assert result.p == 0.03125
        four = approximate_randomization(with_counts([2, 3, 4, 5]), with_counts([1, 2, 3, 4]), mean)
        assert four.p == 0.125

    def test_differences_of_two_minus_one_and_nothing(self) -> None:
        assert approximate_randomization(with_counts([2, -1, 0]), with_counts([0, 0, 0]), mean).p == 1.0

    @pytest.mark.parametrize("segments", [3, 400])
    def test_identical_systems(self, segments: int) -> None:
        stats = np.random.default_rng(1).random((segments, 2))
        assert approximate_randomization(stats, stats, mean, trials=200, rng=1).p == 1.0

    @settings(max_examples=30)
    @given(st.lists(st.tuples(*[st.integers(0, 9)] * 4), min_size=1, max_size=6))
    def test_equals_enumeration(self, pairs: list[tuple[int, int, int, int]]) -> None:
        table = np.array(pairs, dtype=float)
        x, y = table[:, :2] + [0, 1], table[:, 2:] + [0, 1]
        observed = abs(mean(x.sum(0)[None])[0] - mean(y.sum(0)[None])[0])
        extreme = 0
        for swaps in product([True, False], repeat=len(x)):
            swap = np.array(swaps)[:, None]
            one, two = np.where(swap, y, x).sum(0)[None], np.where(swap, x, y).sum(0)[None]
            extreme += abs(mean(one)[0] - mean(two)[0]) >= observed - 1e-12
        result = approximate_randomization(x, y, mean, exact=True)
        assert (result.count, result.p) == (extreme, extreme / 2 ** len(x))

    def test_trials_approach_the_enumeration(self) -> None:
        rng = np.random.default_rng(5)
        x, y = with_counts(rng.random(12).tolist()), with_counts((rng.random(12) - 0.1).tolist())
        exact = approximate_randomization(x, y, mean, exact=True).p
        drawn = approximate_randomization(x, y, mean, exact=False, trials=20_000, rng=1).p
        assert abs(drawn - exact) < 4 * math.sqrt(exact * (1 - exact) / 20_000)

    def test_p_is_never_zero(self) -> None:
        x, y = with_counts([9.0] * 200), with_counts([0.0] * 200)
        assert approximate_randomization(x, y, mean, trials=99, rng=1).p == 1 / 100

    def test_order_of_the_systems_does_not_matter(self) -> None:
        rng = np.random.default_rng(2)
        x, y = rng.random((300, 2)), rng.random((300, 2))
        there, back = (approximate_randomization(a, b, mean, trials=500, rng=3) for a, b in ((x, y), (y, x)))
        assert (there.count, there.difference) == (back.count, -back.difference)

    def test_as_the_paper_prints_it_p_may_exceed_one(self) -> None:
        stats = np.random.default_rng(1).random((3, 2))
        result = approximate_randomization(stats, stats, mean, trials=200, rng=1, paper=True)
        assert (result.trials, result.count, result.exact) == (201, 201, False)
        assert result.p == 202 / 201
        with pytest.raises(OptionError, match="leave out exact or paper"):
            approximate_randomization(stats, stats, mean, exact=True, paper=True)

    def test_too_much_to_enumerate_is_refused(self) -> None:
        with pytest.raises(OptionError, match=r"2\^40 shuffles"):
            approximate_randomization(np.ones((40, 2)), np.ones((40, 2)), mean, exact=True)


class TestBootstrap:
    def test_enumeration_as_printed(self) -> None:
        zero = with_counts([0, 0, 0])
        result = bootstrap(with_counts([2, -1, 0]), zero, mean, exact=True)
        assert (result.difference, result.count, result.trials) == (pytest.approx(1 / 3), 8, 27)
        assert result.p == pytest.approx(0.2962962962962963)
        constant = bootstrap(with_counts([2, 1, 2]), zero, mean, exact=True)
        assert (constant.difference, constant.count, constant.p) == (pytest.approx(5 / 3), 0, 0.0)
        assert (constant.count + 1) / (constant.trials + 1) == pytest.approx(0.03571428571428571)

    def test_signed_enumeration(self) -> None:
        result = bootstrap(with_counts([2, -1, 0]), with_counts([0, 0, 0]), mean, shift="signed", exact=True)
        assert result.p == pytest.approx(0.7777777777777778)

    @pytest.mark.parametrize("shift", ["abs", "signed"])
    def test_identical_systems(self, shift: str) -> None:
        stats = np.random.default_rng(1).random((400, 2))
        assert bootstrap(stats, stats, mean, trials=200, rng=1, shift=shift).p == 1.0

    @pytest.mark.parametrize("shift", ["abs", "signed"])
    def test_trials_approach_the_enumeration(self, shift: str) -> None:
        # Uneven numbers, so that no difference lies on the threshold.
        x, y = (with_counts(np.random.default_rng(seed).normal(size=5).tolist()) for seed in (1, 2))
        exact = bootstrap(x, y, mean, exact=True, shift=shift).p
        drawn = bootstrap(x, y, mean, trials=20_000, rng=1, shift=shift).p
        assert abs(drawn - exact) < 4 * math.sqrt(exact * (1 - exact) / 20_000)

    def test_unknown_shift(self) -> None:
        with pytest.raises(OptionError, match="shift"):
            bootstrap(X, Y, f_score, shift="both")


class TestConfidence:
    def test_covers_the_score_and_narrows_with_more_segments(self) -> None:
        rng = np.random.default_rng(3)
        small, large = (with_counts(rng.normal(5, 1, size).tolist()) for size in (50, 5000))
        for stats in (small, large):
            low, high = confidence_interval(stats, mean, trials=2000, rng=1)
            assert low < stats[:, 0].mean() < high
            # Of a mean, the normal interval is known.
            assert high - low == pytest.approx(3.92 / math.sqrt(len(stats)), rel=0.2)

    def test_level(self) -> None:
        stats = with_counts(list(range(100)))
        narrow = confidence_interval(stats, mean, confidence_level=0.5, trials=500, rng=1)
        wide = confidence_interval(stats, mean, confidence_level=0.99, trials=500, rng=1)
        assert wide[0] < narrow[0] < narrow[1] < wide[1]
        with pytest.raises(OptionError, match="confidence level 95"):
            confidence_interval(stats, mean, confidence_level=95)


def texts(seed: int, words: int, segments: int = 250) -> list[str]:
    """Outputs of a made-up system: the reference with some of its words lost to noise."""
    rng = np.random.default_rng(seed)
    reference = np.random.default_rng(0)
    outputs = []
    for _ in range(segments):
        line = reference.choice(list("abcdefghijklmnop"), size=12)
        noisy = rng.random(12) < words / 100
        outputs.append(" ".join(np.where(noisy, "zz", line)))
    return outputs


REFERENCE = texts(0, 0)
SYSTEMS = {"good": texts(1, 18), "fair": texts(2, 20), "poor": texts(3, 24)}
METRICS: dict[str, Metric] = {"bleu": BLEU(), "chrf": CHRF(), "wer": WER(), "rougeSU": ROUGESU()}


@pytest.fixture(scope="module")
def statistics() -> dict[str, dict[str, Floats]]:
    chunks = {
        name: Chunk(hypothesis_texts=outputs, reference_texts=[[ref] for ref in REFERENCE])
        for name, outputs in SYSTEMS.items()
    }
    return {name: {key: metric.corpus(chunk) for key, metric in METRICS.items()} for name, chunk in chunks.items()}


SCORERS = {key: metric.score_rows for key, metric in METRICS.items()}


@pytest.mark.parametrize("test", ["ar", "bs"])
def test_p_values_are_those_of_sacrebleu_but_for_chance(statistics, test: str) -> None:
    trials = 4000
    ours = compare(statistics, SCORERS, baseline="good", test=test, trials=trials, rng=11)
    rival = RivalTest(
        list(SYSTEMS.items()), {"BLEU": sacrebleu.BLEU(), "chrF2": sacrebleu.CHRF()}, [REFERENCE], test, trials
    )
    _, table = rival()
    for position, name in enumerate(SYSTEMS):
        for metric, label in (("bleu", "BLEU"), ("chrf", "chrF2")):
            theirs = table[label][position]
            if name == "good":
                assert theirs.score == pytest.approx(METRICS[metric].corpus_score(SYSTEMS[name], REFERENCE).score)
                continue
            p = ours[name, "good"][metric].p
            error = math.sqrt(2 * max(p * (1 - p), 1 / trials) / trials)
            assert abs(p - theirs.p_value) < 5 * error


@pytest.mark.parametrize("test", ["ar", "bs"])
def test_what_else_is_asked_changes_no_byte(statistics, test: str) -> None:
    everything = compare(statistics, SCORERS, test=test, trials=300, rng=5)
    assert len(everything) == 3
    for metric, scorer in SCORERS.items():
        two = {name: {metric: statistics[name][metric]} for name in ("poor", "good")}
        alone = compare(two, {metric: scorer}, test=test, trials=300, rng=5)["poor", "good"][metric]
        together = everything["good", "poor"][metric]
        assert (alone.p, alone.count, -alone.difference) == (together.p, together.count, together.difference)
    one = confidence_intervals({"fair": statistics["fair"]}, {"rougeSU": SCORERS["rougeSU"]}, trials=300, rng=5)
    assert one["fair"]["rougeSU"] == confidence_intervals(statistics, SCORERS, trials=300, rng=5)["fair"]["rougeSU"]


def test_products_are_exact_whatever_their_shape(statistics) -> None:
    matrix = summable(statistics["fair"]["rougeSU"])
    weights = next(samples(len(matrix), 20, np.random.default_rng(1)))
    whole = weights @ matrix
    for row, column in product(range(20), range(matrix.shape[1])):
        assert whole[row, column] == math.fsum(weights[row] * matrix[:, column])


def test_seeds_differ(statistics) -> None:
    one, two = (confidence_intervals(statistics, SCORERS, trials=100, rng=seed) for seed in (1, 2))
    assert one != two


def test_all_pairs_are_adjusted_by_holm(statistics) -> None:
    results = compare(statistics, SCORERS, trials=500, rng=1)
    raw = sorted(result["bleu"].p for result in results.values())
    adjusted = sorted(result["bleu"].p_holm or 0.0 for result in results.values())
    assert adjusted[0] == pytest.approx(3 * raw[0])
    assert all(a >= p for a, p in zip(adjusted, raw, strict=True))


def test_differences_are_those_of_the_scores(statistics) -> None:
    result = compare(statistics, SCORERS, baseline="good", trials=10, rng=1)["poor", "good"]
    for key, metric in METRICS.items():
        scores = [metric.corpus_score(SYSTEMS[name], REFERENCE).score for name in ("poor", "good")]
        assert result[key].difference == pytest.approx(scores[0] - scores[1], abs=1e-12)


def test_swaps_are_fair_and_samples_whole() -> None:
    rng = np.random.default_rng(1)
    swaps = np.concatenate(list(shuffles(13, 4000, rng)))
    assert swaps.shape == (4000, 13)
    assert set(np.unique(swaps)) == {0.0, 1.0}
    assert swaps.mean(axis=0) == pytest.approx(0.5, abs=0.04)
    drawn = np.concatenate(list(samples(13, 4000, rng)))
    assert (drawn.sum(axis=1) == 13).all()
    assert drawn.mean(axis=0) == pytest.approx(1, abs=0.07)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30))
def test_sums_on_the_grid_are_exact_and_near(values: list[float]) -> None:
    column = np.array(values)[:, None]
    grid = summable(column)[:, 0]
    assert sum(grid.tolist()) == math.fsum(grid) == sum(sorted(grid.tolist()))
    assert np.abs(grid - values).max() <= len(values) * np.abs(values).max() / 2**52
    whole = np.rint(column)
    assert (summable(whole) == whole).all()


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        (np.ones((3, 3)), np.ones((4, 3)), "statistics of 4 segments for system 'y' where others have 3"),
        (np.ones((3, 3)), np.full((3, 3), np.nan), "no numbers"),
        (np.ones((0, 3)), np.ones((0, 3)), "no segments"),
    ],
)
def test_what_cannot_be_paired_is_refused(x: Floats, y: Floats, message: str) -> None:
    with pytest.raises(InputError, match=message):
        approximate_randomization(x, y, f_score)


def test_impossible_trials_baselines_and_tests_are_refused(statistics) -> None:
    with pytest.raises(OptionError, match="0 trials"):
        compare(statistics, SCORERS, trials=0)
    with pytest.raises(OptionError, match="did you mean good"):
        compare(statistics, SCORERS, baseline="goood")
    with pytest.raises(OptionError, match="valid: ar, bs"):
        compare(statistics, SCORERS, test="t-test")


def test_a_score_that_is_undefined_has_no_p_value() -> None:
    def undefined(rows: Floats) -> Floats:
        return np.full(len(rows), np.nan)

    assert math.isnan(approximate_randomization(X, Y, undefined).p)
