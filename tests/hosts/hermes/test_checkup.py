"""The doctor of the plugin: every setting with its source, packages, store, model, problems."""

from __future__ import annotations

import argparse

import pytest

from hosts.hermes.homes import Home
from siltstone.hosts.hermes.cli import register_cli, siltstone_command


def _run(*words: str) -> None:
    parser = argparse.ArgumentParser()
    register_cli(parser)
    siltstone_command(parser.parse_args(words))


@pytest.mark.usefixtures("_told")
def test_the_doctor_prints_every_setting_with_its_source(capsys: pytest.CaptureFixture[str]) -> None:
    """Those of the plugin, those of the engine that a file sets, and those that the plugin sets itself."""
    _run("doctor")
    shown = capsys.readouterr().out
    assert "max_hits = 5  (default)" in shown
    assert "profile = host  (the plugin)" in shown
    assert "embedding.provider = none" in shown
    assert "ok       store:" in shown
    assert "FAIL" not in shown


@pytest.mark.usefixtures("_told")
def test_the_commands_work_on_the_home(capsys: pytest.CaptureFixture[str]) -> None:
    """Search finds and explains, stats counts, maintain reports, export writes; finding nothing is exit code 1."""
    _run("search", "What", "is", "Tom's", "boat", "called?")
    assert "Petrel" in capsys.readouterr().out
    for words, wanted in (
        (["stats"], '"entry": 1'),
        (["maintain", "--dry-run"], '"dry_run": true'),
        (["export"], "Petrel"),
    ):
        _run(*words)
        assert wanted in capsys.readouterr().out
    with pytest.raises(SystemExit) as ended:
        _run("search", "parrot", "vaccine")
    assert ended.value.code == 1


@pytest.fixture
def _told(home: Home) -> None:
    with home.session() as provider:
        provider.on_memory_write("add", "memory", "Tom's boat is called Petrel.")
