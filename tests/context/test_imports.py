"""What importing a class of the context API loads."""

from __future__ import annotations

import subprocess
import sys

import pytest

from siltstone import context


@pytest.mark.parametrize("name", context.__all__)
def test_a_class_is_imported_without_the_engine(name: str) -> None:
    """Importing a class loads neither the engine nor numpy nor networkx: opening a memory does that."""
    code = f"import sys; from siltstone.context import {name}; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    assert not {"siltstone.memory", "siltstone.settings", "numpy", "networkx", "sqlite3"} & set(loaded)
