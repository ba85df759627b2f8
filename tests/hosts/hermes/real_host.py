"""The real host in a process of its own, with the plugin installed in a home and the stub server as its model."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).with_name("in_host.py")
PATIENCE = 120
Step = tuple[str, Any]


class RealHost:
    """A home of the real host."""

    def __init__(self, python: Path, home: Path, stub: Any) -> None:
        self.python, self.home, self.stub = python, home, stub
        self.own = home.with_name(home.name + "-own")
        for folder in (home, self.own):
            folder.mkdir(parents=True, exist_ok=True)
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
        """The environment of its processes: nothing of ours, and nothing fetched."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
        own = {"HERMES_HOME": str(self.home), "HOME": str(self.own), "HERMES_DISABLE_LAZY_INSTALLS": "1"}
        return {**kept, **own, "OPENBLAS_NUM_THREADS": "1", "TERM": "dumb"}

    def play(self, *steps: Step, **options: Any) -> list[Any]:
        """Play steps in one process; the answer of each."""
        told = json.dumps({"base_url": f"{self.stub.url}/v1", "options": options, "steps": steps})
        command = [str(self.python), str(SCRIPT)]
        ran = subprocess.run(
            command, input=told, env=self.environ, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert ran.returncode == 0, (ran.stdout + ran.stderr)[-4000:]
        answers: list[Any] = json.loads(ran.stdout.rstrip().splitlines()[-1])
        return answers

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        """The host's command line."""
        program = [str(self.python.with_name("hermes")), *words]
        return subprocess.run(
            program, env=self.environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False
        )

    def asked(self, since: int = 0) -> list[list[dict[str, Any]]]:
        """The messages of each request that the model has received."""
        bodies = [item["body"] for item in self.stub.requests if item["path"].endswith("/chat/completions")]
        return [body["messages"] for body in bodies][since:]

    def entries(self, target: str) -> list[str]:
        """What stands in MEMORY.md or USER.md."""
        path = self.home / "memories" / target
        return [line for line in path.read_text("utf-8").split("\n§\n") if line] if path.exists() else []


def memory_call(**given: Any) -> Step:
    """A turn in which the model calls the host's own memory tool."""
    return ("say", "CALLTOOL memory " + json.dumps(given, ensure_ascii=False))


def contents(messages: Sequence[dict[str, Any]], role: str) -> list[str]:
    """What the messages of one role say."""
    return [str(message["content"]) for message in messages if message["role"] == role]
