"""Rules of reading a tensor file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from siltstone.errors import ModelUnavailable
from siltstone.models.tensors import map_tensor

VALUES = np.arange(6, dtype="<f4").reshape(2, 3)


def write(path: Path, **changes: Any) -> Path:
    entry = {"dtype": "F32", "shape": [2, 3], "data_offsets": [4, 28], **changes}
    header = json.dumps({"first": {"dtype": "F16", "shape": [2], "data_offsets": [0, 4]}, "second": entry}).encode()
    path.write_bytes(len(header).to_bytes(8, "little") + header + b"\0" * 4 + VALUES.tobytes())
    return path


def test_a_tensor_is_found_by_name(tmp_path: Path) -> None:
    """The named tensor is mapped at its offset, with its type and shape, and cannot be written to."""
    tensor = map_tensor(write(tmp_path / "file"), "second")
    assert np.array_equal(tensor, VALUES)
    assert map_tensor(tmp_path / "file", "first").dtype == np.dtype("<f2")
    with pytest.raises(ValueError, match="read-only"):
        tensor[0] = 1


@pytest.mark.parametrize(
    "changes",
    [
        {"dtype": "BF16"},
        {"shape": [3, 3]},
        {"shape": [2, -3]},
        {"data_offsets": [4, 27]},
        {"data_offsets": [40, 64]},
        {"data_offsets": None},
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, changes: dict[str, Any]) -> None:
    """A header that does not fit the data, or a type that is not known, raises ModelUnavailable with the file's name."""
    with pytest.raises(ModelUnavailable, match="'weights'"):
        map_tensor(write(tmp_path / "weights", **changes), "second")


@pytest.mark.parametrize("content", [b"", b"\xff" * 8, b"\x02\0\0\0\0\0\0\0{}", b"\x02\0\0\0\0\0\0\0[}"])
def test_what_is_no_tensor_file_is_named(tmp_path: Path, content: bytes) -> None:
    """Neither an empty file nor a header of any length or kind makes anything but ModelUnavailable."""
    (tmp_path / "weights").write_bytes(content)
    with pytest.raises(ModelUnavailable, match="install its package again"):
        map_tensor(tmp_path / "weights", "second")
