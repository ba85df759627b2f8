"""Siltstone: long-term memory for LLM agents.

    from siltstone import Memory

    memory = Memory.open()
    memory.add("Prefers TypeScript with Vite", user_id="ana")
    print(memory.retrieve("what does she build front ends with?", user_id="ana").as_prompt())

Importing this package does nothing but name what it holds; each name is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from siltstone.aio import AsyncMemory
    from siltstone.domain.values import Change, Degraded, Entry, ForgetReceipt, Hit, Receipt
    from siltstone.errors import SiltstoneError
    from siltstone.memory import Memory
    from siltstone.retrieval.recall import Recall

__version__ = "0.1.0"

_HOME = {
    "AsyncMemory": "siltstone.aio",
    "Change": "siltstone.domain.values",
    "Degraded": "siltstone.domain.values",
    "Entry": "siltstone.domain.values",
    "ForgetReceipt": "siltstone.domain.values",
    "Hit": "siltstone.domain.values",
    "Memory": "siltstone.memory",
    "Recall": "siltstone.retrieval.recall",
    "Receipt": "siltstone.domain.values",
    "SiltstoneError": "siltstone.errors",
}

__all__ = [
    "AsyncMemory",
    "Change",
    "Degraded",
    "Entry",
    "ForgetReceipt",
    "Hit",
    "Memory",
    "Recall",
    "Receipt",
    "SiltstoneError",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
