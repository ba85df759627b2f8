"""Settings of the plugin: what `siltstone.json` in the host's home and the environment say, checked, with their source.

Environment variables win over `<home>/siltstone.json`, which wins over `<home>/siltstone/config.json` (what the
host's dashboard writes). Names with a dot are settings of the engine (`recall.floor`); the engine's own file comes
after all of these.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from siltstone.errors import InvalidInput, UnknownSetting, nearest
from siltstone.settings import Leaf, leaves, resolve

PREFIX = "SILTSTONE_HERMES_"
FILE = "siltstone.json"
PANEL_FILE = "siltstone/config.json"
DATABASE = "siltstone/memory.db"
PROFILE = "host"
"""The engine's settings for a memory that a host asks by itself, where nothing else is set."""
CALM = {
    "ranking.emotion_factor": 0.05,
    "ranking.positive_boost": 1.0,
    "ranking.negative_boost": 1.0,
    "ranking.topic_boost": 1.02,
    "ranking.attention_boost": 1.05,
}
"""But for these, so that mood and fashion break ties and never outrank the better answer; see docs/hermes.md."""
WORDS = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}


def _setting(default: Any, doc: str, choices: tuple[str, ...] = ()) -> Any:
    return field(default=default, metadata={"doc": doc, "choices": choices})


