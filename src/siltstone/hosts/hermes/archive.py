"""The archive, kept only where it is asked for: every turn of the conversation, without recalled text and secrets."""

from __future__ import annotations

from typing import Any

from siltstone.hosts.hermes.gate import trivial
from siltstone.hosts.hermes.notes import Notes
from siltstone.hosts.hermes.recalled import without_blocks
from siltstone.hosts.hermes.redaction import redacted

ARCHIVED = "archive"


def archive(notes: Notes, user_text: Any, assistant_text: Any, *, session_id: str) -> int:
    """Keep what both sides said in one turn; how many texts were kept. A trivial prompt and its answer are left out."""
    said = [("user", _clean(user_text)), ("assistant", _clean(assistant_text))]
    if not said[0][1] or trivial(said[0][1]):
        return 0
    messages = [{"role": role, "content": text} for role, text in said if text]
    notes.memory.add(
        messages,
        user_id=notes.scope.user_id,
        agent_id=notes.scope.agent_id,
        session_id=session_id or None,
        tags=[ARCHIVED],
    )
    return len(messages)


def _clean(text: Any) -> str:
    return redacted(without_blocks(text)) if isinstance(text, str) else ""
