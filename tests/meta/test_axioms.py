"""The axioms on measures whose properties the paper states."""

from collections import Counter

import numpy as np
import pytest

from synteval.errors import InputError
from synteval.meta.axioms import check_axioms

HYPS = ["the cat sat on a mat", "dogs bark loudly", "it rains", "a b c d", "the end of the day"]
REFS = ["the cat is on the mat", "the dogs bark", "it is raining today", "a b x y", "at the end of the day"]


def overlap(hyp, ref):
    return (Counter(hyp.split()) & Counter(ref.split())).total()


def on_pairs(function):
    return lambda hyps, refs: np.array([function(h, r) for h, r in zip(hyps, refs, strict=True)])


def f_measure(hyp, ref):
    return 2 * overlap(hyp, ref) / (len(hyp.split()) + len(ref.split()))


def test_f_satisfies_all():
    results = check_axioms(on_pairs(f_measure), HYPS, REFS)
    assert all(result.holds and result.tried for result in results.values())


def test_precision_is_reached_by_fragments():
    results = check_axioms(on_pairs(lambda h, r: overlap(h, r) / len(h.split())), HYPS, REFS)
    assert results["identity"].holds
    assert not results["only"].holds
    example = results["only"].counter_examples[0]
    assert example.worse_score == example.better_score == 1
    assert example.better == example.reference


def test_recall_does_not_see_what_is_too_much():
    results = check_axioms(on_pairs(lambda h, r: overlap(h, r) / len(r.split())), HYPS, REFS)
    assert results["growing"].holds
    assert not results["shrinking"].holds
    assert not results["only"].holds


def test_distances_and_reversals():
    distance = on_pairs(lambda h, r: 1 - f_measure(h, r))
    assert all(r.holds for r in check_axioms(distance, HYPS, REFS, higher_is_better=False).values())
    assert not check_axioms(distance, HYPS, REFS)["identity"].holds


def test_a_random_function_is_no_similarity():
    rng = np.random.default_rng(0)
    results = check_axioms(lambda h, r: rng.random(len(h)), HYPS * 5, REFS * 5)
    assert not any(result.holds for result in results.values())


def test_nothing_to_check():
    with pytest.raises(InputError, match="pairs"):
        check_axioms(on_pairs(f_measure), [], [])
    empty = check_axioms(on_pairs(f_measure), [""], ["a"])
    assert all(result.tried == 0 for result in empty.values())
