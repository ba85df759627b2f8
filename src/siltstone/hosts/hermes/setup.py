"""Set-up for a home: the settings are read, the store is opened once, and what was found is printed."""

from __future__ import annotations

import os
from pathlib import Path

from siltstone.hosts.hermes.config import configuration


def set_up(home: Path) -> None:
    """Open the store of this home once, so that what is wrong is said now. Raises an error of ours where it cannot."""
    from siltstone.memory import Memory

    found = configuration(home, os.environ)
    with Memory.open(found.url, **found.engine) as memory:
        print(f"\n  Memories are kept in {memory.store.url}")
        print("  Words alone find them." if memory.embedder is None else "  Words and meaning find them.")
