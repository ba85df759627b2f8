"""The graph beside the journal: what stands in it, how it follows, what happens where it cannot."""

from __future__ import annotations

import logging
import os
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from servers import RunningServer, running
from siltstone.domain import events
from siltstone.domain.records import text_key
from siltstone.errors import StoreUnavailable
from siltstone.ports.stores import Partition, Position
from siltstone.stores.falkordb import FalkorDBStore
from siltstone.stores.falkordb.batch import Batch
from siltstone.stores.falkordb.health import differences
from siltstone.stores.streams.partition import StreamPartition
from siltstone.stores.streams.store import Options
from siltstone.testing.projector import WordProjector
from stores.falkordb_servers import MODULES, falkordb, new_store
from stores.processes import MODEL, add, draft

AWKWARD = "\" ' ` \\ \n }) DETACH DELETE n // $rows0 佳 😀 \x01 \x7f"


@pytest.fixture(scope="module", params=sorted(MODULES))
def server(request: pytest.FixtureRequest) -> Iterator[RunningServer]:
    """A server of either version."""
    with falkordb(request.param) as started:
        yield started


@pytest.fixture
def store(server: RunningServer) -> Iterator[FalkorDBStore]:
    """An empty store."""
    opened = new_store(server, WordProjector())
    yield opened
    opened.close()


def vector(*numbers: float) -> bytes:
    """A vector's bytes."""
    return struct.pack(f"<{len(numbers)}f", *numbers)


def abandon(store: FalkorDBStore) -> None:
    """Leave the store as a killed process does: what its graphs were not told yet, it will never tell."""
    store._graphs._backlog._waiting.clear()
    store._graphs._backlog.settle()


def agrees(store: FalkorDBStore, user_id: str) -> bool:
    """Whether the graph says what the records say."""
    partition = store.partition(user_id)
    assert isinstance(partition, StreamPartition)
    return differences(partition) == ""


def put(partition: Partition, name: str, text: str, data: bytes, model: str = MODEL) -> None:
    """Commit one memory with its vector."""
    drafts = [draft(events.ENTRY_ADDED, id=name, text=text)]
    partition.commit(lambda view: drafts, model=model, vectors={text_key(text): data})


def test_a_user_that_wrote_nothing_has_no_graph(store: FalkorDBStore) -> None:
    """Looking makes nothing on the server."""
    graph = store.graph("nobody")
    assert graph.stand() is None and graph.nodes() == {} and graph.counts() == (0, 0)
    assert graph.nearest(MODEL, vector(1, 0)) == []
    assert store.server.one("EXISTS", graph.key) == 0


def test_each_user_has_a_graph_of_their_own(store: FalkorDBStore) -> None:
    """What one user keeps stands in no other graph, whatever the names look like."""
    for user in ("ana", "ana/2", "a}b{c", "佳", "r7&user=u2", " "):
        add(store.partition(user), f"of {user}")
    for user in store.users():
        assert store.graph(user).nodes() == {f"entry/of {user}": 1}


def test_text_of_any_kind_is_kept_as_it_is(store: FalkorDBStore) -> None:
    """No text is read as Cypher, and none is changed but for NUL and lone surrogates."""
    for number, text in enumerate((AWKWARD, "a\0b", "a\ud800b")):
        drafts = [draft(events.ENTRY_ADDED, id=str(number), text=text, metadata={"k`ey": [None, {"a": text}]})]
        store.partition("ana").commit(lambda view, drafts=drafts: drafts)
    graph = store.graph("ana")
    rows = graph.query("MATCH (m:Entry) RETURN m.text ORDER BY m.seq")
    assert [text.decode() for (text,) in rows] == [AWKWARD, "a\ufffdb", "a\ufffdb"]
    assert [entry.body["text"] for entry in store.partition("ana").records()] == [AWKWARD, "a\0b", "a\ud800b"]
    found = graph.query("MATCH (m:Entry {text: $text}) RETURN m.id", {"text": AWKWARD})
    assert found == [[b"0"]] and agrees(store, "ana")


def test_the_graph_follows_changes_and_removals(store: FalkorDBStore) -> None:
    """Updated, forgotten and purged memories are in the graph as they are in the records."""
    ana = store.partition("ana")
    add(ana, "a", "b", "c")
    updated = [draft(events.ENTRY_UPDATED, id="a", changes={"text": "changed words"})]
    ana.commit(lambda view: updated)
    forgotten = [draft(events.ENTRIES_FORGOTTEN, ids=["b"])]
    ana.commit(lambda view: forgotten)
    ana.purge(["c"], draft(events.ENTRIES_PURGED, ids=["c"]))
    rows = store.graph("ana").query("MATCH (m:Entry) RETURN m.id, m.text, m.live ORDER BY m.id")
    assert rows == [[b"a", b"changed words", b"true"], [b"b", b"this is b", b"false"]]
    assert agrees(store, "ana")


