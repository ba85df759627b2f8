"""Run by the Bub environment's Python: a real Bub in this process, told over standard input what to do, a JSON line a step.

Answers with a JSON line a step: {"ok": value} or {"error": text}. What Bub logs goes to the file that `open` names.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

OUT = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)  # what anybody prints is no answer

from bub.channels.message import ChannelMessage  # noqa: E402
from bub.framework import BubFramework  # noqa: E402
from loguru import logger  # noqa: E402


class Host:
    """One Bub with its home and workspace, running between `open` and `close`."""

    def __init__(self) -> None:
        self.framework: Any = None
        self.stack = AsyncExitStack()

    async def open(self, home: str, workspace: str, log: str, environment: dict[str, str], plugin: bool = True) -> Any:
        for name in [name for name in os.environ if name.startswith("BUB_")]:
            del os.environ[name]
        os.environ |= {"BUB_HOME": home, **environment}
        logger.remove()
        logger.add(log, level="INFO", format="{level} {message}")
        self.framework = BubFramework(config_file=Path(home) / "config.yml")
        self.framework.workspace = Path(workspace).resolve()
        if plugin:
            self.framework.load_hooks()
        else:
            self.framework.load_builtin_hooks()
        self.stack = AsyncExitStack()
        await self.stack.enter_async_context(self.framework.running())
        return {name: status.is_success for name, status in self.framework._plugin_status.items()}

    async def close(self) -> Any:
        began = time.perf_counter()
        await self.stack.aclose()
        return time.perf_counter() - began

    async def turn(self, content: str, session: str = "cli:local", **given: Any) -> Any:
        channel, chat = given.get("channel", "cli"), given.get("chat_id", "local")
        context = given.get("context", {"sender_id": "human"})
        message = ChannelMessage(
            session_id=session, channel=channel, chat_id=chat, content=content, context=dict(context)
        )
        began = time.perf_counter()
        try:
            result = await self.framework.process_inbound(message, stream_output=False)
            answer = {"reply": result.model_output, "outbound": [item.content for item in result.outbounds]}
        except Exception as error:  # noqa: BLE001 - handed to the test
            answer = {"reply": None, "failed": f"{type(error).__name__}: {error}"}
        return answer | {"seconds": time.perf_counter() - began}

    async def together(self, turns: list[dict[str, Any]]) -> Any:
        return await asyncio.gather(*(self.turn(**turn) for turn in turns))

    async def settle(self, seconds: float = 120.0) -> Any:
        """Wait until the plugin's worker has nothing more to do."""
        return await asyncio.to_thread(self._plugin().engine.settle, seconds)

    async def cli(self, arguments: list[str], home: str, workspace: str, environment: dict[str, str]) -> Any:
        """Run a `bub` command in this process, in a framework of its own; its exit code and output."""
        from typer.testing import CliRunner

        for name in [name for name in os.environ if name.startswith("BUB_")]:
            del os.environ[name]
        os.environ |= {"BUB_HOME": home, **environment}
        framework = BubFramework(config_file=Path(home) / "config.yml")
        framework.load_hooks()
        app = framework.create_cli_app()
        result = await asyncio.to_thread(CliRunner().invoke, app, ["--workspace", workspace, *arguments])
        failed = "" if result.exception is None or isinstance(result.exception, SystemExit) else repr(result.exception)
        return {"code": result.exit_code, "output": result.output + failed}

    async def python(self, code: str) -> Any:
        """Run code that sees `framework` and `plugin`; what it leaves in `answer` is answered."""
        names: dict[str, Any] = {"framework": self.framework, "plugin": self._plugin(), "answer": None}
        exec(code, names)
        answer = names["answer"]
        return await answer if asyncio.iscoroutine(answer) else answer

    def _plugin(self) -> Any:
        return self.framework.plugin_manager.get_plugin("memory")


async def main() -> None:
    host = Host()
    while line := await asyncio.to_thread(sys.stdin.readline):
        step = json.loads(line)
        try:
            answer: Any = {"ok": await getattr(host, step.pop("do"))(**step)}
        except Exception as error:  # noqa: BLE001 - handed to the test
            logger.exception("driver")
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer, default=str), file=OUT, flush=True)


if __name__ == "__main__":
    asyncio.run(main())
