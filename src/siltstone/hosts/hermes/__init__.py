"""Hermes Agent: Siltstone as its memory provider. `provider.py` first; docs/hermes.md for people.

`siltstone hermes install` writes a directory plugin; newer hosts also find the entry point that this module is.
"""

from __future__ import annotations

from typing import Any

__all__ = ["make_provider", "register"]


def register(ctx: Any) -> None:
    """Hand a new provider to the host (`register_memory_provider`)."""
    ctx.register_memory_provider(make_provider())


def make_provider() -> Any:
    """A new provider: also an instance of the host's own base class where the host is importable."""
    from siltstone.hosts.hermes.provider import Provider

    try:
        from agent.memory_provider import MemoryProvider
    except ImportError:
        return Provider()
    return type("SiltstoneMemoryProvider", (Provider, MemoryProvider), {})()
