"""TER, translation edit rate (Snover et al. 2006), a percentage, lower is better, as sacrebleu computes it.

    TER = 100 * edits / reference length

Edits are insertions, deletions, substitutions and shifts of a block of words, those of the reference that takes fewest;
the reference length is the average over references. Empty references against words count as 100. Options, defaults and
tokenisation are those of sacrebleu (`case=false` is its `case_sensitive=False`), scores equal to 1e-9; the search for
the edits is written here, because it takes sacrebleu longer than all other lexical metrics together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from synteval.metrics.base import Chunk, FloatArray
from synteval.metrics.lexical.edit import error_rate
from synteval.metrics.lexical.from_sacrebleu import SacrebleuMetric
from synteval.metrics.lexical.translation_edits import translation_edits


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
        tokenizer = _tokenizer(self.normalized, self.no_punct, self.asian_support, self.case)
        rows = np.empty((len(chunk), 2))
        for row, text, texts in zip(rows, chunk.hypothesis_texts, chunk.reference_texts, strict=True):
            words = tokenizer(text.rstrip()).split()
            references = [tokenizer(other.rstrip()).split() for other in texts]
            row[0] = min(translation_edits(words, other) for other in references)
            row[1] = sum(map(len, references)) / len(references)
        return rows

    def score_rows(self, sums: FloatArray, *, segment: bool = False) -> FloatArray:
        return 100.0 * error_rate(sums[:, 0], sums[:, 1])


@lru_cache(maxsize=16)
def _tokenizer(normalized: bool, no_punct: bool, asian_support: bool, case: bool) -> TercomTokenizer:
    return TercomTokenizer(normalized, no_punct, asian_support, case)
