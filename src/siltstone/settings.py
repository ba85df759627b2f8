"""Settings: one frozen tree, resolved once, from arguments > environment > file > defaults.

Nothing is read at import. Each leaf has an argument name (`recall.top_k`), an environment variable
(`SILTSTONE_RECALL_TOP_K`; `SILTSTONE_URL` for the store) and a key in the file (`[recall] top_k = …`).
An unknown name is an error that names the nearest known one. `SILTSTONE_CONFIG` names another file, and variables
that begin with `SILTSTONE_TEST_` belong to the test suite, with `SILTSTONE_HERMES_` to that host's plugin.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, get_type_hints

from siltstone.errors import InvalidInput, UnknownSetting, nearest

PREFIX = "SILTSTONE_"
FILE = "~/.config/siltstone/config.toml"
RESERVED = ("SILTSTONE_CONFIG",)
RESERVED_PREFIX = ("SILTSTONE_TEST_", "SILTSTONE_HERMES_")


def _setting(default: Any, doc: str, *, secret: bool = False, choices: tuple[str, ...] = ()) -> Any:
    return field(default=default, metadata={"doc": doc, "secret": secret, "choices": choices})


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreSettings:
    """Where and how memories are kept."""

    busy_timeout: float = _setting(30.0, "Seconds to wait for another writer before StoreBusy is raised.")


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingSettings:
    """The model behind the semantic channel."""

    provider: str = _setting(
        "auto",
        "Which embedder: `auto` takes the static model when its package is installed, else none.",
        choices=("auto", "static", "e5", "endpoint", "none"),
    )
    model: str = _setting("", "Model name that an endpoint is asked for.")
    base_url: str = _setting("", "Base URL of an OpenAI-compatible server, with or without /v1 or /v1/embeddings.")
    api_key: str = _setting("", "Bearer key of the endpoint.", secret=True)
    dimension: int = _setting(0, "Vector size to ask for; 0 takes what the model gives.")
    timeout: float = _setting(10.0, "Seconds until one request to the endpoint is given up.")
    retries: int = _setting(2, "How often a failed request is tried again (429, 5xx, connection errors).")
    batch: int = _setting(32, "Texts in one request; a server that refuses as many is asked in halves.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallSettings:
    """How memories are found and ranked."""

    top_k: int = _setting(10, "Hits returned where the call names no number.")
    floor: float = _setting(
        -1.0, "Confidence below which nothing is returned, on [0, 1]; -1 takes the calibrated one, 0 answers always."
    )
    half_life_days: float = _setting(0.0, "Half-life of the time factor in days; 0 switches the factor off.")
    cache_mb: int = _setting(1024, "Memory for the indexes of users in use; least recently used ones are dropped.")


@dataclass(frozen=True, slots=True, kw_only=True)
class FormationSettings:
    """How turns become beliefs."""

    mode: str = _setting(
        "inline",
        "When a processed turn is formed: `inline` before the call returns, `background` on a worker thread.",
        choices=("inline", "background"),
    )
    threshold: float = _setting(0.6, "Intensity from which a statement is vivid and an episode at once.")
    promote: float = _setting(0.2, "Score that a cluster of weak statements must exceed: ln(turns) × mean intensity.")
    cluster_min_size: int = _setting(3, "Distinct turns that a cluster needs before it can become an episode.")
    join_similarity: float = _setting(
        0.0, "Likeness from which a weak statement joins a cluster or speaks for a chain; 0 takes the calibrated value."
    )
    chain_max_distance: float = _setting(
        0.0, "Distance (1 − likeness) up to which an episode joins a chain; 0 takes the calibrated value."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings. `url` names the store; each section is one part of the engine."""

    url: str = _setting("sqlite:///~/.siltstone/memory.db", "The store: sqlite:///path, or memory:// for tests.")
    store: StoreSettings = field(default_factory=StoreSettings)
    embedding: EmbeddingSettings = field(default_factory=EmbeddingSettings)
    recall: RecallSettings = field(default_factory=RecallSettings)
    formation: FormationSettings = field(default_factory=FormationSettings)


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
    """The effective settings, and for each dotted name where its value came from."""

    settings: Settings
    sources: Mapping[str, str]
    file: Path


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

    Raises UnknownSetting for a name that no setting has, InvalidInput for a value of the wrong type.
    """
    path = Path(file or environ.get("SILTSTONE_CONFIG") or FILE).expanduser()
    layers = [
        (f"file {path}", _from_file(path)),
        ("environment", _from_environment(environ)),
        ("argument", {k: v for k, v in (arguments or {}).items() if v is not None}),
    ]
    known = {leaf.name: leaf for leaf in leaves()}
    values: dict[str, Any] = {}
    sources = dict.fromkeys(known, "default")
    for source, layer in layers:
        for name, value in layer.items():
            if name not in known:
                raise UnknownSetting(f"there is no setting {name!r} (from {source}); {nearest(name, known)}")
            values[name] = _coerce(known[name], value, source)
            sources[name] = source
    return Resolved(settings=_build(values), sources=sources, file=path)


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
    settings = Settings()
    for name, value in values.items():
        section, _, key = name.rpartition(".")
        if section:
            settings = replace(settings, **{section: replace(getattr(settings, section), **{key: value})})
        else:
            settings = replace(settings, **{key: value})
    return settings
