"""The real host in processes of its own, with the plugin installed in a home and the stub server as its model."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hosts.hermes.in_host import MARK

SCRIPT = Path(__file__).with_name("in_host.py")
PATIENCE = 180
Step = tuple[str, Any]


class HostProcess:
    """A process of the host that plays scripts, one after the other."""

    def __init__(self, python: Path, environ: dict[str, str]) -> None:
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - `close` closes it
        self._process = subprocess.Popen(
            [str(python), str(SCRIPT)],
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )

    def play(self, script: dict[str, Any]) -> list[Any]:
        """The answers to one script."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(script) + "\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            if line.startswith(MARK):
                answer = json.loads(line.removeprefix(MARK))
                assert isinstance(answer, list), answer["failed"]
                return answer
        raise AssertionError(self._said())

    def close(self) -> None:
        """Let it end."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE)
        self._errors.close()

    def _said(self) -> str:
        self._errors.seek(0)
        return self._errors.read()[-4000:]


class RealHost:
    """A home of the real host. What it plays runs in the process that all tests share, or in one of its own."""

    def __init__(self, python: Path, home: Path, stub: Any, shared: HostProcess) -> None:
        self.python, self.home, self.stub, self.shared = python, home, stub, shared
        home.mkdir(parents=True, exist_ok=True)
        (home / "config.yaml").write_text(
            "model: {provider: custom, default: stub-model, api_key: sk-stub, context_length: 131072,"
            f' base_url: "{stub.url}/v1"}}\n',
            "utf-8",
        )
        self.set(**{"embedding.provider": "none"})

    def set(self, **settings: Any) -> None:
        """Write the plugin's settings."""
        (self.home / "siltstone.json").write_text(json.dumps(settings), "utf-8")

    @property
    def environ(self) -> dict[str, str]:
        """The environment of its own processes."""
        return environ_of(self.home)

    def play(self, *steps: Step, **options: Any) -> list[Any]:
        """Play steps with a new agent; the answer of each."""
        return self.shared.play(self._script(steps, options))

    def play_alone(self, *steps: Step, **options: Any) -> list[Any]:
        """The same in a new process."""
        own = HostProcess(self.python, self.environ)
        try:
            return own.play(self._script(steps, options))
        finally:
            own.close()

    def _script(self, steps: Sequence[Step], options: dict[str, Any]) -> dict[str, Any]:
        about = {"home": str(self.home), "base_url": f"{self.stub.url}/v1"}
        return {**about, "options": options, "steps": steps}

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        """The host's command line."""
        program = [str(self.python.with_name("hermes")), *words]
        return subprocess.run(
            program,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def asked(self, since: int = 0) -> list[list[dict[str, Any]]]:
        """The messages of each request that the model has received."""
        bodies = [item["body"] for item in self.stub.requests if item["path"].endswith("/chat/completions")]
        return [body["messages"] for body in bodies][since:]

    def entries(self, target: str) -> list[str]:
        """What stands in MEMORY.md or USER.md."""
        path = self.home / "memories" / target
        return [line for line in path.read_text("utf-8").split("\n§\n") if line] if path.exists() else []


def environ_of(home: Path) -> dict[str, str]:
    """The environment of the host's processes: nothing of ours, and nothing fetched."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    own = {
        "HERMES_HOME": str(home),
        "HOME": str(home.with_name(home.name + "-own")),
        "HERMES_DISABLE_LAZY_INSTALLS": "1",
    }
    Path(own["HOME"]).mkdir(parents=True, exist_ok=True)
    return {**kept, **own, "OPENBLAS_NUM_THREADS": "1", "TERM": "dumb"}


def memory_call(**given: Any) -> Step:
    """A turn in which the model calls the host's own memory tool."""
    return ("say", "CALLTOOL memory " + json.dumps(given, ensure_ascii=False))


def contents(messages: Sequence[dict[str, Any]], role: str) -> list[str]:
    """What the messages of one role say."""
    return [str(message["content"]) for message in messages if message["role"] == role]
