"""Checks what an embedding server answered: nothing wrong, short, mixed up or made up passes into the store."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from siltstone.errors import ModelAnswerInvalid


def vectors_of(answer: Any, count: int) -> NDArray[np.float32]:
    """The vectors of an OpenAI-form answer in the order of the texts, shape (count, any). Raises ModelAnswerInvalid."""
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        raise ModelAnswerInvalid(
            f"the embedding server answered {repr(answer)[:70]} in place of {{'data': [{{'embedding': …}}]}}; "
            "check its address"
        )
    if len(data) != count:
        raise ModelAnswerInvalid(
            f"the embedding server answered {len(data)} vectors for {count} texts; nothing was kept, check the server"
        )
    return _matrix([item.get("embedding") for item in _in_order(data)])


def unit_length(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """The rows at length 1. Raises ModelAnswerInvalid for a row that is zero or holds what is no number."""
    bad = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    if bad.size:
        raise ModelAnswerInvalid(f"the vector of text {bad[0]} holds values that are no numbers; check the model")
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    bad = np.flatnonzero(lengths[:, 0] == 0)
    if bad.size:
        raise ModelAnswerInvalid(f"the vector of text {bad[0]} is zero, which is near nothing; check the model")
    unit: NDArray[np.float32] = (rows / lengths).astype(np.float32)
    return unit


def cut(rows: NDArray[np.float32], dimension: int, *, centred: bool) -> NDArray[np.float32]:
    """The first `dimension` values of each row, not yet at unit length.

    `centred` layer-norms first, as the cards of such models ask (nomic-embed-text-v1.5).
    """
    if centred:
        rows = rows - rows.mean(axis=1, keepdims=True)
    return rows[:, :dimension]


def _in_order(data: list[dict[str, Any]]) -> list[dict[str, Any]]:
    places = [item.get("index") for item in data]
    if all(place is None for place in places):
        return data
    numbers = [place for place in places if isinstance(place, int)]
    if sorted(numbers) != list(range(len(data))):
        raise ModelAnswerInvalid(
            f"the embedding server numbered its vectors {places[:8]}, not 0 to {len(data) - 1}; check the server"
        )
    return [item for _, item in sorted(zip(numbers, data, strict=True), key=lambda pair: pair[0])]


def _matrix(rows: list[Any]) -> NDArray[np.float32]:
    try:
        matrix = np.asarray(rows)
    except ValueError:
        matrix = np.empty(0)
    if matrix.ndim != 2 or matrix.dtype.kind not in "fiu" or not matrix.shape[1]:
        raise ModelAnswerInvalid(
            f"the embedding server answered something else than equally long lists of numbers ({repr(rows)[:60]}); "
            "check the server and its encoding_format"
        )
    with np.errstate(over="ignore"):
        return matrix.astype(np.float32)
