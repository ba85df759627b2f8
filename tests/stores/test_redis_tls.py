"""Redis over TLS."""

from __future__ import annotations

import shutil
import socket
import socketserver
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from servers import RunningServer, running
from siltstone.errors import StoreUnavailable
from siltstone.stores.redis import RedisStore
from siltstone.testing.projector import WordProjector
from stores.processes import add


@pytest.fixture
def server() -> Iterator[RunningServer]:
    """A server of this test's own, that may be ill-treated."""
    with running() as server:
        yield server


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of our own making for localhost."""
    folder = tmp_path_factory.mktemp("tls")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem"]
    if shutil.which("openssl") is None:
        pytest.skip("optional package not installed: openssl")
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


@contextmanager
def terminator(certificates: Path, socket_path: Path) -> Iterator[int]:
    """The port of a listener that takes TLS off and passes everything on: the test server itself has none."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates / "cert.pem", certificates / "key.pem")

    class Passing(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            try:
                secured = context.wrap_socket(self.request, server_side=True)
            except (ssl.SSLError, OSError):
                return
            with secured, socket.socket(socket.AF_UNIX) as inner:
                inner.connect(str(socket_path))
                back = threading.Thread(target=copied, args=(inner, secured))
                back.start()
                copied(secured, inner)
                inner.shutdown(socket.SHUT_RDWR)
                back.join()

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Passing) as listener:
        thread = threading.Thread(target=listener.serve_forever)
        thread.start()
        yield listener.server_address[1]
        listener.shutdown()
        thread.join()


def copied(source: socket.socket, target: socket.socket) -> None:
    """Pass bytes on until one side ends."""
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)


def test_tls(server: RunningServer, certificates: Path) -> None:
    """`rediss://` speaks TLS and checks the certificate: against a file, against the system's, or not where told so."""
    with terminator(certificates, server.socket) as port:
        with closing(
            RedisStore(f"rediss://localhost:{port}/0?ca={certificates / 'cert.pem'}", WordProjector())
        ) as store:
            add(store.partition("ana"), "m1", "m2")
            assert [record.id for record in store.partition("ana").records()] == ["m1", "m2"]
            assert store.url == f"rediss://localhost:{port}/0"
        with pytest.raises(StoreUnavailable, match=r"cannot be reached .*CERTIFICATE_VERIFY_FAILED"):
            RedisStore(f"rediss://localhost:{port}", WordProjector())
        with closing(RedisStore(f"rediss://127.0.0.1:{port}?verify=no", WordProjector())) as store:
            assert store.users() == ["ana"]
        with pytest.raises(StoreUnavailable):
            RedisStore(f"redis://localhost:{port}", WordProjector())
