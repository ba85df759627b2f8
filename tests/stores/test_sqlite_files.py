"""The file itself: where it is, who may read it, and what happens when it is none, another's, or damaged."""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from siltstone.errors import InvalidInput, SchemaTooNew, StoreCorrupt, StoreError, StoreUnavailable
from siltstone.stores.sqlite import SQLiteStore
from siltstone.testing.projector import WordProjector
from siltstone.testing.rules.base import state
from stores.processes import add


def opened(path: object) -> SQLiteStore:
    """The store at that path or URL."""
    return SQLiteStore(path, WordProjector())  # type: ignore[arg-type]


def filled(path: Path, memories: int = 300) -> str:
    """Make a store with two users there; answers ana's state."""
    with closing(opened(path)) as store:
        add(store.partition("ana"), *[f"m{n}" for n in range(memories)])
        add(store.partition("bob"), *[f"b{n}" for n in range(10)])
        return state(store.partition("ana"))


def bad(store: SQLiteStore) -> list[str]:
    """The rules that are broken."""
    return [finding.name for finding in store.check(full=True) if not finding.ok]


def test_a_url_names_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path, a sqlite URL and one in the home directory name files; the store's own URL opens it again."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    places = {
        tmp_path / "a b.db": tmp_path / "a b.db",
        str(tmp_path / "c.db"): tmp_path / "c.db",
        f"sqlite://{tmp_path}/d?e=f.db": tmp_path / "d?e=f.db",
        "sqlite:///~/g.db": tmp_path / "home" / "g.db",
        "~/h/i.db": tmp_path / "home" / "h" / "i.db",
    }
    for location, path in places.items():
        with closing(opened(location)) as store:
            add(store.partition("ana"), "m1")
            assert (store.path, store.url) == (path, f"sqlite://{path}")
        with closing(opened(store.url)) as store:
            assert store.users() == ["ana"]
        assert path.is_file()


@pytest.mark.parametrize("location", ["", "sqlite://", "sqlite:///", "sqlite://relative.db", ":memory:", "a\0b", " "])
def test_what_names_no_file(location: str) -> None:
    """A location without a file in it is refused, with the form to write."""
    with pytest.raises(InvalidInput, match=r"write sqlite:///|give a path"):
        opened(location)


