"""A command line of its own for each test: a store, a settings file and a home that are empty."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.started import Siltstone


@pytest.fixture
def siltstone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Siltstone:
    """The command over an empty store; only words are searched, so that no model has to be loaded."""
    made = Siltstone(tmp_path / "store" / "memory.db")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SILTSTONE_URL", made.url)
    monkeypatch.setenv("SILTSTONE_EMBEDDING_PROVIDER", "none")
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8")
    return made
