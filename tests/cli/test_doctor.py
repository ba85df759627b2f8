"""doctor and config: what is looked at, what mends it, and that secrets stay secret."""

from __future__ import annotations

import json
import stat
import tomllib
from pathlib import Path

import pytest

from cli.started import Siltstone
from models import crossencoders
from siltstone import settings


@pytest.fixture
def file(siltstone: Siltstone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings file that is read; it does not exist yet."""
    path = tmp_path / "configuration" / "config.toml"
    monkeypatch.setenv("SILTSTONE_CONFIG", str(path))
    return path


def test_doctor_reports_settings_versions_store_and_model(siltstone: Siltstone) -> None:
    """A healthy memory exits with 0; every setting is there with its source."""
    siltstone.add("text")
    document = siltstone.run("doctor", "--json").json
    assert document["ok"] is True
    assert {"siltstone", "python", "sqlite", "numpy"} <= document["versions"].keys()
    assert {row["name"]: row["source"] for row in document["settings"]}["url"] == "environment"
    assert len(document["settings"]) == len(settings.leaves())
    names = {finding["name"] for finding in document["findings"]}
    assert {"settings", "store", "users", "model", "store: integrity", "store: permissions"} <= names


def test_doctor_in_a_pipe_prints_one_fact_a_line(siltstone: Siltstone) -> None:
    """Each line begins with what it is about."""
    lines = siltstone.run("doctor").out.splitlines()
    assert {line.split("\t")[0] for line in lines} == {"version", "setting", "check"}


def test_doctor_tries_the_model(siltstone: Siltstone, monkeypatch: pytest.MonkeyPatch) -> None:
    """The embedder is loaded and asked; its name and speed are reported, and what waits for it."""
    siltstone.add("text")
    monkeypatch.setenv("SILTSTONE_EMBEDDING_PROVIDER", "static")
    findings = {item["name"]: item for item in siltstone.run("doctor", "--json").json["findings"]}
    assert findings["model"]["ok"] is True
    assert "dimensions" in findings["model"]["detail"]
    assert "siltstone reindex" in findings["vectors"]["remedy"]


def test_doctor_tries_the_reranker(siltstone: Siltstone, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A cross-encoder is loaded and asked; one that cannot be read is a finding with a remedy, and exit code 4."""
    folder = crossencoders.write(tmp_path / "overlap")
    monkeypatch.setenv("SILTSTONE_RERANK_PATH", str(folder))
    findings = {item["name"]: item for item in siltstone.run("doctor", "--json").json["findings"]}
    assert findings["reranker"]["ok"] is True
    assert findings["reranker"]["detail"].startswith("cross-encoder/overlap/")
    (folder / "model.onnx").write_bytes(b"")
    outcome = siltstone.run("doctor", "--json")
    (finding,) = (item for item in outcome.json["findings"] if item["name"] == "reranker")
    assert outcome.code == 4
    assert not finding["ok"]
    assert "rerank.enabled" in finding["remedy"]


def test_doctor_finds_a_model_that_does_not_answer(siltstone: Siltstone, monkeypatch: pytest.MonkeyPatch) -> None:
    """An endpoint that nobody serves is a finding with a remedy, and exit code 4."""
    monkeypatch.setenv("SILTSTONE_EMBEDDING_PROVIDER", "endpoint")
    monkeypatch.setenv("SILTSTONE_EMBEDDING_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("SILTSTONE_EMBEDDING_MODEL", "m")
    monkeypatch.setenv("SILTSTONE_EMBEDDING_RETRIES", "0")
    outcome = siltstone.run("doctor", "--json")
    (finding,) = (item for item in outcome.json["findings"] if item["name"] == "model")
    assert outcome.code == 4
    assert finding["ok"] is False
    assert finding["remedy"]


def test_doctor_repairs_permissions(siltstone: Siltstone) -> None:
    """A store that others can read is found, and --repair closes it."""
    siltstone.add("text")
    siltstone.store.chmod(0o644)
    outcome = siltstone.run("doctor")
    assert outcome.code == 4
    assert "FAIL" in outcome.out
    repaired = siltstone.run("doctor", "--repair", "--json")
    assert repaired.code == 0
    assert stat.S_IMODE(siltstone.store.stat().st_mode) == 0o600


def test_doctor_reports_a_store_that_cannot_be_opened(siltstone: Siltstone) -> None:
    """A file that is no store is a finding, not a crash: settings and versions are still printed."""
    siltstone.store.parent.mkdir()
    siltstone.store.write_bytes(b"this is no database" * 1000)
    outcome = siltstone.run("doctor", "--json")
    assert outcome.code == 4
    assert outcome.json["settings"]
    assert [item["ok"] for item in outcome.json["findings"] if item["name"] == "store"] == [False]


def test_doctor_reports_settings_that_cannot_be_read(siltstone: Siltstone, file: Path) -> None:
    """A damaged settings file is a finding that names the file."""
    file.parent.mkdir()
    file.write_text("[recall\n")
    outcome = siltstone.run("doctor", "--json")
    (finding,) = (item for item in outcome.json["findings"] if item["name"] == "settings")
    assert outcome.code == 4
    assert str(file) in finding["detail"]


def test_doctor_warns_of_a_secret_that_others_can_read(siltstone: Siltstone, file: Path) -> None:
    """A key in a settings file with open permissions is a finding; the remedy is the command that closes it."""
    file.parent.mkdir()
    file.write_text('[embedding]\napi_key = "very-secret"\n')
    file.chmod(0o644)
    outcome = siltstone.run("doctor", "--json")
    (finding,) = (item for item in outcome.json["findings"] if item["name"] == "settings")
    assert finding["remedy"] == f"run: chmod 600 {file}"


@pytest.mark.parametrize(
    "command", [["doctor"], ["doctor", "--json"], ["config", "show"], ["config", "show", "--json"]]
)
def test_secrets_are_never_printed(siltstone: Siltstone, monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    """A key that is set shows as a mask."""
    monkeypatch.setenv("SILTSTONE_EMBEDDING_API_KEY", "very-secret")
    outcome = siltstone.run(*command)
    assert "very-secret" not in outcome.out + outcome.err
    assert "********" in outcome.out


def test_config_show_says_where_each_value_comes_from(
    siltstone: Siltstone, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Argument over environment over file over default, per setting; the store is not opened."""
    file.parent.mkdir()
    file.write_text("[recall]\ntop_k = 7\ncache_mb = 5\n")
    monkeypatch.setenv("SILTSTONE_RECALL_CACHE_MB", "6")
    outcome = siltstone.run("config", "show", "--db", "sqlite:///elsewhere.db", "--json")
    rows = {row["name"]: (row["value"], row["source"]) for row in outcome.json["settings"]}
    assert rows["url"] == ("sqlite:///elsewhere.db", "argument")
    assert rows["recall.cache_mb"] == ("6", "environment")
    assert rows["recall.top_k"] == ("7", f"file {file}")
    assert rows["recall.floor"][1] == "default"
    assert not siltstone.store.exists()


def test_config_init_writes_a_file_in_which_nothing_is_set(siltstone: Siltstone, file: Path) -> None:
    """The file names every setting, changes none, and is for its owner's eyes alone."""
    assert siltstone.run("config", "init").out.strip() == str(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    before = tomllib.loads(file.read_text("utf-8"))
    assert all(section == {} for section in before.values())
    assert all(leaf.variable in file.read_text("utf-8") for leaf in settings.leaves())


def test_config_init_gives_a_file_that_can_be_uncommented(siltstone: Siltstone, file: Path) -> None:
    """Every commented setting is valid as it stands: its default."""
    siltstone.run("config", "init")
    lines = [line.removeprefix("# ") if " = " in line else line for line in file.read_text("utf-8").splitlines()]
    file.write_text("\n".join(lines))
    resolved = settings.resolve(environ={"SILTSTONE_CONFIG": str(file)})
    assert resolved.settings == settings.Settings()


def test_config_init_does_not_replace_a_file(siltstone: Siltstone, file: Path) -> None:
    """What is there stays, unless --force says otherwise."""
    file.parent.mkdir()
    file.write_text("[recall]\n")
    assert siltstone.run("config", "init").code == 2
    assert file.read_text() == "[recall]\n"
    assert siltstone.run("config", "init", "--force").code == 0


def test_config_path_names_the_file(siltstone: Siltstone, file: Path) -> None:
    """With --json it also says whether the file is there."""
    assert json.loads(siltstone.run("config", "path", "--json").out) == {"file": str(file), "exists": False}


def test_doctor_says_which_foreign_settings_have_no_effect(
    siltstone: Siltstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A variable of another system that is set and unused is named with the reason, and nothing is unwell for it."""
    monkeypatch.setenv("BUBBLE_MODEL", "some-model")
    ran = siltstone.run("doctor", "--json")
    said = [item["detail"] for item in json.loads(ran.out)["findings"] if item["name"] == "settings: unused"]
    assert ran.code == 0 and len(said) == 1 and "BUBBLE_MODEL" in said[0] and "completion.provider" in said[0]
