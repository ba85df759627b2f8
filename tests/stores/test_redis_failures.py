"""A server that is gone, slow, killed, full, locked or bare: a clear error or a declared gap, and no write dropped."""

from __future__ import annotations

import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from servers import RunningServer, free_port, running
from siltstone import Memory
from siltstone.errors import InvalidInput, StoreBusy, StoreUnavailable
from siltstone.ports.stores import Finding
from siltstone.stores.redis import RedisStore
from siltstone.stores.streams.store import Options
from siltstone.testing.projector import WordProjector
from siltstone.testing.rules.base import state
from stores.processes import add, draft, start

QUICK = Options(timeout=0.4, busy_timeout=2.0)
PASSWORD = "s3cret/with:signs@"


@pytest.fixture
def server() -> Iterator[RunningServer]:
    """A server of this test's own, that may be ill-treated."""
    with running() as server:
        yield server


def opened(server: RunningServer, *, options: Options | None = None, more: str = "") -> RedisStore:
    """A store on it."""
    return RedisStore(server.url(more=more), WordProjector(), options=options)


def finding(store: RedisStore, name: str) -> Finding:
    """What `check` says under that name."""
    return next(one for one in store.check() if one.name == name)


def test_nobody_listens() -> None:
    """Opening a store where no server is raises StoreUnavailable at once, with the address and what to do."""
    begun = time.monotonic()
    with pytest.raises(StoreUnavailable, match=r"redis://ana@127\.0\.0\.1:\d+/0 cannot be reached .*start it"):
        RedisStore(f"redis://ana:{'pw' * 9}@127.0.0.1:{free_port()}/0", WordProjector())
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        RedisStore("redis+unix:///nowhere/socket", WordProjector())
    with pytest.raises(StoreUnavailable, match=r"redis://no-such-host\.invalid:6379/0 cannot be reached"):
        RedisStore("redis://no-such-host.invalid", WordProjector())
    assert time.monotonic() - begun < 5.0


