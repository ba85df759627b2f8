"""Write the reference pages from the code: commands, settings, events, errors, stores.

    python docs/generate.py [--check]

`--check` writes nothing and exits 1 where a page differs from the code.
"""

from __future__ import annotations

import argparse
import inspect
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from siltstone import errors
from siltstone.assembly import STORES
from siltstone.domain import events
from siltstone.ports import models, stores
from siltstone.settings import FILE, FOREIGN, leaves

HERE = Path(__file__).parent / "reference"
NOTE = "<!-- Written by docs/generate.py from the code. Change the code, then run: make docs -->\n\n"


def commands() -> str:
    """The command's own help, one section a command."""
    made = subprocess.run(
        [sys.executable, "-m", "typer", "siltstone.cli.app", "utils", "docs", "--name", "siltstone"],
        check=True,
        capture_output=True,
        text=True,
    )
    return "# Commands\n\n" + made.stdout.replace("# `siltstone`", "## `siltstone`", 1).replace("```console", "```text")


def settings() -> str:
    """A row a setting."""
    rows = ["| setting | variable | default | meaning |", "|---|---|---|---|"]
    for leaf in leaves():
        choices = f" One of: {', '.join(f'`{choice}`' for choice in leaf.choices)}." if leaf.choices else ""
        default = f"`{leaf.default}`" if leaf.default != "" else "–"
        rows.append(f"| `{leaf.name}` | `{leaf.variable}` | {default} | {leaf.doc}{choices} |")
    intro = (
        f"# Settings\n\nArguments win over the environment, the environment over the file (`{FILE}`, TOML, one table a "
        "section; `SILTSTONE_CONFIG` names another), the file over the defaults. An unknown name is an error that names "
        "the nearest known one. `siltstone config show` prints the effective values and where each came from.\n\n"
    )
    return intro + "\n".join(rows) + "\n\n" + foreign_names()


def foreign_names() -> str:
    """A row a name of another system."""
    rows = ["| name | of | sets |", "|---|---|---|"]
    for item in FOREIGN:
        key = f", key `{item.key}`" if item.key else ""
        rows.append(
            f"| `{item.variable}`{key} | {item.product} | {f'`{item.setting}`' if item.setting else item.doc} |"
        )
    intro = (
        "## Names of other systems\n\nWhat Bubble, Keepsake and Semantica read is understood under its own name. Such a "
        "variable counts below ours and above our file; Keepsake's file (`~/.config/keepsake/config.json`, or what "
        "`KEEPSAKE_CONFIG` names) counts below ours. One that is set and has no effect is reported by `siltstone doctor`."
        "\n\n"
    )
    return intro + "\n".join(rows) + "\n"


def event_kinds() -> str:
    """The journal's event table."""
    return f"# Events\n\n{inspect.getdoc(events)}\n"


def error_tree() -> str:
    """The error tree."""
    text = inspect.getdoc(errors) or ""
    head, _, rest = text.partition("\n\n")
    tree, _, tail = rest.partition("\n\n")
    return f"# Errors\n\n{head}\n\n```text\n{tree}\n```\n\n{tail}\n"


def ports() -> str:
    """The store and model ports, as their docstrings state them."""
    parts = [
        "# Stores and models",
        f"A store is named by a URL; schemes: {', '.join(f'`{name}://`' for name in sorted(STORES))}.",
    ]
    for module, names in ((stores, ("Store", "Partition", "View", "Projector")), (models, ("Embedder",))):
        for name in names:
            port = getattr(module, name)
            parts.append(f"## {name}\n\n{inspect.getdoc(port)}")
            parts += [
                f"- `{verb}`: {' '.join((inspect.getdoc(member) or '').split())}"
                for verb, member in vars(port).items()
                if not verb.startswith("_") and inspect.getdoc(member)
            ]
    return "\n\n".join(parts) + "\n"


PAGES: dict[str, Callable[[], str]] = {
    "commands": commands,
    "settings": settings,
    "events": event_kinds,
    "errors": error_tree,
    "stores": ports,
}


def main() -> int:
    """Write or check every page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    HERE.mkdir(exist_ok=True)
    stale = []
    for name, make in PAGES.items():
        page, path = NOTE + make().strip() + "\n", HERE / f"{name}.md"
        if args.check and (not path.exists() or path.read_text("utf-8") != page):
            stale.append(name)
        elif not args.check:
            path.write_text(page, "utf-8")
    if stale:
        print(f"these reference pages differ from the code: {', '.join(stale)}; run: make docs", file=sys.stderr)
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