def test_nearest_is_exact_after_every_change(store: FalkorDBStore) -> None:
    """Order and distances hold through updates and removals, on either version, for live memories of that model alone."""
    ana = store.partition("ana")
    for name, data in {"a": vector(1, 0), "b": vector(0.6, 0.8), "c": vector(0, 1), "d": vector(-1, 0)}.items():
        put(ana, name, f"text {name}", data)
    put(ana, "other", "other", vector(1, 0, 0), model="another")
    for number in range(5):
        rated = [draft(events.FEEDBACK_GIVEN, id="a", value=0.5 + number, turn=None)]
        ana.commit(lambda view, rated=rated: rated)
    graph = store.graph("ana")
    found = graph.nearest(MODEL, vector(1, 0), k=3)
    assert [name for name, _ in found] == ["entry/a", "entry/b", "entry/c"]
    assert [distance for _, distance in found] == pytest.approx([0.0, 0.4, 1.0], abs=1e-6)
    forgotten = [draft(events.ENTRIES_FORGOTTEN, ids=["a"])]
    ana.commit(lambda view: forgotten)
    ana.purge(["b"], draft(events.ENTRIES_PURGED, ids=["b"]))
    assert [name for name, _ in store.graph("ana").nearest(MODEL, vector(1, 0), k=1)] == ["entry/c"]
    assert graph.vectors() == {MODEL: 3, "another": 1}


def test_vectors_are_shared_by_equal_texts_and_never_changed(store: FalkorDBStore) -> None:
    """One node for each model and text; a vector that comes a second time changes nothing."""
    ana = store.partition("ana")
    put(ana, "a", "same", vector(1, 0))
    put(ana, "b", "same", vector(0, 1))
    put(ana, "c", "same", vector(0, 0, 1), model="another")
    graph = store.graph("ana")
    assert graph.vectors() == {MODEL: 1, "another": 1}
    assert graph.nearest(MODEL, vector(1, 0)) == [("entry/a", 0.0), ("entry/b", 0.0), ("entry/c", 0.0)]
    put(ana, "d", "empty", bytes(8))
    found = store.graph("ana")
    assert found.vectors()[MODEL] == 2 and len(found.nearest(MODEL, vector(1, 0))) == 3  # no direction, no distance


def test_a_change_applied_twice_changes_nothing(store: FalkorDBStore) -> None:
    """Late, early and repeated changes are refused by the graph's own position."""
    ana = store.partition("ana")
    add(ana, "a", "b")
    graph = store.graph("ana")
    before = graph.nodes()
    change = Batch()
    change.take(ana.records())
    for first, last in ((0, 1), (1, 2), (3, 4), (2, 2)):
        assert not graph.change(Position(seq=first), Position(seq=last), change)
    assert not graph.change(Position(seq=2, epoch=1), Position(seq=3, epoch=1), change)
    assert graph.nodes() == before and agrees(store, "ana")


def test_what_a_killed_process_did_not_tell_is_made_up_for(store: FalkorDBStore) -> None:
    """The journal has everything; the next process that opens the partition brings the graph to it."""
    add(store.partition("ana"), "a")
    store.graph("ana")
    with store._graphs._turn("ana"):  # the graph is busy: what is written now waits
        add(store.partition("ana"), "b", "c")
        purged = draft(events.ENTRIES_FORGOTTEN, ids=["a"])
        store.partition("ana").commit(lambda view: [purged])
        store._graphs._backlog._waiting.clear()
    abandon(store)
    again = FalkorDBStore(store.address, WordProjector())
    again.partition("ana")
    again.close()
    assert agrees(FalkorDBStore(store.address, WordProjector()), "ana")


