"""The pairs of outputs on which sets of metrics are judged (Amigo et al. 2011), compared once for all sets.

A pair is two systems' outputs of the same segment, taken in both directions (`pairs="segment"`), or two systems by
their mean scores (`pairs="system"`). Left out are pairs where a metric or the human score is missing, so that every
set of metrics is judged on the same pairs, and, when texts are given, pairs whose outputs are identical or of which
one is a reference: the paper asks for g != s != s' != g.

Each pair is kept once, s before s'; `better[x]` says x(s) >= x(s') and `worse[x]` says x(s) <= x(s') (both strict with
`strict=True`), so that ordered pairs are the two arrays together. All measures of a set are then a few "and"s and
counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from synteval.errors import InputError, unknown
from synteval.meta.matrix import BoolArray, FloatArray, matrices, system_means

PairKind: TypeAlias = Literal["segment", "system"]
Texts: TypeAlias = Sequence[Sequence[str]]
# Differences closer to each other than this are equal: .3 - .2 must equal .2 - .1.
DECIMALS = 12


@dataclass(frozen=True, eq=False)
class Pairs:
    """Comparisons of all metrics and of the humans on the pairs that are kept."""

    names: tuple[str, ...]
    differences: FloatArray
    better: BoolArray
    worse: BoolArray
    human_better: BoolArray
    human_worse: BoolArray

    def __len__(self) -> int:
        return int(self.better.shape[1])

    @property
    def ordered(self) -> int:
        """The number of ordered pairs."""
        return 2 * len(self)

    def index(self, metrics: Sequence[str]) -> npt.NDArray[np.intp]:
        """The rows of the metrics of a set."""
        if not metrics:
            raise InputError("a set of metrics must hold at least one metric")
        for metric in metrics:
            if metric not in self.names:
                raise unknown("metric", metric, self.names)
        return np.array([self.names.index(metric) for metric in metrics], dtype=np.intp)

    def agreed(self, rows: npt.NDArray[np.intp]) -> tuple[BoolArray, BoolArray]:
        """Pairs on which all metrics of a set say s over s', and those on which all say s' over s."""
        return np.logical_and.reduce(self.better[rows]), np.logical_and.reduce(self.worse[rows])


def compare(
    metrics: Mapping[str, Any],
    human: Any,
    *,
    pairs: PairKind = "segment",
    strict: bool = False,
    hypotheses: Texts | None = None,
    references: Sequence[Sequence[str]] | None = None,
    exclude_identical: bool = True,
) -> Pairs:
    """Compare all pairs. `metrics` holds a (systems x segments) matrix a metric; `hypotheses[system][segment]` and
    `references[segment]` (a list of texts) are needed only to leave identical texts out.
    """
    if pairs not in ("segment", "system"):
        raise unknown("kind of pairs", pairs, ("segment", "system"))
    if not metrics:
        raise InputError("no metric was given")
    quality, *scores = matrices(("human", human), *metrics.items())
    stack = np.stack([quality, *scores])
    excluded = np.zeros(quality.shape, dtype=bool)
    same: BoolArray | None = None
    if pairs == "system":
        present = ~np.isnan(stack).any(axis=0)
        stack = np.stack([system_means(np.where(present, values, np.nan)) for values in stack])[:, :, None]
    elif hypotheses is not None and exclude_identical:
        codes, excluded = _text_codes(hypotheses, references, quality.shape)
        i, j = np.triu_indices(quality.shape[0], 1)
        same = (codes[i] == codes[j]) | excluded[i] | excluded[j]
    i, j = np.triu_indices(stack.shape[1], 1)
    differences = stack[:, i] - stack[:, j]
    kept = ~np.isnan(differences).any(axis=0)
    if same is not None:
        kept &= ~same
    d = np.round(differences[:, kept], DECIMALS)
    if not d.size:
        raise InputError("no pair of outputs has all scores; reliability needs two systems on the same segment")
    better, worse = (d > 0, d < 0) if strict else (d >= 0, d <= 0)
    # Human judgements stay weak: the papers ask that quality does not fall.
    return Pairs(tuple(metrics), cast(FloatArray, d[1:]), better[1:], worse[1:], d[0] >= 0, d[0] <= 0)


def _text_codes(
    hypotheses: Texts, references: Sequence[Sequence[str]] | None, shape: tuple[int, ...]
) -> tuple[npt.NDArray[np.int64], BoolArray]:
    """A number for each text (equal texts have equal numbers), and which outputs are one of their references."""
    if len(hypotheses) != shape[0] or any(len(row) != shape[1] for row in hypotheses):
        raise InputError(f"texts must be systems x segments, {shape[0]} x {shape[1]} here")
    numbers: dict[str, int] = {}
    codes = np.array([[numbers.setdefault(text, len(numbers)) for text in row] for row in hypotheses], dtype=np.int64)
    equal = np.zeros(shape, dtype=bool)
    if references is not None:
        if len(references) != shape[1]:
            raise InputError(f"{shape[1]} segments but references for {len(references)}")
        equal = np.array([[text in references[k] for k, text in enumerate(row)] for row in hypotheses], dtype=bool)
    return codes, equal
