"""Reads a tensor from a safetensors file as a memory map.

Format: eight bytes with the header's length (little endian), a JSON header `{name: {dtype, shape, data_offsets}}`, then
the data; offsets count from the end of the header (safetensors documentation, "Format").
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siltstone.errors import ModelUnavailable

DTYPES = {"F16": "<f2", "F32": "<f4"}
HEADER_LIMIT = 1 << 20


def map_tensor(path: Path, name: str) -> NDArray[Any]:
    """The tensor `name` of the file, read-only and mapped: processes share its pages. Raises ModelUnavailable."""
    try:
        start, entry = _entry(path, name)
        first, last = entry["data_offsets"]
        dtype, shape = np.dtype(DTYPES[entry["dtype"]]), tuple(entry["shape"])
        if int(np.prod(shape)) * dtype.itemsize != last - first:
            raise ValueError(f"shape {shape} does not fill {last - first} bytes")
        return np.memmap(path, dtype=dtype, mode="r", offset=start + first, shape=shape)
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise ModelUnavailable(
            f"the model file {path.name!r} cannot be read: {error!r}; install its package again"
        ) from error


def _entry(path: Path, name: str) -> tuple[int, dict[str, Any]]:
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if not 0 < length <= HEADER_LIMIT:
            raise ValueError(f"header of {length} bytes")
        return 8 + length, json.loads(file.read(length))[name]
