"""Linkage: units grouped so that each group is one topic, by average linkage.

R. Sokal and C. Michener, "A statistical method for evaluating systematic relationships" (1958): every unit begins
alone; the two groups that are most alike on average are joined, until no two are alike enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NEVER = -9.0
FEW = 0.03
"""What two single statements must be more alike than two large groups: a mean of few is less sure."""
PLACES = 5
"""Decimals to which likeness is compared: sums come out the same in any order then, and ties go to the older."""
Likeness = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """From which mean likeness on two groups are one topic: of weak statements, of these and a chain, of two chains."""

    join: float
    topic: float
    chain: float


class Linkage:
    """Groups under way: how far each two are above what they need, the best partner of each, and who is in which."""

    def __init__(self, alike: Likeness, sizes: Sequence[int], believed: Sequence[bool], reach: Reach) -> None:
        self._needed = np.array([reach.join, reach.topic, reach.chain])
        self._mean = alike.astype(np.float64)
        self._size = np.array(sizes, np.float64)
        self._believed = np.array(believed, np.int64)
        self._alive = np.ones(len(sizes), np.bool_)
        self.groups = {place: [place] for place in range(len(sizes))}
        self._above = np.stack([self._row(place) for place in range(len(sizes))])
        self._best = self._above.argmax(axis=1)

    def run(self) -> list[list[int]]:
        """Join until no two are alike enough; the groups as places of units in order, by their first."""
        while len(self.groups) > 1:
            best = self._above[np.arange(len(self._best)), self._best]
            one = int(best.argmax())
            if best[one] < 0:
                break
            self._join(*sorted((one, int(self._best[one]))))
        return sorted(sorted(places) for places in self.groups.values())

    def _row(self, place: int) -> Likeness:
        """How far each other group's likeness to this one is above what the two need."""
        needed = self._needed[self._believed[place] + self._believed] + FEW / (self._size[place] * self._size)
        above = np.round(self._mean[place] - needed, PLACES)
        above[~self._alive] = NEVER
        above[place] = NEVER
        found: Likeness = above
        return found

    def _join(self, one: int, other: int) -> None:
        first, second = self._size[one], self._size[other]
        self._mean[one] = (first * self._mean[one] + second * self._mean[other]) / (first + second)
        self._mean[:, one] = self._mean[one]
        self._size[one] += second
        self._believed[one] |= self._believed[other]
        self._alive[other] = False
        self.groups[one] += self.groups.pop(other)
        self._above[other], self._above[:, other] = NEVER, NEVER
        self._above[one] = self._above[:, one] = self._row(one)
        stale = self._alive & ((self._best == one) | (self._best == other))
        stale[one] = True
        self._best[stale] = self._above[stale].argmax(axis=1)
        rows = np.arange(len(self._best))
        nearer = self._above[:, one] > self._above[rows, self._best]
        self._best[nearer] = one


def linked(alike: Likeness, sizes: Sequence[int], believed: Sequence[bool], reach: Reach) -> list[list[int]]:
    """The groups, as places of units in order.

    `alike` is the mean likeness of each two units, shape (n, n), `sizes` how many statements each has, `believed` which
    have an episode. Takes time and memory with the square of n.
    """
    return Linkage(alike, sizes, believed, reach).run() if len(sizes) else []
