"""Settings of the plugin: the home's file, then the environment, then the engine's own."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest

from hosts.hermes.homes import Home
from siltstone.errors import InvalidInput, UnknownSetting
from siltstone.hosts.hermes.config import HostSettings, configuration, described, save
from siltstone.hosts.hermes.config_schema import _keeping  # noqa: F401 - importable without the host
from siltstone.hosts.hermes.provider import Provider


def test_an_empty_home_has_a_database_of_its_own(tmp_path: Path) -> None:
    """Nothing needs to be set."""
    found = configuration(tmp_path, {})
    assert found.url == f"sqlite:///{tmp_path}/siltstone/memory.db"
    assert found.host.is_primary
    assert found.engine["profile"] == "host"


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    """`SILTSTONE_HERMES_*` for the plugin's own, the engine's variables for the engine's; each source is named."""
    (tmp_path / "siltstone.json").write_text('{"max_hits": 3, "recall": {"floor": 0.2}, "token_budget": 90}', "utf-8")
    environ = {"SILTSTONE_HERMES_MAX_HITS": "7", "SILTSTONE_URL": "memory://", "SILTSTONE_RECALL_FLOOR": "0.1"}
    found = configuration(tmp_path, environ)
    assert (found.host.max_hits, found.host.token_budget, found.url) == (7, 90, "memory://")
    assert found.sources["max_hits"] == "environment"
    assert "recall__floor" not in found.engine


def test_keepsakes_variables_reach_the_plugin(tmp_path: Path) -> None:
    """Whoever comes from Keepsake keeps the server, the agent and whether it is primary."""
    environ = {"KEEPSAKE_REDIS_HOST": "db.example", "KEEPSAKE_AGENT_ID": "kim", "KEEPSAKE_IS_PRIMARY": "false"}
    found = configuration(tmp_path, environ)
    assert found.url.startswith("redis://db.example")
    assert (found.host.agent_id, found.host.is_primary) == ("kim", False)


@pytest.mark.parametrize("text", ['{"max_hitz": 3}', '{"recal": {"floor": 1}}'])
def test_an_unknown_name_is_an_error(tmp_path: Path, text: str) -> None:
    """The nearest known name is told."""
    (tmp_path / "siltstone.json").write_text(text, "utf-8")
    with pytest.raises(UnknownSetting, match=r"there is no setting"):
        configuration(tmp_path, {})


@pytest.mark.parametrize("value", ['"many"', "-1", "1.5", "true"])
def test_a_wrong_value_is_an_error(tmp_path: Path, value: str) -> None:
    """A number is a whole number of at least 0."""
    (tmp_path / "siltstone.json").write_text(f'{{"max_hits": {value}}}', "utf-8")
    with pytest.raises(InvalidInput, match=r"max_hits cannot be"):
        configuration(tmp_path, {})


def test_saving_keeps_what_is_there(home: Home) -> None:
    """Setup's text values are taken, other settings stay, the file is the owner's alone; nonsense is refused whole."""
    Provider().save_config({"max_hits": "4", "archive": "true"}, str(home.path))
    path = home.path / "siltstone.json"
    assert json.loads(path.read_text("utf-8"))["embedding.provider"] == "none"
    assert path.stat().st_mode & 0o077 == 0
    found = configuration(home.path, {})
    assert (found.host.max_hits, found.host.archive) == (4, True)
    with pytest.raises(InvalidInput):
        save({"max_hits": "4", "archive": "perhaps"}, home.path)
    assert configuration(home.path, {}).host.archive


def test_every_setting_is_described() -> None:
    """Setup asks for the store and for each of the plugin's settings, with a default and its choices."""
    keys = [item["key"] for item in described()]
    assert keys == ["url", *(item.name for item in fields(HostSettings))]
    assert all(item["description"] and "default" in item for item in described())