@pytest.mark.parametrize(
    "damage",
    [
        "MATCH (m:Entry {id: 'b'}) DETACH DELETE m",
        "MATCH (v:Vector) WITH v LIMIT 1 DETACH DELETE v",
        "MATCH (p:Position) DELETE p",
        "CREATE (:Memory {ref: 'entry/ghost', seq: 1})",
        "MATCH (p:Position) SET p.schema = 0",
        "MATCH (p:Position) SET p.filled = timestamp(), p.by = 'one that is gone'",
    ],
)
def test_a_damaged_graph_is_found_and_filled_from_the_journal(store: FalkorDBStore, damage: str) -> None:
    """`check` says that it differs, `repair` makes it right, whatever was lost."""
    add(store.partition("ana"), "a", "b", "c")
    graph = store.graph("ana")
    store.server.one("GRAPH.QUERY", graph.key, damage)
    (found,) = [finding for finding in store.check() if finding.name == "graphs"]
    assert not found.ok and "'ana'" in found.detail and "--repair" in found.remedy
    (mended,) = [finding for finding in store.repair() if finding.name == "graphs"]
    assert mended.detail == "1 of 1 filled anew from their journals"
    assert all(finding.ok for finding in store.check()) and agrees(store, "ana")


def test_a_lost_graph_comes_back_with_the_next_write(store: FalkorDBStore) -> None:
    """A graph that someone deleted is made again from the journal."""
    add(store.partition("ana"), "a", "b")
    store.server.one("GRAPH.DELETE", store.graph("ana").key)
    add(store.partition("ana"), "c")
    assert set(store.graph("ana").nodes()) == {"entry/a", "entry/b", "entry/c"} and agrees(store, "ana")


