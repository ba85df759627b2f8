"""Putting the block into a request: once a message, the same bytes in all steps of a turn, and never onto the tape."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from siltstone.hosts.bub import turns
from siltstone.hosts.bub.block import OPENING, in_front
from siltstone.hosts.bub.recall import Question
from siltstone.hosts.bub.tapes import Line, last_anchor
from siltstone.hosts.bub.turns import name_of
from siltstone.hosts.bub.worker import aside

if TYPE_CHECKING:
    from bub.hooks.interception import LlmCallRequest

    from siltstone.hosts.bub.plugin import MemoryPlugin

OWN = "_siltstone"
"""The key of our data in a turn's state. A sub-agent's state shares what is under it: all of it is keyed by session."""
FEW = 6
"""Messages in sight, up to which the conversation counts as cut by the handoff before it."""


async def with_block(plugin: MemoryPlugin, request: LlmCallRequest, state: dict[str, Any]) -> LlmCallRequest | None:
    """The request with the block in front of a copy of its last user message; None where there is none to put."""
    place = _last_user(request.messages)
    if place is None:
        return None
    content = request.messages[place].get("content")
    if turns.text_of(content).startswith(OPENING):
        return None
    block = await _block(plugin, request.messages, place, state)
    if not block:
        return None
    changed = {**request.messages[place], "content": in_front(block, content)}
    return replace(request, messages=[*request.messages[:place], changed, *request.messages[place + 1 :]])


def note_overflow(state: dict[str, Any]) -> None:
    """The context of this session has just overflown: the next step will see nothing of the conversation."""
    state.setdefault(OWN, {})[f"overflow {state.get('session_id') or ''}"] = True


async def _block(plugin: MemoryPlugin, messages: Sequence[Mapping[str, Any]], place: int, state: dict[str, Any]) -> str:
    """The block of this message, made once a turn. It may take its time only so long; then the turn goes on without."""
    content, session = messages[place].get("content"), str(state.get("session_id") or "")
    own = state.setdefault(OWN, {})
    overflown = bool(own.get(f"overflow {session}"))
    key = _key(session, turns.text_of(content), overflown)
    if key not in own:
        own[key] = ""
        text = turns.question(content)
        if text:
            question = await _question(plugin, text, messages, place, state)
            engine, user, formatter = plugin.engine, plugin.user, plugin.formatter()
            making = aside(lambda: engine.block(question, user=user, formatter=formatter))
            try:
                own[key] = await asyncio.wait_for(asyncio.wrap_future(making), plugin.patience())
                plugin.warmed()
            except TimeoutError:
                plugin.engine.reports.trouble("recall", f"it took longer than {plugin.patience():g} s")
    return str(own[key])


async def _question(
    plugin: MemoryPlugin, text: str, messages: Sequence[Mapping[str, Any]], place: int, state: Mapping[str, Any]
) -> Question:
    session = str(state.get("session_id") or "")
    overflown = bool(state.get(OWN, {}).get(f"overflow {session}"))
    shown = [turns.text_of(message.get("content")) for n, message in enumerate(messages) if n != place]
    in_sight = sum(message.get("role") in ("user", "assistant") for message in messages)
    handoff = await _handoff(plugin, session, state)
    return Question(
        text=text,
        session=name_of(session) if session else "-",
        seen="\n".join([*shown, text]),
        handoff=handoff,
        cut=overflown or (handoff is not None and in_sight <= FEW),
        narrow=overflown,
    )


async def _handoff(plugin: MemoryPlugin, session: str, state: Mapping[str, Any]) -> tuple[str, str] | None:
    """Name and summary of the tape's last anchor; None where it has none but the first, or cannot be read."""
    agent = state.get("_runtime_agent")
    if agent is None or session.startswith("temp/"):
        return None
    workspace = Path(state.get("_runtime_workspace") or plugin.framework.workspace)
    tape = agent.tape.session_tape(session, workspace)
    try:
        found = await tape.store.fetch_all(tape.query().kinds("anchor"))
    except (OSError, ValueError) as error:
        plugin.engine.reports.trouble("reading the last handoff", error)
        return None
    anchor = last_anchor([line for line in map(Line.of, found) if line is not None])
    if anchor is None:
        return None
    told = anchor.payload.get("state")
    summary = told.get("summary") if isinstance(told, Mapping) else None
    return str(anchor.payload.get("name") or "handoff"), summary if isinstance(summary, str) else ""


def _last_user(messages: Sequence[Mapping[str, Any]]) -> int | None:
    return next((n for n in reversed(range(len(messages))) if messages[n].get("role") == "user"), None)


def _key(session: str, text: str, overflown: bool) -> str:
    return hashlib.sha256(f"{session}\0{overflown}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()
