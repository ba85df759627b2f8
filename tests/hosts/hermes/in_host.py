"""Runs inside the host's own environment: plays scripts with the real agent, and prints what came of each.

A script is one line of JSON on standard input: the home, the model server, options of the agent, and steps, which are
pairs of a verb (a method of `Player`) and its argument. The answer is one line after MARK: a list of one answer a step.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any

MARK = "answers: "


class Player:
    """One agent of the host at a time, as its command line makes it."""

    def __init__(self, base_url: str, options: dict[str, Any]) -> None:
        from run_agent import AIAgent

        usual: dict[str, Any] = {"provider": "custom", "model": "stub-model", "enabled_toolsets": ["memory"]}
        usual |= {"base_url": base_url, "api_key": "sk-stub", "quiet_mode": True, "platform": "cli"}
        self.agent = AIAgent(**(usual | options))
        self.messages: list[Any] = []
        self.sessions = 0

    @property
    def manager(self) -> Any:
        """The host's manager of memory providers; None where it has none."""
        return self.agent._memory_manager

    def play(self, verb: str, argument: Any) -> Any:
        """One step."""
        step: Callable[[Any], Any] = getattr(self, verb)
        return step(argument)

    def say(self, text: str) -> Any:
        """One turn of the conversation; what the model answered, and how long the turn took."""
        started = time.monotonic()
        result = self.agent.run_conversation(text, conversation_history=self.messages)
        self.messages = result["messages"]
        if self.manager is not None:
            self.manager.flush_pending(10)
        return {"reply": result["final_response"], "seconds": time.monotonic() - started}

    def prefetch(self, query: str) -> str:
        """What the host's manager gets for a query."""
        found: str = self.manager.prefetch_all(query)
        return found

    def tool(self, call: list[Any]) -> Any:
        """What a tool of the provider answers."""
        return json.loads(self.manager.handle_tool_call(call[0], call[1]))

    def new(self, _: Any) -> None:
        """What the command line does at /new."""
        self.sessions += 1
        fresh, old = f"session-{self.sessions}", self.agent.session_id
        self.manager.commit_session_boundary_async(self.messages, new_session_id=fresh, parent_session_id=old)
        self.manager.flush_pending(10)
        self.agent.session_id, self.messages = fresh, []

    def resume(self, session_id: str) -> None:
        """What it does at /resume."""
        old, self.agent.session_id = self.agent.session_id, session_id
        self.manager.on_session_switch(session_id, parent_session_id=old, reset=False, reason="resume")

    def undo(self, _: Any) -> None:
        """What it does at /undo: the last turn leaves the transcript."""
        while self.messages and self.messages.pop()["role"] != "user":
            pass
        self.manager.on_session_switch(self.agent.session_id, reset=False, rewound=True)

    def compress(self, _: Any) -> int:
        """A forced compression; how many messages are left."""
        self.messages, _prompt = self.agent._compress_context(self.messages, "", force=True)
        return len(self.messages)

    def stuck(self, seconds: float) -> None:
        """Make the provider's next recalls hang."""
        provider = self.manager.providers[-1]
        provider.prefetch = lambda query, **told: time.sleep(seconds) or ""

    def providers(self, _: Any) -> list[str]:
        """The names of the providers that are registered, and of the tools that the manager routes."""
        return (
            []
            if self.manager is None
            else [*(one.name for one in self.manager.providers), *self.manager._tool_to_provider]
        )

    def shutdown(self, _: Any) -> None:
        """What the host does at the end."""
        self.agent.shutdown_memory_provider(self.messages)
        self.agent.close()


def played(told: dict[str, Any]) -> list[Any]:
    """The answers of one script, with an agent of its own that is shut down at the end."""
    os.environ["HERMES_HOME"] = told["home"]
    player = Player(told["base_url"], told["options"])
    try:
        return [player.play(verb, argument) for verb, argument in told["steps"]]
    finally:
        player.shutdown(None)


def main() -> None:
    """Play every script that comes."""
    for line in sys.stdin:
        try:
            answer: Any = played(json.loads(line))
        except Exception:  # noqa: BLE001 - what failed is the answer
            answer = {"failed": traceback.format_exc()}
        print("\n" + MARK + json.dumps(answer), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
