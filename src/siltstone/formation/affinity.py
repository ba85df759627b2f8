"""Affinity: the likeness of every two of many statements at once, as one matrix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from siltstone.formation.closer import Sight
from siltstone.formation.likeness import Vector, Weighed, Weights

Matrix = NDArray[np.float32]


def affinities(made: Sequence[Weighed], keys: Sequence[str], weights: Weights, sights: Sequence[Sight] = ()) -> Matrix:
    """The likeness of each two, shape (n, n): `likeness.pair`, with the meaning of `sights` where both are in one.

    `keys` are the text keys by which sights know the statements.
    """
    shared = weights.words * _shared(made, lambda one: one.probe.terms, [one.words for one in made])
    shared += weights.concepts * _shared(made, lambda one: one.probe.concepts, [one.concepts for one in made])
    shared += weights.names * _named(made)
    seen = np.array([one.probe.vector is not None for one in made])
    both = seen[:, None] & seen[None, :]
    plain = shared / (weights.words + weights.concepts)
    if not seen.any():
        return plain
    first = _cosines([one.probe.vector for one in made])
    meaning = np.float32(weights.meaning) * first
    for sight in sights:
        vectors = [sight.vectors.get(key) for key in keys]
        places = [place for place, vector in enumerate(vectors) if vector is not None and seen[place]]
        if places:
            block, manner = np.ix_(places, places), sight.manner
            closer = _cosines([vectors[place] for place in places])
            meaning[block] = manner.first * first[block] + manner.own * closer - manner.level
    found: Matrix = np.where(both, shared + meaning, plain)
    return found


def _cosines(vectors: Sequence[Vector | None]) -> Matrix:
    """The cosine of each two vectors of unit length; 0 where one is missing. One at least is there."""
    size = next(vector.size for vector in vectors if vector is not None)
    rows = np.stack([np.zeros(size, np.float32) if vector is None else vector for vector in vectors])
    found: Matrix = rows @ rows.T
    return found


def _shared(made: Sequence[Weighed], words: Callable[[Weighed], Iterable[str]], lengths: Sequence[float]) -> Matrix:
    """The cosine of each two by these words, each weighed by what it is worth to the first of them that has it."""
    found = np.zeros((len(made), len(made)), np.float32)
    for word, places in _holding(made, words).items():
        worth = np.array([made[place].worth[word] for place in places], np.float32)
        found[np.ix_(places, places)] += worth[:, None]
    scale = np.array([1 / length if length else 0.0 for length in lengths], np.float32)
    found *= scale[:, None]
    found *= scale[None, :]
    return found


def _named(made: Sequence[Weighed]) -> Matrix:
    """How telling the most telling name is that two share; 0 where they share none."""
    found = np.zeros((len(made), len(made)), np.float32)
    for word, places in _holding(made, lambda one: one.probe.terms).items():
        telling = np.array([made[place].names.get(word, 0.0) for place in places], np.float32)
        if telling.any():
            block = np.ix_(places, places)
            found[block] = np.maximum(found[block], telling[:, None])
    return found


def _holding(made: Sequence[Weighed], words: Callable[[Weighed], Iterable[str]]) -> Mapping[str, list[int]]:
    """The places that hold each word, of words that more than one holds."""
    found: dict[str, list[int]] = {}
    for place, one in enumerate(made):
        for word in words(one):
            found.setdefault(word, []).append(place)
    return {word: places for word, places in sorted(found.items()) if len(places) > 1}
