"""A real Bub in an environment of its own, beside the stub server of a model."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BUB_VARIABLE = "SILTSTONE_TEST_BUB"
STUBS_VARIABLE = "SILTSTONE_TEST_STUBS"
ROOT = Path(__file__).resolve().parents[3]
DRIVER = Path(__file__).with_name("driver.py")
READING = "You keep the semantic memory of an assistant"
"""How our instructions for reading begin: by these words a rule of the stub knows them."""
PATIENT = {"BUB_MEMORY_RECALL_SECONDS": "60", "BUB_MEMORY_FIRST_SECONDS": "60"}
"""A busy machine must not decide what a block holds."""
BLOCK = re.compile(r"<semantic_memory>.*?</semantic_memory>", re.DOTALL)
Json = dict[str, Any]


@pytest.fixture(scope="session")
def bub_python() -> str:
    """The interpreter of the Bub environment; skips where there is none."""
    named = os.environ.get(BUB_VARIABLE)
    found = Path(named) if named else ROOT / ".venv-bub" / "bin" / "python"
    if named and not found.exists():
        pytest.fail(f"{BUB_VARIABLE} names {named!r}, where there is no Python")
    if not found.exists():
        pytest.skip(f"the Bub environment is not here: run .ci/host-bub, or set {BUB_VARIABLE} to its Python")
    return str(found)


@pytest.fixture(scope="session")
def stub_module() -> ModuleType:
    """The shared stub of an OpenAI-compatible server."""
    folder = Path(os.environ.get(STUBS_VARIABLE) or ROOT.parent / "shared" / "stubs")
    if not (folder / "openai_stub.py").exists():
        pytest.skip(f"the shared stub server is not here: set {STUBS_VARIABLE} to its folder")
    spec = importlib.util.spec_from_file_location("openai_stub", folder / "openai_stub.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def stub(stub_module: ModuleType) -> Iterator[Any]:
    """A running stub; its `rules` may be replaced."""
    with stub_module.Stub(rules=[nothing_read()]) as running:
        yield running


def reads(answer: Any, **rule: Any) -> Json:
    """The rule by which the stub answers our reading."""
    return {"marker": READING, "role": "system", "reply": answer, **rule}


def nothing_read(**rule: Any) -> Json:
    """The rule by which the stub reads nothing out of anything."""
    return reads({"entities": [], "relations": []}, **rule)


@dataclass
class Bub:
    """One home and workspace, and the process that a Bub with them runs in."""

    step: Callable[..., Any]
    stub: Any
    home: Path
    workspace: Path
    environment: dict[str, str] = field(default_factory=dict)

    def open(self, *, plugin: bool = True, **environment: str) -> Any:
        """Start Bub, with our plugin or without; the answer says which plugins loaded."""
        chosen = {**PATIENT, **model_variables(self.stub.url), **self.environment, **environment}
        self.home.mkdir(exist_ok=True)
        self.workspace.mkdir(exist_ok=True)
        paths = {"home": str(self.home), "workspace": str(self.workspace), "log": str(self.log_file)}
        return self.step("open", **paths, environment=chosen, plugin=plugin)

    def close(self) -> float:
        """Stop it; the seconds that took."""
        return float(self.step("close"))

    def say(self, content: str, session: str = "cli:local", *, settle: bool = True, **given: Any) -> Json:
        """One turn: the reply, and how long it took."""
        answer: Json = self.step("turn", content=content, session=session, **given)
        if settle:
            self.settle()
        return answer

    def settle(self) -> None:
        """Wait until all that was said is kept and read."""
        assert self.step("settle"), "the worker did not come to an end"

    def command(self, *arguments: str) -> tuple[int, str]:
        """Run a `bub` command on this home and workspace: exit code and output."""
        self.home.mkdir(exist_ok=True)
        self.workspace.mkdir(exist_ok=True)
        paths = {"home": str(self.home), "workspace": str(self.workspace)}
        variables = {**model_variables(self.stub.url), **self.environment}
        answer = self.step("cli", arguments=list(arguments), **paths, environment=variables)
        return answer["code"], answer["output"]

    def python(self, code: str) -> Any:
        """Run code within the host's process."""
        return self.step("python", code=code)

    @property
    def log_file(self) -> Path:
        """What Bub logs."""
        return self.home.parent / f"{self.home.name}.log"

    @property
    def log(self) -> list[str]:
        """The lines of the log that are warnings or worse."""
        lines = self.log_file.read_text("utf-8").splitlines() if self.log_file.exists() else []
        return [line for line in lines if not line.startswith(("INFO", "DEBUG", "SUCCESS"))]

    @property
    def asked(self) -> list[Json]:
        """The requests of the agent, in order."""
        return [item["body"] for item in self.stub.requests if _is_chat(item) and not _is_reading(item)]

    @property
    def readings(self) -> list[Json]:
        """The requests of our reading, in order."""
        return [item["body"] for item in self.stub.requests if _is_chat(item) and _is_reading(item)]

    def blocks(self) -> list[str]:
        """The block of each request of the agent; "" for one without."""
        return [block_of(body) for body in self.asked]

    def tapes(self) -> dict[str, list[Json]]:
        """The entries of every tape, by the name of its file."""
        found = sorted((self.home / "tapes").glob("*.jsonl"))
        return {path.stem: [json.loads(line) for line in path.read_text("utf-8").splitlines()] for path in found}

    def snapshots(self) -> dict[str, list[Json]]:
        """The snapshots of every tape."""
        found = sorted((self.home / "tapes" / "semantic").glob("*.jsonl"))
        return {path.stem: [json.loads(line) for line in path.read_text("utf-8").splitlines()] for path in found}


