"""The word index that the server keeps: complete, current, mended by itself, and asked with plain words alone."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embedders import WordEmbedder
from servers import RunningServer, running
from siltstone import Memory
from siltstone.clock import SystemClock
from siltstone.domain.events import ENTRIES_FORGOTTEN, ENTRIES_REVIVED, ENTRY_ADDED, ENTRY_UPDATED
from siltstone.parts import Parts
from siltstone.retrieval.indexing import Projection
from siltstone.settings import resolve
from siltstone.stores.redis import RedisStore, query
from siltstone.stores.streams.store import StreamStore
from siltstone.testing.projector import WordProjector
from stores.processes import add, draft

NUMBERS = itertools.count(1)


@pytest.fixture
def url(redis_server: RunningServer) -> str:
    """A place of this test's own."""
    return redis_server.url(prefix=f"search{next(NUMBERS)}")


@pytest.fixture
def store(url: str) -> Iterator[RedisStore]:
    """An empty store."""
    with closing(RedisStore(url, WordProjector())) as store:
        yield store


def ids(store: RedisStore, *terms: str, limit: int = 10) -> list[str]:
    """The entries that the server finds, best first."""
    return [found.id for found in store.lookup("ana", terms, limit=limit)]


def faults(store: RedisStore) -> list[str]:
    """What `check` finds wrong."""
    return [one.name for one in store.check(full=True) if not one.ok]


def test_the_index_follows_every_change(store: RedisStore) -> None:
    """What is added, changed, forgotten, revived or purged shows in the next look-up; other users never do."""
    ana = store.partition("ana")
    add(ana, "m1", text="green tea with milk")
    add(ana, "m2", text="black coffee")
    add(store.partition("bob"), "b1", text="green tea")
    assert (ids(store, "green"), ids(store, "coffee", "tea"), ids(store, "cocoa")) == (["m1"], ["m2", "m1"], [])
    ana.commit(lambda view: [draft(ENTRY_UPDATED, id="m2", changes={"text": "hot cocoa"})])
    assert (ids(store, "coffee"), ids(store, "cocoa")) == ([], ["m2"])
    ana.commit(lambda view: [draft(ENTRIES_FORGOTTEN, ids=["m1"])])
    assert ids(store, "tea") == []
    ana.commit(lambda view: [draft(ENTRIES_REVIVED, ids=["m1"])])
    assert ids(store, "tea") == ["m1"]
    ana.purge(["m1"], draft("entries_purged", ids=["m1"]))
    assert (ids(store, "tea"), [one.id for one in store.lookup("bob", ["tea"])]) == ([], ["b1"])
    assert faults(store) == []


def test_more_terms_found_rank_higher(store: RedisStore) -> None:
    """With a filter beside five terms, the entry that holds all of them comes first (the server's own form gets it wrong)."""
    ana, chance = store.partition("ana"), random.Random(7)
    words = [f"word{n}" for n in range(60)]
    drafts = [draft(ENTRY_ADDED, id=f"m{n}", text=" ".join(chance.sample(words, 4))) for n in range(400)]
    wanted = [chance.sample(words, 5) for _ in range(40)]
    drafts += [draft(ENTRY_ADDED, id=f"all{n}", text=" ".join(five)) for n, five in enumerate(wanted)]
    ana.commit(lambda view: drafts)
    assert [ids(store, *five, limit=1) for five in wanted] == [[f"all{n}"] for n in range(40)]
    scores = [found.score for found in store.lookup("ana", wanted[0], limit=100)]
    assert scores == sorted(scores, reverse=True) and scores[0] > scores[-1] > 0


@pytest.mark.parametrize(
    "word", ["port_9077", "c++", "node-7", "don't", "a@b.example", "@x", "{y}", "_", "-", "水壶", "🙂", "$v"]
)
def test_any_term_is_findable(store: RedisStore, word: str) -> None:
    """A term with any characters is one word of the index and finds its entry alone."""
    add(
        store.partition("ana"),
        "m1",
        text=f"before {word.replace(chr(123), chr(123) * 2).replace(chr(125), chr(125) * 2)} after",
    )
    add(store.partition("ana"), "m2", text="port 9077 c node 7 don t x y v")
    assert ids(store, word) == ["m1"]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(max_size=12), max_size=6))
def test_only_plain_words_reach_the_parser(terms: list[str]) -> None:
    """Whatever the terms are, the query holds letters and digits in our own fixed form, and nothing else."""
    text = query.any_of(terms, "entry")
    parts = text.split(" | ") if text else []
    assert len(parts) == len({query.word(term) for term in terms if term.strip()})
    for part in parts:
        name, tag = part.removeprefix("(@words:").removesuffix("})").split(" @kind:{")
        assert name.isalnum() and tag.isalnum()


