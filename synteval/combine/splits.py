"""Cross-validation that does not leak: outputs of one group are never on both sides of a split.

A segment has many outputs and they share a reference, a system has many segments and they share its manner, a
language pair has both. `grouped_splits` makes splits by any such group; `refuse_leaks` checks splits that were made
elsewhere, and `cross_predict` checks before it fits.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from synteval.errors import InputError, OptionError
from synteval.meta.matrix import FloatArray

Split: TypeAlias = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]


def grouped_splits(
    groups: Sequence[Hashable], n_splits: int | None = None, *, rng: np.random.Generator | int | None = 0
) -> list[Split]:
    """Train and test rows: leave one group out, or `n_splits` parts of whole groups, drawn by `rng`."""
    held = _parts(groups, n_splits, np.random.default_rng(rng))
    return [(np.flatnonzero(held != k), np.flatnonzero(held == k)) for k in range(held.max() + 1)]


def crossed_splits(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    n_first: int | None = None,
    n_second: int | None = None,
    *,
    rng: np.random.Generator | int | None = 0,
) -> list[Split]:
    """Splits whose training part shares neither kind of group with the test part: unseen systems on unseen segments.

    Systems share their segments, so splits by system alone leak. Rows that share one kind with the test part are left
    out of training.
    """
    generator = np.random.default_rng(rng)
    one, other = _parts(first, n_first, generator), _parts(second, n_second, generator)
    splits = []
    for i in range(one.max() + 1):
        for j in range(other.max() + 1):
            test = np.flatnonzero((one == i) & (other == j))
            train = np.flatnonzero((one != i) & (other != j))
            if len(test) and len(train):
                splits.append((train, test))
    return splits


def without_shared(splits: Sequence[Split], values: Sequence[Hashable], name: str) -> list[Split]:
    """The splits with those rows left out of training that share a value (a reference, say) with the test part."""
    numbers = _numbers(values)
    kept = [(train[~np.isin(numbers[train], numbers[test])], test) for train, test in splits]
    for number, (train, _) in enumerate(kept, start=1):
        if not train.size:
            raise InputError(f"split {number} has nothing to train on: every row shares its {name} with the test rows")
    return kept


def refuse_leaks(splits: Sequence[Split], keys: Mapping[str, Sequence[Hashable]]) -> None:
    """Raise where a row, or a value of one of `keys` (segment, reference, ...), stands on both sides of a split."""
    for number, (train, test) in enumerate(splits, start=1):
        shared = np.intersect1d(train, test)
        if shared.size:
            raise InputError(f"split {number} leaks: row {shared[0]} is in both training and test")
        for name, values in keys.items():
            numbers = _numbers(values)
            both = np.intersect1d(numbers[train], numbers[test])
            if both.size:
                value = values[int(np.flatnonzero(numbers == both[0])[0])]
                raise InputError(
                    f"split {number} leaks: {name} {str(value)[:60]!r} is in both training and test "
                    f"({both.size} such); split by groups that keep each {name} together"
                )


def cross_predict(
    estimator: Any, x: FloatArray, y: FloatArray, splits: Sequence[Split], *, keys: Mapping[str, Sequence[Hashable]]
) -> FloatArray:
    """Each row's score by a clone of `estimator` that never saw its group; NaN for rows in no test part."""
    from sklearn.base import clone

    refuse_leaks(splits, keys)
    scores = np.full(len(y), np.nan)
    for train, test in splits:
        fitted = clone(estimator).fit(x[train], y[train])
        scores[test] = fitted.predict(x[test])
    return scores


class GroupedSplits:
    """`grouped_splits` as a scikit-learn splitter, for GridSearchCV and the like."""

    def __init__(self, n_splits: int | None = None, random_state: int = 0) -> None:
        self.n_splits = n_splits
        self.random_state = random_state

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:  # noqa: N803
        """Train and test rows."""
        if groups is None:
            raise InputError("grouped splits need groups; give groups= to fit or cross_validate")
        yield from grouped_splits(list(groups), self.n_splits, rng=self.random_state)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: N803
        """How many splits there will be."""
        return len(set(groups)) if self.n_splits is None else self.n_splits


def _parts(groups: Sequence[Hashable], n_splits: int | None, generator: np.random.Generator) -> npt.NDArray[np.intp]:
    """The part of each row: its group's own, or one of `n_splits` parts of whole groups."""
    numbers = _numbers(groups)
    n_groups = int(numbers.max(initial=-1)) + 1
    parts = n_groups if n_splits is None else n_splits
    if not 2 <= parts <= n_groups:
        raise OptionError(f"{n_groups} groups cannot be split into {parts} parts; give between 2 and {n_groups}")
    order = np.arange(n_groups) if n_splits is None else generator.permutation(n_groups)
    part = np.empty(n_groups, dtype=np.intp)
    part[order] = np.arange(n_groups) % parts
    return part[numbers]


def _numbers(values: Sequence[Hashable]) -> npt.NDArray[np.intp]:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.intp)
