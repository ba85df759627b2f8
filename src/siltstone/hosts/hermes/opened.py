"""One open memory for each store, shared by all providers of this process and closed with the last of them."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from siltstone.memory import Memory


@dataclass(slots=True)
class _Shared:
    memory: Memory
    users: int = 0


class OpenMemories:
    """Memories by URL and settings. A gateway has one provider for each conversation, and all use the same store."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[tuple[Any, ...], _Shared] = {}

    def take(self, url: str, settings: Mapping[str, Any]) -> Memory:
        """The memory at `url`, opened where it is not open yet; each taking needs one `give_back`."""
        key = (url, tuple(sorted(settings.items())))
        with self._lock:
            shared = self._open.get(key)
            if shared is None:
                shared = self._open[key] = _Shared(Memory.open(url, **settings))
            shared.users += 1
            return shared.memory

    def give_back(self, memory: Memory) -> None:
        """Close the memory where nobody else has it; one that is not shared here is left alone."""
        with self._lock:
            for key, shared in list(self._open.items()):
                if shared.memory is memory:
                    shared.users -= 1
                    if shared.users == 0:
                        del self._open[key]
                        memory.close()


MEMORIES = OpenMemories()
"""Those of this process."""
