"""Upkeep that the host's worker does when a session ends, at most once in a while; nothing runs by a hidden schedule."""

from __future__ import annotations

import time
from typing import Any

from siltstone.errors import InvalidInput
from siltstone.hosts.hermes.config import Configuration
from siltstone.memory import Memory

STAMP = "maintained"
HOUR = 3600.0


def maintain_when_due(memory: Memory, configuration: Configuration) -> bool:
    """Do a round for every user of the store where the last one is long enough ago; whether one was done."""
    hours = configuration.host.maintain_hours
    stamp = configuration.folder / STAMP
    if not hours or not has_upkeep(memory) or (stamp.exists() and time.time() - stamp.stat().st_mtime < hours * HOUR):
        return False
    configuration.folder.mkdir(parents=True, exist_ok=True)
    stamp.touch()
    for user_id in memory.users():
        maintain(memory, user_id=user_id)
    return True


def has_upkeep(memory: Memory) -> bool:
    """Whether the engine beside this plugin knows upkeep."""
    return getattr(memory, "upkeep", None) is not None


def maintain(memory: Memory, *, user_id: str, dry_run: bool = False) -> Any:
    """One round for one user; the engine's report. Raises InvalidInput where the engine knows no upkeep."""
    verbs: Any = getattr(memory, "upkeep", None)
    if verbs is None:
        raise InvalidInput("this engine has no upkeep; install a newer Siltstone and run: siltstone hermes install")
    return verbs.maintain(user_id=user_id, dry_run=dry_run)