def test_somebody_else_listens() -> None:
    """A server that does not speak Redis is told apart."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(1_000)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(StoreUnavailable, match="no Redis speaks there"):
            RedisStore(f"redis://127.0.0.1:{listener.getsockname()[1]}", WordProjector())
        thread.join()


def test_a_killed_server_comes_back(server: RunningServer) -> None:
    """While the server is down every call raises StoreUnavailable; once it is back, the same store goes on by itself."""
    with closing(opened(server, options=QUICK)) as store:
        ana = store.partition("ana")
        add(ana, "m1", "m2")
        before = (state(ana), ana.position())
        server.kill()
        for act in (ana.position, lambda: add(ana, "lost"), lambda: list(ana.records()), store.users, ana.rebuild):
            with pytest.raises(StoreUnavailable, match=r"cannot be reached|went away"):
                act()
        server.start()
        assert (state(ana), ana.position()) == before
        add(ana, "m3")
        assert [record.id for record in ana.records()] == ["m1", "m2", "m3"]
        assert [one for one in store.check(full=True) if not one.ok] == []


def test_a_server_killed_amid_writes(server: RunningServer) -> None:
    """With fsync on each write, all that was acknowledged is there after each of 6 kills, gapless and once."""
    acknowledged: set[str] = set()
    for kill in range(6):
        writer = start("add", server.url(), "ana", f"k{kill}", 100_000)
        assert writer.stdout is not None
        told = [writer.stdout.readline() for _ in range(10 + 7 * kill)]
        server.kill()
        rest, error = writer.communicate(timeout=30)
        assert writer.returncode != 0
        assert "StoreUnavailable" in error
        acknowledged.update("".join([*told, rest]).split())
        server.start()
        with closing(opened(server)) as store:
            partition = store.partition("ana")
            seqs = [event.seq for event in partition.events()]
            kept = {record.id for record in partition.records() if record.kind == "entry"}
            assert seqs == list(range(1, len(seqs) + 1))
            assert acknowledged <= kept
            assert len(kept) <= len(acknowledged) + kill + 1
            assert [one for one in store.check(full=True) if not one.ok] == []


def test_a_slow_server(server: RunningServer) -> None:
    """A server that hangs is given up after the timeout; the write that it then finds is refused, not made late."""
    with closing(opened(server, options=QUICK)) as store:
        ana = store.partition("ana")
        add(ana, "m1")
        server.signal(signal.SIGSTOP)
        begun = time.monotonic()
        with pytest.raises(StoreUnavailable, match=r"not known: repeat it with its idempotency key"):
            add(ana, "m2")
        for act in (ana.position, lambda: opened(server, options=QUICK)):
            with pytest.raises(StoreUnavailable, match=r"did not answer within 0\.4 s"):
                act()
        assert time.monotonic() - begun < 3.0
        server.signal(signal.SIGCONT)
        add(ana, "m3")
        assert [record.id for record in ana.records()] == ["m1", "m3"]
        assert ana.position().seq == 2


def test_a_short_pause_is_waited_for(server: RunningServer) -> None:
    """A server that hangs for less than the timeout loses nothing and doubles nothing."""
    with closing(opened(server)) as store:
        ana = store.partition("ana")
        add(ana, "m1")
        server.signal(signal.SIGSTOP)
        threading.Timer(0.5, server.signal, [signal.SIGCONT]).start()
        add(ana, "m2")
        assert [event.seq for event in ana.events()] == [1, 2]


def test_a_lost_answer(server: RunningServer) -> None:
    """Where the connection breaks after the server wrote and before it answered, the write is found and not repeated."""
    with closing(opened(server)) as store:
        ana = store.partition("ana")
        add(ana, "m1")
        exchange = store.server._exchange

        def broken(commands: object, patience: float) -> object:
            store.server._exchange = exchange  # type: ignore[method-assign]
            exchange(commands, patience)  # type: ignore[arg-type]
            from siltstone.stores.streams import failures

            raise failures.lost(EOFError("cut"), store.address)

        store.server._exchange = broken  # type: ignore[method-assign, assignment]
        add(ana, "m2")
        assert [event.seq for event in ana.events()] == [1, 2]
        assert [record.id for record in ana.records()] == ["m1", "m2"]


def test_a_full_server(server: RunningServer) -> None:
    """Out of memory, each write raises StoreUnavailable and leaves nothing behind; reading goes on, and so does writing."""
    with closing(opened(server)) as store:
        ana = store.partition("ana")
        add(ana, "m1", "m2")
        before = (state(ana), ana.position(), list(ana.events()))
        store.server.one("CONFIG", "SET", "maxmemory", "1mb")
        for act in (
            lambda: add(ana, "m3"),
            lambda: add(store.partition("new"), "m1"),
            lambda: ana.commit(lambda view: [draft("entry_added", id="m4", text="x" * 9_000_000)]),
            lambda: ana.restore([*other_events(ana)], []),
        ):
            with pytest.raises(StoreUnavailable, match="out of memory and refuses to write, nothing was written"):
                act()
        assert (state(ana), ana.position(), list(ana.events()), store.users()) == (*before, ["ana"])
        assert not finding(store, "memory").ok
        store.server.one("CONFIG", "SET", "maxmemory", "0")
        add(ana, "m3")
        assert [record.id for record in ana.records()] == ["m1", "m2", "m3"]
        assert [one for one in store.check(full=True) if not one.ok] == []


def other_events(partition: object) -> list[object]:
    """An export that is new to every partition."""
    from siltstone.domain.events import Event

    return [Event.of(draft("entry_added", id="other", text="other"), user_id="x", seq=1)]


def test_passwords(tmp_path: Path) -> None:
    """A missing or a wrong password raises StoreUnavailable; the right one works, percent-encoded; none is ever shown."""
    encoded = "s3cret%2Fwith%3Asigns%40"
    with running("--requirepass", PASSWORD) as server:
        with pytest.raises(StoreUnavailable, match="it asks for a password"):
            opened(server)
        place = f"redis+unix://:{{}}@{server.socket}"
        with pytest.raises(StoreUnavailable, match="refuses this user and password") as refused:
            RedisStore(place.format("wr0ng-one"), WordProjector())
        assert "wr0ng" not in str(refused.value) + str(refused.value.__cause__)
        with closing(RedisStore(place.format(encoded), WordProjector())) as store:
            add(store.partition("ana"), "m1")
            assert PASSWORD not in store.url + repr(store.check()) and encoded not in store.url
            may = ["+@read", "+@scripting", "+@transaction", "+@connection", "+time"]
            store.server.one("ACL", "SETUSER", "reader", "on", ">pw", "~*", *may)
        reader = f"redis+unix://reader:pw@{server.socket}"
        with closing(RedisStore(reader, WordProjector())) as store:
            assert store.partition("ana").position().seq == 1
            with pytest.raises(StoreUnavailable, match="may not do that"):
                add(store.partition("ana"), "m2")


def test_a_password_that_nobody_asked_for(server: RunningServer) -> None:
    """A password for a server without one is refused, not ignored: it may be the wrong server."""
    with pytest.raises(StoreUnavailable, match="no password set"):
        RedisStore(f"redis+unix://:pw@{server.socket}", WordProjector())


def test_a_bare_server() -> None:
    """Without the search module everything works but `lookup`, and `check` declares it."""
    with running(modules=()) as server, closing(opened(server)) as store:
        add(store.partition("ana"), "m1")
        assert [one.name for one in store.check(full=True) if not one.ok] == ["search"]
        assert "no search module" in finding(store, "search").detail
        with pytest.raises(StoreUnavailable, match="no search module"):
            store.lookup("ana", ["m1"])


def test_another_database(server: RunningServer) -> None:
    """In another database than 0 the index cannot be, and `check` says so; a number that the server lacks is refused."""
    with closing(opened(server, more="&db=3")) as store:
        add(store.partition("ana"), "m1")
        assert "database 0 alone" in finding(store, "search").detail
    with closing(opened(server)) as store:
        assert store.users() == []
    with pytest.raises(StoreUnavailable, match="no database of that number"):
        opened(server, more="&db=99")


def test_a_replica_refuses(server: RunningServer) -> None:
    """A replica reads and refuses to write; a write can be made to wait for replicas, and says when they are too few."""
    port = free_port()
    with running("--repl-diskless-sync-delay", "0", port=port) as primary, closing(opened(primary)) as store:
        add(store.partition("ana"), "m1")
        strict = Options(replicas=1, replicas_timeout=5.0)
        with closing(opened(server)) as replica:
            replica.server.one("REPLICAOF", "127.0.0.1", port)
            with closing(opened(primary, options=strict)) as careful:
                add(careful.partition("ana"), "m2")
                assert finding(careful, "replicas").ok
            assert [event.seq for event in replica.partition("ana").events()] == [1, 2]
            with pytest.raises(StoreUnavailable, match="it is a replica"):
                add(replica.partition("ana"), "m3")
            replica.server.one("REPLICAOF", "NO", "ONE")
        hasty = Options(replicas=1, replicas_timeout=0.1)
        with closing(opened(primary, options=hasty)) as careful:
            with pytest.raises(StoreUnavailable, match="0 of 1 replicas confirmed"):
                add(careful.partition("ana"), "m3")
            assert careful.partition("ana").get("entry", "m3") is not None
            assert not finding(careful, "replicas").ok


def test_a_loading_server_is_waited_for(server: RunningServer) -> None:
    """While a restarted server still loads its data, opening waits for it."""
    with closing(opened(server)) as store:
        ana = store.partition("ana")
        ana.commit(lambda view: [draft("entry_added", id=f"m{n}", text=f"text {n} " * 20) for n in range(3_000)])
    server.kill()
    server.start("--key-load-delay", "300", "--loading-process-events-interval-bytes", "1024", wait=False)
    with closing(opened(server)) as store:
        assert store.partition("ana").position().seq == 3_000
        assert len(store.lookup("ana", ["7"])) >= 1


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("redis://host/one", "is a number, not 'one'"),
        ("redis://host:port/0", "cannot be read"),
        ("redis://host/0?prefixx=a", "did you mean 'prefix'"),
        ("redis://host/0?prefix=a b", "prefix of keys cannot be"),
        ("redis://u:geheim@host:99999/0", "cannot be read"),
    ],
)
def test_urls_that_cannot_be(url: str, told: str) -> None:
    """A URL that names no server raises InvalidInput, and does not show the password."""
    with pytest.raises(InvalidInput, match=told) as refused:
        RedisStore(url, WordProjector())
    assert "geheim" not in str(refused.value)


def test_other_writers_are_waited_for_so_long(server: RunningServer) -> None:
    """A write that others overtake for longer than the wait raises StoreBusy, and nothing of it is written."""
    with closing(opened(server, options=Options(busy_timeout=0.3))) as store, closing(opened(server)) as other:
        ana, theirs = store.partition("ana"), other.partition("ana")

        def decide(view: object) -> list[object]:
            add(theirs, f"m{theirs.position().seq}")
            return [draft("entry_added", id="never", text="never")]

        with pytest.raises(StoreBusy, match=r"overtook this one .* for 0\.3 s"):
            ana.commit(decide)  # type: ignore[arg-type]
        assert theirs.get("entry", "never") is None


def test_a_memory_on_a_server(server: RunningServer) -> None:
    """The whole engine on a Redis URL: the store is named without its password, and doctor finds it sound."""
    with Memory.open(server.url(), embedding__provider="none", store__timeout=2.0) as memory:
        memory.add("the kettle is blue", user_id="ana")
        assert memory.retrieve("what colour is the kettle?", user_id="ana").hits[0].text == "the kettle is blue"
        assert memory.replay(user_id="ana").same
        assert [one for one in memory.store.check() if not one.ok] == []
