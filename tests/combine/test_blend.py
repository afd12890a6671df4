"""Blend: members' scores through a stored model, as a metric like any other."""

import json

import numpy as np
import pytest

from synteval.combine import MetricFeatures, Model, WeightedLinear
from synteval.combine.blend import Blend
from synteval.errors import OptionError
from synteval.metrics.base import Chunk
from synteval.resources import resource

MEMBERS = ("chrf", "length_ratio", "bleu:max_ngram_order=2", "rouge1")
PAIRS = [
    ("the cat sat on the mat", ["a cat sat on a mat"]),
    ("dogs bark", ["the dogs bark", "dogs are barking"]),
    ("it rains today", ["it is raining"]),
    ("", ["something"]),
    ("all the same words", ["all the same words"]),
]
CHUNK = Chunk((), (), [pair[0] for pair in PAIRS], [pair[1] for pair in PAIRS])


@pytest.fixture
def model(tmp_path):
    x = MetricFeatures(MEMBERS).transform(PAIRS)
    path = tmp_path / "m.json"
    Model(WeightedLinear(0.1).fit(x, [0.2, 0.4, -0.1, -1.5, 1.0]), MEMBERS).save(path)
    return path


def test_is_the_model_on_the_members_scores(model):
    blend = Blend(str(model))
    x = MetricFeatures(MEMBERS).transform(PAIRS)
    assert blend.features(CHUNK) == pytest.approx(x)
    rows = blend.statistics(CHUNK)
    z = Model.load(model).combiner.predict(x)
    assert rows[:, 0] == pytest.approx(np.clip(0.5 + z / 4, 0, 1))
    assert blend.score(rows.sum(axis=0)) == pytest.approx(rows[:, 0].mean())
    assert np.argmax(rows[:, 0]) == 4
    assert np.argmin(rows[:, 0]) == 3


def test_preparation_keeps_the_model(model):
    ready = Blend(str(model)).prepared(CHUNK.reference_texts)
    assert ready.statistics(CHUNK) == pytest.approx(Blend(str(model)).statistics(CHUNK))


def test_signature_names_the_model_and_not_its_path(model, tmp_path):
    signature = Blend(str(model)).signature(1, "en@1")
    assert "m.json" not in signature
    assert "|model=" in signature
    header = json.loads(model.read_text())
    header["arrays"]["coef_"][0] += 1
    (tmp_path / "other.json").write_text(json.dumps(header))
    assert Blend(str(tmp_path / "other.json")).signature(1, "en@1") != signature


def test_another_parser_is_told(model, tmp_path):
    fitted = Model.load(model)
    signed = Model(fitted.combiner, fitted.metrics, {"rouge1": "ROUGE1|refs=1|parser=en@1|synteval=0.1.0"})
    signed.save(tmp_path / "signed.json")
    blend = Blend(str(tmp_path / "signed.json"))
    blend.signature(1, "en@1")
    with pytest.warns(UserWarning, match=r"fitted with parser en@1 and reads en@2"):
        blend.signature(1, "en@2")


def test_needs_are_those_of_the_members(tmp_path):
    names = ("stm", "depf", "length")
    model = Model(WeightedLinear().fit(np.random.default_rng(0).random((9, 3)), np.arange(9)), names)
    model.save(tmp_path / "m.json")
    assert {"tree", "heads"} <= Blend(str(tmp_path / "m.json")).needs


def test_members_must_read_senses_in_one_way(tmp_path):
    names = ("esk:senses=first", "esk:senses=all")
    Model(WeightedLinear().fit(np.eye(5)[:, :2], np.arange(5)), names).save(tmp_path / "m.json")
    with pytest.raises(OptionError, match="senses in 2 ways"):
        Blend(str(tmp_path / "m.json"))


def test_the_shipped_model_prefers_the_better_output():
    resource("models", "blend", "blend.json")
    reference = "The company then changed its registration number , and that was it ."
    good, fair, bad = (
        Blend().sentence_score(text, reference).score
        for text in (
            reference,
            "The firm then changed its registration number and that was all .",
            "Number registration it and changing was that company there .",
        )
    )
    assert 1 >= good > fair > bad >= 0
