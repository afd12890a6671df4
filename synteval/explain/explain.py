"""One segment, one metric: the explanation, by the family that the metric belongs to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from synteval.explain import counted, dependencies, kernels, subsequences
from synteval.explain.explanation import Explanation
from synteval.metrics.base import Chunk, Metric
from synteval.metrics.counted import CountedMetric
from synteval.metrics.depf import DependencyF
from synteval.metrics.esk import WSK
from synteval.metrics.inputs import Reference
from synteval.metrics.kernel_metric import KernelMetric
from synteval.metrics.views import Parses


def explain(metric: Metric, pair: Chunk, name: str = "") -> Explanation:
    """Explain the score of the only pair of a chunk; `name` is the metric as the user wrote it."""
    name = name or metric.name
    row = metric.prepared(pair.reference_texts).statistics(pair)[0]
    score, counts = metric.score(row, segment=True), metric.counts(row)
    if "vectors" in metric.needs:
        note = f"{name} weighs the similarity of all word vectors: there are no fragments to show"
        return Explanation(name, score, counts, note=note)
    if isinstance(metric, CountedMetric):
        return counted.explain(name, metric, pair, row)
    if isinstance(metric, KernelMetric) and metric.kernel == "sst":
        return kernels.explain(name, metric, pair, score, counts)
    if isinstance(metric, DependencyF):
        return dependencies.explain(name, metric, pair, score, counts)
    if isinstance(metric, WSK):
        return subsequences.explain(name, metric, pair, score, counts)
    what = "texts" if metric.reads == "texts" else "parses"
    does = "compares" if metric.needs_references else "judges"
    return Explanation(name, score, counts, note=f"{name} {does} {what} as a whole: there are no fragments to show")


def explain_segment(
    metrics: Mapping[str, Metric], parses: Parses, hypothesis: Reference, references: Sequence[Reference]
) -> list[Explanation]:
    """The explanations of one segment by several metrics, texts parsed as a run does."""
    return [
        explain(metric, parses.chunk([metric], [hypothesis], [list(references)]), name)
        for name, metric in metrics.items()
    ]
