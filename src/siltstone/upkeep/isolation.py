"""Isolation: a user's partition as one agent may see it. Entries of other agents are not there, for reads and for writes.

What belongs to no agent is shared. What was formed from several entries is seen where all of them are. This is a store
like any other, put around the real one before anything else gets it: no verb can forget to filter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

from siltstone.domain.beliefs import CHAIN, EPISODE, FORMED, PENDING, SEGMENT, SNAPSHOT
from siltstone.domain.events import ENTRY_ADDED, ENTRY_UPDATED, Draft, Event
from siltstone.domain.graph import EXTRACTED, UNREAD
from siltstone.domain.records import Get, Record, Vector
from siltstone.domain.values import ENTRY
from siltstone.errors import InvalidInput
from siltstone.ports.stores import Decide, Finding, Partition, Position, Progress, Store, StoreStats, View
from siltstone.settings import ScopeSettings

BY_ENTRY = frozenset({FORMED, PENDING, EXTRACTED, UNREAD})
"""Records whose id is that of the entry that they are about."""


def scoped(store: Store, scope: ScopeSettings) -> Store:
    """The store as the configured agent sees it; the store itself for the primary agent, and where there is none."""
    return store if not scope.agent_id or scope.primary else AgentStore(store, scope)


def sees(record: Record, agent_id: str, get: Get) -> bool:
    """Whether the agent may see the record: it is its own, or shared, and so is everything that it was made from."""
    if record.body.get("agent_id") not in (None, agent_id):
        return False
    if record.kind == ENTRY:
        return True
    return all(_entry_is_seen(entry_id, agent_id, get) for entry_id in _made_from(record, get))


def _made_from(record: Record, get: Get) -> Iterator[str]:
    """The entries behind what was formed."""
    if record.kind in BY_ENTRY:
        yield record.id
    elif record.kind == SEGMENT:
        yield record.body["entry_id"]
    elif record.kind in (EPISODE, SNAPSHOT):
        yield from record.body.get("entries", ())
    elif record.kind == CHAIN:
        for episode_id in record.body.get("episodes", ()):
            episode = get(EPISODE, episode_id)
            yield from () if episode is None else episode.body.get("entries", ())
    else:
        parts = (record.body, *record.body.get("nodes", ()), *record.body.get("edges", ()))
        yield from (source for part in parts for source in part.get("sources") or ())


def _entry_is_seen(entry_id: str, agent_id: str, get: Get) -> bool:
    entry = get(ENTRY, entry_id)
    return entry is None or entry.body.get("agent_id") in (None, agent_id)


class AgentView:
    """What a decision of the agent may look at."""

    def __init__(self, view: View, agent_id: str) -> None:
        self._view, self._agent_id = view, agent_id

    @property
    def seq(self) -> int:
        """The position of the newest event."""
        return self._view.seq

    def get(self, kind: str, memory_id: str) -> Record | None:
        """The record, where the agent may see it."""
        return _seen(self._view.get(kind, memory_id), self._agent_id, self._view.get)

    def records(self, kind: str) -> Iterator[Record]:
        """All records of the kind that the agent may see."""
        return (record for record in self._view.records(kind) if sees(record, self._agent_id, self._view.get))


def _seen(record: Record | None, agent_id: str, get: Get) -> Record | None:
    return record if record is not None and sees(record, agent_id, get) else None


class AgentPartition:
    """Implements `ports.stores.Partition` for one agent of a user."""

    def __init__(self, partition: Partition, agent_id: str) -> None:
        self._whole, self._agent_id = partition, agent_id

    @property
    def user_id(self) -> str:
        """Whose partition it is."""
        return self._whole.user_id

    def commit(
        self, decide: Decide, *, model: str = "", vectors: Mapping[str, bytes] | None = None
    ) -> tuple[Event, ...]:
        """The decision on what the agent sees; what it adds is the agent's. Raises InvalidInput for another agent's."""

        def bound(view: View) -> Sequence[Draft]:
            return [self._owned(draft) for draft in decide(AgentView(view, self._agent_id))]

        return self._whole.commit(bound, model=model, vectors=vectors)

    def _owned(self, draft: Draft) -> Draft:
        if draft.kind == ENTRY_ADDED:
            self._check(draft.payload.get("agent_id"))
            return replace(draft, payload={**draft.payload, "agent_id": self._agent_id})
        if draft.kind == ENTRY_UPDATED:
            self._check(draft.payload["changes"].get("agent_id"))
        return draft

    def _check(self, agent_id: str | None) -> None:
        if agent_id not in (None, self._agent_id):
            raise InvalidInput(
                f"this memory is bound to the agent {self._agent_id!r} and cannot write for {agent_id!r}; leave "
                "agent_id out, or set scope.primary"
            )

    def reading(self) -> AbstractContextManager[None]:
        return self._whole.reading()

    def position(self) -> Position:
        return self._whole.position()

    def events(self, *, after: int = 0, mentioning: str | None = None) -> Iterator[Event]:
        """What is about one memory that the agent sees. The whole journal is refused: it holds what others keep."""
        if mentioning is None:
            raise InvalidInput(
                f"the journal of {self.user_id!r} holds what other agents keep, and this memory is bound to the agent "
                f"{self._agent_id!r}; set scope.primary to read all of it"
            )
        seen = self.get(ENTRY, mentioning) is not None
        return self._whole.events(after=after, mentioning=mentioning) if seen else iter(())

    def get(self, kind: str, memory_id: str) -> Record | None:
        return _seen(self._whole.get(kind, memory_id), self._agent_id, self._whole.get)

    def get_many(self, kind: str, memory_ids: Sequence[str]) -> dict[str, Record]:
        found = self._whole.get_many(kind, memory_ids)
        return {key: record for key, record in found.items() if sees(record, self._agent_id, self._whole.get)}

    def records(self, *, after: int = 0) -> Iterator[Record]:
        return (record for record in self._whole.records(after=after) if sees(record, self._agent_id, self._whole.get))

    def vectors(self, model: str, *, after: int = 0) -> Iterator[Vector]:
        return self._whole.vectors(model, after=after)

    def vector_keys(self, model: str, keys: Collection[str]) -> set[str]:
        return self._whole.vector_keys(model, keys)

    def models(self) -> dict[str, int]:
        return self._whole.models()

    def rebuild(self, progress: Progress | None = None) -> None:
        self._whole.rebuild(progress)

    def purge(self, ids: Collection[str], draft: Draft) -> dict[str, int]:
        """As the port says, for memories that the agent sees. Raises InvalidInput where one is not among them."""
        hidden = set(ids) - self.get_many(ENTRY, list(ids)).keys()
        if hidden:
            raise InvalidInput(
                f"the agent {self._agent_id!r} has no memory {sorted(hidden)[0]!r} to purge; name its own"
            )
        return self._whole.purge(ids, draft)

    def restore(self, events: Iterable[Event], vectors: Iterable[tuple[str, Vector]]) -> int:
        """Refused: an export is of all agents."""
        raise InvalidInput(
            f"an export is of all agents, and this memory is bound to the agent {self._agent_id!r}; set scope.primary"
        )

    def stats(self) -> StoreStats:
        return self._whole.stats()


class AgentStore:
    """Implements `ports.stores.Store`: every partition that it gives is the agent's."""

    def __init__(self, store: Store, scope: ScopeSettings) -> None:
        self._store, self._scope = store, scope

    @property
    def url(self) -> str:
        """The URL of the store."""
        return self._store.url

    def users(self) -> list[str]:
        return self._store.users()

    def partition(self, user_id: str) -> Partition:
        return AgentPartition(self._store.partition(user_id), self._scope.agent_id)

    def check(self) -> list[Finding]:
        return self._store.check()

    def repair(self, progress: Progress | None = None) -> list[Finding]:
        return self._store.repair(progress)

    def close(self) -> None:
        self._store.close()
