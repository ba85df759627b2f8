"""Fixtures for the Hermes provider: a home, and the host's own environment where it is here."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hosts.hermes.homes import Home

HERMES_VARIABLE = "SILTSTONE_TEST_HERMES"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """An empty home that the host would use."""
    monkeypatch.setenv("HERMES_HOME", str(tmp_path / "home"))
    return Home(tmp_path / "home")


@pytest.fixture(scope="session")
def hermes() -> Path:
    """The Python of an environment that holds the pinned Hermes; `.ci/host-hermes` makes it."""
    named = os.environ.get(HERMES_VARIABLE)
    if not named:
        pytest.skip(f"the Hermes environment is not here: run .ci/host-hermes and set {HERMES_VARIABLE} to what it prints")
    if not Path(named).exists():
        pytest.fail(f"{HERMES_VARIABLE} names {named!r}, which is no Python")
    return Path(named)
