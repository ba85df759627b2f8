"""The directory plugin: written whole, replaced in one step, removed; memories stay."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from siltstone import __version__
from siltstone.cli.app import build
from siltstone.errors import InvalidInput
from siltstone.hosts.hermes.install import install, uninstall

PYTHON = Path(sys.executable)
LOOK = (
    "import importlib.util, sys, json; sys.path = [p for p in sys.path if 'site-packages' not in p and '/src' not in p]; "
    "sys.modules['host_made_up'] = type(sys)('host_made_up'); sys.modules['host_made_up'].__path__ = []; "
    "spec = importlib.util.spec_from_file_location('host_made_up.siltstone', sys.argv[1] + '/__init__.py', "
    "submodule_search_locations=[sys.argv[1]]); module = importlib.util.module_from_spec(spec); "
    "sys.modules[spec.name] = module; spec.loader.exec_module(module); got = []; "
    "module.register(type('C', (), {'register_memory_provider': lambda self, p: got.append(p)})()); p = got[0]; "
    "p.initialize('s', hermes_home=sys.argv[2], platform='cli'); "
    "p.on_memory_write('add', 'memory', 'The boat of Tom is called Petrel.'); "
    "print(json.dumps([p.prefetch('What is the boat of Tom called?'), sys.modules['siltstone'].__file__])); p.shutdown()"
)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the plugin."""
    home = tmp_path_factory.mktemp("home")
    install(home, python=PYTHON)
    return home


def test_the_plugin_needs_nothing_else(written: Path, tmp_path: Path) -> None:
    """In a Python without any site-packages it remembers and recalls, out of its own folder."""
    folder = written / "plugins" / "siltstone"
    ran = subprocess.run(
        [str(PYTHON), "-S", "-c", LOOK, str(folder), str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    block, where = json.loads(ran.stdout.splitlines()[-1])
    assert "Petrel" in block
    assert where.startswith(str(folder))


def test_the_host_recognises_the_plugin(written: Path) -> None:
    """The marker is at the beginning, the card names the release, no test or command of ours lies in it."""
    folder = written / "plugins" / "siltstone"
    assert "register_memory_provider" in (folder / "__init__.py").read_text("utf-8")[:8192]
    assert f'version: "{__version__}"' in (folder / "plugin.yaml").read_text("utf-8")
    assert {path.name for path in folder.iterdir()} - {"__pycache__"} == {
        "__init__.py", "cli.py", "config_schema.py", "engine_path.py", "lib", "plugin.yaml"
    }  # fmt: skip
    assert not (folder / "lib" / "siltstone" / "testing").exists()


def test_installing_again_replaces_and_uninstalling_removes(tmp_path: Path) -> None:
    """What an older release left is gone after an installation; memories survive both."""
    memories = tmp_path / "siltstone" / "memory.db"
    memories.parent.mkdir()
    memories.write_bytes(b"kept")
    folder = install(tmp_path, python=PYTHON).folder
    (folder / "left-over.py").write_text("", "utf-8")
    install(tmp_path, python=PYTHON)
    assert not (folder / "left-over.py").exists()
    assert uninstall(tmp_path, python=PYTHON)
    assert not uninstall(tmp_path, python=PYTHON)
    assert not folder.exists()
    assert memories.read_bytes() == b"kept"


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    """A plugin of that name that is not ours is neither replaced nor removed."""
    folder = tmp_path / "plugins" / "siltstone"
    folder.mkdir(parents=True)
    (folder / "plugin.yaml").write_text("name: other\n", "utf-8")
    for act in (install, uninstall):
        with pytest.raises(InvalidInput, match=r"is not a plugin that Siltstone wrote"):
            act(tmp_path, python=PYTHON)
    assert (folder / "plugin.yaml").exists()


def test_a_python_that_is_none_is_named(tmp_path: Path) -> None:
    """The error says which file could not be run, and the home stays as it was."""
    with pytest.raises(InvalidInput, match=r"cannot be run as a Python"):
        install(tmp_path, python=tmp_path / "nothing")
    assert not (tmp_path / "plugins" / "siltstone").exists()


def test_the_command_writes_and_removes(tmp_path: Path) -> None:
    """`siltstone hermes install` and `uninstall`, with the home and the Python by name."""
    runner = CliRunner()
    where = ["--home", str(tmp_path), "--python", str(PYTHON)]
    done = runner.invoke(build(), ["hermes", "install", *where])
    assert done.exit_code == 0, done.output
    assert "hermes memory setup siltstone" in done.output
    assert runner.invoke(build(), ["hermes", "uninstall", *where]).exit_code == 0
    assert runner.invoke(build(), ["hermes", "uninstall", *where]).exit_code == 1
