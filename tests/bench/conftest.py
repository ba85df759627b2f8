"""The benchmarks are scripts, not a package: their folder, and this one, are put where they find each other."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent

for folder in (HERE, HERE.parents[1] / "bench" / "retrieval"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


@pytest.fixture
def small_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small file of LoCoMo's shape that the reader takes for the published one."""
    import locomo
    import locomo_data
    from small_locomo import write

    path = write(tmp_path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    monkeypatch.setattr(locomo_data, "SHA256", digest)
    monkeypatch.setattr(locomo, "SHA256", digest)
    return path