@dataclass(frozen=True, slots=True, kw_only=True)
class HostSettings:
    """The plugin's own settings."""

    user_id: str = _setting("", "One person for all platforms; empty: the platform's user, else the owner of the home.")
    agent_id: str = _setting("", "The name that this agent writes under; empty: the host's profile.")
    is_primary: bool = _setting(True, "Whether this agent recalls what the user's other agents wrote.")
    recall: bool = _setting(True, "Whether memories are put into prompts; the tools work either way.")
    max_hits: int = _setting(5, "Memories put into one prompt at most.")
    token_budget: int = _setting(500, "Tokens that the memories put into one prompt may take.")
    language: str = _setting("auto", "Language of the heading above them.", choices=("auto", "en", "zh"))
    repeat_files: bool = _setting(True, "Recall what stands in MEMORY.md and USER.md too, though the prompt holds it.")
    archive: bool = _setting(False, "Keep every turn of the conversation too, secrets masked.")
    maintain: bool = _setting(True, "Do the upkeep that is due when a session ends.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """The plugin's settings, what goes to the engine (its dotted names), the store's URL, and each value's source."""

    home: Path
    host: HostSettings
    engine: Mapping[str, Any]
    url: str
    sources: Mapping[str, str]

    @property
    def folder(self) -> Path:
        """Where the plugin keeps its own files."""
        return self.home / "siltstone"


def configuration(home: Path, environ: Mapping[str, str]) -> Configuration:
    """The effective settings of a home. Raises InvalidInput or UnknownSetting for what cannot be used."""
    home = home.expanduser()
    own = {item.name: item for item in fields(HostSettings)}
    engine = {leaf.name: leaf for leaf in leaves()}
    layers = [
        *((str(home / name), _read(home / name)) for name in (PANEL_FILE, FILE)),
        ("environment", _named(environ)),
    ]
    values: dict[str, Any] = {}
    sources = dict.fromkeys(own, "default")
    for source, layer in layers:
        for name, value in layer.items():
            if name not in own and name not in engine:
                raise UnknownSetting(f"there is no setting {name!r} (from {source}); {nearest(name, {*own, *engine})}")
            values[name], sources[name] = value, source
    given = {name: _typed(own[name], values[name], sources[name]) for name in own if name in values}
    passed = _engine(values, engine, environ)
    effective = resolve(passed, environ=environ)
    passed |= {name: value for name, value in CALM.items() if effective.sources[name].startswith("profile")}
    bound = effective.settings.scope
    primary = bound.primary or effective.sources["scope.primary"] == "default"
    host = HostSettings(**{"agent_id": bound.agent_id, "is_primary": primary, **given})
    sources |= {
        name: effective.sources[f"scope.{leaf}"]
        for name, leaf in (("agent_id", "agent_id"), ("is_primary", "primary"))
        if name not in given
    }
    url = effective.settings.url if effective.sources["url"] != "default" else f"sqlite:///{home / DATABASE}"
    sources["url"] = sources.get("url", effective.sources["url"])
    engine_values = {name.replace(".", "__"): value for name, value in passed.items() if name != "url"}
    return Configuration(home=home, host=host, engine=engine_values, url=url, sources=sources)


def save(values: Mapping[str, Any], home: Path) -> Path:
    """Write these settings into the home's file, the others kept; the file. Nothing is written where one is wrong."""
    path = home / FILE
    known = {item.name for item in fields(HostSettings)} | {leaf.name for leaf in leaves()}
    if unknown := [name for name in values if name not in known]:
        raise UnknownSetting(f"there is no setting {unknown[0]!r}; {nearest(unknown[0], known)}")
    for item in fields(HostSettings):
        if item.name in values:
            _typed(item, values[item.name], "setup")
    merged = {**_read(path), **values}
    _write(path, merged)
    panel = _read(home / PANEL_FILE)
    if panel.keys() & values.keys():
        _write(home / PANEL_FILE, {name: value for name, value in panel.items() if name not in values})
    return path


def described() -> list[dict[str, Any]]:
    """The settings that setup asks for, in the host's form."""
    asked: list[dict[str, Any]] = [
        {
            "key": "url",
            "description": "Where memories are kept: empty for a file in this home, or redis://[:password@]host:port/db",
            "default": "",
            "env_var": "SILTSTONE_URL",
        }
    ]
    for item in fields(HostSettings):
        default = str(item.default).lower() if isinstance(item.default, bool) else str(item.default)
        entry: dict[str, Any] = {"key": item.name, "description": item.metadata["doc"], "default": default}
        choices = ("true", "false") if isinstance(item.default, bool) else item.metadata["choices"]
        asked.append(entry | ({"choices": list(choices)} if choices else {}))
    return asked


def _read(path: Path) -> dict[str, Any]:
    """The file as dotted names; {} where there is none."""
    try:
        tree = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise InvalidInput(f"the settings file {path} cannot be read: {error}; mend or remove it") from error
    if not isinstance(tree, dict):
        raise InvalidInput(f"the settings file {path} holds no object but {type(tree).__name__}; write {{}} around it")
    return dict(_flat(tree, ""))


def _flat(tree: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        elif value is not None:
            yield prefix + key, value


def _named(environ: Mapping[str, str]) -> dict[str, str]:
    return {
        name.removeprefix(PREFIX).lower(): value
        for name, value in environ.items()
        if name.startswith(PREFIX) and value != ""
    }


def _typed(item: Any, value: Any, source: str) -> Any:
    kind, choices = type(item.default), item.metadata["choices"]
    try:
        if kind is bool:
            result: Any = value if isinstance(value, bool) else WORDS[str(value).strip().casefold()]
        elif isinstance(value, bool) or (kind is int and isinstance(value, float)):
            raise ValueError(value)
        else:
            result = kind(value)
            if kind is int and result < 0:
                raise ValueError(value)
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput(
            f"the setting {item.name} cannot be {value!r} (from {source}); give a value of type {kind.__name__}"
        ) from error
    if choices and result not in choices:
        raise InvalidInput(f"the setting {item.name} cannot be {value!r} (from {source}); choose {', '.join(choices)}")
    return result


def _engine(values: Mapping[str, Any], known: Mapping[str, Leaf], environ: Mapping[str, str]) -> dict[str, Any]:
    """What the engine is opened with, by dotted name: the files' settings, where the environment does not win."""
    files = {"profile": PROFILE, **{name: value for name, value in values.items() if name in known}}
    return {name: value for name, value in files.items() if not environ.get(known[name].variable) and value != ""}


def _write(path: Path, values: Mapping[str, Any]) -> None:
    """Replace the file in one step; only its owner may read it, since a URL may hold a password."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    fresh.touch(mode=0o600)
    fresh.write_text(json.dumps(values, indent=2, ensure_ascii=False, sort_keys=True) + "\n", "utf-8")
    fresh.replace(path)
