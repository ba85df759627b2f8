"""The names of others: what Bubble, Keepsake and Semantica read, and which of our settings each one is.

A foreign variable counts below our own variable and above our file; Keepsake's own file counts below ours. What is set
and has no effect is reported with the reason (`Resolved.unused`): `doctor` shows it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from siltstone.errors import InvalidInput, nearest

BUBBLE, KEEPSAKE, SEMANTICA = "Bubble", "Keepsake", "Semantica"
PREFIXES = {"BUBBLE_": BUBBLE, "FALKORDB_": BUBBLE, "KEEPSAKE_": KEEPSAKE}
"""Variables that begin so are theirs: one that they do not know is reported."""
KEEPSAKE_FILE = "~/.config/keepsake/config.json"
ENDPOINTS = {
    "openai": "https://api.openai.com/v1",
    "dashscope": "https://dashscope.aliyuncs.com/compatible-mode/v1",
}
"""Where Keepsake's embedding providers are, when it names no address."""
SMALL_MODEL = {"openai": "text-embedding-3-small", "dashscope": "text-embedding-v2"}
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])')


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """A variable of another system, its key in that system's file ("" = none), the setting that it is, and whose it is.

    `setting` is "" where several make one setting together (an address) or where it fills in for another.
    """

    variable: str
    setting: str
    product: str
    key: str = ""
    doc: str = ""


def _bubble(variable: str, setting: str, doc: str = "") -> Foreign:
    return Foreign(variable=variable, setting=setting, product=BUBBLE, doc=doc)


def _keepsake(key: str, setting: str, doc: str = "") -> Foreign:
    return Foreign(variable=f"KEEPSAKE_{key.upper()}", setting=setting, product=KEEPSAKE, key=key, doc=doc)


def _embedder(key: str, variable: str, setting: str, doc: str = "") -> Foreign:
    return Foreign(variable=variable, setting=setting, product=KEEPSAKE, key=f"embedder.{key}", doc=doc)


FOREIGN: tuple[Foreign, ...] = (
    _bubble("FALKORDB_HOST", "", "Host of the store: `url` becomes falkordb://host:port."),
    _bubble("FALKORDB_PORT", "", "Port of the store."),
    _bubble("FALKORDB_USERNAME", "", "User of the store."),
    _bubble("FALKORDB_PASSWORD", "", "Password of the store."),
    _bubble("BUBBLE_LLM_PROVIDER", "completion.provider"),
    _bubble("BUBBLE_MODEL", "completion.model"),
    _bubble("ANTHROPIC_API_KEY", "", "`completion.api_key` where the provider is anthropic."),
    _bubble("OPENAI_API_KEY", "", "`completion.api_key` where the provider is openai; `embedding.api_key` at OpenAI."),
    _bubble("OPENAI_BASE_URL", "", "`completion.base_url` where the provider is openai."),
    _bubble("GEMINI_API_KEY", "", "`completion.api_key` where the provider is gemini."),
    _bubble("BUBBLE_EMBED_ENDPOINT", "embedding.base_url"),
    _bubble("BUBBLE_EMBED_DIM", "embedding.dimension"),
    _bubble("BUBBLE_RERANK_ENABLED", "rerank.enabled"),
    _bubble("BUBBLE_RERANK_ENDPOINT", "rerank.base_url"),
    _bubble("BUBBLE_ENABLE_NLI", "entailment.enabled"),
    _bubble("BUBBLE_NLI_ENDPOINT", "entailment.base_url"),
    _bubble("BUBBLE_NLI_MODEL", "entailment.model"),
    _bubble("BUBBLE_EPISODIC_THRESHOLD", "formation.threshold"),
    _bubble("BUBBLE_PROMOTE_THRESHOLD", "formation.promote"),
    _bubble("BUBBLE_CLUSTER_MIN_SIZE", "formation.cluster_min_size"),
    _bubble("BUBBLE_CLUSTER_DIMS", "formation.cluster_dimensions"),
    _bubble("BUBBLE_CLUSTER_JOIN_SIM", "formation.join_similarity"),
    _bubble("BUBBLE_T_SIMILARITY", "formation.topic_similarity"),
    _bubble("BUBBLE_CHAIN_MAX_DISTANCE", "formation.chain_max_distance"),
    _bubble("BUBBLE_ARCHIVE_DIR", "formation.archive_dir"),
    Foreign(variable="CONTEXT_TOKEN_LIMIT", setting="context.token_limit", product=SEMANTICA),
    _keepsake("redis_host", "", "Host of the store: `url` becomes redis://host:port."),
    _keepsake("redis_port", "", "Port of the store."),
    _keepsake("redis_password", "", "Password of the store."),
    _keepsake("top_k", "recall.top_k"),
    _keepsake("candidate_k", "recall.semantic_candidates"),
    _keepsake("bm25_limit", "recall.lexical_candidates"),
    _keepsake("tag_filter", "recall.tags"),
    _keepsake("skip_min_length", "guard.min_length"),
    _keepsake("skip_patterns_file", "guard.patterns_file"),
    _keepsake("decay_half_days", "recall.half_life_days"),
    _keepsake("hot_topic_decay_half_days", "ranking.topic_half_life_days"),
    _keepsake("sentiment_boost_positive", "ranking.positive_boost"),
    _keepsake("sentiment_boost_negative", "ranking.negative_boost"),
    _keepsake("feedback_positive_boost", "ranking.feedback_boost"),
    _keepsake("feedback_negative_penalty", "ranking.feedback_penalty"),
    _keepsake("hot_topic_boost", "ranking.topic_boost"),
    _keepsake("attention_boost_max", "ranking.attention_boost"),
    _keepsake("attention_base_increment", "ranking.attention_increment"),
    _keepsake("attention_emotion_factor", "ranking.attention_emotion"),
    _keepsake("emotion_intensity_factor", "ranking.emotion_factor"),
    _keepsake("embed_cache_ttl", "embedding.cache_seconds"),
    _embedder("provider", "KEEPSAKE_EMBEDDER", "", "`openai` or `dashscope`: that provider's address and small model."),
    _embedder("base_url", "KEEPSAKE_EMBEDDER_URL", "embedding.base_url"),
    _embedder("model", "KEEPSAKE_EMBEDDER_MODEL", "embedding.model"),
    _embedder("api_key", "KEEPSAKE_EMBEDDER_API_KEY", "embedding.api_key"),
    _keepsake("consolidate_min_group", "upkeep.consolidate_min_group"),
    _keepsake("consolidate_max_age_hours", "upkeep.consolidate_min_age_hours"),
    _keepsake("forget_max_age_days", "upkeep.forget_min_age_days"),
    _keepsake("forget_dry_run", "upkeep.forget_dry_run"),
    _keepsake("agent_id", "scope.agent_id"),
    _keepsake("is_primary", "scope.primary"),
    _keepsake("synonym_min_word_freq", "synonyms.min_frequency"),
    _keepsake("synonym_jaccard_threshold", "synonyms.min_jaccard"),
    _keepsake("synonym_min_co_occurrence", "synonyms.min_together"),
    _keepsake("entity_cooc_top_n", "synonyms.related_entities"),
    _keepsake("entity_cooc_min_count", "synonyms.related_min_count"),
)
"""Every foreign name, in the order of its product's own table."""

