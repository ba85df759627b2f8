"""Siltstone's directory plugin for Hermes: reaches the engine that lies beside this file, and registers its provider.

The host looks for `register_memory_provider` in this file.
"""

from __future__ import annotations

from typing import Any

from . import engine_path


def register(ctx: Any) -> None:
    """Hand the provider to the host, or one that says why there is no engine."""
    ctx.register_memory_provider(_provider())


def _provider() -> Any:
    try:
        engine_path.reach()
        from siltstone.hosts.hermes import make_provider
    except ImportError as error:
        return engine_path.Absent(str(error))
    return make_provider()
