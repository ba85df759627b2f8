"""AsyncMemory: everything that Memory has, awaited, and nothing of it on the event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from siltstone import AsyncMemory, Memory, aio

ANA = "ana"
BELOW = {"store", "parts", "embedder"}
"""What a memory is made of, which is no verb: reached by `AsyncMemory.memory`."""


def test_every_verb_of_a_memory_has_its_counterpart() -> None:
    """Verbs, facades and settings alike."""
    with Memory.open("memory://", embedding__provider="none") as memory:
        names = {name for name in dir(memory) if not name.startswith("_")} - BELOW
        assert names - set(dir(AsyncMemory(memory))) == set()
        assert AsyncMemory(memory).settings is memory.settings


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_an_export_is_read_off_the_event_loop(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its lines come one by one, the same as from a Memory, and no event is read in the loop's own thread."""
    url = "memory://" if kind == "memory" else f"sqlite:///{tmp_path}/m.db"
    count = 2 * aio.LINES + 7

    async def exported() -> tuple[list[str], list[str]]:
        memory = AsyncMemory(Memory.open(url, embedding__provider="none"))
        async with memory:
            await memory.add([f"note {n}" for n in range(count)], user_id=ANA)
            lines = await memory.export(user_id=ANA)
            assert isinstance(lines, AsyncIterator)
            monkeypatch.setattr(aio, "islice", watched)
            return [line async for line in lines], list(memory.memory.export(user_id=ANA))

    loop_thread = threading.get_ident()
    threads: set[int] = set()
    islice = aio.islice

    def watched(*given: object) -> object:
        threads.add(threading.get_ident())
        return islice(*given)  # type: ignore[call-overload]

    mine, theirs = asyncio.run(exported())
    assert mine == theirs and len(mine) > count
    assert threads and loop_thread not in threads


def test_an_export_to_a_file_says_how_many_lines(tmp_path: Path) -> None:
    """As with a Memory."""

    async def exported() -> object:
        async with AsyncMemory(Memory.open("memory://", embedding__provider="none")) as memory:
            await memory.add("likes tea", user_id=ANA)
            return await memory.export(user_id=ANA, to=tmp_path / "out.jsonl")

    written = asyncio.run(exported())
    assert written == len((tmp_path / "out.jsonl").read_text("utf-8").splitlines()) > 0
