"""Settings: precedence, names, types, and the errors that help."""

from __future__ import annotations

from pathlib import Path

import pytest

from siltstone import Memory
from siltstone.errors import InvalidInput, UnknownSetting
from siltstone.settings import Settings, leaves, resolve


def written(folder: Path, text: str) -> Path:
    """A settings file with this text."""
    file = folder / "config.toml"
    file.write_text(text, "utf-8")
    return file


def test_arguments_win_over_environment_over_file_over_defaults(tmp_path: Path) -> None:
    """The documented precedence holds for each setting on its own, and the source is told."""
    file = written(tmp_path, 'url = "memory://"\n[recall]\ntop_k = 3\ncache_mb = 7\n')
    environ = {"SILTSTONE_RECALL_TOP_K": "4", "SILTSTONE_EMBEDDING_TIMEOUT": "1.5", "HOME": "/nowhere"}
    resolved = resolve({"recall.top_k": 5, "url": None}, environ=environ, file=file)
    assert resolved.settings.recall.top_k == 5 and resolved.sources["recall.top_k"] == "argument"
    assert resolved.settings.embedding.timeout == 1.5 and resolved.sources["embedding.timeout"] == "environment"
    assert resolved.settings.recall.cache_mb == 7 and resolved.sources["recall.cache_mb"] == f"file {file}"
    assert resolved.settings.url == "memory://" and resolved.sources["embedding.batch"] == "default"


def test_nothing_given_means_the_defaults(tmp_path: Path) -> None:
    """Without a file, variables or arguments the tree is the default one; an empty variable counts as not given."""
    assert resolve(environ={"SILTSTONE_URL": ""}, file=tmp_path / "none.toml").settings == Settings()


@pytest.mark.parametrize(
    ("environ", "text", "arguments", "said"),
    [
        ({"SILTSTONE_RECALL_TOPK": "3"}, "", {}, "SILTSTONE_RECALL_TOP_K"),
        ({}, "[recal]\ntop_k = 3\n", {}, "recall.top_k"),
        ({}, "", {"recall.topk": 3}, "recall.top_k"),
        ({}, "", {"uri": "x"}, "url"),
    ],
)
def test_an_unknown_name_is_an_error_that_names_the_nearest(
    tmp_path: Path, environ: dict[str, str], text: str, arguments: dict[str, object], said: str
) -> None:
    """Whatever the source, a misspelt setting is refused with the spelling that was probably meant."""
    with pytest.raises(UnknownSetting, match=said):
        resolve(arguments, environ=environ, file=written(tmp_path, text))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("recall.top_k", "many"),
        ("recall.top_k", True),
        ("embedding.timeout", "soon"),
        ("url", 3),
        ("embedding.provider", "magic"),
    ],
)
def test_a_value_of_the_wrong_type_is_an_error(tmp_path: Path, name: str, value: object) -> None:
    """The message names the setting, the value and what is wanted."""
    with pytest.raises(InvalidInput, match=name):
        resolve({name: value}, environ={}, file=tmp_path / "none.toml")


def test_a_broken_file_is_an_error_and_not_ignored(tmp_path: Path) -> None:
    """A file that is no TOML, or no text, is named."""
    for content in (b"// not toml\n", b"\xff\xfe"):
        file = tmp_path / "config.toml"
        file.write_bytes(content)
        with pytest.raises(InvalidInput, match=r"config\.toml"):
            resolve(environ={}, file=file)


def test_every_leaf_is_documented_and_reachable() -> None:
    """Each setting has a sentence, a variable of its own, and a value of its type in the tree."""
    found = leaves()
    assert len({leaf.variable for leaf in found}) == len(found)
    for leaf in found:
        assert leaf.doc.endswith(".") and isinstance(leaf.default, leaf.type)
        assert resolve({leaf.name: leaf.default}, environ={}, file="/nowhere").sources[leaf.name] == "argument"


def test_open_takes_settings_and_refuses_unknown_schemes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory.open reads the environment when called, and an unknown store names the known ones."""
    monkeypatch.setenv("SILTSTONE_URL", "memory://")
    monkeypatch.setenv("SILTSTONE_RECALL_TOP_K", "2")
    with Memory.open(embedding__provider="none") as memory:
        memory.add(["tea one", "tea two", "tea three"], user_id="ana")
        assert memory.store.url == "memory://" and len(memory.retrieve("tea", user_id="ana")) == 2
    with pytest.raises(InvalidInput, match="sqlite"):
        Memory.open("mongodb://x")
    with pytest.raises(UnknownSetting, match=r"recall\.top_k"):
        Memory.open(recall__topk=3)
