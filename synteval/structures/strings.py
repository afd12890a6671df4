"""A column of strings: the distinct values once, and an integer code an item.

Every layer of a parse is such a column, so that metrics work on integers and a string is hashed once, not once a token.
All columns of a sentence may share one table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import overload

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int32]


class Strings(Sequence[str]):
    """An immutable sequence of strings, stored as `table[codes[i]]`."""

    __slots__ = ("codes", "table")

    table: tuple[str, ...]
    codes: IntArray

    def __init__(self, table: tuple[str, ...], codes: IntArray) -> None:
        self.table = table
        self.codes = codes

    @classmethod
    def of(cls, values: Iterable[str]) -> Strings:
        """Code `values`, in order of first appearance."""
        index: dict[str, int] = {}
        codes = [index.setdefault(value, len(index)) for value in values]
        return cls(tuple(index), np.array(codes, dtype=np.int32))

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, item: int) -> str: ...
    @overload
    def __getitem__(self, item: slice) -> Strings: ...
    def __getitem__(self, item: int | slice) -> str | Strings:
        if isinstance(item, slice):
            return Strings(self.table, self.codes[item])
        return self.table[int(self.codes[item])]

    def list(self) -> list[str]:
        """All values; quicker than iterating."""
        table = self.table
        return [table[code] for code in self.codes.tolist()]

    def __iter__(self) -> Iterator[str]:
        return iter(self.list())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return self.list() == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self.list()))

    def __repr__(self) -> str:
        return f"Strings({self.list()!r})"
