"""Real servers for the tests: started on this machine from the files of packages, stopped at the end.

`.ci/servers` fetches the files; `make test` and `.ci/run` do that by themselves. Where a variable is unset, the files are
looked for where the script puts them.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from siltstone.errors import StoreError
from siltstone.stores.streams.address import Address
from siltstone.stores.streams.server import Server

ROOT = Path(__file__).resolve().parents[1]
FETCHED = ROOT / ".ci" / "cache" / "servers"
FILES = {
    "SILTSTONE_TEST_REDIS_SERVER": FETCHED / "redis-server",
    "SILTSTONE_TEST_REDISEARCH": FETCHED / "redisearch.so",
    "SILTSTONE_TEST_FALKORDB": FETCHED / "falkordb.so",
    "SILTSTONE_TEST_FALKORDB_NEW": FETCHED / "falkordb-new.so",
}
MODULES = {"4.16.3": "SILTSTONE_TEST_FALKORDB", "4.22.1": "SILTSTONE_TEST_FALKORDB_NEW"}
"""The FalkorDB modules that the tests run on, by version."""
DURABLE = ("sqlite", "redis", *(f"falkordb {version}" for version in MODULES))
"""The stores that outlive a process, as `Servers.url` names them."""
STORES = ("memory", *DURABLE)
MISSING = "a server for the tests is not here"


def file(variable: str) -> Path:
    """The file that the variable names, or that was fetched; skips the test, for a declared reason, without one."""
    named = os.environ.get(variable)
    path = Path(named) if named else FILES[variable]
    if named and not path.is_file():
        pytest.fail(f"{variable} names {named!r}, which is no file")
    if not path.is_file():
        (pytest.fail if os.environ.get("SILTSTONE_TEST_SERVERS") == "required" else pytest.skip)(
            f"{MISSING}: run .ci/servers, or set {variable}"
        )
    return path


class RunningServer:
    """A Redis server of our own, on a Unix socket and, where asked for, on a port; its files lie in `folder`."""

    def __init__(self, *options: str, modules: tuple[str, ...] = ("SILTSTONE_TEST_REDISEARCH",), port: int = 0) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="siltstone-server-"))
        self.socket, self.port = self.folder / "s", port
        self._options, self._modules = options, tuple(file(name) for name in modules)
        self._program = file("SILTSTONE_TEST_REDIS_SERVER")
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def url(self, scheme: str = "redis", prefix: str = "siltstone", more: str = "") -> str:
        """The URL of a store on it."""
        return f"{scheme}+unix://{self.socket}?prefix={prefix}{more}"

    def address(self) -> Address:
        """Where it is."""
        return Address(scheme="redis", socket=str(self.socket))

    def start(self, *more: str, wait: bool = True) -> None:
        """Start it, with more options, and wait until it answers, or only until it listens."""
        self.socket.unlink(missing_ok=True)
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--unixsocket", str(self.socket)]
        options += ["--dir", str(self.folder), "--save", "", "--appendonly", "yes", "--appendfsync", "always"]
        modules = [word for module in self._modules for word in ("--loadmodule", str(module))]
        with (self.folder / "log").open("ab") as log:
            command = [str(self._program), *options, *modules, *self._options, *more]
            self.process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        self._wait(answer=wait)

    def _wait(self, *, answer: bool) -> None:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            assert self.process is not None
            if self.process.poll() is not None:
                pytest.fail(f"the server did not start:\n{self.log()[-2000:]}")
            if self.socket.exists() and (not answer or self._answers()):
                return
            time.sleep(0.02)
        pytest.fail(f"the server does not answer:\n{self.log()[-2000:]}")

    def _answers(self) -> bool:
        server = Server(self.address(), timeout=5.0)
        try:
            server.attempt([("PING",)])
        except StoreError as error:
            return "password" in str(error)
        finally:
            server.close()
        return True

    def log(self) -> str:
        """What it wrote about itself."""
        return (self.folder / "log").read_text("utf-8", "replace")

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        assert self.process is not None
        os.kill(self.process.pid, number)

    def kill(self) -> None:
        """End it as a power cut would."""
        self.signal(signal.SIGKILL)
        assert self.process is not None
        self.process.wait()

    def stop(self) -> None:
        """End it, and remove its files."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def running(
    *options: str, modules: tuple[str, ...] = ("SILTSTONE_TEST_REDISEARCH",), port: int = 0
) -> Iterator[RunningServer]:
    """A server while the block runs."""
    server = RunningServer(*options, modules=modules, port=port)
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def falkordb(version: str, *options: str, quiet: bool = True) -> Iterator[RunningServer]:
    """A server with that FalkorDB module while the block runs; `quiet` ones keep no telemetry."""
    words = [*(["CMD_INFO", "no"] if quiet else []), "THREAD_COUNT", "2", "OMP_THREAD_COUNT", "1"]
    with running(*words, *options, modules=(MODULES[version],)) as server:
        yield server


class Servers:
    """One server a kind of store, started when it is first asked for."""

    def __init__(self) -> None:
        self._stack, self._running, self._count = ExitStack(), dict[str, RunningServer](), 0

    def url(self, kind: str, folder: Path) -> str:
        """The URL of a store of that kind (see `STORES`) that no one has used."""
        if kind == "memory":
            return "memory://"
        if kind == "sqlite":
            return f"sqlite:///{folder}/memory.db"
        self._count += 1
        return self.running(kind).url(kind.partition(" ")[0], prefix=f"t{self._count}")

    def running(self, kind: str) -> RunningServer:
        """The server of that kind."""
        if kind not in self._running:
            _, _, version = kind.partition(" ")
            self._running[kind] = self._stack.enter_context(falkordb(version) if version else running())
        return self._running[kind]

    def close(self) -> None:
        """Stop them all."""
        self._stack.close()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        found: int = probe.getsockname()[1]
        return found
