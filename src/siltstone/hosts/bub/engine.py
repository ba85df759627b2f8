"""The engine behind the plugin: one Memory in `{BUB_HOME}/memory`, and two background workers. It knows no code of Bub's.

One worker keeps what was said, which takes milliseconds; the other has it read, which may take a model's time.

Nothing is opened or created before there is something to keep. What goes wrong is reported once and costs a turn
nothing: the tape stays the truth, and the next run continues where the durable marks stand.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from siltstone.hosts.bub.options import MODEL, OFF, Options
from siltstone.hosts.bub.reports import Reports
from siltstone.hosts.bub.worker import Worker, patience, uncollected

if TYPE_CHECKING:
    from siltstone.hosts.bub.block import Formatter
    from siltstone.hosts.bub.recall import Question
    from siltstone.memory import Memory
    from siltstone.ports.knowledge import KnowledgeModel
    from siltstone.ports.models import Embedder

BUSY = 5.0
"""Seconds that a write waits for another process."""
Ask = Callable[[str, str, int], tuple[str, bool]]
"""(instructions, text, limit in tokens) → what Bub's model wrote, and whether it was cut off. Raises ModelError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A turn that is over: the workspace whose memory it belongs to, its session and tape.

    `entries` are the tape's entries where the host keeps them in no file.
    """

    user: str
    session: str | None
    tape: str
    entries: Sequence[Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Whose memory is meant: the workspace, and where known the session and its tape."""

    user: str
    session: str | None = None
    tape: str = ""


