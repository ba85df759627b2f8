"""A process of its own that writes to a store, for the tests that need several, or one to kill.

    writer.py add PLACE USER PREFIX COUNT     adds COUNT memories named PREFIX-0, PREFIX-1 and so on
    writer.py live PLACE USER PREFIX COUNT    the same, and folds the journal again after each tenth
    writer.py hold PATH SECONDS              takes the write lock, says "held", keeps it that long

A place is a path of a SQLite file or a Redis URL. `add` and `live` print a memory's name once its commit has returned.
"""

from __future__ import annotations

import sys
import time

from siltstone.domain import events
from siltstone.domain.events import Draft
from siltstone.domain.records import text_key
from siltstone.ports.stores import Store
from siltstone.stores.redis import RedisStore
from siltstone.stores.sqlite import SQLiteStore
from siltstone.testing.clock import ManualClock
from siltstone.testing.projector import WordProjector

MODEL = "words-1"


def opened(place: str) -> Store:
    """The store at that path or URL."""
    return RedisStore(place, WordProjector()) if "://" in place else SQLiteStore(place, WordProjector())


def add(path: str, user: str, prefix: str, count: int, *, rebuild_each: int = 0) -> None:
    """Add memories one by one, each with a vector."""
    store, clock = opened(path), ManualClock()
    for n in range(count):
        name = f"{prefix}-{n}"
        payload = {"id": name, "text": f"this is {name}", "session_id": f"s{n % 5}"}
        draft = Draft(id=f"{prefix}-event-{n}", kind=events.ENTRY_ADDED, at=clock.advance(), payload=payload)
        vectors = {text_key(payload["text"]): bytes(1024)}
        store.partition(user).commit(lambda view, draft=draft: [draft], model=MODEL, vectors=vectors)
        print(name, flush=True)
        if rebuild_each and n % rebuild_each == 0:
            store.partition(user).rebuild()
    store.close()


def hold(path: str, seconds: float) -> None:
    """Keep others from writing for a while."""
    with SQLiteStore(path, WordProjector())._connections.writing():
        print("held", flush=True)
        time.sleep(seconds)


def main(mode: str, path: str, *rest: str) -> None:
    """One mode a run."""
    if mode == "hold":
        hold(path, float(rest[0]))
    else:
        user, prefix, count = rest
        add(path, user, prefix, int(count), rebuild_each=10 if mode == "live" else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
