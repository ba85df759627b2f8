"""siltstone doctor: settings, versions, health, and what mends what is not well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from siltstone.cli import config, exits
from siltstone.cli.command import Run
from siltstone.cli.documents import document
from siltstone.errors import SiltstoneError
from siltstone.ports.stores import Finding

Repair = Annotated[bool, typer.Option("--repair", help="Mend what can be mended, then look again.")]


def doctor(run: Run, repair: Repair = False) -> int:
    """Check settings, store and model; say what mends them.

    Exits with 4 where something is not well.
    """
    from siltstone.cli import checkup

    versions, settings = checkup.versions(), _settings(run)
    findings = checkup.settings_findings(run)
    if all(finding.ok for finding in findings) or settings:
        findings += checkup.memory_findings(run, repair=repair)
    well = all(finding.ok for finding in findings)
    if run.screen.json:
        names = ("name", "value", "source")
        listed = [dict(zip(names, row, strict=True)) for row in settings]
        report = {"ok": well, "versions": versions, "settings": listed, "findings": document(findings)}
        run.screen.document(report)
    else:
        _print(run, versions, settings, findings)
    return exits.OK if well else exits.STORE_FAILED


def _settings(run: Run) -> list[list[str]]:
    """Name, value and source of each setting; none where they cannot be read: a finding says why."""
    try:
        return [row[:3] for row in config.shown_settings(config.resolved(run))]
    except SiltstoneError:
        return []


def _print(run: Run, versions: dict[str, str], settings: Sequence[Sequence[str]], findings: Sequence[Finding]) -> None:
    listed = [[name, version or "not installed"] for name, version in versions.items()]
    _section(run, ("version", "value"), listed)
    _section(run, ("setting", "value", "source"), settings)
    rows = [[item.name, _mark(item), item.detail, item.remedy] for item in findings]
    _section(run, ("check", "ok", "text", "remedy"), rows)


def _section(run: Run, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table on a terminal; in a pipe each row begins with what it is about."""
    if run.screen.terminal:
        run.screen.table(columns, rows)
        run.screen.line("")
    else:
        run.screen.table(("name", *columns), [[columns[0], *row] for row in rows])


def _mark(finding: Finding) -> str:
    return ("advice" if finding.remedy else "ok") if finding.ok else "FAIL"
