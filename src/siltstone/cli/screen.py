"""What a command shows: a table and colour on a terminal, one record a line in a pipe, one document with --json."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, TextIO

from siltstone.cli.documents import dumped

if TYPE_CHECKING:
    from rich.console import Console

    from siltstone.ports.stores import Progress

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
RIGID = ("score", "date", "speaker", "id", "seq", "ok", "setting", "check", "version")
STYLES = {
    "score": "bold green",
    "date": "cyan",
    "speaker": "magenta",
    "id": "dim",
    "ok": "bold",
    "name": "cyan",
    "check": "cyan",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """Standard output for results, standard error for everything else."""

    json: bool = False

    @property
    def terminal(self) -> bool:
        """Whether a person looks at the results."""
        return not self.json and sys.stdout.isatty()

    def document(self, value: Any) -> None:
        """One JSON document."""
        encoding = sys.stdout.encoding or "utf-8"
        print(dumped(value, encoding=encoding, indent=2 if sys.stdout.isatty() else None))

    def line(self, text: str, style: str = "") -> None:
        """One line of a result."""
        if self.terminal:
            from rich.text import Text

            self.console().print(Text(safe(text), style=style))
        else:
            print(safe(text))

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Rows under headings on a terminal; in a pipe one row a line, its cells parted by tabs, no headings."""
        if not self.terminal:
            for row in rows:
                print("\t".join(one_line(cell) for cell in row))
            return
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False, header_style="bold")
        for name in columns:
            rigid = name in RIGID
            table.add_column(name, no_wrap=rigid, overflow="fold", ratio=1 if name == "text" else None)
        for row in rows:
            cells = zip(columns, row, strict=True)
            table.add_row(*(Text(safe(cell).strip(), style=STYLES.get(name, "")) for name, cell in cells))
        self.console().print(table)

    def date(self, moment: datetime) -> str:
        """A time in UTC: the day on a terminal, where room is scarce, else also the minute."""
        return shown(moment)[:10] if self.terminal else shown(moment)

    def note(self, text: str) -> None:
        """A remark for the person, never part of the result."""
        if not self.json:
            complain(text)

    @contextmanager
    def progress(self, label: str) -> Iterator[Progress | None]:
        """A bar on standard error where that is a terminal; else None."""
        if self.json or not sys.stderr.isatty():
            yield None
            return
        from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
        with Bar(*columns, console=self.console(sys.stderr), transient=True) as bar:
            task = bar.add_task(label, total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total or None)

    def console(self, file: TextIO | None = None) -> Console:
        """A console on `file`; colour goes where a person looks and NO_COLOR is unset."""
        from rich.console import Console

        return Console(file=file or sys.stdout, no_color=bool(os.environ.get("NO_COLOR")), highlight=False, emoji=False)


def complain(text: str) -> None:
    """One line on standard error."""
    print(one_line(text), file=sys.stderr)


def safe(text: str) -> str:
    """The text without characters that steer a terminal."""
    return CONTROL.sub("\ufffd", text)


def one_line(text: str) -> str:
    """The text on one line, runs of white space as one blank."""
    return safe(" ".join(text.split()))


def shown(moment: datetime | None) -> str:
    """A time as people read it, in UTC."""
    return "" if moment is None else f"{moment:%Y-%m-%d %H:%M}"
