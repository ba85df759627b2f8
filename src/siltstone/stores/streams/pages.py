"""The journal in pages, up to the position at which the reading began."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from siltstone.stores.streams import scripts
from siltstone.stores.streams.keys import Keys
from siltstone.stores.streams.server import Server

SIZE, FIRST = 1_000, 100
_LOOKED_AT = 5_000


def of(server: Server, keys: Keys, start: int, needles: tuple[str, str] | None = None) -> Iterator[list[Any]]:
    """The entries from that place on; with `needles`, only those whose text holds one of the two."""
    if needles is not None:
        last = int(server.one("HGET", keys.head, "seq") or 0)
        yield from _holding(server, keys, (start, last), needles)
        return
    told = server.together([("HGET", keys.head, "seq"), ("XRANGE", keys.journal, start, "+", "COUNT", FIRST)])
    last, page, size = int(told[0] or 0), told[1], FIRST
    while page:
        yield page
        after = b"(" + page[-1][0]
        page, size = server.one("XRANGE", keys.journal, after, last, "COUNT", SIZE) if len(page) == size else [], SIZE


def _holding(server: Server, keys: Keys, span: tuple[int, int], needles: tuple[str, str]) -> Iterator[list[Any]]:
    """Found by the server, a few thousand entries a call, so that it is not held up."""
    start: Any = span[0]
    while start:
        (told,) = server.script(scripts.MENTIONING, [keys.journal], [start, span[1], _LOOKED_AT, *needles])
        start, entries = told[0], told[1:]
        if entries:
            yield entries
