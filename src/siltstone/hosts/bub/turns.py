"""What the entries of a tape say: messages to keep, each with its sender, date, tape and run.

Kept are messages of people and of the agent, whole; the summary of a handoff; and of tool traffic a short line, which
is found by a search and neither shown to the model unasked nor read for facts. System prompts and events say nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from siltstone.hosts.bub.tapes import Line

AGENT = "bub"
TOOL, HANDOFF = "tool", "handoff"
"""Tags of what was not said in conversation."""
PREFIX = re.compile(r"\A(?P<context>[^\n]*=[^\n]*)\n---Date: (?P<date>[^\n]*)---\n")
OWN_TOOLS = re.compile(r"^memory[._]")
CALL_LENGTH, RESULT_LENGTH = 400, 600
NAME_LENGTH = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One text of a person: who said it, in which context of the host."""

    text: str
    sender: str | None = None
    context: Mapping[str, str] = field(default_factory=dict)


def messages(lines: Sequence[Line], *, tape: str, session: str | None) -> list[dict[str, Any]]:
    """Messages in the form that `Memory.follow` takes, in the order of the tape."""
    found = []
    for line in lines:
        for place, message in enumerate(_messages(line)):
            metadata = {"tape": tape, "step": line.meta.get("run_id")}
            message["key"] = line.key if not place else f"{line.key}-{place}"
            message["metadata"] = {name: value for name, value in metadata.items() if value}
            if session:
                message["session_id"] = name_of(session)
            if (moment := _moment(line.date)) is not None:
                message["occurred_at"] = moment
            found.append(message)
    return found


def said(content: Any) -> list[Told]:
    """What a person said in a user message: the host's context line taken off, Telegram's JSON read.

    `content` is a text or a list of content parts, of which the texts count.
    """
    text = text_of(content)
    match = PREFIX.match(text)
    context = _context(match["context"]) if match else {}
    body = text[match.end() :] if match else text
    sender = context.get("sender_id")
    if context.get("channel") == "$telegram":
        return [_telegram(part, sender, context) for part in body.split("\n") if part.strip()]
    return [Told(text=body, sender=sender, context=context)] if body.strip() else []


def question(content: Any) -> str:
    """The words of a user message, without what the host put around them."""
    return "\n".join(told.text for told in said(content)).strip()


def text_of(content: Any) -> str:
    """The text of a message's content."""
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        return ""
    parts = (part.get("text") if isinstance(part, Mapping) else part for part in content)
    return "\n".join(part for part in parts if isinstance(part, str))


def name_of(value: str) -> str:
    """The value as a name that a memory can carry: itself, or where it is too long or odd, a digest of it."""
    plain = value.strip() == value and value.isprintable() and 0 < len(value) <= NAME_LENGTH
    return value if plain else "sha256:" + hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def tape_name(workspace: Path, session: str) -> str:
    """The name under which Bub keeps the tape of a session."""
    return f"{short_hash(str(workspace.resolve()))}__{short_hash(session)}"


def short_hash(text: str) -> str:
    """The hash that Bub makes tape names of."""
    return hashlib.md5(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()[:16]


def session_of(lines: Sequence[Line], tape: str) -> str | None:
    """The session whose tape this is, where a message of it tells; the tape's own name proves it."""
    wanted = tape.rpartition("__")[2]
    candidates = ["cli:local", "cli_session"]
    for line in lines:
        if line.kind == "message" and (match := PREFIX.match(text_of(line.payload.get("content")))):
            context = _context(match["context"])
            channel, chat = context.get("channel", "").removeprefix("$"), context.get("chat_id", "")
            candidates += [f"{channel}:{chat}", chat, context.get("thread_id", "")]
            break
    return next((name for name in candidates if name and short_hash(name) == wanted), None)


def _messages(line: Line) -> Iterator[dict[str, Any]]:
    payload = line.payload
    if line.kind == "message" and payload.get("role") == "user":
        for told in said(payload.get("content")):
            speaker = name_of(told.sender) if told.sender else None
            yield {"role": "user", "content": told.text} | ({"speaker": speaker} if speaker else {})
    elif line.kind == "message" and payload.get("role") == "assistant":
        if text := text_of(payload.get("content")).strip():
            yield {"role": "assistant", "content": text, "agent_id": AGENT}
    elif line.kind == "tool_call":
        if text := text_of(payload.get("content")).strip():
            yield {"role": "assistant", "content": text, "agent_id": AGENT}
        if text := "\n".join(filter(None, map(_call, _each(payload.get("calls"))))):
            yield {"role": "tool", "content": text, "tags": [TOOL], "agent_id": AGENT}
    elif line.kind == "tool_result":
        if text := _results(payload.get("results")):
            yield {"role": "tool", "content": text, "tags": [TOOL], "agent_id": AGENT}
    elif line.kind == "anchor" and (text := handoff_text(line)):
        yield {"role": "assistant", "content": text, "tags": [HANDOFF], "agent_id": AGENT}


def handoff_text(line: Line) -> str:
    """What a handoff says, in a line; "" where it has no summary."""
    state = line.payload.get("state")
    summary = state.get("summary") if isinstance(state, Mapping) else None
    if not isinstance(summary, str) or not summary.strip():
        return ""
    return f"Handoff {line.payload.get('name')}: {summary.strip()}"


def _call(call: Mapping[str, Any]) -> str:
    function = call.get("function")
    function = function if isinstance(function, Mapping) else call
    name, arguments = str(function.get("name") or "?"), function.get("arguments")
    if OWN_TOOLS.match(name):
        return ""
    given = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, default=str)
    return f"(called {name} with {_cut(given, CALL_LENGTH)})"


def _results(results: Any) -> str:
    """The results of one step in short. What our own tools answered would be remembered a second time: it is left out."""
    texts = []
    for result in _any(results):
        text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)
        if text.strip() and not text.startswith("[memory]"):
            texts.append(f"(result: {_cut(text, RESULT_LENGTH)})")
    return "\n".join(texts)


def _telegram(part: str, sender: str | None, context: Mapping[str, str]) -> Told:
    """One message of a Telegram batch; what is no JSON is taken as it stands."""
    try:
        found = json.loads(part)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, Mapping) or not isinstance(found.get("message"), str):
        return Told(text=part, sender=sender, context=context)
    names = (found.get(key) for key in ("full_name", "username", "sender_id"))
    named = next((str(name) for name in names if name), sender)
    return Told(text=found["message"], sender=named, context=context)


def _context(line: str) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in line.split("|"))
    return {name.strip(): value.strip() for name, _, value in pairs if name.strip() and value.strip()}


def _moment(date: str) -> str | None:
    """The date in a form that memory takes; None where the tape holds none that can be read."""
    try:
        moment = datetime.fromisoformat(date)
        return (moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment).isoformat()
    except (ValueError, OverflowError):
        return None


def _each(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in _any(value) if isinstance(item, Mapping)]


def _any(value: Any) -> Sequence[Any]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()


def _cut(text: str, limit: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"
