"""AsyncMemory: the verbs of Memory, awaited. Each runs in a worker thread; the event loop is never blocked."""

from __future__ import annotations

import asyncio
import builtins
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Self, Unpack

from siltstone.domain.beliefs import Episode
from siltstone.domain.options import Narrow, Told
from siltstone.domain.values import Change, Entry, ForgetReceipt, Receipt
from siltstone.formation.messages import Content
from siltstone.memory import Memory
from siltstone.ports.stores import Progress, StoreStats
from siltstone.retrieval.recall import Recall
from siltstone.upkeep.transfer import ImportReceipt, Replay

if TYPE_CHECKING:
    from siltstone.formation.pipeline import Formed
    from siltstone.settings import Settings

LINES = 500
"""Lines of an export that are read at a time."""


class Awaited:
    """The verbs of one facade of a memory, awaited: `await memory.graph.neighbors("person:ana", user_id="ana")`.

    Same verbs, same arguments, same answers and errors, each in a worker thread; an iterator is answered as a list.
    """

    def __init__(self, verbs: Callable[[], object]) -> None:
        self._verbs = verbs

    def __getattr__(self, verb: str) -> Callable[..., Coroutine[Any, Any, Any]]:
        if verb.startswith("_"):
            raise AttributeError(verb)

        async def awaited(*given: Any, **named: Any) -> Any:
            return await asyncio.to_thread(self._run, verb, *given, **named)

        return awaited

    def _run(self, verb: str, *given: Any, **named: Any) -> Any:
        answer = getattr(self._verbs(), verb)(*given, **named)
        return list(answer) if isinstance(answer, Iterator) else answer


class AsyncMemory:
    """See `Memory`: same verbs, same arguments, same answers and errors; `beliefs`, `upkeep`, `graph`, `vectors` too."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.beliefs = Awaited(lambda: memory.beliefs)
        self.upkeep = Awaited(lambda: memory.upkeep)
        self.graph = Awaited(lambda: memory.graph)
        self.vectors = Awaited(lambda: memory.vectors)

    @property
    def settings(self) -> Settings:
        """The settings that the memory was opened with."""
        return self.memory.settings

    @classmethod
    async def open(cls, url: str | None = None, **settings: Any) -> AsyncMemory:
        return cls(await asyncio.to_thread(Memory.open, url, **settings))

    async def add(
        self, content: Content, *, user_id: str, memory_id: str | None = None, **told: Unpack[Told]
    ) -> Receipt:
        options: dict[str, Any] = {"user_id": user_id, "memory_id": memory_id, **told}
        return await asyncio.to_thread(self.memory.add, content, **options)

    async def process(
        self,
        content: Content,
        *,
        user_id: str,
        prior: str | None = None,
        promote: bool = True,
        **told: Unpack[Told],
    ) -> Receipt:
        options: dict[str, Any] = {"user_id": user_id, "prior": prior, "promote": promote, **told}
        return await asyncio.to_thread(self.memory.process, content, **options)

    async def follow(self, items: Sequence[Mapping[str, Any]], *, user_id: str, **options: Any) -> Receipt:
        return await asyncio.to_thread(self.memory.follow, items, user_id=user_id, **options)

    async def followed(self, source: str, *, user_id: str) -> Mapping[str, Any] | None:
        return await asyncio.to_thread(self.memory.followed, source, user_id=user_id)

    async def form(self, *, user_id: str) -> Formed:
        return await asyncio.to_thread(self.memory.form, user_id=user_id)

    async def consolidate(self, *, user_id: str) -> Sequence[Episode]:
        return await asyncio.to_thread(self.memory.consolidate, user_id=user_id)

    async def retrieve(
        self,
        query: str,
        *,
        user_id: str,
        top_k: int | None = None,
        recent_session: str | None = None,
        **narrow: Unpack[Narrow],
    ) -> Recall:
        options: dict[str, Any] = {"user_id": user_id, "top_k": top_k, "recent_session": recent_session, **narrow}
        return await asyncio.to_thread(self.memory.retrieve, query, **options)

    async def get(self, memory_id: str, *, user_id: str) -> Entry | None:
        return await asyncio.to_thread(self.memory.get, memory_id, user_id=user_id)

    async def list(self, *, user_id: str, **options: Any) -> builtins.list[Entry]:
        return await asyncio.to_thread(self.memory.list, user_id=user_id, **options)

    async def update(self, memory_id: str, *, user_id: str, **changes: Any) -> Entry:
        return await asyncio.to_thread(self.memory.update, memory_id, user_id=user_id, **changes)

    async def forget(
        self,
        memory_id: str | Sequence[str] | None = None,
        *,
        user_id: str,
        purge: bool = False,
        all: bool = False,
        **narrow: Unpack[Narrow],
    ) -> ForgetReceipt:
        options: dict[str, Any] = {"user_id": user_id, "purge": purge, "all": all, **narrow}
        return await asyncio.to_thread(self.memory.forget, memory_id, **options)

    async def revive(self, memory_id: str, *, user_id: str) -> Entry:
        return await asyncio.to_thread(self.memory.revive, memory_id, user_id=user_id)

    async def feedback(self, memory_id: str, *, user_id: str, useful: bool, **about: Any) -> Entry:
        return await asyncio.to_thread(self.memory.feedback, memory_id, user_id=user_id, useful=useful, **about)

    async def used(self, memory_ids: str | Sequence[str], *, user_id: str, turn: str | None = None) -> Sequence[str]:
        return await asyncio.to_thread(self.memory.used, memory_ids, user_id=user_id, turn=turn)

    async def pause(self, *, user_id: str, seconds: float, what: str = "recall") -> datetime:
        return await asyncio.to_thread(self.memory.pause, user_id=user_id, seconds=seconds, what=what)

    async def resume(self, *, user_id: str, what: str = "both") -> None:
        await asyncio.to_thread(self.memory.resume, user_id=user_id, what=what)

    async def history(self, memory_id: str, *, user_id: str) -> builtins.list[Change]:
        return await asyncio.to_thread(self.memory.history, memory_id, user_id=user_id)

    async def fingerprint(self, *, user_id: str) -> str:
        return await asyncio.to_thread(self.memory.fingerprint, user_id=user_id)

    async def replay(self, *, user_id: str, progress: Progress | None = None) -> Replay:
        return await asyncio.to_thread(self.memory.replay, user_id=user_id, progress=progress)

    async def export(self, *, user_id: str, to: str | Path | IO[str] | None = None) -> int | AsyncIterator[str]:
        exported = await asyncio.to_thread(self.memory.export, user_id=user_id, to=to)
        return exported if isinstance(exported, int) else _lines(exported)

    async def import_(self, source: str | Path | IO[str], *, user_id: str, **options: Any) -> ImportReceipt:
        return await asyncio.to_thread(self.memory.import_, source, user_id=user_id, **options)

    async def reindex(self, *, user_id: str, progress: Progress | None = None) -> int:
        return await asyncio.to_thread(self.memory.reindex, user_id=user_id, progress=progress)

    async def users(self) -> Sequence[str]:
        return await asyncio.to_thread(self.memory.users)

    async def stats(self, *, user_id: str) -> StoreStats:
        return await asyncio.to_thread(self.memory.stats, user_id=user_id)

    async def close(self) -> None:
        await asyncio.to_thread(self.memory.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


async def _lines(lines: Iterator[str]) -> AsyncIterator[str]:
    """The lines, read in worker threads some at a time."""
    while batch := await asyncio.to_thread(lambda: list(islice(lines, LINES))):
        for line in batch:
            yield line