def test_many_writers_leave_one_right_graph(store: FalkorDBStore) -> None:
    """Stores of several processes and threads tell the same graph: nothing is missing, nothing is there twice."""
    stores = [FalkorDBStore(store.address, WordProjector()) for _ in range(3)]
    names = [[f"{number}-{count}" for count in range(15)] for number in range(3)]
    threads = [
        threading.Thread(target=add, args=(each.partition("ana"), *mine))
        for each, mine in zip(stores, names, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in stores:
        each.close()
    found = store.graph("ana")
    assert set(found.nodes()) == {f"entry/{name}" for mine in names for name in mine}
    assert found.counts()[0] == 45 and agrees(store, "ana")


def test_a_large_import_is_told_in_pieces(store: FalkorDBStore) -> None:
    """Thousands of memories in one step arrive whole, into a graph that exists and into one that does not."""
    drafts = [draft(events.ENTRY_ADDED, id=f"m{number}", text=f"text {number}") for number in range(2_600)]
    store.partition("ana").commit(lambda view: drafts)
    add(store.partition("bob"), "first")
    store.graph("bob")
    store.partition("bob").commit(lambda view: drafts)
    assert store.graph("ana").counts()[0] == 2_600 and store.graph("bob").counts()[0] == 2_601
    assert agrees(store, "ana") and agrees(store, "bob")


def test_a_write_does_not_wait_for_its_graph(store: FalkorDBStore) -> None:
    """While a graph is busy, writes go on; it is told all of them together, by fewer queries than there were writes."""
    add(store.partition("ana"), "a")
    store.graph("ana")
    with store._graphs._turn("ana"):
        add(store.partition("ana"), *[f"m{number}" for number in range(20)])
        before = store.server.round_trips
    store.graph("ana")
    assert store.server.round_trips - before < 12
    assert agrees(store, "ana")


def test_after_a_fork_the_child_tells_its_own_writes(store: FalkorDBStore) -> None:
    """A forked child writes, closes and ends; its writes are in the graph."""
    add(store.partition("ana"), "a")
    child = os.fork()
    if child == 0:
        try:
            add(store.partition("ana"), "from the child")
            store.close()
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert "entry/from the child" in store.graph("ana").nodes() and agrees(store, "ana")


@pytest.mark.parametrize("version", sorted(MODULES))
def test_a_restart_keeps_the_graph_or_makes_it_anew(version: str) -> None:
    """After the server was killed and started, with or without its graphs, the graph agrees with the journal again."""
    with falkordb(version) as server:
        store = FalkorDBStore(server.url("falkordb"), WordProjector())
        add(store.partition("ana"), "a", "b", "c")
        key = store.graph("ana").key
        server.kill()
        server.start()
        assert set(store.graph("ana").nodes()) == {"entry/a", "entry/b", "entry/c"}
        store.server.one("GRAPH.QUERY", key, "MATCH (m:Entry {id: 'b'}) DETACH DELETE m")  # half of it is lost
        store.close()
        server.kill()
        server.start()
        again = FalkorDBStore(server.url("falkordb"), WordProjector())
        again.partition("ana")
        again.close()
        last = FalkorDBStore(server.url("falkordb"), WordProjector())
        assert agrees(last, "ana")
        last.close()


def test_a_graph_that_cannot_be_told_leaves_the_write_as_it_is(caplog: pytest.LogCaptureFixture) -> None:
    """Where the server refuses the graph's query, the write stands, a warning says so, and it is made up for later."""
    with falkordb("4.22.1") as server:
        store = FalkorDBStore(server.url("falkordb"), WordProjector())
        add(store.partition("ana"), "a")
        store.graph("ana")
        store.server.one("ACL", "SETUSER", "default", "-graph.query")
        with caplog.at_level(logging.WARNING, "siltstone"):
            add(store.partition("ana"), "b")
            (found,) = [finding for finding in store.check() if finding.name == "graphs"]
        assert not found.ok and "is at 1 of 2" in found.detail
        assert any("made up for later" in record.getMessage() for record in caplog.records)
        assert [record.id for record in store.partition("ana").records()] == ["a", "b"]
        store.server.one("ACL", "SETUSER", "default", "+graph.query")
        add(store.partition("ana"), "c")
        assert len(store.graph("ana").nodes()) == 3 and agrees(store, "ana")
        store.close()


def test_a_server_without_the_module_is_refused() -> None:
    """The error names the server, what is missing, and what to do."""
    with running(modules=()) as server, pytest.raises(StoreUnavailable, match=r"no FalkorDB module.*--loadmodule"):
        FalkorDBStore(server.url("falkordb"), WordProjector())


def test_a_server_that_is_gone_is_named() -> None:
    """Opening fails at once, with the address and without a password."""
    with pytest.raises(StoreUnavailable, match=r"127\.0\.0\.1") as failed:
        FalkorDBStore(
            "falkordb://ana:geheim@127.0.0.1:1/0", WordProjector(), options=Options(timeout=1, busy_timeout=1)
        )
    assert "geheim" not in str(failed.value)


def test_passwords_are_asked_for_and_taken(tmp_path: Path) -> None:
    """A wrong password is told from a missing one; the right one opens the store."""
    with falkordb("4.16.3", "--requirepass", "geheim") as server:
        with pytest.raises(StoreUnavailable, match="password"):
            FalkorDBStore(server.url("falkordb"), WordProjector())
        url = server.url("falkordb").replace("unix://", "unix://:{}@")
        with pytest.raises(StoreUnavailable, match="refuses"):
            FalkorDBStore(url.format("falsch"), WordProjector())
        store = FalkorDBStore(url.format("geheim"), WordProjector())
        add(store.partition("ana"), "a")
        assert store.graph("ana").counts()[0] == 1 and "geheim" not in store.url
        store.close()


@pytest.mark.parametrize(("version", "says"), [("4.16.3", "loses nodes that change"), ("4.22.1", "without a vector")])
def test_check_names_the_module_and_how_distances_are_found(version: str, says: str) -> None:
    """The version is told, and that no vector index is relied on; a server that notes queries is told as well."""
    with falkordb(version, quiet=False) as server:
        store = FalkorDBStore(server.url("falkordb"), WordProjector())
        found = {finding.name: finding for finding in store.check()}
        assert found["module"].ok and version in found["module"].detail and says in found["module"].detail
        assert found["telemetry"].ok and "CMD_INFO" in found["telemetry"].remedy
        store.close()


@pytest.mark.parametrize("version", sorted(MODULES))
def test_purged_words_leave_the_graph_the_telemetry_and_the_files(version: str) -> None:
    """After a purge no key and no file of the server holds the words: graph, vectors, slow log, noted queries, log."""
    with falkordb(version, "--rdbcompression", "no", quiet=False) as server:
        store = FalkorDBStore(server.url("falkordb"), WordProjector())
        ana = store.partition("ana")
        put(ana, "secret", "the magpie words", vector(0.123456, 0.654321))
        put(ana, "plain", "other words", vector(1, 0))
        assert store.graph("ana").counts() == (2, 2) and holds(server, b"magpie")
        ana.purge(["secret"], draft(events.ENTRIES_PURGED, ids=["secret"]))
        assert store.graph("ana").counts() == (1, 1)
        assert not holds(server, b"magpie") and not holds(server, vector(0.123456, 0.654321))
        keys = store.server.one("KEYS", "*")
        assert not any(b"magpie" in (store.server.one("DUMP", key) or b"") for key in keys)
        assert agrees(store, "ana")
        store.close()


def holds(server: RunningServer, words: bytes) -> bool:
    """Whether any file of the server has these bytes."""
    return any(words in path.read_bytes() for path in server.folder.rglob("*") if path.is_file())
