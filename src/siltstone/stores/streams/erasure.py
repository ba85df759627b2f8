"""Purged bytes leave the server's files: its append-only file and its snapshot are written anew."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

from siltstone.errors import StoreBusy
from siltstone.stores.streams.keys import due
from siltstone.stores.streams.server import Refusal, Server

_PAUSE = 0.02
_LATER = ("already in progress", "child process is active")
"""What a server says that will start it later."""
_LOG = logging.getLogger(__name__)


def waiting(server: Server) -> list[str]:
    """The purges whose bytes may still be in the server's files."""
    return [token.decode() for token in server.one("HKEYS", due(server.address.prefix))]


def wipe(server: Server, tokens: Sequence[str]) -> bool:
    """Have the server write its files anew; false where it does not let this client ask for that.

    Raises StoreBusy where that takes longer than the wait. The content is then unreachable, and the server goes on.
    """
    deadline = time.monotonic() + server.busy_timeout
    for command, running in _needed(server):
        if not _started(server, command, running, deadline):
            _LOG.warning(
                "%s refuses %s: purged content stays in its files until they are written anew; run it there",
                server.address.shown,
                command,
            )
            return False
        _finish(server, running, deadline)
    if tokens:
        server.one("HDEL", due(server.address.prefix), *tokens)
    return True


def info(server: Server, section: str) -> dict[str, str]:
    """What INFO says of that section."""
    lines = server.one("INFO", section).decode().splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)


def _needed(server: Server) -> list[tuple[str, str]]:
    """The commands that write the files which this server keeps, each with the field that says that it runs."""
    needed = []
    if info(server, "persistence").get("aof_enabled") == "1":
        needed.append(("BGREWRITEAOF", "aof_rewrite"))
    (saved,) = server.attempt([("CONFIG", "GET", "save")])
    if not isinstance(saved, Refusal) and len(saved) > 1 and saved[1]:
        needed.append(("BGSAVE", "rdb_bgsave"))
    return needed


def _started(server: Server, command: str, running: str, deadline: float) -> bool:
    """Start it, after one that began earlier; false where this client may not."""
    while True:
        _finish(server, running, deadline)
        (told,) = server.attempt([(command,)])
        if not isinstance(told, Refusal):
            return True
        if not any(reason in told for reason in _LATER):
            return False
        if time.monotonic() > deadline:
            raise _unfinished(server)
        time.sleep(_PAUSE)


def _finish(server: Server, running: str, deadline: float) -> None:
    while True:
        state = info(server, "persistence")
        if state.get(f"{running}_in_progress", "0") == "0" and state.get(f"{running}_scheduled", "0") == "0":
            return
        if time.monotonic() > deadline:
            raise _unfinished(server)
        time.sleep(_PAUSE)


def _unfinished(server: Server) -> StoreBusy:
    return StoreBusy(
        f"the content is erased, but {server.address.shown} is still writing its files anew after "
        f"{server.busy_timeout:g} s; look again with: siltstone doctor"
    )
