"""The host's home: where it is, what belongs to it, and its one setting that makes a provider active."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from siltstone.hosts.hermes.config import Configuration

PROVIDER = "siltstone"


def default_home() -> Path:
    """The home that the host uses now: the host's own answer, else HERMES_HOME, else ~/.hermes."""
    try:
        from hermes_constants import get_hermes_home
    except ImportError:
        return Path(os.environ.get("HERMES_HOME") or "~/.hermes").expanduser()
    return Path(get_hermes_home())


def activate(home: Path, configuration: Any) -> None:
    """Make this the provider of the home, through the host's own writer of its settings."""
    from hermes_cli.config import save_config

    if not isinstance(configuration.get("memory"), dict):
        configuration["memory"] = {}
    configuration["memory"]["provider"] = PROVIDER
    save_config(configuration)
    print(f"\n  Memory provider: {PROVIDER}\n  Saved to {home / 'config.yaml'}; start a new session to use it.\n")


def database(url: str) -> Path | None:
    """The file behind a SQLite URL; None for a server or a memory of this process."""
    scheme, _, rest = url.partition("://") if "://" in url else ("sqlite", "", url)
    if scheme != "sqlite":
        return None
    return Path(rest.removeprefix("/") if rest.startswith(("/~", "/.", "//")) else rest).expanduser()


def outside(configuration: Configuration) -> list[str]:
    """The files of the store where they do not lie in the home."""
    path = database(configuration.url)
    if path is None or path.resolve().is_relative_to(configuration.home.resolve()):
        return []
    return [str(path.resolve()) + end for end in ("", "-wal", "-shm")]
