"""After a purge the content is in no key and in no file of the server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing

import pytest

from servers import RunningServer, running
from siltstone.domain.events import ENTRIES_PURGED, ENTRY_UPDATED
from siltstone.domain.records import text_key
from siltstone.stores.redis import RedisStore
from siltstone.stores.streams.server import Command, Reply
from siltstone.stores.streams.store import Options
from siltstone.testing.projector import WordProjector
from siltstone.testing.rules.base import state
from stores.processes import MODEL, add, draft

SECRET, LATER, VECTOR = "the Zanzibar plan", "the Timbuktu plan", b"Quetzalcoatl" * 8
NEEDLES = (b"zanzibar", b"timbuktu", VECTOR, text_key(SECRET).encode(), text_key(LATER).encode())


class Cut(Exception):
    """The client ends here."""


@pytest.fixture(params=["log", "log and snapshots"])
def server(request: pytest.FixtureRequest) -> Iterator[RunningServer]:
    """A server that keeps an append-only file, and one that writes snapshots as well."""
    with running(*(["--save", "3600 1"] if "snapshots" in request.param else [])) as server:
        yield server


def tell(store: RedisStore) -> None:
    """Memories, one of them secret, in two versions and with vectors; and a snapshot where the server writes any."""
    ana = store.partition("ana")
    add(ana, *[f"m{n}" for n in range(30)])
    add(ana, "secret", text=SECRET, vector=VECTOR)
    changes = [draft(ENTRY_UPDATED, id="secret", changes={"text": LATER})]
    ana.commit(lambda view: changes, model=MODEL, vectors={text_key(LATER): VECTOR})
    add(ana, *[f"n{n}" for n in range(30)])
    if store.server.one("CONFIG", "GET", "save")[1]:
        store.server.one("SAVE")


def purge(store: RedisStore) -> dict[str, int]:
    """Purge the secret one."""
    return store.partition("ana").purge(["secret"], draft(ENTRIES_PURGED, ids=["secret"]))


def found(server: RunningServer) -> list[bytes]:
    """What of the content is in a file of the server."""
    files = [path for path in server.folder.rglob("*") if path.is_file() and path.name != "log"]
    assert files
    data = b"".join(path.read_bytes() for path in files).lower()
    return [needle for needle in NEEDLES if needle.lower() in data]


def kept(store: RedisStore) -> list[str]:
    """The keys whose content, as the server would save it, holds something of it; and names that do."""
    names = store.server.one("KEYS", "*")
    dumps = store.server.run([("DUMP", name) for name in names])
    return [
        name.decode()
        for name, dump in zip(names, dumps, strict=True)
        if any(needle.lower() in (dump or b"").lower() + name.lower() for needle in NEEDLES)
    ]


def test_no_file_and_no_key_holds_it(server: RunningServer) -> None:
    """Text, older text, vectors and their keys are in every file before the purge and in none after it."""
    with closing(RedisStore(server.url(), WordProjector())) as store:
        tell(store)
        assert len(found(server)) >= 4
        assert kept(store)
        assert purge(store) == {"events": 2, "records": 1, "vectors": 2}
        assert (found(server), kept(store)) == ([], [])
        assert [one for one in store.check(full=True) if not one.ok] == []
        assert store.lookup("ana", ["zanzibar"]) == store.lookup("ana", ["timbuktu"]) == []
        before = state(store.partition("ana"))
    server.kill()
    server.start()
    with closing(RedisStore(server.url(), WordProjector())) as store:
        assert state(store.partition("ana")) == before
        assert len(list(store.partition("ana").vectors(MODEL))) == 60


def test_a_purge_that_is_cut_short(server: RunningServer) -> None:
    """Where the client ends before the files are written anew, `check` says so and `repair` finishes it."""
    with closing(RedisStore(server.url(), WordProjector())) as store:
        tell(store)

        ana, attempt = store.partition("ana"), store.server.attempt

        def cut(commands: Sequence[Command], patience: float = 0.0) -> list[Reply]:
            if commands[0][0] == "CONFIG":
                raise Cut
            return attempt(commands, patience)

        ana.position()
        store.server.attempt = cut  # type: ignore[method-assign]
        with pytest.raises(Cut):
            purge(store)
    with closing(RedisStore(server.url(), WordProjector())) as store:
        assert store.partition("ana").get("entry", "secret") is None
        assert [one.name for one in store.check() if not one.ok] == ["erasure"]
        assert all(one.ok for one in store.repair())
        assert [one for one in store.check() if not one.ok] == []
        assert found(server) == []


def test_a_server_that_does_not_let_us(server: RunningServer) -> None:
    """Where this client may not have the files written anew, the purge is done, `check` names what to run there."""
    with closing(RedisStore(server.url(), WordProjector())) as store:
        tell(store)
        store.server.one("ACL", "SETUSER", "guest", "on", ">pw", "~*", "+@all", "-bgrewriteaof", "-bgsave")
    guest = f"redis+unix://guest:pw@{server.socket}"
    with closing(RedisStore(guest, WordProjector(), options=Options(busy_timeout=2.0))) as store:
        assert purge(store)["events"] == 2
        assert kept(store) == []
        (finding,) = [one for one in store.check() if not one.ok]
        assert (finding.name, "BGREWRITEAOF" in finding.remedy) == ("erasure", True)