def block_of(body: Json) -> str:
    """The block in a request, after checking that it is in the last user message alone, once."""
    users = [message for message in body["messages"] if message["role"] == "user"]
    texts = [_text(message) for message in body["messages"]]
    found = [block for text in texts for block in BLOCK.findall(text)]
    assert len(found) <= 1, "a request holds more than one block"
    if not found:
        return ""
    assert _text(users[-1]).startswith(found[0]), "the block is not in front of the last user message"
    return str(found[0])


def model_variables(url: str) -> dict[str, str]:
    """What points Bub to the stub."""
    return {"BUB_MODEL": "openai:stub-model", "BUB_API_KEY": "sk-stub", "BUB_API_BASE": f"{url}/v1"}


@pytest.fixture(scope="session")
def bub_process(bub_python: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Any]]:
    """The process in which Bub runs for the tests of this session, and how to have it do a step."""
    home = tmp_path_factory.mktemp("bub-home")
    environment = {**os.environ, "HOME": str(home), "BUB_HOME": str(home / "none")}
    with (home / "stderr.txt").open("w") as errors:
        process = subprocess.Popen(
            [bub_python, str(DRIVER)],
            cwd=home,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        assert process.stdin is not None and process.stdout is not None

        def step(do: str, **given: Any) -> Any:
            assert process.stdin is not None and process.stdout is not None
            print(json.dumps({"do": do, **given}), file=process.stdin, flush=True)
            line = process.stdout.readline()
            assert line, (home / "stderr.txt").read_text()[-3000:]
            answer = json.loads(line)
            if "error" in answer:
                raise AssertionError(f"{do}: {answer['error']}\n{(home / 'stderr.txt').read_text()[-2000:]}")
            return answer["ok"]

        yield step
        process.stdin.close()
        process.wait(30)


@pytest.fixture
def bub(bub_process: Callable[..., Any], stub: Any, tmp_path: Path) -> Iterator[Bub]:
    """A Bub with an empty home, opened by the test, closed behind it."""
    host = Bub(step=bub_process, stub=stub, home=tmp_path / "home", workspace=tmp_path / "ws")
    yield host
    host.step("close")


@pytest.fixture
def run_bub(bub_python: str, stub: Any, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the `bub` command in a process of its own."""

    def run(*arguments: str, cwd: str = "ws", **environment: str) -> subprocess.CompletedProcess[str]:
        folder = tmp_path / cwd
        folder.mkdir(exist_ok=True)
        variables = {"HOME": str(tmp_path / "home"), "BUB_HOME": str(tmp_path / "home" / ".bub")}
        (tmp_path / "home").mkdir(exist_ok=True)
        return subprocess.run(
            [str(Path(bub_python).with_name("bub")), *arguments],
            cwd=folder,
            env={**os.environ, **variables, **model_variables(stub.url), **environment},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run


def _text(message: Json) -> str:
    content = message.get("content")
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content or [])


def _is_chat(item: Json) -> bool:
    return str(item["path"]).endswith("/chat/completions")


def _is_reading(item: Json) -> bool:
    return any(message["role"] == "system" and READING in _text(message) for message in item["body"]["messages"])
