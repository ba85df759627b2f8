"""The names of others: each one is read, wins and loses where it should, and is reported where it has no effect."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from siltstone.errors import InvalidInput
from siltstone.settings import FOREIGN, Resolved, leaves, resolve

KNOWN = {leaf.name: leaf for leaf in leaves()}
SINGLE = [item for item in FOREIGN if item.setting]


def resolved(environ: dict[str, str], **more: Any) -> Resolved:
    """The settings under these variables alone."""
    return resolve(environ=environ, file="/nowhere/config.toml", **more)


def value(found: Resolved, name: str) -> Any:
    """The effective value of a setting."""
    here: Any = found.settings
    for part in name.split("."):
        here = getattr(here, part)
    return here


def other(name: str) -> str:
    """A value, as text, that is not the setting's default."""
    leaf = KNOWN[name]
    if leaf.choices:
        return next(choice for choice in leaf.choices if choice != leaf.default and choice != "none")
    if leaf.type is bool:
        return "false" if leaf.default else "true"
    return "0.37" if leaf.type is float else "7" if leaf.type is int else "http://localhost:1/x"


@pytest.mark.parametrize("item", SINGLE, ids=lambda item: item.variable)
def test_every_foreign_variable_sets_what_it_says(item: Any) -> None:
    """The variable under its own name gives the setting its value, and the source names the variable."""
    text = other(item.setting)
    found = resolved({item.variable: text})
    assert str(value(found, item.setting)).lower() == text
    assert found.sources[item.setting] == f"environment {item.variable}"


@pytest.mark.parametrize("item", [item for item in SINGLE if item.key], ids=lambda item: item.key)
def test_every_key_of_keepsakes_file_sets_what_it_says(item: Any, tmp_path: Path) -> None:
    """The key alone, in a file with comments and trailing commas, gives the setting its value."""
    text = other(item.setting)
    head, _, key = item.key.rpartition(".")
    inner = f'"{key}": "{text}", // why not'
    body = f'{{ "{head}": {{ {inner}\n }}, }}' if head else f"{{ {inner}\n}}"
    file = tmp_path / "config.json"
    file.write_text(f"// https://example.org is no comment in a string\n{body}\n", "utf-8")
    found = resolved({"KEEPSAKE_CONFIG": str(file)})
    assert str(value(found, item.setting)).lower() == text and not found.unused.keys() & {f"{key} in {file}"}
    own = "SILTSTONE_" + item.setting.replace(".", "_").upper()
    assert found.sources[item.setting] != "default" and resolved({"KEEPSAKE_CONFIG": str(file), own: text}).unused


def test_the_parts_of_an_address_make_one_url() -> None:
    """Host, port and password of Bubble's and Keepsake's stores become the store's URL, whichever of them are set."""
    assert resolved({"FALKORDB_PORT": "7001"}).settings.url == "falkordb://127.0.0.1:7001"
    given = {"FALKORDB_HOST": "db", "FALKORDB_PORT": "1", "FALKORDB_USERNAME": "me", "FALKORDB_PASSWORD": "a/b"}
    found = resolved(given)
    assert found.settings.url == "falkordb://me:a%2Fb@db:1" and not found.unused
    assert resolved({"KEEPSAKE_REDIS_HOST": "h", "KEEPSAKE_REDIS_PASSWORD": "p@ss"}).settings.url == (
        "redis://:p%40ss@h:6379"
    )
    both = resolved({"FALKORDB_HOST": "db", "SILTSTONE_URL": "memory://"})
    assert both.settings.url == "memory://" and list(both.unused) == ["FALKORDB_HOST"]


def test_precedence_of_ours_and_theirs(tmp_path: Path) -> None:
    """Arguments, our variable, their variable, our file, their file, the default: the first that is set counts."""
    theirs, ours = tmp_path / "config.json", tmp_path / "config.toml"
    theirs.write_text('{"top_k": 1, "is_primary": false}', "utf-8")
    environ = {"KEEPSAKE_CONFIG": str(theirs)}
    assert resolve(environ=environ, file=ours).settings.recall.top_k == 1
    ours.write_text("[recall]\ntop_k = 2\n", "utf-8")
    assert resolve(environ=environ, file=ours).settings.recall.top_k == 2
    environ |= {"KEEPSAKE_TOP_K": "3"}
    assert resolve(environ=environ, file=ours).settings.recall.top_k == 3
    environ |= {"SILTSTONE_RECALL_TOP_K": "4"}
    found = resolve(environ=environ, file=ours)
    assert found.settings.recall.top_k == 4 and "KEEPSAKE_TOP_K" in found.unused
    assert resolve({"recall.top_k": 5}, environ=environ, file=ours).settings.recall.top_k == 5
    assert found.settings.scope.primary is False


