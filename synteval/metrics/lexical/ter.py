"""TER, translation edit rate (Snover et al. 2006), a percentage, lower is better, as sacrebleu computes it.

    TER = 100 * edits / reference length

Edits are insertions, deletions, substitutions and shifts of a block of words, those of the reference that takes fewest;
the reference length is the average over references. Empty references against words count as 100. Options and defaults
are those of sacrebleu (`case=false` is its `case_sensitive=False`), scores equal to 1e-9.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from sacrebleu.metrics import ter as sacrebleu

from synteval.metrics.base import Chunk, FloatArray
from synteval.metrics.lexical.edit import error_rate
from synteval.metrics.lexical.from_sacrebleu import SacrebleuMetric, count


@dataclass(frozen=True)
class TER(SacrebleuMetric):
    """TER of sacrebleu."""

    name: ClassVar[str] = "ter"
    higher_is_better: ClassVar[bool] = False

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        return ("edits", "reference_length")

    def statistics(self, chunk: Chunk) -> FloatArray:
        counter = _counter(self.normalized, self.no_punct, self.asian_support, self.case)
        return count(counter, chunk.hypothesis_texts, chunk.reference_texts, len(self.columns))

    def score_rows(self, sums: FloatArray, *, segment: bool = False) -> FloatArray:
        return 100.0 * error_rate(sums[:, 0], sums[:, 1])


@lru_cache(maxsize=16)
def _counter(normalized: bool, no_punct: bool, asian_support: bool, case: bool) -> sacrebleu.TER:
    return sacrebleu.TER(normalized, no_punct, asian_support, case)
