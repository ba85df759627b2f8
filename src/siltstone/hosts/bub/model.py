"""Bub's own model, asked from our worker's thread: its settings, providers, fallbacks and client arguments.

No hook fires and nothing lands on the tape. Each question runs in a loop of its own, so that a blocked host and a slow
model do not wait for each other.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Any

from siltstone.errors import ModelUnavailable


class HostModel:
    """Asks the model named by `name` ("" for the configured one). One question at a time; any thread may cancel it."""

    def __init__(self, seconds: float) -> None:
        self.name = ""
        self._seconds = seconds
        self._lock = threading.Lock()
        self._running: tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]] | None = None
        self._stopped = False

    def __call__(self, instructions: str, text: str, limit: int) -> tuple[str, bool]:
        """What the model wrote, and whether the limit cut it off. Raises ModelUnavailable for whatever goes wrong."""
        try:
            return asyncio.run(self._watched(instructions, text, limit))
        except asyncio.CancelledError as error:
            raise ModelUnavailable("the question to Bub's model was broken off at the end of the process") from error
        except TimeoutError as error:
            raise ModelUnavailable(
                f"Bub's model gave no answer within {self._seconds:g} s; raise BUB_MEMORY_MODEL_SECONDS"
            ) from error
        except Exception as error:
            raise ModelUnavailable(f"Bub's model cannot be asked: {error}; see its settings") from error

    def cancel(self) -> None:
        """Break off the question under way, and every later one until `allow`."""
        with self._lock:
            self._stopped = True
            running = self._running
        if running is not None:
            loop, task = running
            loop.call_soon_threadsafe(task.cancel)

    def allow(self) -> None:
        """Take questions again."""
        with self._lock:
            self._stopped = False

    async def _watched(self, instructions: str, text: str, limit: int) -> tuple[str, bool]:
        task = asyncio.ensure_future(self._asked(instructions, text, limit))
        with self._lock:
            self._running = (asyncio.get_running_loop(), task)
            if self._stopped:
                task.cancel()
        try:
            async with asyncio.timeout(self._seconds):
                return await task
        finally:
            with self._lock:
                self._running = None

    async def _asked(self, instructions: str, text: str, limit: int) -> tuple[str, bool]:
        from bub.builtin.model_runner import ModelRunner
        from bub.builtin.settings import load_settings

        settings = load_settings()
        messages = [{"role": "system", "content": instructions}, {"role": "user", "content": text}]
        response: Any = await ModelRunner(settings).completion_response(
            model=self.name or settings.model, messages=messages, tools=[], max_tokens=limit
        )
        if hasattr(response, "choices"):
            return _whole(response)
        try:
            return await _streamed(response)
        finally:
            close = getattr(response, "aclose", None) or getattr(response, "close", None)
            if close is not None and asyncio.iscoroutine(closing := close()):
                await closing


def _whole(response: Any) -> tuple[str, bool]:
    choice = response.choices[0]
    return choice.message.content or "", choice.finish_reason == "length"


async def _streamed(chunks: AsyncIterator[Any]) -> tuple[str, bool]:
    texts, cut = list[str](), False
    async for chunk in chunks:
        for choice in chunk.choices:
            texts.append(choice.delta.content or "")
            cut = cut or choice.finish_reason == "length"
    return "".join(texts), cut
