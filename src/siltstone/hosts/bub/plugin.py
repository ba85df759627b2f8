"""The plugin: what Bub calls, and nothing else. It adapts Bub's hooks to the engine; see docs/bub.md.

Bub constructs it for every command, so that neither this module nor the constructor opens or loads anything. Every hook
whose failure would cost the user's turn catches what goes wrong and reports it once.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bub
from bub import hookimpl

from siltstone.hosts.bub import tools
from siltstone.hosts.bub.reports import Reports

if TYPE_CHECKING:
    from bub.hooks.interception import LlmCallRequest, LlmCallResult

    from siltstone.hosts.bub.block import Formatter
    from siltstone.hosts.bub.engine import Engine, Scope
    from siltstone.hosts.bub.model import HostModel
    from siltstone.ports.knowledge import KnowledgeModel


class MemoryPlugin:
    """Long-term memory for Bub. `formatter` makes the block's text, `extractor` reads texts in the model's place."""

    def __init__(
        self, framework: Any, *, formatter: Formatter | None = None, extractor: KnowledgeModel | None = None
    ) -> None:
        self.framework = framework
        self._formatter, self._extractor = formatter, extractor
        self._reports = Reports(_log)
        self._engine: Engine | None = None
        self._model: HostModel | None = None
        self._is_warm = self._is_caught_up = False
        tools.show_snapshots()

    # the engine, made when it is needed

    @property
    def engine(self) -> Engine:
        """The engine for the Bub home of this moment."""
        home = Path(bub.home)
        if self._engine is None or self._engine.home != home:
            from siltstone.hosts.bub.config import options
            from siltstone.hosts.bub.engine import Engine
            from siltstone.hosts.bub.model import HostModel

            chosen = options()
            self._model = HostModel(chosen.model_seconds)
            self._engine = Engine(home, chosen, reports=self._reports, ask=self._model)
            self._engine.extractor = self._extractor
            self._is_warm = self._is_caught_up = False
        return self._engine

    @property
    def user(self) -> str:
        """Whose memory it is: the workspace's."""
        from siltstone.hosts.bub.turns import name_of

        return name_of(str(self.framework.workspace))

    # hooks

    @hookimpl
    async def provide_lifespan(self) -> AsyncIterator[None]:
        """Load in the background what the first turn needs; at the end let reading finish, for a short time."""
        self._guarded("starting", self._start)
        try:
            yield
        finally:
            await asyncio.to_thread(self._guarded, "stopping", self._stop)

    @hookimpl
    async def before_llm_call(self, request: LlmCallRequest, state: dict[str, Any]) -> LlmCallRequest | None:
        """The request with the block in front of a copy of its last user message; None where there is nothing to say."""
        from siltstone.hosts.bub import injection

        try:
            if not self.engine.options.enabled:
                return None
            return await injection.with_block(self, request, state)
        except Exception as error:  # noqa: BLE001 - reported; the turn goes on without its memories
            self._trouble("recall", error)
            return None

    @hookimpl
    async def after_llm_call(self, request: LlmCallRequest, result: LlmCallResult, state: dict[str, Any]) -> None:
        """Note that the context has overflown: the next step sees nothing of the conversation."""
        from bub.builtin.model_runner import is_context_length_error

        from siltstone.hosts.bub import injection

        if result.error is not None and is_context_length_error(str(result.error)):
            injection.note_overflow(state)

    @hookimpl
    async def save_state(self, session_id: str, state: dict[str, Any], message: Any, model_output: str) -> None:
        """Keep what the turn said, and have it read in the background. Commands, failed and empty turns say nothing.

        On a channel that answers through tools alone a turn may be without a text of its own.
        """
        failed = sys.exc_info()[0] is not None
        try:
            if not self.engine.options.enabled:
                return
            self._catch_up()
            if failed or session_id.startswith("temp/"):
                return
            answered = bool(model_output) or bub_field(message, "output_channel") == "null"
            if answered and bub_field(message, "kind") != "command":
                await self._learn(session_id, state)
        except Exception as error:  # noqa: BLE001 - reported; the tape holds the turn, the next one reads it
            self._trouble("keeping a turn", error)

    @hookimpl
    def register_cli_commands(self, app: Any) -> None:
        """`bub memory …`."""
        from siltstone.hosts.bub.commands import app as commands

        app.add_typer(commands, name="memory")

    # what the hooks do

    def formatter(self) -> Formatter:
        """What makes the text of a block: what the plugin was made with, what the settings name, or `render`."""
        from siltstone.hosts.bub.block import render
        from siltstone.hosts.bub.named import named

        chosen = self.engine.options.formatter
        return self._formatter or (named(chosen) if chosen else render)

    def patience(self) -> float:
        """Seconds that a block may take: longer the first time, when everything has to be loaded."""
        chosen = self.engine.options
        return chosen.recall_seconds if self._is_warm else chosen.first_seconds

    def warmed(self) -> None:
        """The first block was made."""
        self._is_warm = True

    async def _learn(self, session_id: str, state: dict[str, Any]) -> None:
        from siltstone.hosts.bub.engine import Turn

        agent = state.get("_runtime_agent")
        if agent is None or self._model is None:
            return
        workspace = Path(state.get("_runtime_workspace") or self.framework.workspace)
        tape = agent.tape.session_tape(session_id, workspace)
        entries = None
        if not (self.engine.tapes / f"{tape.name}.jsonl").exists():
            entries = list(await tape.store.fetch_all(tape.query()))
        self._model.name = self.engine.options.model or str(state.get("model") or "")
        self.engine.learn(Turn(user=self.user, session=session_id, tape=tape.name, entries=entries))

    def _catch_up(self) -> None:
        """Have read, once a process, what an earlier one left unread: once a turn is over, so that none waits for it."""
        if not self._is_caught_up:
            self._is_caught_up = True
            self.engine.resume(self.user)

    def _start(self) -> None:
        engine = self.engine
        if engine.options.enabled:
            engine.keeper.submit("warm", lambda: engine.warm(self.user))

    def _stop(self) -> None:
        if self._engine is not None and self._model is not None:
            self._engine.finish(self._model.cancel)
            self._model.allow()

    def _guarded(self, what: str, act: Callable[[], None]) -> None:
        try:
            act()
        except Exception as error:  # noqa: BLE001 - reported; a command must not fail for want of memory
            self._trouble(what, error)

    def _trouble(self, what: str, error: BaseException) -> None:
        self._reports.trouble(what, error)


def bub_field(message: Any, name: str) -> Any:
    """A field of a message, which may be a dict."""
    return message.get(name) if isinstance(message, Mapping) else getattr(message, name, None)


def plugin_of(framework: Any) -> MemoryPlugin:
    """The memory plugin that is registered with that framework. Raises NotFound."""
    from siltstone.errors import NotFound

    for _, plugin in framework.plugin_manager.list_name_plugin():
        if isinstance(plugin, MemoryPlugin):
            return plugin
    raise NotFound("no memory plugin is registered with this Bub; run: bub hooks")


def scope_of(state: Mapping[str, Any], *, tape: str) -> tuple[Engine, Scope]:
    """The engine and the scope of a turn, by its state. Raises NotFound."""
    from siltstone.errors import NotFound
    from siltstone.hosts.bub.engine import Scope

    agent = state.get("_runtime_agent")
    if agent is None:
        raise NotFound("this turn has no agent of Bub's, and memory no workspace; call the tool from a turn")
    plugin = plugin_of(agent.framework)
    return plugin.engine, Scope(user=plugin.user, session=state.get("session_id"), tape=tape)


def _log(line: str) -> None:
    from loguru import logger

    logger.warning("{}", line)