VENDOR_KEYS = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY", "gemini": "GEMINI_API_KEY"}
LOCAL = {
    "entailment": ("BUBBLE_ENABLE_NLI", "http://localhost:8999/predict"),
    "rerank": ("BUBBLE_RERANK_ENABLED", "http://localhost:8998/rerank"),
}
"""Where Bubble's servers are when it is told to use them and not where they are."""
TRUE = {"true", "1", "yes", "on"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A foreign value that is set: which variable it is, its value, and where it was read."""

    variable: str
    value: Any
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Layers:
    """What foreign names say, as two layers of (setting → where and what): Keepsake's file, and the environment.

    `strange` are variables and keys that look like one of another system and are none, with the nearest.
    """

    file: Mapping[str, Given]
    environment: Mapping[str, Given]
    given: Mapping[str, Given]
    strange: Mapping[str, str]


def read(environ: Mapping[str, str]) -> Layers:
    """Everything foreign that is set. Raises InvalidInput for a Keepsake file that cannot be read."""
    filed, strange = _from_file(environ)
    by_file = {item.variable: item for item in filed}
    by_environment = {
        item.variable: Given(
            variable=item.variable, value=environ[item.variable], source=f"environment {item.variable}"
        )
        for item in FOREIGN
        if environ.get(item.variable, "") != ""
    }
    given = {**by_file, **by_environment}
    layers: dict[bool, dict[str, Given]] = {True: {}, False: {}}
    for item in FOREIGN:
        for found in (by_file, by_environment):
            if item.setting and item.variable in found:
                layers[found is by_environment][item.setting] = found[item.variable]
    for setting, value, parts in _together(given):
        named = next((part for part in parts if part in by_environment), parts[0])
        layers[named in by_environment].setdefault(
            setting, Given(variable=named, value=value, source=given[named].source)
        )
    strange |= dict(_strangers(environ))
    return Layers(file=layers[False], environment=layers[True], given=given, strange=strange)


def filled(settings: Mapping[str, Any], given: Mapping[str, Given]) -> Iterator[tuple[str, Given]]:
    """The keys and addresses that a chosen provider takes from its vendor's own variables, where none is set."""
    provider = str(settings["completion.provider"])
    wanted = {"completion.api_key": VENDOR_KEYS.get(provider, "")}
    if provider == "openai":
        wanted["completion.base_url"] = "OPENAI_BASE_URL"
    if is_openais(str(settings["embedding.base_url"]), given):
        wanted["embedding.api_key"] = "OPENAI_API_KEY"
    for setting, variable in wanted.items():
        if not settings[setting] and variable in given:
            yield setting, given[variable]


def is_openais(address: str, given: Mapping[str, Given]) -> bool:
    """Whether OPENAI_API_KEY belongs to that address: a key is never sent to a server that it was not made for."""
    asked = address.rstrip("/")
    bases = [ENDPOINTS["openai"], *(str(given[name].value) for name in ("OPENAI_BASE_URL",) if name in given)]
    return bool(asked) and (any(asked.startswith(base.rstrip("/")) for base in bases) or "KEEPSAKE_EMBEDDER" in given)


def _together(given: Mapping[str, Given]) -> Iterator[tuple[str, Any, list[str]]]:
    """(setting, value, the variables it is made of) for what several variables say together."""
    for scheme, names, port in (
        ("falkordb", ("FALKORDB_HOST", "FALKORDB_PORT", "FALKORDB_USERNAME", "FALKORDB_PASSWORD"), 6379),
        ("redis", ("KEEPSAKE_REDIS_HOST", "KEEPSAKE_REDIS_PORT", "", "KEEPSAKE_REDIS_PASSWORD"), 6379),
    ):
        parts = [name for name in names if name in given]
        if parts:
            yield "url", _address(scheme, [str(given[n].value) if n in given else "" for n in names], port), parts
    if "KEEPSAKE_EMBEDDER" in given:
        provider = str(given["KEEPSAKE_EMBEDDER"].value).strip().lower()
        if provider not in ENDPOINTS:
            raise InvalidInput(
                f"Keepsake's embedder cannot be {provider!r} (from {given['KEEPSAKE_EMBEDDER'].source}); choose one "
                f"of: {', '.join(ENDPOINTS)}, or set embedding.base_url"
            )
        yield "embedding.base_url", ENDPOINTS[provider], ["KEEPSAKE_EMBEDDER"]
        yield "embedding.model", SMALL_MODEL[provider], ["KEEPSAKE_EMBEDDER"]
    for section, (switch, address) in LOCAL.items():
        if switch in given and str(given[switch].value).strip().lower() in TRUE:
            yield f"{section}.base_url", address, [switch]


def _address(scheme: str, parts: list[str], port: int) -> str:
    host, named, user, password = parts
    login = f"{quote(user, safe='')}:{quote(password, safe='')}@" if password else ""
    return f"{scheme}://{login}{host or '127.0.0.1'}:{named or port}"


def _from_file(environ: Mapping[str, str]) -> tuple[list[Given], dict[str, str]]:
    """What Keepsake's file sets, and its keys that mean nothing. Comments and trailing commas are understood."""
    named = environ.get("KEEPSAKE_CONFIG", "")
    path = Path(named or KEEPSAKE_FILE).expanduser()
    try:
        text = path.read_text("utf-8")
        tree = json.loads(_TRAILING.sub(lambda m: m[1] or "", _COMMENT.sub(lambda m: m[1] or "", text)))
        if not isinstance(tree, dict):
            raise ValueError("it holds no object")
    except FileNotFoundError:
        if named:
            raise InvalidInput(f"KEEPSAKE_CONFIG names {named!r}, which is not there; correct or unset it") from None
        return [], {}
    except (OSError, ValueError) as error:
        raise InvalidInput(f"Keepsake's settings file {path} cannot be read: {error}; mend or remove it") from error
    embedder = tree.pop("embedder", None)
    values = tree | {f"embedder.{key}": value for key, value in (embedder or {}).items()}
    known = {item.key: item.variable for item in FOREIGN if item.key}
    source = f"file {path}"
    found = [
        Given(variable=known[key], value=value, source=f"{source} ({key})")
        for key, value in values.items()
        if key in known and value is not None and value != ""
    ]
    strange = {
        f"{key} in {path}": f"Keepsake has no such key; {nearest(key, known)}" for key in values if key not in known
    }
    return found, strange


def _strangers(environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    known = {item.variable for item in FOREIGN} | {"KEEPSAKE_CONFIG"}
    for name, value in environ.items():
        product = next((product for prefix, product in PREFIXES.items() if name.startswith(prefix)), None)
        if product is not None and name not in known and value != "":
            yield name, f"{product} has no such variable; {nearest(name, known)}"
