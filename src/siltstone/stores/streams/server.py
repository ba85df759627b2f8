"""The connection to a server: one call of `run`, `together` or `script` is one round trip."""

from __future__ import annotations

import hashlib
import os
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from siltstone.errors import InvalidInput
from siltstone.stores.streams import failures
from siltstone.stores.streams.address import Address
from siltstone.stores.streams.wire import Command, Refusal, Reply, Wire

__all__ = ["Beside", "Command", "Refusal", "Reply", "Script", "Server"]

Words = Sequence[bytes | str | int | float]
_PAUSE = 0.05
_IDLE = 8


class Script:
    """A Lua script; a server keeps it under the hash of its text."""

    __slots__ = ("digest", "text")

    def __init__(self, text: str) -> None:
        self.text, self.digest = text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()

    def call(self, keys: Sequence[str], arguments: Words) -> Command:
        """The command that runs it where the server knows it already."""
        return ("EVALSHA", self.digest, len(keys), *keys, *arguments)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What goes along with a script in its round trip, and how many seconds more than usual the answer may take.

    Replies to what is sent before it are not looked at.
    """

    before: Sequence[Command] = ()
    after: Sequence[Command] = ()
    patience: float = 0.0


ALONE = Beside()


class Server:
    """The server at `address`; safe from any thread, and in a process that forked.

    `timeout` is how many seconds a connection or an answer is waited for, `busy_timeout` how long for a server that
    still loads its data or runs somebody's long script. `round_trips` counts.
    """

    def __init__(self, address: Address, *, timeout: float = 5.0, busy_timeout: float = 30.0) -> None:
        self.address, self.timeout, self.busy_timeout = address, timeout, busy_timeout
        self.round_trips = 0
        self._idle: deque[Wire] = deque()
        self._process, self._closed = os.getpid(), False
        self._ahead: float | None = None

    def run(self, commands: Sequence[Command]) -> list[Reply]:
        """The replies to these commands, sent together. The first error reply raises, once all replies are read."""
        replies = self.attempt(commands)
        self._require(replies)
        return replies

    def one(self, *command: bytes | str | int | float) -> Reply:
        """The reply to one command."""
        return self.run([command])[0]

    def together(self, commands: Sequence[Command]) -> list[Reply]:
        """The replies to these commands, which nobody else's command comes between."""
        replies = self.run([("MULTI",), *commands, ("EXEC",)])[-1]
        self._require(replies)
        return list(replies)

    def script(self, script: Script, keys: Sequence[str], arguments: Words, *, beside: Beside = ALONE) -> list[Reply]:
        """The replies of a script and of what was sent after it; teaches the server the script first."""
        call = script.call(keys, arguments)
        replies = self.attempt([*beside.before, call, *beside.after], beside.patience)
        told = replies[len(beside.before)]
        if isinstance(told, Refusal) and told.startswith("NOSCRIPT"):
            replies = self.attempt(
                [*beside.before, ("SCRIPT", "LOAD", script.text), call, *beside.after], beside.patience
            )
            del replies[len(beside.before)]
        del replies[: len(beside.before)]
        self._require(replies)
        return replies

    def attempt(self, commands: Sequence[Command], patience: float = 0.0) -> list[Reply]:
        """The replies, error replies among them as `Refusal`; waits while the server loads its data.

        Raises StoreUnavailable where the server is gone, silent or refuses this client, `failures.Unanswered` where it
        got the commands and what became of them is not known. `patience` is added to the timeout.
        """
        deadline = time.monotonic() + self.busy_timeout
        while True:
            replies = self._exchange(commands, patience)
            if not _is_waiting(replies) or time.monotonic() > deadline:
                return replies
            time.sleep(_PAUSE)

    def deadline(self) -> int:
        """The server's time, in milliseconds, at which this client stops waiting for an answer to what it sends now."""
        if self._ahead is None:
            self.synchronise()
        return int(1000 * (time.time() + (self._ahead or 0.0) + self.timeout))

    def synchronise(self) -> None:
        """Learn how far the server's clock is ahead of ours."""
        seconds, micros = self.one("TIME")
        self._ahead = int(seconds) + int(micros) / 1e6 - time.time()

    def require_open(self) -> None:
        """Raise StoreUnavailable where the store was closed."""
        if self._closed:
            raise failures.closed(self.address)

    def close(self) -> None:
        """Close all connections; any later call raises StoreUnavailable."""
        self._closed = True
        while self._idle:
            self._idle.pop().close()

    def _require(self, replies: Sequence[Reply]) -> None:
        for reply in replies:
            if isinstance(reply, Refusal):
                raise failures.replied(reply, self.address)

    def _exchange(self, commands: Sequence[Command], patience: float) -> list[Reply]:
        wire: Wire | None = self._take()
        assert wire is not None
        try:
            replies = wire.exchange(commands, patience)
        except TimeoutError as error:
            raise failures.unanswered(self.address, self.timeout + patience) from error
        except (OSError, EOFError) as error:
            raise failures.lost(error, self.address) from error
        except UnicodeEncodeError as error:
            raise InvalidInput(f"a text has no UTF-8 form ({error}); remove lone surrogates") from error
        else:
            self._give(wire)
            wire = None
        finally:
            if wire is not None:  # an interrupt between two replies must not leave the rest to the next caller
                wire.close()
        self.round_trips += 1
        return replies

    def _take(self) -> Wire:
        """A connection that nobody else uses."""
        self.require_open()
        if self._process != os.getpid():  # a forked child shares no connection with its parent
            self._idle, self._process = deque(), os.getpid()
        while self._idle:
            try:
                wire = self._idle.pop()
            except IndexError:
                break
            if wire.idle():
                return wire
            wire.close()
        return self._connect()

    def _give(self, wire: Wire) -> None:
        if self._closed or len(self._idle) >= _IDLE:
            wire.close()
        else:
            self._idle.append(wire)

    def _connect(self) -> Wire:
        wire = None
        try:
            wire = Wire(self.address, self.timeout)
            replies = wire.exchange(_greeting(self.address))
        except (OSError, EOFError, ValueError) as error:
            if wire is not None:
                wire.close()
                if isinstance(error, TimeoutError):
                    raise failures.silent(self.address, self.timeout) from error
            raise failures.unreachable(error, self.address) from error
        refused = [reply for reply in replies if isinstance(reply, Refusal) and not reply.startswith("LOADING")]
        if refused:
            wire.close()
            raise failures.replied(refused[0], self.address)
        return wire


def _greeting(address: Address) -> list[Command]:
    """What a new connection says first."""
    user = [address.username] if address.username else []
    login: list[Command] = [("AUTH", *user, address.password)] if address.password or user else []
    return [*login, ("SELECT", address.database)]


def _is_waiting(replies: Sequence[Reply]) -> bool:
    """Whether the server did nothing yet but say that it will: the first reply is such an error."""
    return isinstance(replies[0], Refusal) and replies[0].startswith(failures.WAITED_FOR)
