"""Starting writers, and short ways to fill a store."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from siltstone.domain import events
from siltstone.domain.events import Draft
from siltstone.domain.records import text_key
from siltstone.ports.stores import Partition
from siltstone.testing.clock import ManualClock

WRITER = Path(__file__).with_name("writer.py")
CLOCK = ManualClock()
MODEL = "words-1"


def start(*arguments: object) -> subprocess.Popen[str]:
    """A writer process; its arguments are described in `writer.py`."""
    command = [sys.executable, str(WRITER), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str]) -> list[str]:
    """What it printed, once it has ended well."""
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out.split()


def draft(kind: str, /, **payload: object) -> Draft:
    """A draft of that kind."""
    return Draft(id=CLOCK.new_id(), kind=kind, at=CLOCK.advance(), payload=payload)


def add(partition: Partition, *names: str, text: str = "this is {}", vector: bytes = bytes(1024)) -> None:
    """Commit a memory for each name, one by one."""
    for name in names:
        words = text.format(name)
        drafts = [draft(events.ENTRY_ADDED, id=name, text=words)]
        partition.commit(lambda view, drafts=drafts: drafts, model=MODEL, vectors={text_key(words): vector})
