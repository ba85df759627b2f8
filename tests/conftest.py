"""What every test runs under: an empty home, none of the developer's settings, repeatable examples, no silent skip."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from types import ModuleType

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before anything imports numpy

import pytest
from hypothesis import settings

from servers import RunningServer, Servers
from siltstone import Memory
from siltstone.settings import FOREIGN

ROOT = Path(__file__).resolve().parents[1]

DATA_VARIABLE = "SILTSTONE_TEST_DATA"
"""Names the folder of evaluation data sets; without it, `shared/data` beside the checkout is looked at."""

STUBS_VARIABLE = "SILTSTONE_TEST_STUBS"
"""Names the folder of the stub model server; without it, `shared/stubs` beside the checkout is looked at."""

DECLARED_SKIPS = (
    f"evaluation data is not here: set {DATA_VARIABLE}",
    "optional package not installed",
    "the shared stub server is not here",
    "the Bub environment is not here",
    "the Hermes environment is not here",
    "a server for the tests is not here",
)
"""How the reason of a skip may begin. Any other skip fails."""


settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("repeatable")


@pytest.fixture(scope="session", autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The suite neither reads nor writes what the developer keeps: HOME is empty and no setting set, but SILTSTONE_TEST_*."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        patch.delenv("XDG_CONFIG_HOME", raising=False)
        foreign = {item.variable for item in FOREIGN} | {"KEEPSAKE_CONFIG"}
        for name in [name for name in os.environ if name.startswith("SILTSTONE_") or name in foreign]:
            if not name.startswith("SILTSTONE_TEST_"):
                patch.delenv(name)
        patch.setenv("SILTSTONE_EMBEDDING_BACKGROUND", "false")  # a test that wants the worker says so
        yield


@pytest.fixture(scope="session")
def evaluation_data() -> Path:
    """The folder of evaluation data sets (`locomo/` in it); skips where there is none."""
    named = os.environ.get(DATA_VARIABLE)
    folder = Path(named) if named else ROOT.parent / "shared" / "data"
    if named and not folder.is_dir():
        pytest.fail(f"{DATA_VARIABLE} names {named!r}, which is no folder")
    if not (folder / "locomo").is_dir():
        pytest.skip(f"{DECLARED_SKIPS[0]} to the folder that holds locomo/")
    return folder


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """The servers that stores are tested on, started as they are needed."""
    made = Servers()
    yield made
    made.close()


@pytest.fixture(scope="session")
def redis_server(servers: Servers) -> RunningServer:
    """A Redis server with the search module, for all tests of this run; each test has its own prefix."""
    return servers.running("redis")


@pytest.fixture(params=["sqlite", "memory", "redis"])
def memory(request: pytest.FixtureRequest, servers: Servers, tmp_path: Path) -> Iterator[Memory]:
    """A memory without an embedder, in stores of three kinds."""
    with Memory.open(servers.url(request.param, tmp_path), embedding__provider="none") as opened:
        yield opened


@pytest.fixture(scope="session")
def stub_module() -> ModuleType:
    """The project's shared stub of an OpenAI and TEI server, where this checkout has it beside it."""
    path = Path(os.environ.get(STUBS_VARIABLE) or ROOT.parent / "shared" / "stubs") / "openai_stub.py"
    if not path.exists():
        pytest.skip(f"the shared stub server is not here: set {STUBS_VARIABLE} to its folder")
    spec = importlib.util.spec_from_file_location("openai_stub", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that skips for a reason that is not declared has failed."""
    report = yield
    if not hasattr(report, "wasxfail"):
        _refuse_undeclared(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """So has a module."""
    report = yield
    _refuse_undeclared(report)
    return report


def _refuse_undeclared(report: pytest.TestReport | pytest.CollectReport) -> None:
    if not report.skipped or not isinstance(report.longrepr, tuple):
        return
    path, line, message = report.longrepr
    reason = message.removeprefix("Skipped: ")
    if not reason.startswith(DECLARED_SKIPS):
        report.outcome = "failed"
        report.longrepr = (
            f"{path}:{line}: skipped for a reason that is not declared: {reason!r}. "
            "Make it run, or declare the reason in DECLARED_SKIPS of tests/conftest.py."
        )
