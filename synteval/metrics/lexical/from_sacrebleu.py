"""BLEU and chrF count through sacrebleu; only the score of summed counts is written here, on all rows at once.

sacrebleu scores one summed row at a time. A bootstrap needs ten thousand, so each metric states sacrebleu's formula on
arrays, and its tests hold the two equal to 1e-9. References are given segment by segment, so their number may differ
from one segment to the next: what sacrebleu does for references that are None.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sacrebleu
from sacrebleu.metrics.base import Metric as Counter

from synteval.metrics.base import FloatArray
from synteval.metrics.lexical.preprocess import TextMetric

Prepare = Callable[[str], str]


@dataclass(frozen=True)
class SacrebleuMetric(TextMetric):
    """A metric whose statistics are those of sacrebleu; its version is part of the signature."""

    def signature(self, refs: int | str = 1, parser: str | None = None, **more: Any) -> str:
        return super().signature(refs, parser, **more, sacrebleu=sacrebleu.__version__)


def count(
    counter: Counter,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    width: int,
    prepare: Prepare | None = None,
) -> FloatArray:
    """The statistics of `counter`, a row a segment; `prepare` replaces the counter's own preprocessing of a text."""
    prepare = prepare or counter._preprocess_segment
    rows = np.empty((len(hypotheses), width))
    for number, (hypothesis, texts) in enumerate(zip(hypotheses, references, strict=True)):
        information = counter._extract_reference_info([prepare(text) for text in texts])
        rows[number] = counter._compute_segment_statistics(prepare(hypothesis), information)
    return rows
