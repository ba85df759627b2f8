"""Opens a model in ONNX for the CPU, on one thread, so that a process may have several and a fork stays safe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from siltstone.errors import ModelUnavailable
from siltstone.models.packages import optional_module


def open_session(path: Path, *, extra: str, named: str, remedy: str) -> Any:
    """The session. Raises MissingDependency naming `extra`, ModelUnavailable for a file that is no such model."""
    onnxruntime = optional_module("onnxruntime", extra)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        # onnxruntime's errors have no common base of their own.
        raise ModelUnavailable(f"{named} cannot be loaded: {error}; {remedy}") from error
