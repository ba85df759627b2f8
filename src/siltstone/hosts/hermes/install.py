"""Writes and removes the directory plugin: `<home>/plugins/siltstone`, self-contained, replaced in one step."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import siltstone
from siltstone import __version__
from siltstone.errors import InvalidInput
from siltstone.hosts.hermes import packages
from siltstone.hosts.hermes.interpreter import Interpreter, interpreter

NAME = "siltstone"
PLUGIN_FILES = ("__init__.py", "cli.py", "engine_path.py")
STAMP = "installed.json"
PATIENCE = 120.0
PROBE = (
    "import engine_path; engine_path.reach(); import siltstone.memory; from siltstone.hosts.hermes import make_provider"
)
ACTIVATE = (
    "import sys; from hermes_cli.config import load_config, save_config; c = load_config(); "
    "m = c.setdefault('memory', {}) or {}; c['memory'] = m; "
    "old = m.get('provider') or ''; new = sys.argv[1]; "
    "m['provider'] = new if new or old == 'siltstone' else old; save_config(c)"
)
DESCRIPTION = "Long-term memory that is searched for every message: dated, quoted, never repeated; local by default."


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """What an installation wrote: where, for which Python, and which packages lie beside the engine."""

    folder: Path
    python: str
    packages: tuple[str, ...]
    active: bool


def install(home: Path, *, activate: bool = False, python: Path | None = None) -> Installed:
    """Write the plugin of this release into the home, in place of whatever release is there; memories are not touched.

    Raises InvalidInput where the engine cannot be imported by the host's Python afterwards: the old plugin stays then.
    """
    home = home.expanduser().resolve()
    host = interpreter(home, python)
    plugins = home / "plugins"
    fresh, folder = plugins / f".{NAME}.new", plugins / NAME
    _refuse_foreign(folder)
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        named = _write(fresh, folder, host)
        _probe(fresh, host)
        _swap(fresh, folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    if activate:
        set_provider(home, host, NAME)
    return Installed(folder=folder, python=f"{host.path} ({host.version})", packages=named, active=activate)


def uninstall(home: Path, *, python: Path | None = None) -> bool:
    """Take the plugin away, and make the host use none where it used this one; whether there was one. Memories stay."""
    home = home.expanduser().resolve()
    folder = home / "plugins" / NAME
    _refuse_foreign(folder)
    if not folder.exists():
        return False
    if f"provider: {NAME}" in _text(home / "config.yaml"):
        set_provider(home, interpreter(home, python), "")
    shutil.rmtree(folder)
    return True


def set_provider(home: Path, host: Interpreter, provider: str) -> None:
    """Name the active provider through the host's own writer of its settings. Raises InvalidInput where it cannot."""
    command = [str(host.path), "-c", ACTIVATE, provider]
    environ = {**os.environ, "HERMES_HOME": str(home)}
    ran = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=PATIENCE, check=False)
    if ran.returncode == 0:
        return
    settings = home / "config.yaml"
    if provider and not settings.exists():
        settings.write_text(f"memory:\n  provider: {provider}\n", "utf-8")
        return
    raise InvalidInput(
        f"{host.path} cannot import Hermes, so {settings} was not changed; run: hermes config set memory.provider "
        f"{provider or repr('')}"
    )


def _write(fresh: Path, old: Path, host: Interpreter) -> tuple[str, ...]:
    source = Path(siltstone.__file__).parent
    own = source / "hosts" / "hermes"
    lib = fresh / "lib"
    lib.mkdir(parents=True)
    for name in PLUGIN_FILES:
        shutil.copyfile(own / "directory" / name, fresh / name)
    shutil.copyfile(own / "config_schema.py", fresh / "config_schema.py")
    (fresh / "plugin.yaml").write_text(_about(), "utf-8")
    shutil.copytree(source, lib / NAME, ignore=shutil.ignore_patterns("__pycache__", "testing", "cli", "demo"))
    for kept in (old / "lib").glob("cpython-*") if old.is_dir() else ():
        if kept.name != host.tag:
            shutil.copytree(kept, lib / kept.name)
    named = tuple(packages.gather(lib / host.tag, host))
    stamp = {"version": __version__, "python": host.version, "packages": list(named)}
    (lib / STAMP).write_text(json.dumps(stamp, indent=2) + "\n", "utf-8")
    return named


def _about() -> str:
    """The plugin's card. The two names are what a host installs where its Python has changed and `lib` no longer fits."""
    return (
        f'name: {NAME}\nversion: "{__version__}"\ndescription: "{DESCRIPTION}"\n'
        "pip_dependencies:\n  - numpy\n  - snowballstemmer\n"
    )


def _probe(folder: Path, host: Interpreter) -> None:
    """Import the engine as the host will."""
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [str(host.path), "-c", PROBE]
    ran = subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    if ran.returncode != 0:
        said = (ran.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise InvalidInput(
            f"the engine cannot be imported by {host.path}: {said}; name the host's Python with --python"
        )
    for cache in list(folder.rglob("__pycache__")):
        shutil.rmtree(cache, ignore_errors=True)


def _swap(fresh: Path, folder: Path) -> None:
    """Put the new folder in the place of the old one; the old one comes back where that fails."""
    old = folder.with_name(f".{NAME}.old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    try:
        fresh.rename(folder)
    except OSError:
        if old.exists():
            old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _refuse_foreign(folder: Path) -> None:
    if folder.is_symlink() or (folder.exists() and f"name: {NAME}" not in _text(folder / "plugin.yaml")):
        raise InvalidInput(f"{folder} is not a plugin that Siltstone wrote; move it away first")


def _text(path: Path) -> str:
    return path.read_text("utf-8", errors="replace") if path.is_file() else ""
