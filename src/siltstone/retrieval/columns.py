"""Growable columns and interned names: the building blocks of a user's in-process index.

A column is an `array.array`, whose append is some ten times cheaper than numpy's assignment; `view` is the same memory
as a numpy array. An array cannot grow while a view of it is alive, so the first append after one makes a copy where
somebody still holds it (a traceback, say).
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

FIRST_CAPACITY = 16
MOST_COUNTED = 65_535
BULK = 64
"""Documents from which sorting all their terms at once is quicker than entering them one by one."""
CODES = {
    "bool": "b",
    "int8": "b",
    "int32": "i",
    "int64": "q",
    "uint32": "I",
    "uint16": "H",
    "float32": "f",
    "float64": "d",
}


class Column:
    """One number a row. `dtype` is one of the names in CODES."""

    __slots__ = ("_data", "_view", "dtype")

    def __init__(self, dtype: str) -> None:
        self.dtype = np.dtype(dtype)
        self._data: array[Any] = array(CODES[dtype])
        self._view: NDArray[Any] | None = None

    def append(self, value: float) -> int:
        """Add one row and answer its index."""
        self._view = None
        try:
            self._data.append(value)
        except BufferError:
            self._data = self._data[:]
            self._data.append(value)
        return len(self._data) - 1

    def extend(self, values: Iterable[float]) -> None:
        """Add several rows."""
        self._view = None
        try:
            self._data.extend(values)
        except BufferError:
            self._data = self._data[:]
            self._data.extend(values)

    def extend_bytes(self, data: bytes) -> None:
        """Add rows given as the bytes of this column's type."""
        self._view = None
        try:
            self._data.frombytes(data)
        except BufferError:
            self._data = self._data[:]
            self._data.frombytes(data)

    def __setitem__(self, row: int, value: float) -> None:
        self._data[row] = value

    def __getitem__(self, row: int) -> Any:
        return self._data[row]

    def __len__(self) -> int:
        return len(self._data)

    @property
    def view(self) -> NDArray[Any]:
        """All rows, without a copy; the same array until a row is added."""
        view = self._view
        if view is None:
            view = self._view = np.frombuffer(self._data, self.dtype)
        return view

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self.dtype.itemsize * len(self._data)


class Matrix:
    """Rows of `width` float32 numbers, growing by doubling."""

    __slots__ = ("_data", "size")

    def __init__(self, width: int) -> None:
        self._data: NDArray[np.float32] = np.zeros((FIRST_CAPACITY, width), np.float32)
        self.size = 0

    def extend(self, rows: NDArray[np.float32]) -> int:
        """Add rows, shape (n, width), and answer the index of the first."""
        first, needed = self.size, self.size + len(rows)
        if needed > len(self._data):
            grown = np.zeros((max(2 * len(self._data), needed), self._data.shape[1]), np.float32)
            grown[:first] = self._data[:first]
            self._data = grown
        self._data[first:needed] = rows
        self.size = needed
        return first

    @property
    def view(self) -> NDArray[np.float32]:
        """The filled rows, without a copy."""
        return self._data[: self.size]

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self._data.nbytes


class Names:
    """Names ↔ small integers, in order of first sight. None is -1."""

    __slots__ = ("_codes", "names")

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}
        self.names: list[str] = []

    def code(self, name: str | None) -> int:
        """The name's code, given on first sight."""
        if name is None:
            return -1
        found = self._codes.get(name)
        if found is None:
            found = self._codes[name] = len(self.names)
            self.names.append(name)
        return found

    def known(self, name: str) -> int:
        """The name's code, or -2 where it was never seen."""
        return self._codes.get(name, -2)

    def name(self, code: int) -> str | None:
        """The name of a code; None for -1."""
        return self.names[code] if code >= 0 else None


class Postings:
    """For each term the rows that hold it and how often, in order of arrival; frequencies count live rows only."""

    __slots__ = ("_lists", "_retired", "size")

    def __init__(self) -> None:
        self._lists: dict[str, tuple[Column, Column]] = {}
        self._retired: dict[str, int] = {}
        self.size = 0

    def add(self, first: int, documents: Sequence[Sequence[str]]) -> None:
        """Enter rows `first`, `first` + 1, … under their terms (with repeats)."""
        if len(documents) >= BULK:
            self._add_bulk(first, documents)
            return
        for row, terms in enumerate(documents, first):
            for term, count in Counter(terms).items():
                rows, counts = self._list(term)
                rows.append(row)
                counts.append(min(count, MOST_COUNTED))
                self.size += 1

    def _add_bulk(self, first: int, documents: Sequence[Sequence[str]]) -> None:
        """The same by one sort: terms become numbers, (term, row) pairs are sorted and counted, then cut by term."""
        numbers: dict[str, int] = {}
        flat = [numbers.setdefault(term, len(numbers)) for terms in documents for term in terms]
        rows = np.repeat(np.arange(len(documents), dtype=np.int64), [len(terms) for terms in documents])
        pairs, counts = np.unique((np.array(flat, np.int64) << 32) | rows, return_counts=True)
        where = (pairs & 0xFFFFFFFF).astype(np.uint32) + np.uint32(first)
        often = np.minimum(counts, MOST_COUNTED).astype(np.uint16)
        cuts = np.searchsorted(pairs >> 32, np.arange(len(numbers) + 1))
        for term, start, end in zip(numbers, cuts[:-1], cuts[1:], strict=True):
            held, counted = self._list(term)
            held.extend_bytes(where[start:end].tobytes())
            counted.extend_bytes(often[start:end].tobytes())
        self.size += len(pairs)

    def _list(self, term: str) -> tuple[Column, Column]:
        found = self._lists.get(term)
        if found is None:
            found = self._lists[term] = Column("uint32"), Column("uint16")
        return found

    def retire(self, terms: Iterable[str]) -> None:
        """Take a row that is no longer live out of the frequencies. Its entries stay until the index is rebuilt."""
        for term in set(terms):
            self._retired[term] = self._retired.get(term, 0) + 1

    def frequency(self, term: str) -> int:
        """How many live rows hold the term."""
        found = self._lists.get(term)
        return 0 if found is None else len(found[0]) - self._retired.get(term, 0)

    def rows(self, term: str) -> tuple[NDArray[np.uint32], NDArray[np.uint16]] | None:
        """(rows, counts) of the term, rows ascending; None where it was never seen."""
        found = self._lists.get(term)
        return None if found is None else (found[0].view, found[1].view)
