"""The vectors of one embedding model beside the rows of a corpus. Vectors of two models never meet in one comparison."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from siltstone.domain.records import Vector
from siltstone.ports.stores import Partition
from siltstone.retrieval.columns import Column, Matrix

BATCH = 20_000
WAITING, NEEDLESS = -1, -2

Scores = NDArray[np.float32]


class Space(NamedTuple):
    """A model's fingerprint and the size of its vectors."""

    model: str
    dimension: int


class Vectors:
    """For each row of a corpus its vector of one model, or that it waits for one, or has no text that could have one."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.matrix = Matrix(space.dimension)
        self.at = Column("int32")
        self._reached = 0
        self._row_of: dict[str, int] = {}
        self._waiting: dict[str, list[int]] = {}

    def append(self, keys: Sequence[str]) -> None:
        """Enter new rows by the names of their texts' vectors; "" needs none."""
        for row, key in enumerate(keys, len(self.at)):
            place = self._row_of.get(key, WAITING) if key else NEEDLESS
            self.at.append(place)
            if place == WAITING:
                self._waiting.setdefault(key, []).append(row)

    def read(self, partition: Partition, seq: int) -> None:
        """Take in what arrived; it is known now up to `seq`."""
        arriving = partition.vectors(self.space.model, after=self._reached)
        while arrived := list(islice(arriving, BATCH)):
            self._put(arrived)
            seq = max(seq, arrived[-1].seq)
        self._reached = max(self._reached, seq)

    def behind(self, seq: int) -> bool:
        """Whether something may have arrived up to `seq`."""
        return seq > self._reached

    def missing(self, live: NDArray[np.bool_]) -> int:
        """Live rows that wait for a vector."""
        return int(np.count_nonzero(live & (self.at.view == WAITING)))

    def scores(self, vector: NDArray[np.float32]) -> Scores:
        """Cosine of each row with a unit-length vector, clipped to [0, 1], shape (rows,); 0 for rows without a vector."""
        at = self.at.view
        if not self.matrix.size:
            return np.zeros(len(at), np.float32)
        found: Scores = (self.matrix.view @ vector)[at]
        found[at < 0] = 0
        return np.clip(found, 0, 1, out=found)

    def _put(self, vectors: Sequence[Vector]) -> None:
        """Take in vectors; one of another size is no vector of this model, one that is here stays."""
        size = 4 * self.space.dimension
        fresh = {vector.key: vector.data for vector in vectors if len(vector.data) == size}
        fresh = {key: data for key, data in fresh.items() if key not in self._row_of}
        if not fresh:
            return
        rows = np.frombuffer(b"".join(fresh.values()), np.float32).reshape(-1, self.space.dimension)
        for place, key in enumerate(fresh, self.matrix.extend(rows)):
            self._row_of[key] = place
            for row in self._waiting.pop(key, ()):
                self.at[row] = place
