"""What the model and people can call: memory.search, memory.remember, memory.forget, and the command memory.status.

Bub keeps tools in one registry, from which an agent takes them at its first turn: they are made when this module is
imported, and find the plugin that they belong to when they are called.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import bub
from bub.tools import REGISTRY, ToolContext


@bub.tool(name="memory.search", context=True)
async def search(query: str, limit: int = 8, *, context: ToolContext) -> str:
    """Search long-term memory of this workspace: earlier conversations, notes, people and things. Best first."""
    return str(await _asked(context, "search", query, limit))


@bub.tool(name="memory.remember", context=True)
async def remember(text: str, *, context: ToolContext) -> str:
    """Keep a fact or note in long-term memory, word for word, for all later conversations in this workspace."""
    return str(await _asked(context, "remember", text))


@bub.tool(name="memory.forget", context=True)
async def forget(id: str, *, context: ToolContext) -> str:
    """Forget one memory by the id that memory.search shows, or an entity such as person:alice."""
    return str(await _asked(context, "forget", id))


@bub.tool(name="memory.status", context=True, exposure="command")
async def status(*, context: ToolContext) -> str:
    """Show what this workspace's memory holds and what fails."""
    return str(await _asked(context, "status"))


async def _asked(context: ToolContext, name: str, *given: Any) -> Any:
    """What that function of `answers` says, off the event loop. It is loaded here: Bub loads this module every time."""
    from siltstone.hosts.bub import answers
    from siltstone.hosts.bub.plugin import scope_of

    engine, scope = scope_of(context.state, tape=context.tape.name)
    return await asyncio.to_thread(getattr(answers, name), engine, scope, *given)


def show_snapshots() -> None:
    """Let `,tape.info` show how many semantic snapshots the tape has, and how much was read."""
    shown = REGISTRY.get("tape.info")
    if shown is None or getattr(shown.handler, "has_snapshots", False):
        return
    handler, renderer = shown.handler, shown.renderer

    async def informed(*positional: Any, **named: Any) -> Any:
        found = await handler(*positional, **named)
        context = named.get("context")
        if isinstance(found, dict) and context is not None:
            try:
                found |= await _asked(context, "counts")
            except Exception as error:  # noqa: BLE001 - said in the answer; the host's own part of it stands
                found["semantic_snapshots"] = f"unknown ({error})"
        return found

    def rendered(found: Any) -> str:
        told = [f"{name}: {value}" for name, value in found.items() if name.startswith("semantic_")]
        return "\n".join([shown.render(found) if renderer is None else renderer(found), *told])

    informed.has_snapshots = True  # type: ignore[attr-defined]
    REGISTRY["tape.info"] = replace(shown, handler=informed, renderer=rendered)
