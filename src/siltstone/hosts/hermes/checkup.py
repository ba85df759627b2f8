"""What `hermes siltstone doctor` and the host's status look at; nothing here prints."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from siltstone import __version__
from siltstone.domain.values import parse_time
from siltstone.errors import SiltstoneError
from siltstone.hosts.hermes.config import Configuration, HostSettings, configuration
from siltstone.hosts.hermes.health import Health
from siltstone.ports.stores import Finding

NEEDED = ("numpy", "snowballstemmer")
MEND = "run: siltstone hermes install"


def missing() -> str | None:
    """Which packages the engine needs and this Python does not have, as a message; None where all are there."""
    absent = [name for name in NEEDED if name not in sys.modules and find_spec(name) is None]
    if not absent:
        return None
    version = ".".join(map(str, sys.version_info[:2]))
    return f"{', '.join(absent)} cannot be imported by this Python {version}; {MEND}"


def status(home: Path) -> dict[str, Any]:
    """What the host's status shows: version, store, scope, and what is wrong."""
    found: dict[str, Any] = {"version": __version__}
    try:
        effective = configuration(home, os.environ)
        found |= {"store": _public(effective.url), "recall": effective.host.recall, "archive": effective.host.archive}
    except SiltstoneError as error:
        found["problem"] = str(error)
    if absent := missing():
        found["problem"] = absent
    if problems := Health(home / "siltstone").problems():
        found["last problem"] = f"{problems[-1].get('at')} {problems[-1].get('hook')}: {problems[-1].get('problem')}"
    return found


def findings(home: Path) -> Iterator[Finding]:
    """Packages, settings, store, model, mirror and what went wrong of late, in this order."""
    absent = missing()
    yield Finding(name="packages", ok=absent is None, detail=absent or _where(), remedy=MEND if absent else "")
    try:
        effective = configuration(home, os.environ)
    except SiltstoneError as error:
        yield Finding(name="settings", ok=False, detail=str(error), remedy="mend what the message names")
        return
    yield Finding(name="settings", ok=True, detail=f"read from {home}")
    if absent is None:
        yield from _of_store(effective)
    yield from _of_problems(effective)


def effective_settings(found: Configuration) -> list[tuple[str, str, str]]:
    """Name, value and source of each setting of the plugin, and of each engine setting that a file of the home sets."""
    rows = [("url", _public(found.url), found.sources.get("url", "default"))]
    rows += [(name, str(getattr(found.host, name)), found.sources[name]) for name in HostSettings.__slots__]
    return rows + [
        (key.replace("__", "."), str(value), found.sources.get(key.replace("__", "."), "the plugin"))
        for key, value in found.engine.items()
    ]


def _of_store(effective: Configuration) -> Iterator[Finding]:
    from siltstone.memory import Memory

    try:
        with Memory.open(effective.url, **effective.engine) as memory:
            yield Finding(name="store", ok=True, detail=f"{_public(effective.url)}, {len(memory.users())} users")
            for item in memory.store.check():
                yield Finding(name=f"store: {item.name}", ok=item.ok, detail=item.detail, remedy=item.remedy)
            model = "words only" if memory.embedder is None else memory.embedder.fingerprint
            yield Finding(name="model", ok=True, detail=model)
    except SiltstoneError as error:
        yield Finding(name="store", ok=False, detail=str(error), remedy="see what the message says")


def _of_problems(effective: Configuration) -> Iterator[Finding]:
    problems = Health(effective.folder).problems()
    for item in problems[-5:]:
        at = parse_time(str(item.get("at")))
        detail = f"{at:%Y-%m-%d %H:%M} {item.get('hook')}: {item.get('problem')}"
        yield Finding(name="problem", ok=True, detail=detail, remedy="run: hermes siltstone doctor --clear")
    if not problems:
        yield Finding(name="problems", ok=True, detail="none written down")


def _where() -> str:
    engine = Path(__file__).resolve().parents[2]
    return f"engine {__version__} in {engine}, Python {'.'.join(map(str, sys.version_info[:3]))}"


def _public(url: str) -> str:
    """The URL without its password."""
    from siltstone.hosts.hermes.redaction import redacted

    return redacted(url)
