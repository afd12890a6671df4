"""The presets that a user can name like a metric."""

from synteval.metrics.registry import load_metrics


def test_fluency_is_chains_and_subtrees_of_dependencies():
    metrics = load_metrics(["fluency"])
    assert list(metrics) == ["hwcm:length=2", "dstm:depth=2"]
    chains, subtrees = metrics.values()
    assert (chains.length, chains.mode) == (2, "precision")
    assert (subtrees.depth, subtrees.mode) == (2, "precision")


def test_blend_is_a_metric():
    assert load_metrics(["blend"])["blend"].name == "blend"
