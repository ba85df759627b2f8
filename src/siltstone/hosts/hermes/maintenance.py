"""Upkeep that the host's worker does when a session ends: what the engine's schedule wants, within a budget of time."""

from __future__ import annotations

from siltstone.memory import Memory

BUDGET = 5.0
"""Seconds after which a round begins nothing new; the host waits about as long for its worker at the end."""


def maintain_due(memory: Memory) -> tuple[str, ...]:
    """Do what is due for every user of the store; the users for whom something was."""
    done = []
    for user_id in memory.users():
        if steps := memory.upkeep.due(user_id=user_id):
            memory.upkeep.maintain(user_id=user_id, steps=steps, budget_seconds=BUDGET)
            done.append(user_id)
    return tuple(done)
