"""MetricFeatures: the scores of `evaluate`, in a pipeline."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from synteval.combine import MetricFeatures, WeightedLinear
from synteval.combine.features import lengths
from synteval.errors import InputError
from synteval.results.evaluate import evaluate

PAIRS = [
    ("the cat sat on the mat", "a cat sat on a mat"),
    ("dogs bark", ["the dogs bark", "dogs are barking"]),
    ("", "something"),
    ("it rains today", "it is raining"),
]


def test_equals_evaluate():
    names = ("length", "bleu", "chrf", "length_ratio")
    x = MetricFeatures(names).fit_transform(PAIRS)
    refs = [[r] if isinstance(r, str) else r for _, r in PAIRS]
    run = evaluate({"s": [h for h, _ in PAIRS]}, refs, ["bleu", "chrf"])
    assert x[:, 1] == pytest.approx(run.segment_scores["s"]["bleu"])
    assert x[:, 2] == pytest.approx(run.segment_scores["s"]["chrf"])
    assert x[:, 0].tolist() == [6, 2, 0, 3]
    assert list(MetricFeatures(names).get_feature_names_out()) == list(names)


def test_lengths():
    hyp, ref, ratio = lengths(["a b", ""], [["a b c", "a"], ["x"]])
    assert (hyp.tolist(), ref.tolist()) == ([2, 0], [2, 1])
    assert ratio == pytest.approx([0, np.log(0.5)])


def test_in_a_pipeline():
    pipeline = clone(make_pipeline(MetricFeatures(["chrf", "length"]), WeightedLinear()))
    human = [0.5, 0.8, 0.0, 0.6]
    assert pipeline.fit(PAIRS, human).predict(PAIRS).shape == (4,)


def test_wrong_pairs():
    with pytest.raises(InputError, match="pairs"):
        MetricFeatures(["chrf"]).transform(["only a hypothesis"])