def test_only_the_owner_can_read(tmp_path: Path) -> None:
    """Database, log and shared memory have mode 0600, a directory that was made 0700."""
    path = tmp_path / "new" / "memory.db"
    with closing(opened(path)) as store:
        add(store.partition("ana"), "m1")
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert modes == {"memory.db": 0o600, "memory.db-wal": 0o600, "memory.db-shm": 0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_wide_permissions_are_found_and_mended(tmp_path: Path) -> None:
    """A file that others can read is a finding, and `repair` closes it to them."""
    path = tmp_path / "memory.db"
    filled(path, 3)
    path.chmod(0o644)
    with closing(opened(path)) as store:
        assert bad(store) == ["permissions"]
        store.repair()
        assert bad(store) == []
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_directory_is_no_store(tmp_path: Path) -> None:
    """A directory is refused with a file name to use."""
    with pytest.raises(StoreUnavailable, match=r"is a directory; name a file in it, such as .*memory\.db"):
        opened(tmp_path)


def test_a_file_below_a_file(tmp_path: Path) -> None:
    """A path through a file cannot be made."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreUnavailable, match="choose another path"):
        opened(tmp_path / "file" / "memory.db")


def test_where_nothing_can_be_written() -> None:
    """Where the system lets nobody write, opening says so."""
    with pytest.raises(StoreUnavailable, match=r"cannot be made \(.+\); choose another path or allow writing"):
        opened("/proc/siltstone/memory.db")


@pytest.mark.parametrize("content", [b"hello, world\n" * 400, b"\x00" * 5000, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_what_is_no_database(tmp_path: Path, content: bytes) -> None:
    """A file of another kind is refused and left as it is."""
    path = tmp_path / "memory.db"
    path.write_bytes(content)
    with pytest.raises((StoreUnavailable, StoreCorrupt), match=r"memory\.db.*(choose another path|doctor)"):
        opened(path)
    assert path.read_bytes() == content


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    """An empty file, as a process killed while making a store leaves it, is made into one."""
    path = tmp_path / "memory.db"
    path.touch(mode=0o600)
    filled(path, 3)
    with closing(opened(path)) as store:
        assert bad(store) == []


def test_another_programs_database(tmp_path: Path) -> None:
    """The database of another program is refused and left as it is."""
    path = tmp_path / "memory.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE user (name)")
    before = path.read_bytes()
    with pytest.raises(StoreUnavailable, match="database of another program; choose another path"):
        opened(path)
    with closing(sqlite3.connect(path)) as other:
        assert [name for (name,) in other.execute("SELECT name FROM sqlite_master")] == ["user"]
    assert len(path.read_bytes()) == len(before)


def test_a_newer_schema(tmp_path: Path) -> None:
    """A store of a newer Siltstone is refused with the way to upgrade, and not touched."""
    path = tmp_path / "memory.db"
    filled(path, 3)
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA user_version = 99")
    with pytest.raises(SchemaTooNew, match=r"schema 99.*pip install -U siltstone"):
        opened(path)


def test_a_wrong_projection_is_found_and_folded_again(tmp_path: Path) -> None:
    """A record that is not what the journal says is a finding; `repair` folds it again and touches no journal."""
    path = tmp_path / "memory.db"
    right = filled(path)
    with closing(sqlite3.connect(path)) as other:
        other.execute("UPDATE record SET terms = 'forged' WHERE id = 'm7'")
        other.execute("DELETE FROM record WHERE id = 'm8'")
        other.commit()
    with closing(opened(path)) as store:
        assert bad(store) == ["projections"]
        store.repair()
        assert (bad(store), state(store.partition("ana"))) == ([], right)


def test_a_lost_event_is_found_and_the_journal_closed_up(tmp_path: Path) -> None:
    """A gap in a journal is a finding; `repair` closes it and keeps the file as it was beside the mended one."""
    path = tmp_path / "memory.db"
    filled(path, 20)
    with closing(sqlite3.connect(path)) as other:
        other.execute("DELETE FROM event WHERE payload LIKE '%\"m7\"%'")
        other.commit()
    with closing(opened(path)) as store:
        assert "journal" in bad(store)
        store.repair()
        ana = store.partition("ana")
        assert bad(store) == []
        assert [event.seq for event in ana.events()] == list(range(1, 20))
        assert ana.get("entry", "m7") is None
        assert [vector.seq for vector in ana.vectors("words-1")] == [*range(1, 8), *range(7, 20)]
    assert path.with_name("memory.db.damaged-1").exists()


@pytest.mark.parametrize("table", ["event", "record", "vector", "user", "record_name", "vector_name"])
def test_a_damaged_page(tmp_path: Path, table: str) -> None:
    """An overwritten page is found; `repair` keeps all that can be read, and the damaged file if it left one."""
    path = tmp_path / "memory.db"
    right = filled(path)
    damage(path, table)
    with closing(opened(path)) as store:
        assert "integrity" in bad(store)
        findings = store.repair()
        assert bad(store) == []
        journals = [list(store.partition(user).events()) for user in store.users()]
        assert 230 <= sum(map(len, journals)) <= 310
        if table in ("record", "record_name", "vector_name"):
            assert state(store.partition("ana")) == right
        add(store.partition("ana"), "late")
    kept = path.with_name("memory.db.damaged-1").exists()
    assert kept == ("damaged-1" in findings[0].detail)
    assert kept or table.endswith("_name")


def test_reading_damage_raises(tmp_path: Path) -> None:
    """Reading a damaged journal raises StoreCorrupt, which says how to mend it."""
    path = tmp_path / "memory.db"
    filled(path)
    damage(path, "event")
    with closing(opened(path)) as store, pytest.raises(StoreError, match=r"damaged.*doctor --repair"):
        list(store.partition("ana").events())


def damage(path: Path, table: str) -> None:
    """Overwrite one leaf page of that table or index, in the middle of it."""
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = other.execute("PRAGMA page_size").fetchone()
        (root,) = other.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    content = bytearray(path.read_bytes())
    page = leaf(content, root, size)
    content[(page - 1) * size : page * size] = b"\xa5" * size
    path.write_bytes(content)


def leaf(content: bytearray, page: int, size: int) -> int:
    """The leaf page under the middle cell of an interior page (SQLite file format, 1.6)."""
    start = (page - 1) * size
    while content[start] in (0x02, 0x05):
        cells = int.from_bytes(content[start + 3 : start + 5])
        pointer = start + 12 + 2 * (cells // 2)
        cell = start + int.from_bytes(content[pointer : pointer + 2])
        page = int.from_bytes(content[cell : cell + 4])
        start = (page - 1) * size
    return page


def test_a_store_that_was_deleted(tmp_path: Path) -> None:
    """A store whose file was moved away while open raises on the next call, and makes no empty one in its place."""
    path = tmp_path / "memory.db"
    with closing(opened(path)) as store:
        add(store.partition("ana"), "m1")
        ana = store.partition("ana")
        path.rename(tmp_path / "elsewhere.db")
        for call in (ana.position, store.users, lambda: add(ana, "m2"), lambda: list(ana.records())):
            with pytest.raises(StoreUnavailable, match="moved or deleted while it was open; put it back"):
                call()
        assert not path.exists()


def test_a_store_that_was_replaced(tmp_path: Path) -> None:
    """Where another file takes the store's name, as after a repair by another process, the store reads and writes that."""
    path, other = tmp_path / "memory.db", tmp_path / "other.db"
    filled(path, 3)
    filled(other, 5)
    with closing(opened(path)) as store:
        assert store.partition("ana").position().seq == 3
        other.replace(path)
        assert store.partition("ana").position().seq == 5
        add(store.partition("ana"), "late")
    with closing(opened(path)) as store:
        assert store.partition("ana").position().seq == 6


@pytest.mark.parametrize(
    ("limit", "remedy"),
    [("PRAGMA max_page_count = 20", "free some space"), ("PRAGMA query_only = ON", "read-only; choose another path")],
)
def test_a_disk_that_refuses(tmp_path: Path, limit: str, remedy: str) -> None:
    """A full or read-only disk makes a write raise StoreUnavailable, and what was acknowledged stays readable."""
    with closing(opened(tmp_path / "memory.db")) as store:
        ana = store.partition("ana")
        add(ana, "m1")
        with store._connections.writing() as connection:
            pass
        connection.execute(limit)
        before = state(ana)
        with pytest.raises(StoreUnavailable, match=remedy):
            add(ana, "m2", text="long words " * 20_000)
        assert (ana.position().seq, state(ana), bad(store)) == (1, before, [])
