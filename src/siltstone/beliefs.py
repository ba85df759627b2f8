"""Bubble's API on Siltstone: `import siltstone.beliefs as bubble` runs its README.

    bubble.process(user_id, content, prior)               # kept at once, formed without being awaited
    memory = await bubble.retrieve(user_id, query)

Every call but `process` is a coroutine; each has a twin without one (`retrieve_sync`). A user needs no set-up call. The
memory behind it is opened from the settings when it is first needed; `use` puts another in its place.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import re
import threading
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

from siltstone.assembly import assemble
from siltstone.domain.beliefs import EPISODE, SNAPSHOT, Episode, Snapshot, Statement
from siltstone.domain.values import TURN, format_time
from siltstone.formation import snapshot as words
from siltstone.formation.reading import Beliefs
from siltstone.memory import Memory
from siltstone.settings import FOREIGN
from siltstone.settings.foreign import BUBBLE
from siltstone.upkeep.archive import archive_path, write_archive

Node = dict[str, Any]
HITS_A_CHAIN = 4
"""Hits that are looked at for each chain asked for: several may be of one chain."""

_ASSIGNMENT = re.compile(
    r"""\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^#\n]*?))\s*(?:\s#.*)?$"""
)
_lock = threading.Lock()
_opened: list[Memory] = []


def use(memory: Memory | None) -> None:
    """Put a memory behind this API; None closes the one that is there, and the next call opens the configured one."""
    with _lock:
        old, _opened[:] = _opened[:], [] if memory is None else [memory]
    if memory is None:
        for item in old:
            item.close()


def current() -> Memory:
    """The memory behind this API, opened from the settings on first use. It forms beliefs on a worker thread."""
    with _lock:
        if not _opened:
            environ = {**dotenv(), **os.environ}
            _opened.append(Memory(assemble(None, {"formation.mode": "background"}, environ=environ)))
            atexit.register(_opened[0].close)
        return _opened[0]


def dotenv(file: str | Path = ".env") -> dict[str, str]:
    """The settings in a `.env` file of the working folder, as Bubble reads them; the environment wins over them.

    Only Bubble's variables and ours are taken. A line is NAME=value, quoted or not; `export` and # comments are
    understood. {} where there is no file.
    """
    try:
        text = Path(file).read_text("utf-8")
    except OSError:
        return {}
    known = {item.variable for item in FOREIGN if item.product == BUBBLE}
    found = (match.groups() for match in map(_ASSIGNMENT.match, text.splitlines()) if match)
    return {
        name: (quoted or quoted_too or plain or "").strip()
        for name, quoted, quoted_too, plain in found
        if name in known or name.startswith("SILTSTONE_")
    }


class Stored:
    """A message that was kept when `process` returned. Awaiting it waits until it is formed, and gives the nodes."""

    def __init__(self, memory: Memory, user_id: str, entry_ids: tuple[str, ...]) -> None:
        self.memory, self.user_id, self.ids = memory, user_id, entry_ids

    def __await__(self) -> Generator[Any, None, list[Node]]:
        return asyncio.to_thread(self.result).__await__()

    def result(self) -> list[Node]:
        """The nodes that the message became; [] while a model that it waits for is down."""
        self.memory.form(user_id=self.user_id)
        return _nodes(self.memory.beliefs.read(self.user_id), self.ids)


def process(user_id: str, message: str, prior: str | None = None) -> Stored:
    """Keep a message and form beliefs from it; it is durable and searchable when this returns, awaited or not.

    `prior` is what was said before it. `[Name]` at its beginning names the speaker.
    """
    memory = current()
    return Stored(memory, user_id, memory.process(message, user_id=user_id, prior=prior).ids)


def process_sync(user_id: str, message: str, prior: str | None = None) -> list[Node]:
    """Keep a message, form it, answer what it became: weak `SegmentNode`s and vivid `Episode`s."""
    return process(user_id, message, prior).result()


def ingest_sync(user_id: str, message: str, prior: str | None = None) -> list[Node]:
    """`process_sync` that promotes nothing: what has gathered enough waits for `promote`."""
    memory = current()
    receipt = memory.process(message, user_id=user_id, prior=prior, promote=False)
    return _nodes(memory.beliefs.read(user_id), receipt.ids)


def observe_sync(
    user_id: str, message: str, prior: str | None = None, top_k: int = 3, verbose: bool = False
) -> dict[str, list[Node]]:
    """What is known about a message, found before it is stored, and what it was stored as."""
    retrieved = retrieve_sync(user_id, message, top_k, verbose)
    return {"retrieved": retrieved, "stored": process_sync(user_id, message, prior)}


def retrieve_sync(user_id: str, query: str, top_k: int = 5, verbose: bool = False) -> list[Node]:
    """The beliefs that answer a query, best first: id, summary, score, timestamp; [] for a blank or trivial query.

    `verbose` adds `members`, the chain's episodes by time with a confidence label, and `context`, the nearest other
    chains.
    """
    return answers(current(), user_id, query, top_k=top_k, verbose=verbose)


def answers(memory: Memory, user_id: str, query: str, *, top_k: int = 5, verbose: bool = False) -> list[Node]:
    """What `retrieve_sync` answers, from that memory."""
    if not query.strip():
        return []
    if memory.parts.writer is None:
        memory.form(user_id=user_id)
    hits = memory.retrieve(query, user_id=user_id, top_k=max(top_k * HITS_A_CHAIN, 1), kinds=(SNAPSHOT, EPISODE))
    scores = memory.beliefs.chain_ids(hits, user_id=user_id)
    found = [(memory.beliefs.snapshot(chain_id, user_id=user_id), scores[chain_id]) for chain_id in [*scores][:top_k]]
    return [_answer(memory, user_id, item, score, verbose) for item, score in found if item is not None]