@settings(max_examples=60, deadline=None)
@given(terms=st.lists(st.text(max_size=12), max_size=6))
def test_no_terms_are_an_error(redis_server: RunningServer, terms: list[str]) -> None:
    """No list of terms makes the server complain."""
    with closing(RedisStore(redis_server.url(prefix="anyterms"), WordProjector())) as store:
        if not store.users():
            add(store.partition("ana"), "m1")
        store.lookup("ana", terms)


def test_an_index_is_made_for_a_store_that_had_none(url: str) -> None:
    """Memories written without the search module are indexed when the store is next opened with it."""
    with closing(RedisStore(url, WordProjector())) as plain:
        plain._search.missing = "as on a server without it"
        add(plain.partition("ana"), "m1", "m2")
    with closing(RedisStore(url, WordProjector())) as store:
        assert faults(store) == ["search"]
        assert sorted(ids(store, "this")) == ["m1", "m2"]
        assert faults(store) == []


def test_an_index_that_fell_behind_is_filled(url: str) -> None:
    """What a client without the module wrote in between is in the index once the store is opened again."""
    with closing(RedisStore(url, WordProjector())) as store:
        add(store.partition("ana"), "m1", text="green tea")
    with closing(StreamStore(store.address, WordProjector())) as plain:
        add(plain.partition("ana"), "m2", text="green leaves")
        plain.partition("ana").commit(lambda view: [draft(ENTRY_UPDATED, id="m1", changes={"text": "black tea"})])
    with closing(RedisStore(url, WordProjector())) as store:
        assert ids(store, "green") == ["m2"]
        assert (ids(store, "black"), faults(store)) == (["m1"], [])


@pytest.mark.parametrize("damage", ["dropped", "emptied", "older"])
def test_a_damaged_index_is_mended(url: str, damage: str) -> None:
    """An index that was dropped, emptied or is of an older form is found by `check` and made anew."""
    with closing(RedisStore(url, WordProjector())) as store:
        add(store.partition("ana"), *[f"m{n}" for n in range(20)])
        keys = store.partition("ana").keys
        if damage == "dropped":
            store.server.one("FT.DROPINDEX", keys.own("index:1"))
        elif damage == "emptied":
            store.server.one("UNLINK", *store.server.one("KEYS", f"{keys.own('word')}:*"))
        else:
            store.server.one("HSET", keys.own("indexed"), "form", "0")
        assert faults(store) == ["search"]
        assert all(one.ok for one in store.repair())
        assert (faults(store), len(ids(store, "this", limit=50))) == ([], 20)


def test_after_a_restart_the_index_is_whole() -> None:
    """A look-up right after a restart waits until the server has built its index again, and misses nothing."""
    with running() as server:
        with closing(RedisStore(server.url(), WordProjector())) as store:
            drafts = [draft(ENTRY_ADDED, id=f"m{n}", text=f"word{n % 7} text") for n in range(5_000)]
            store.partition("ana").commit(lambda view: drafts)
            before = ids(store, "word3", limit=5_000)
        server.kill()
        server.start()
        with closing(RedisStore(server.url(), WordProjector())) as store:
            assert len(before) == len(ids(store, "word3", limit=5_000)) == 714
            assert faults(store) == []


class OtherEmbedder(WordEmbedder):
    """Another model, with vectors of another size."""

    dimension = 8

    def embed(self, texts):  # type: ignore[no-untyped-def]
        """Half as wide, of unit length."""
        wide = super().embed(texts)[:, :8]
        return wide / (abs(wide).sum(axis=1, keepdims=True) + 1e-9) if len(wide) else wide


def test_another_dimension(url: str) -> None:
    """A model with vectors of another size takes over after a reindex; each model's vectors stay apart, nothing is refused."""

    def opened(embedder: WordEmbedder) -> Memory:
        resolved = resolve({"url": url}, environ={})
        store = RedisStore(url, Projection())
        return Memory(Parts(store=store, embedder=embedder, clock=SystemClock(), resolved=resolved))

    with opened(WordEmbedder("first")) as memory:
        memory.add("the kettle is blue", user_id="ana")
    with opened(OtherEmbedder("second")) as memory:
        assert memory.retrieve("blue kettle", user_id="ana").degraded[0].part == "semantic"
        memory.add("the lamp is green", user_id="ana")
        assert memory.reindex(user_id="ana") == 1
        found = memory.retrieve("blue kettle", user_id="ana")
        assert (found.hits[0].text, found.degraded) == ("the kettle is blue", ())
        assert memory.stats(user_id="ana").vectors == {"first/16": 1, "second/16": 2}
        assert [one for one in memory.store.check() if not one.ok] == []
