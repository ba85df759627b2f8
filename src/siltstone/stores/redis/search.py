"""A word index of each user's live records, kept by the server's search module (RediSearch).

Each live record with index terms has a hash beside it that holds the terms as plain words; the module follows those
hashes. They are written in the same atomic step as the record. A hash of its own says up to which position they are
right; where that is not the partition's position, or the index is gone or of an older form, it is filled again.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from siltstone.domain.records import Record
from siltstone.errors import StoreBusy, StoreError
from siltstone.ports.stores import Finding, Progress
from siltstone.stores.redis import query
from siltstone.stores.streams import rows
from siltstone.stores.streams.keys import Keys
from siltstone.stores.streams.mirror import Mirror
from siltstone.stores.streams.server import Command, Refusal, Server
from siltstone.stores.streams.sink import Change, NoSink

if TYPE_CHECKING:
    from siltstone.stores.streams.partition import StreamPartition
    from siltstone.stores.streams.store import StreamStore

FORM = "1"
"""Another form of the hashes or of the index: both are made anew."""
CHUNK = 2_000
_PAUSE = 0.05
_REPAIR = "siltstone doctor --repair"
_UNKNOWN = re.compile(r"no such index|unknown index", re.IGNORECASE)


class Found(NamedTuple):
    """A record that the server found, and its BM25 score."""

    id: str
    score: float


class Search(NoSink):
    """The word indexes of a store. `missing` says why the server has none; "" where it does."""

    def __init__(self) -> None:
        self.missing = ""

    def discover(self, server: Server) -> None:
        """Learn whether the server can search."""
        (told,) = server.attempt([("FT._LIST",)])
        if isinstance(told, Refusal):
            self.missing = f"it has no search module ({told.partition(',')[0]})"
        elif server.address.database:
            self.missing = f"the search module indexes database 0 alone, and this is {server.address.database}"

    def opening(self, keys: Keys) -> Sequence[Command]:
        """The index of a new user; it has nothing to look through yet."""
        return [] if self.missing else [_create(keys)]

    def commands(self, keys: Keys, change: Change) -> Sequence[Command]:
        """The hashes of the changed records."""
        if self.missing:
            return ()
        gone = [(name.kind, name.id) for name in change.gone]
        state: list[bytes | str | int | float] = ["seq", change.after.seq, "epoch", change.after.epoch]
        if change.before.seq == 0:
            state += ["form", FORM]
        return [
            *_documents(keys, change.records),
            *[("UNLINK", _document(keys, name)) for name in gone],
            ("HSET", _state(keys), *state),
        ]

    def opened(self, partition: StreamPartition) -> None:
        """Fill the index where it is missing, behind or of an older form."""
        if not self.missing and self._fault(partition):
            self.fill(partition)

    def lookup(self, partition: StreamPartition, terms: Sequence[str], *, kind: str, limit: int) -> list[Found]:
        """The live records with any of these terms, best first. Waits for an index that the server still builds."""
        text = query.any_of(terms, kind)
        if not text or limit < 1:
            return []
        asked = ("FT.SEARCH", _index(partition.keys), text, "NOCONTENT", "WITHSCORES", "SCORER", "BM25STD")
        deadline = time.monotonic() + partition.server.busy_timeout
        while True:
            about, told = partition.server.run(
                [("FT.INFO", _index(partition.keys)), (*asked, "LIMIT", 0, limit, "DIALECT", 2)]
            )
            if _built(about):
                pairs = zip(told[1::2], told[2::2], strict=True)
                return [Found(_named(partition.keys, key)[1], float(score)) for key, score in pairs]
            if time.monotonic() > deadline:
                raise StoreBusy(f"{partition.server.address.shown} still builds its word index; try again later")
            time.sleep(_PAUSE)

    def fill(self, partition: StreamPartition) -> None:
        """Make the index anew from the records, beside other writers: each piece is written only where nothing moved."""
        keys, server = partition.keys, partition.server
        server.attempt([("UNLINK", _state(keys)), ("FT.DROPINDEX", _index(keys), "DD")])
        _unlink(server, f"{keys.own('word')}:*")
        server.attempt([_create(keys)])
        names = [(record.kind, record.id) for record in partition.records()]
        for start in range(0, len(names), CHUNK):
            partition.beside(partial(_piece, keys, names[start : start + CHUNK]))
        partition.beside(partial(_done, keys))

    def check(self, store: StreamStore) -> list[Finding]:
        """Whether each user's index is there, complete, and finds a memory by its words."""
        if self.missing:
            detail = f"{self.missing}: recall and everything else work, RedisStore.lookup does not"
            return [Finding(name="search", ok=False, detail=detail, remedy="load RediSearch 2.10, or run Redis 8")]
        faults = {user: fault for user in store.users() if (fault := self._told(store, user))}
        detail = f"{len(store.users())} word indexes, {len(faults)} at fault"
        detail += "".join(f"; {user!r}: {fault}" for user, fault in list(faults.items())[:3])
        return [Finding(name="search", ok=not faults, detail=detail, remedy=_REPAIR if faults else "")]

    def repair(self, store: StreamStore, progress: Progress | None) -> list[Finding]:
        """Fill the indexes at fault."""
        if self.missing:
            return []
        faults = [user for user in store.users() if self._told(store, user)]
        for user in faults:
            self.fill(store.partition(user))
        return [Finding(name="search", ok=True, detail=f"{len(faults)} word indexes were filled again")]

    def _told(self, store: StreamStore, user_id: str) -> str:
        partition = store.bare(user_id)
        try:
            return self._fault(partition) or self._unfindable(partition)
        except StoreError as error:
            return str(error)

    def _fault(self, partition: StreamPartition) -> str:
        """What is wrong with a user's index; "" for nothing."""
        keys = partition.keys
        head, state, about = partition.server.attempt(
            [
                ("HMGET", keys.head, "seq", "epoch"),
                ("HMGET", _state(keys), "seq", "epoch", "form"),
                ("FT.INFO", _index(keys)),
            ]
        )
        if isinstance(head, Refusal) or head[0] is None:
            return ""
        if isinstance(about, Refusal):
            return "there is none" if _UNKNOWN.search(about) else str(about)
        if state[2] != FORM.encode():
            return "of another form"
        return "" if state[:2] == head else "behind the journal"

    def _unfindable(self, partition: StreamPartition) -> str:
        """Whether the index lacks records, or does not find the newest one by its words."""
        live = [record for record in partition.records() if _words(record)]
        about = rows_of(partition.server.one("FT.INFO", _index(partition.keys)))
        if _built(about) and int(about[b"num_docs"]) != len(live):
            return f"{int(about[b'num_docs'])} records of {len(live)}"
        if not live:
            return ""
        newest, limit = live[-1], 50
        found = self.lookup(partition, newest.terms.split(), kind=newest.kind, limit=limit)
        there = len(found) == limit or any(one.id == newest.id for one in found)
        return "" if there else f"{newest.id} is not found by its own words"


