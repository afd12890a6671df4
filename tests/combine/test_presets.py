"""The presets that a user can name like a metric."""

from synteval.metrics.registry import load_metrics


def test_fluency_is_chains_and_subtrees_of_dependencies():
    metrics = load_metrics(["fluency"])
    assert list(metrics) == ["hwcm", "dstm:depth=3"]
    assert (metrics["hwcm"].length, metrics["hwcm"].mode) == (4, "precision")
    assert metrics["dstm:depth=3"].depth == 3


def test_blend_is_a_metric():
    assert load_metrics(["blend"])["blend"].name == "blend"