class Engine:
    """Keeps, reads and recalls for all workspaces of one Bub home. Threads may share one."""

    def __init__(self, home: Path, options: Options, *, reports: Reports, ask: Ask | None = None) -> None:
        self.home, self.options, self.reports = home, options, reports
        self.keeper = Worker("siltstone-bub-keep", partial(self.reports.trouble, "keeping in the background"))
        self.readers = Worker("siltstone-bub-read", partial(self.reports.trouble, "reading in the background"))
        self.extractor: KnowledgeModel | None = None
        self._ask = ask
        self._memory: Memory | None = None
        self._embedder: Embedder | None = None
        self._lock = threading.Lock()

    # what is where

    @property
    def database(self) -> Path:
        """The file of the store."""
        return self.home / "memory" / "memory.db"

    @property
    def tapes(self) -> Path:
        """The folder of the tapes."""
        return self.home / "tapes"

    @property
    def is_there(self) -> bool:
        """Whether anything was ever kept."""
        return self._memory is not None or self.database.exists()

    def memory(self) -> Memory:
        """The memory, opened by the first call."""
        with self._lock:
            if self._memory is None:
                self._memory = self._opened()
            return self._memory

    def close(self) -> None:
        """Release the store; the next call opens it again."""
        with self._lock:
            memory, self._memory = self._memory, None
        if memory is not None:
            memory.close()

    # reading

    def block(self, question: Question, *, user: str, formatter: Formatter) -> str:
        """The block for a message; "" where memory has nothing to say. Trouble is reported and gives what is left."""
        from siltstone.hosts.bub import recall

        contents = recall.only_handoff(question)
        if self.is_there:
            self.keeper.drain(self.options.keep_seconds)
            try:
                contents = recall.gather(self.memory(), question, user=user, limit=self.options.memories)
                self.reports.well("recall")
            except Exception as error:  # noqa: BLE001 - reported; a turn goes on without its memories
                self.reports.trouble("recall", error)
        return formatter(contents, self.options.budget(narrow=question.narrow)) if contents else ""

    def warm(self, user: str) -> None:
        """Load what the first turn would have to wait for. Makes no file."""
        with uncollected():
            self._warm(user)

    def _warm(self, user: str) -> None:
        from siltstone.hosts.bub import recall

        question = recall.Question(text="warm up", session="-")
        if self.is_there:
            recall.gather(self.memory(), question, user=user, limit=1)
            return
        with self._memory_at("memory://") as nothing:
            recall.gather(nothing, question, user=user, limit=1)
            self._embedder = nothing.embedder
            if self._embedder is not None and self._embedder.inline:
                self._embedder.embed_query(question.text)

    # writing

    def learn(self, turn: Turn) -> None:
        """Queue what a turn said for keeping, and then for reading. The next recall waits for it, shortly."""
        self.keeper.submit(("keep", turn.tape), lambda: self._keep_and_queue(turn))

    def catch_up(self, user: str) -> None:
        """Queue the reading of all that is kept and not read yet."""
        if self.options.extraction != OFF:
            self.readers.submit(("read", user), lambda: self.read(user))

    def resume(self, user: str) -> None:
        """Queue what an earlier process left: tapes that grew since they were kept, and texts that nobody read."""
        if self.is_there:
            self.keeper.submit(("resume", user), lambda: self._resume(user))

    def _resume(self, user: str) -> None:
        from siltstone.hosts.bub import learning

        for tape in learning.behind(self.memory(), user, folder=self.tapes):
            self.keep(Turn(user=user, session=None, tape=tape))
        self.catch_up(user)

    def _keep_and_queue(self, turn: Turn) -> None:
        if self.keep(turn) is not None:
            self.catch_up(turn.user)

    def keep(self, turn: Turn) -> int | None:
        """Keep what the tape says since its mark, whole and searchable; how many texts were new, None where it failed."""
        from siltstone.hosts.bub import learning

        try:
            kept = learning.keep(self.memory(), turn, folder=self.tapes, reports=self.reports)
            self.reports.well("keeping a turn")
        except Exception as error:  # noqa: BLE001 - reported; the tape holds it, the next turn tries again
            self.reports.trouble("keeping a turn", error)
            return None
        return kept

    def read(self, user: str) -> None:
        """Read entities and relations out of what is kept: by rules at once, then by the model where there is one."""
        from siltstone.hosts.bub import learning

        if not self.is_there:
            return
        try:
            by = self.reader() if self.options.extraction == MODEL else None
            learning.read(self.memory(), user, by=by, options=self.options, reports=self.reports)
        except Exception as error:  # noqa: BLE001 - reported; what was not read waits
            self.reports.trouble("reading", error)
        finally:
            self.snapshot(user)

    def snapshot(self, user: str) -> None:
        """Write what was read since the last time as snapshots, a line a tape."""
        from siltstone.hosts.bub import learning

        try:
            learning.snapshot(self.memory(), user, folder=self.tapes / "semantic")
            self.reports.well("writing a snapshot")
        except Exception as error:  # noqa: BLE001 - reported; the mark stays, the next time writes it
            self.reports.trouble("writing a snapshot", error)

    def settle(self, seconds: float) -> bool:
        """Wait until everything that was said is kept and read, `seconds` at most; whether it is."""
        until = time.monotonic() + seconds
        return self.keeper.drain(patience(until)) and self.readers.drain(patience(until))

    def finish(self, cancel: Callable[[], None]) -> bool:
        """Let the work under way end, as long as the options allow, then stop it; whether everything was done.

        Keeping is waited for longer than reading: the tape holds it either way, but the next process would have to do it.
        """
        done = self.settle(self.options.drain_seconds)
        if not done:
            cancel()
            self.keeper.drain(BUSY)
        ended = [self.readers.stop(1.0), self.keeper.stop(BUSY)]
        if all(ended):
            self.close()
        return done

    def _opened(self) -> Memory:
        self.database.parent.mkdir(parents=True, exist_ok=True)
        return self._memory_at(f"sqlite:///{self.database}")

    def _memory_at(self, url: str) -> Memory:
        from siltstone.assembly import assemble
        from siltstone.memory import Memory

        parts = assemble(url, {"store__busy_timeout": BUSY})
        return Memory(replace(parts, embedder=self._embedder or parts.embedder))

    def reader(self) -> KnowledgeModel | None:
        """What reads entities and relations with Bub's model, or in its place."""
        from siltstone.assembly import asked
        from siltstone.hosts.bub.named import named
        from siltstone.hosts.bub.reader import SemanticReader

        if self.extractor is None and self.options.extractor:
            self.extractor = named(self.options.extractor)
        if self.extractor is not None or self._ask is None:
            return self.extractor
        return SemanticReader(asked(self._ask, model="bub", limit=self.options.answer_tokens))