def rows_of(told: Any) -> dict[bytes, Any]:
    """What FT.INFO tells, by name."""
    return told if isinstance(told, dict) else dict(zip(told[::2], told[1::2], strict=True))


def _built(told: Any) -> bool:
    """Whether the server has looked through everything that was there before the index."""
    about = rows_of(told)
    return float(about.get(b"percent_indexed", b"1")) >= 1.0 and str(about.get(b"indexing", b"0")) in ("0", "b'0'")


def _words(record: Record) -> str:
    return query.words(record.terms) if record.live else ""


def _documents(keys: Keys, records: Iterable[Record]) -> list[Command]:
    """The hashes of these records; none for those that are not live or have no words."""
    made: list[Command] = []
    for record in records:
        name, words = (record.kind, record.id), _words(record)
        if words:
            made.append(("HSET", _document(keys, name), "words", words, "kind", query.tag(record.kind)))
        else:
            made.append(("UNLINK", _document(keys, name)))
    return made


def _piece(keys: Keys, names: Sequence[rows.Name], mirror: Mirror) -> list[Command]:
    """The hashes of the records of these names, as they are now."""
    found = (mirror.records.get(name) for name in names)
    return _documents(keys, [record for record in found if record is not None])


def _done(keys: Keys, mirror: Mirror) -> list[Command]:
    """What says that all hashes are there."""
    return [("HSET", _state(keys), "seq", mirror.position.seq, "epoch", mirror.position.epoch, "form", FORM)]


def _create(keys: Keys) -> Command:
    index: Command = ("FT.CREATE", _index(keys), "ON", "HASH", "PREFIX", 1, f"{keys.own('word')}:", "STOPWORDS", 0)
    return (*index, "SKIPINITIALSCAN", "SCHEMA", "words", "TEXT", "NOSTEM", "kind", "TAG", "SEPARATOR", "|")


def _index(keys: Keys) -> str:
    return keys.own(f"index:{FORM}")


def _state(keys: Keys) -> str:
    return keys.own("indexed")


def _document(keys: Keys, name: tuple[str, str]) -> str:
    return f"{keys.own('word')}:{rows.field_of(name)}"


def _named(keys: Keys, key: bytes) -> tuple[str, str]:
    return rows.name_of(key[len(keys.own("word").encode()) + 1 :])


def _unlink(server: Server, pattern: str) -> None:
    """Erase the keys of that pattern that no index named."""
    escaped = re.sub(r"([\\?\[\]^])", r"\\\1", pattern)
    cursor = b"0"
    while True:
        cursor, names = server.one("SCAN", cursor, "MATCH", escaped, "COUNT", 1_000)
        if names:
            server.one("UNLINK", *names)
        if cursor == b"0":
            return