@pytest.mark.parametrize("provider", ["anthropic", "openai", "gemini"])
def test_a_vendors_key_goes_to_that_vendor_alone(provider: str) -> None:
    """The key of a provider is used where the provider is chosen, and reported as unused where it is not."""
    variable = f"{provider.upper()}_API_KEY"
    idle = resolved({variable: "sk-1"})
    assert idle.settings.completion.api_key == "" and variable in idle.unused
    found = resolved({variable: "sk-1", "BUBBLE_LLM_PROVIDER": provider, "BUBBLE_MODEL": "m"})
    assert found.settings.completion.api_key == "sk-1" and not found.unused
    mine = resolved({variable: "sk-1", "SILTSTONE_COMPLETION_PROVIDER": provider, "SILTSTONE_COMPLETION_API_KEY": "x"})
    assert mine.settings.completion.api_key == "x" and variable in mine.unused


def test_openais_key_is_sent_to_no_other_embedding_server() -> None:
    """A key reaches the embedding endpoint only where that is OpenAI's, the configured base, or Keepsake's embedder."""
    key = {"OPENAI_API_KEY": "sk-1"}
    assert resolved(key | {"BUBBLE_EMBED_ENDPOINT": "http://localhost:8997/v1"}).settings.embedding.api_key == ""
    home = {"SILTSTONE_EMBEDDING_BASE_URL": "https://api.openai.com/v1"}
    assert resolved(key | home).settings.embedding.api_key == "sk-1"
    dash = resolved(key | {"KEEPSAKE_EMBEDDER": "dashscope"})
    assert dash.settings.embedding.api_key == "sk-1" and dash.settings.embedding.model == "text-embedding-v2"
    with pytest.raises(InvalidInput, match="dashscope"):
        resolved({"KEEPSAKE_EMBEDDER": "magic"})


def test_what_is_set_without_effect_is_reported_with_the_reason() -> None:
    """A model's setting without that model, a switched-off server, and names that nobody has are all said."""
    found = resolved(
        {
            "BUBBLE_MODEL": "m",
            "BUBBLE_EMBED_DIM": "768",
            "BUBBLE_NLI_MODEL": "nli",
            "BUBBLE_NLI_ENDPOINT": "http://localhost:8999",
            "BUBBLE_ENABLE_NLI": "false",
            "BUBBLE_EMBED_DIMS": "3",
            "KEEPSAKE_TOPK": "3",
        }
    )
    assert found.unused.keys() >= {"BUBBLE_MODEL", "BUBBLE_EMBED_DIM", "BUBBLE_NLI_MODEL", "BUBBLE_NLI_ENDPOINT"}
    assert "BUBBLE_EMBED_DIM" in found.unused["BUBBLE_EMBED_DIMS"] and "KEEPSAKE_TOP_K" in found.unused["KEEPSAKE_TOPK"]


def test_bubbles_printed_configuration_is_in_effect_whole() -> None:
    """The `.env` of Bubble's README leaves nothing unused."""
    found = resolved(
        {
            "BUBBLE_LLM_PROVIDER": "anthropic",
            "ANTHROPIC_API_KEY": "sk-1",
            "FALKORDB_HOST": "localhost",
            "FALKORDB_PORT": "6379",
            "BUBBLE_EMBED_DIM": "768",
            "BUBBLE_EMBED_ENDPOINT": "http://localhost:8997/v1/embeddings",
            "BUBBLE_ENABLE_NLI": "true",
            "BUBBLE_NLI_ENDPOINT": "http://localhost:8999/predict",
        }
    )
    assert not found.unused and found.settings.url == "falkordb://localhost:6379"
    assert found.settings.completion.provider == "anthropic" and found.settings.embedding.dimension == 768
    switched = resolved({"BUBBLE_ENABLE_NLI": "true"})
    assert switched.settings.entailment.base_url == "http://localhost:8999/predict" and not switched.unused


@pytest.mark.parametrize("text", ["[1]", "{", '{"top_k": "many"}'])
def test_a_broken_keepsake_file_is_an_error(tmp_path: Path, text: str) -> None:
    """A file that is no object, no JSON, or holds a value of the wrong type is named and never ignored."""
    file = tmp_path / "config.json"
    file.write_text(text, "utf-8")
    with pytest.raises(InvalidInput, match=r"config\.json|top_k"):
        resolved({"KEEPSAKE_CONFIG": str(file)})


def test_unknown_keys_of_keepsakes_file_are_reported(tmp_path: Path) -> None:
    """A misspelt key is said with the nearest one, and a missing named file is an error."""
    file = tmp_path / "config.json"
    file.write_text('{"topk": 3}', "utf-8")
    assert "top_k" in resolved({"KEEPSAKE_CONFIG": str(file)}).unused[f"topk in {file}"]
    with pytest.raises(InvalidInput, match="KEEPSAKE_CONFIG"):
        resolved({"KEEPSAKE_CONFIG": str(tmp_path / "none.json")})
