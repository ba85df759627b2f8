"""Fixtures for the Hermes provider: a home, and the host's own environment where it is here."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from hosts.hermes.homes import Home
from hosts.hermes.real_host import HostProcess, RealHost, environ_of
from siltstone.hosts.hermes.install import install

HERMES_VARIABLE = "SILTSTONE_TEST_HERMES"
MISSING = "the Hermes environment is not here"


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
        pytest.skip(f"{MISSING}: run .ci/host-hermes and set {HERMES_VARIABLE} to the path that it prints")
    if not Path(named).exists():
        pytest.fail(f"{HERMES_VARIABLE} names {named!r}, which is no Python")
    return Path(named)


@pytest.fixture(scope="session")
def installed(hermes: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The plugin as it is written for that environment, once for all tests."""
    return install(tmp_path_factory.mktemp("hermes") / "home", python=hermes).folder


@pytest.fixture
def stub(stub_module: ModuleType) -> Iterator[object]:
    """A model server for one test."""
    with stub_module.Stub() as running:
        yield running


@pytest.fixture(scope="session")
def host_process(hermes: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HostProcess]:
    """A process of the host that all tests share."""
    process = HostProcess(hermes, environ_of(tmp_path_factory.mktemp("process") / "home"))
    yield process
    process.close()


@pytest.fixture
def fresh_host(hermes: Path, installed: Path, stub: object, host_process: HostProcess, tmp_path: Path) -> RealHost:
    """The host with the plugin in its home, but not active."""
    made = RealHost(hermes, tmp_path / "hermes", stub, host_process)
    shutil.copytree(installed, made.home / "plugins" / "siltstone", copy_function=os.link)
    return made


@pytest.fixture
def host(fresh_host: RealHost) -> RealHost:
    """The host with the plugin active."""
    settings = fresh_host.home / "config.yaml"
    settings.write_text(settings.read_text("utf-8") + "memory: {provider: siltstone}\n", "utf-8")
    return fresh_host
