"""The scope: whose memory a session of the host reads and writes, as which agent, and whether it may write at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from siltstone.hosts.hermes.config import HostSettings

OWNER = "default"
"""The user of a home that nobody else talks to: the command line's user, too."""
NOT_PRIMARY = frozenset({"subagent", "cron", "flush", "background", "batch"})
ID_LIMIT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Whose memory it is (`user_id`), and which agent asks.

    A primary agent recalls everything of the user; any other one only what it wrote itself. `shares_files` says that
    MEMORY.md and USER.md of the home are this user's; `writes` that this context may write.
    """

    user_id: str
    agent_id: str
    primary: bool
    shares_files: bool
    writes: bool

    @property
    def narrow(self) -> dict[str, str]:
        """What narrows every reading verb for this agent."""
        return {} if self.primary else {"agent_id": self.agent_id}


def scope(settings: HostSettings, told: Mapping[str, Any]) -> Scope:
    """The scope of a session, from the settings and from what the host tells at its start.

    The user is the configured one, else the platform's user, else the conversation on that platform, else the owner
    of the home. Users of two platforms are two users unless the settings name one.
    """
    guest = None if settings.user_id else _guest(told)
    agent = settings.agent_id or _text(told.get("agent_identity")) or OWNER
    context = str(told.get("agent_context") or "primary").casefold()
    return Scope(
        user_id=settings.user_id or guest or OWNER,
        agent_id=agent[:ID_LIMIT],
        primary=settings.is_primary,
        shares_files=guest is None,
        writes=context not in NOT_PRIMARY and str(told.get("platform") or "").casefold() != "cron",
    )


def _guest(told: Mapping[str, Any]) -> str | None:
    """The user of a messaging platform, named with it: equal ids on two platforms are two people."""
    platform = _text(told.get("platform")) or "host"
    for key in ("user_id", "gateway_session_key", "chat_id"):
        if named := _text(told.get(key)):
            return f"{platform}:{named}"[:ID_LIMIT]
    return None


def _text(value: object) -> str:
    """A name as text on one line; "" for none."""
    return "" if value is None else " ".join(str(value).split())
