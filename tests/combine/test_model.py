"""Models on disk: plain numbers, the same scores after a round trip, and refusal of scores made otherwise."""

import json

import numpy as np
import pytest

from synteval.combine import ULC, HumanLikeness, Model, PairwiseRanking, SupportVectorRegression, WeightedLinear
from synteval.errors import InputError, StructureError

SIGNATURES = {
    "stm": "STM|refs=1|depth=4|parser=en@1.0.0-ab12cd34|synteval=0.1.0",
    "bleu": "BLEU|refs=1|tok=13a|synteval=0.1.0",
}


def fitted(combiner):
    rng = np.random.default_rng(0)
    y = rng.normal(size=80)
    x = np.stack([y + rng.normal(size=80), y - rng.normal(size=80)], axis=1)
    return combiner.fit(x, (y > 0).astype(int) if isinstance(combiner, HumanLikeness) else y), x


COMBINERS = [
    ULC("max", lower_is_better=(1,)),
    WeightedLinear(2.0),
    SupportVectorRegression(C=0.5),
    PairwiseRanking(),
    HumanLikeness(),
]


@pytest.mark.parametrize("suffix", [".json", ".npz"])
@pytest.mark.parametrize("combiner", COMBINERS, ids=lambda c: c.kind)
def test_round_trip(tmp_path, combiner, suffix):
    combiner, x = fitted(combiner)
    model = Model(combiner, ("stm", "bleu"), SIGNATURES, {"trained on": "toy"})
    scores = {"bleu": x[:, 1], "stm": x[:, 0]}
    model.save(tmp_path / f"m{suffix}")
    again = Model.load(tmp_path / f"m{suffix}")
    assert again.score(scores, SIGNATURES) == pytest.approx(model.score(scores, SIGNATURES), abs=1e-12)
    assert again.signature == model.signature
    assert (again.metrics, again.signatures, again.notes) == (model.metrics, SIGNATURES, {"trained on": "toy"})


@pytest.fixture
def model():
    return Model(fitted(WeightedLinear())[0], ("stm", "bleu"), SIGNATURES)


def test_missing_columns_are_refused(model):
    with pytest.raises(InputError, match=r"lack: bleu; score with -m stm -m bleu"):
        model.score({"stm": [1.0]}, SIGNATURES)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("depth=4", "depth=3", "depth=3 instead of depth=4"),
        ("parser=en@1.0.0-ab12cd34", "parser=spacy@3.8", "parser=spacy@3.8 instead of parser=en@1.0.0-ab12cd34"),
    ],
)
def test_scores_made_otherwise_are_refused(model, old, new, message):
    scores = {"stm": [1.0], "bleu": [1.0]}
    with pytest.raises(InputError, match=message):
        model.score(scores, {**SIGNATURES, "stm": SIGNATURES["stm"].replace(old, new)})
    with pytest.raises(InputError, match="do not say"):
        model.score(scores)
    with pytest.raises(InputError, match="no signature for bleu"):
        model.score(scores, {"stm": SIGNATURES["stm"]})


def test_references_and_version_may_differ(model):
    signatures = {n: s.replace("refs=1", "refs=1-4").replace("0.1.0", "0.2.0") for n, s in SIGNATURES.items()}
    assert len(model.score({"stm": [1.0], "bleu": [1.0]}, signatures)) == 1


def test_a_missing_score_gives_a_missing_score(model):
    result = model.score({"stm": [1.0, np.nan], "bleu": [1.0, 1.0]}, SIGNATURES)
    assert np.isnan(result).tolist() == [False, True]


def test_damaged_files_are_refused(tmp_path, model):
    good = tmp_path / "m.json"
    model.save(good)
    header = json.loads(good.read_text())
    for name, content, message in (
        ("a.json", "{", "not a model"),
        ("b.json", "[]", "not a model"),
        ("c.json", json.dumps({**header, "version": 9}), "version 1"),
        ("d.json", json.dumps({**header, "kind": "forest"}), "unknown kind"),
        ("e.json", json.dumps({**header, "arrays": {}}), "lacks coef_"),
        ("f.json", json.dumps({**header, "metrics": ["stm"]}), "1 metrics are named"),
        ("g.npz", "PK", "not a model"),
    ):
        path = tmp_path / name
        path.write_text(content)
        with pytest.raises((StructureError, ValueError), match=message):
            Model.load(path)
    with pytest.raises(InputError, match="no such file"):
        Model.load(tmp_path / "none.json")
    with pytest.raises(InputError, match=r"json or \.npz"):
        model.save(tmp_path / "m.pkl")


def test_pickles_are_never_loaded(tmp_path, model):
    path = tmp_path / "evil.npz"
    np.savez(path, header=np.array([object()], dtype=object))
    with pytest.raises(StructureError, match="not a model"):
        Model.load(path)
