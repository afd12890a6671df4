"""Any metric inside sacrebleu's own paired tests.

    from sacrebleu.significance import PairedTest
    from synteval.compat.sacrebleu import SacrebleuAdapter

    metrics = {"STM": SacrebleuAdapter("stm"), "BLEU": sacrebleu.BLEU()}
    signatures, scores = PairedTest([("base", base), ("new", new)], metrics, references, test_type="ar")()

References are sacrebleu's: one list a reference set, None where a segment has fewer; or they are given to the adapter
once, as `references`. sacrebleu sums the statistics and asks for the score of each sum, one at a time: synteval's own
tests (results/significance.py) give the same p-values, but for chance, in a fraction of the time. sacrebleu's bootstrap
keeps statistics in single precision.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sacrebleu.metrics.base as rival

from synteval.errors import InputError
from synteval.metrics.base import FloatArray, Metric, column_sums
from synteval.metrics.inputs import check_pairs, reference_count
from synteval.metrics.registry import load_metric
from synteval.metrics.views import Parses


class AdapterSignature(rival.Signature):
    """sacrebleu's own entries (trials, seed, version) with synteval's signature before them."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr["synteval"] = "synteval"
        self.info = {"synteval": _plain(args["synteval_signature"]), **self.info}


def _plain(signature: str) -> str:
    # sacrebleu cuts signatures at these two signs.
    return signature.replace("|", " ").replace(":", "=")


class SacrebleuAdapter(rival.Metric):
    """A synteval metric with the hooks that sacrebleu calls; `reading` says how texts are parsed."""

    _SIGNATURE_TYPE = AdapterSignature

    def __init__(
        self, metric: str | Metric, references: Sequence[Sequence[str | None]] | None = None, **reading: Any
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.metric = load_metric(metric) if isinstance(metric, str) else metric
        self.references = references
        self._parses = Parses(**reading)
        self.num_refs: int = -1
        self.synteval_signature = self.metric.signature()

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> FloatArray:
        columns = self.references if references is None else references
        if columns is None:
            raise InputError("no references: give them to PairedTest or to SacrebleuAdapter(references=)")
        for number, column in enumerate(columns):
            if len(column) != len(hypotheses):
                raise InputError(
                    f"reference set {number} has {len(column)} segments where there are {len(hypotheses)} hypotheses; "
                    "sacrebleu takes one list a reference set"
                )
        rows = [[text for text in texts if text is not None] for texts in zip(*columns, strict=True)]
        hyps, refs = check_pairs(hypotheses, rows)
        statistics = self.metric.corpus(self._parses.chunk([self.metric], hyps, refs))
        count = reference_count(refs)
        self.num_refs = count if isinstance(count, int) else -1
        self.synteval_signature = self.metric.signature(count, **self._parses.signed(self.metric))
        return statistics

    def _aggregate_and_compute(self, stats: Any) -> rival.Score:
        return self._compute_score_from_stats(column_sums(np.asarray(stats, dtype=np.float64)))

    def _compute_score_from_stats(self, stats: Any) -> rival.Score:
        return rival.Score(self.metric.name, self.metric.score(np.asarray(stats, dtype=np.float64)))

    # The hooks below serve sacrebleu's way from a text to its statistics, which is not taken here.

    def _preprocess_segment(self, sent: str) -> str:
        return sent

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"refs": refs}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[float]:
        chunk = self._parses.chunk([self.metric], [hypothesis], [list(ref_kwargs["refs"])])
        row: list[float] = self.metric.corpus(chunk)[0].tolist()
        return row