def consolidate_sync(user_id: str) -> dict[str, list[Node]]:
    """Promote every cluster that has gathered enough."""
    return {"promoted": promote_sync(user_id)}


def promote_sync(user_id: str, theta: float | None = None) -> list[Node]:
    """The episodes that clusters with a score above `theta` (default: the configured one, 0.2) became now."""
    made = current().beliefs.consolidate(user_id=user_id, theta=theta)
    return [
        {
            "id": episode.id,
            "summary": episode.text,
            "confidence": round(episode.confidence, 4),
            "t_promo_score": round(episode.score, 4),
            "n_segments": len(episode.statements),
        }
        for episode in made
    ]


def replay_sync(user_id: str) -> dict[str, Any]:
    """Rebuild everything from the journal: no model is called, the pool is kept, twice gives the same fingerprint."""
    memory = current()
    memory.form(user_id=user_id)
    done = memory.replay(user_id=user_id)
    turns = [entry for entry in _entries(memory, user_id) if entry == TURN]
    promoted = [episode for episode in memory.beliefs.episodes(user_id=user_id) if not episode.vivid]
    return {"replayed": len(turns), "promoted": len(promoted), "fingerprint": done.after}


def archive_sync(user_id: str, to: str | Path | None = None) -> dict[str, Any]:
    """Write the user's statements as archive lines with Bubble's five keys, to a file or into the configured folder."""
    memory = current()
    path = Path(to) if to is not None else archive_path(user_id, memory.settings.formation.archive_dir)
    return {"file": str(path), "lines": write_archive(memory.beliefs.archive_lines(user_id=user_id), path)}


def init_graph_sync(user_id: str) -> None:
    """Nothing has to be made for a user; raises where the id cannot be used or the store cannot be reached."""
    current().stats(user_id=user_id)


async def init_graph(user_id: str) -> None:
    """See `init_graph_sync`."""
    await asyncio.to_thread(init_graph_sync, user_id)


async def ingest(user_id: str, message: str, prior: str | None = None) -> list[Node]:
    """See `ingest_sync`."""
    return await asyncio.to_thread(ingest_sync, user_id, message, prior)


async def observe(
    user_id: str, message: str, prior: str | None = None, top_k: int = 3, verbose: bool = False
) -> dict[str, list[Node]]:
    """See `observe_sync`."""
    return await asyncio.to_thread(observe_sync, user_id, message, prior, top_k, verbose)


async def retrieve(user_id: str, query: str, top_k: int = 5, verbose: bool = False) -> list[Node]:
    """See `retrieve_sync`."""
    return await asyncio.to_thread(retrieve_sync, user_id, query, top_k, verbose)


async def consolidate(user_id: str) -> dict[str, list[Node]]:
    """See `consolidate_sync`."""
    return await asyncio.to_thread(consolidate_sync, user_id)


async def promote(user_id: str, theta: float | None = None) -> list[Node]:
    """See `promote_sync`."""
    return await asyncio.to_thread(promote_sync, user_id, theta)


async def archive(user_id: str, to: str | Path | None = None) -> dict[str, Any]:
    """See `archive_sync`."""
    return await asyncio.to_thread(archive_sync, user_id, to)


async def replay(user_id: str) -> dict[str, Any]:
    """See `replay_sync`."""
    return await asyncio.to_thread(replay_sync, user_id)


def _entries(memory: Memory, user_id: str) -> Iterator[str]:
    after = None
    while page := memory.list(user_id=user_id, limit=1000, after=after):
        yield from (entry.kind for entry in page)
        after = page[-1].id


def _nodes(read: Beliefs, entry_ids: tuple[str, ...]) -> list[Node]:
    return [_node(read, statement) for entry_id in entry_ids for statement in read.of_turn(entry_id)]


def _node(read: Beliefs, statement: Statement) -> Node:
    about = {"text": statement.text, "intensity": statement.intensity, "valence": statement.valence}
    about["timestamp"] = format_time(statement.occurred_at)
    episode = read.episode_of(statement.id)
    if statement.state == "vivid" and episode is not None:
        return {"type": "Episode", "id": episode.id, "episodic": True, **about, "chain_id": episode.chain_id}
    return {"type": "SegmentNode", "id": statement.id, **about, "state": statement.state}


def _answer(memory: Memory, user_id: str, found: Snapshot, score: float, verbose: bool) -> Node:
    answer: Node = {"id": found.id, "summary": found.summary, "score": score}
    answer["timestamp"] = format_time(found.occurred_at)
    if verbose:
        read = memory.beliefs.about([found.id], user_id=user_id)
        answer["members"] = [_member(read, episode) for episode in found.episodes]
        answer["context"] = memory.beliefs.neighbours(found.id, user_id=user_id)
    return answer


def _member(read: Beliefs, episode: Episode) -> Node:
    sure, label = words.judged(episode, read.chain(episode.chain_id or ""))
    return {
        "id": episode.id,
        "summary": episode.text,
        "confidence_label": label,
        "confidence": sure,
        "episodic": episode.vivid,
        "timestamp": format_time(episode.occurred_at),
    }
