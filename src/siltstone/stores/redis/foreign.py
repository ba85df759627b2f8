"""Hashes that another program keeps on a Redis server, for importing. Nothing is written there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from siltstone.stores.streams.address import parse
from siltstone.stores.streams.rows import paired
from siltstone.stores.streams.server import Refusal, Server

_PAGE = 500


class RedisHashes:
    """Implements `ports.sources.Hashes`. Raises StoreUnavailable where the server cannot be reached."""

    def __init__(self, url: str, *, timeout: float = 5.0, busy_timeout: float = 30.0) -> None:
        self._server = Server(parse(url, scheme="redis"), timeout=timeout, busy_timeout=busy_timeout)
        self._server.one("PING")

    def hashes(self, prefix: str) -> Iterator[tuple[str, Mapping[str, str]]]:
        names = iter(sorted(self._names(prefix)))
        while page := list(islice(names, _PAGE)):
            for name, told in zip(page, self._server.attempt([("HGETALL", name) for name in page]), strict=True):
                if not isinstance(told, Refusal):  # a key of another type is no hash
                    yield _text(name), {_text(field): _text(value) for field, value in paired(told).items()}

    def close(self) -> None:
        self._server.close()

    def _names(self, prefix: str) -> set[bytes]:
        found: set[bytes] = set()
        cursor = b"0"
        while True:
            cursor, names = self._server.one("SCAN", cursor, "MATCH", f"{prefix}*", "COUNT", 1_000)
            found.update(names)
            if cursor == b"0":
                return found


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
