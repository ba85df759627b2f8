"""A scripted server on the loopback interface, and time in a test's hands: they stand for what is not ours."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from siltstone.models.http import Time


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One scripted answer. `body` may be bytes, or JSON to send; status 0 hangs up; `drip` sends byte by byte."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One request as it came in."""

    path: str
    headers: dict[str, str]
    body: Any


class ScriptedServer(ThreadingHTTPServer):
    """Answers with the steps in turn, and with `default(body)` when they have run out."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.steps: list[Step] = []
        self.seen: list[Seen] = []
        self.default: Callable[[Any], Any] = embeddings_of
        self.lock = threading.Lock()


class _Handler(BaseHTTPRequestHandler):
    server: ScriptedServer
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def log_message(self, *args: Any) -> None: ...

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.seen.append(Seen(path=self.path, headers=dict(self.headers), body=body))
            step = self.server.steps.pop(0) if self.server.steps else Step(body=self.server.default(body))
        time.sleep(step.delay)
        if step.status == 0:
            self.close_connection = True
            return
        data = step.body if isinstance(step.body, bytes) else json.dumps(step.body).encode()
        self.send_response_only(step.status)
        for name, value in {"Content-Length": str(len(data)), **step.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        for at in range(len(data)) if step.drip else ():
            time.sleep(step.drip)
            self.wfile.write(data[at : at + 1])
            self.wfile.flush()
        if not step.drip:
            self.wfile.write(data)


def vector_of(text: str, dimension: int = 8) -> list[float]:
    """A vector that depends on the text alone, of a length far from 1."""
    seed = sum(ord(character) * (at + 1) for at, character in enumerate(text))
    return [float((seed * (at + 3)) % 101 - 50 or 1) for at in range(dimension)]


def embeddings_of(body: Any) -> Any:
    """The answer of an OpenAI-compatible server."""
    dimension = body.get("dimensions", 8)
    data = [{"index": at, "embedding": vector_of(text, dimension)} for at, text in enumerate(body["input"])]
    return {"object": "list", "data": data, "model": body["model"]}


class FakeTime:
    """A clock that moves only when somebody waits; it keeps what was waited for."""

    def __init__(self) -> None:
        self.at = 1_000.0
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.at += seconds

    @property
    def time(self) -> Time:
        return Time(monotonic=lambda: self.at, wall=lambda: self.at, sleep=self.sleep)
