"""The precedence: what arguments, environment, file and the names of others say, made into one tree."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, get_type_hints

from siltstone.errors import InvalidInput, UnknownSetting, nearest
from siltstone.settings import foreign
from siltstone.settings.foreign import Given, Layers
from siltstone.settings.sections import HOST, Settings

PREFIX = "SILTSTONE_"
FILE = "~/.config/siltstone/config.toml"
RESERVED = ("SILTSTONE_CONFIG",)
RESERVED_PREFIX = ("SILTSTONE_TEST_", "SILTSTONE_HERMES_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One setting: its dotted name, variable, type, default, documentation."""

    name: str
    type: type
    default: Any
    doc: str
    secret: bool
    choices: tuple[str, ...]

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return PREFIX + self.name.replace(".", "_").upper()


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """The effective settings, and for each dotted name where its value came from.

    `unused` are the foreign variables and keys that are set and have no effect, each with the reason.
    """

    settings: Settings
    sources: Mapping[str, str]
    file: Path
    unused: Mapping[str, str] = field(default_factory=dict)


def leaves() -> tuple[Leaf, ...]:
    """Every setting, in the order of the tree."""
    return tuple(_leaves(Settings, ""))


def resolve(
    arguments: Mapping[str, Any] | None = None,
    *,
    environ: Mapping[str, str],
    file: str | Path | None = None,
) -> Resolved:
    """The effective settings. `arguments` maps dotted names to values; None values count as not given.

    From strong to weak: arguments, our variables, foreign variables, our file, Keepsake's file, defaults. Raises
    UnknownSetting for a name of ours that no setting has, InvalidInput for a value of the wrong type.
    """
    path = Path(file or environ.get("SILTSTONE_CONFIG") or FILE).expanduser()
    others = foreign.read(environ)
    layers: list[Mapping[str, Given]] = [
        others.file,
        _layer(f"file {path}", _from_file(path)),
        others.environment,
        _layer("environment", _from_environment(environ)),
        _layer("argument", {k: v for k, v in (arguments or {}).items() if v is not None}),
    ]
    known = {leaf.name: leaf for leaf in leaves()}
    values = {name: leaf.default for name, leaf in known.items()}
    sources = dict.fromkeys(known, "default")
    for layer in [*layers, None]:
        for name, given in layer.items() if layer is not None else foreign.filled(values, others.given):
            if name not in known:
                raise UnknownSetting(f"there is no setting {name!r} (from {given.source}); {nearest(name, known)}")
            values[name] = _coerce(known[name], given.value, given.source)
            sources[name] = given.source
    if values["profile"] == "host":
        for name in (name for name in HOST if sources[name] == "default"):
            values[name], sources[name] = HOST[name], "profile host"
    return Resolved(settings=_build(values), sources=sources, file=path, unused=_unused(others, values, sources))


def _layer(source: str, values: Mapping[str, Any]) -> dict[str, Given]:
    return {name: Given(variable="", value=value, source=source) for name, value in values.items()}


def _unused(others: Layers, values: Mapping[str, Any], sources: Mapping[str, str]) -> dict[str, str]:
    """Foreign names that are set and change nothing: another source won, or what they belong to is not in use."""
    found = dict(others.strange)
    effective = set(sources.values())
    single = {item.variable: item.setting for item in foreign.FOREIGN}
    for variable, given in others.given.items():
        setting = single[variable]
        if setting:
            if sources[setting] != given.source:
                found[variable] = f"{setting} is set by {sources[setting]}"
            elif reason := _idle(setting, values):
                found[variable] = reason
        elif given.source not in effective and not _shares(variable, others, sources):
            found[variable] = "another setting wins, or nothing that it belongs to is in use"
    return found


def _idle(setting: str, values: Mapping[str, Any]) -> str:
    """Why a setting of a model has no effect; "" where it has one."""
    section, _, key = setting.partition(".")
    if section == "completion" and key != "provider" and values["completion.provider"] == "none":
        return "no completion model is in use; set completion.provider"
    if section == "embedding" and key != "base_url" and values["embedding.provider"] in ("auto", "endpoint"):
        return "" if values["embedding.base_url"] else "no embedding endpoint is in use; set embedding.base_url"
    if section in ("entailment", "rerank"):
        if key == "enabled":
            return "" if values[f"{section}.base_url"] or not values[setting] else f"set {section}.base_url"
        return "" if values[f"{section}.enabled"] else f"{section}.enabled is false"
    return ""


def _shares(variable: str, others: Layers, sources: Mapping[str, str]) -> bool:
    """Whether the variable is part of an address that is in effect under another part's name."""
    stem = variable.rpartition("_")[0]
    return "_" in variable and any(
        name.rpartition("_")[0] == stem and sources["url"] == given.source for name, given in others.given.items()
    )


def _leaves(cls: type, prefix: str) -> Iterator[Leaf]:
    hints = get_type_hints(cls)
    for item in fields(cls):
        if is_dataclass(hints[item.name]):
            yield from _leaves(hints[item.name], f"{prefix}{item.name}.")
        else:
            yield _leaf(item, hints[item.name], prefix)


def _leaf(item: Field[Any], kind: type, prefix: str) -> Leaf:
    about = item.metadata
    return Leaf(
        name=prefix + item.name,
        type=kind,
        default=item.default,
        doc=about["doc"],
        secret=about["secret"],
        choices=about["choices"],
    )


def _from_file(path: Path) -> dict[str, Any]:
    try:
        tree = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidInput(f"the settings file {path} cannot be read: {error}; mend or remove it") from error
    return dict(_flatten(tree, ""))


def _flatten(tree: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _from_environment(environ: Mapping[str, str]) -> dict[str, str]:
    variables = {leaf.variable: leaf.name for leaf in leaves()}
    found = {}
    for variable, value in environ.items():
        if not variable.startswith(PREFIX) or variable in RESERVED or variable.startswith(RESERVED_PREFIX):
            continue
        if variable not in variables:
            raise UnknownSetting(
                f"there is no setting behind the environment variable {variable}; {nearest(variable, variables)}"
            )
        if value != "":
            found[variables[variable]] = value
    return found


def _coerce(leaf: Leaf, value: Any, source: str) -> Any:
    try:
        result = _typed(leaf.type, value)
    except (TypeError, ValueError, KeyError) as error:
        raise InvalidInput(
            f"the setting {leaf.name} cannot be {value!r} (from {source}); give a value of type {leaf.type.__name__}"
        ) from error
    if leaf.choices and result not in leaf.choices:
        raise InvalidInput(
            f"the setting {leaf.name} cannot be {value!r} (from {source}); choose one of: {', '.join(leaf.choices)}"
        )
    return result


def _typed(kind: type, value: Any) -> Any:
    if kind is bool:
        words = {
            "true": True,
            "1": True,
            "yes": True,
            "on": True,
            "false": False,
            "0": False,
            "no": False,
            "off": False,
        }
        return value if isinstance(value, bool) else words[str(value).strip().lower()]
    if isinstance(value, bool) or (kind is str and not isinstance(value, str)):
        raise TypeError(value)
    return kind(value)


def _build(values: Mapping[str, Any]) -> Settings:
    sections: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        section, _, key = name.rpartition(".")
        sections.setdefault(section, {})[key] = value
    default = Settings()
    made = {name: replace(getattr(default, name), **given) for name, given in sections.items() if name}
    return replace(default, **sections.get("", {}), **made)
