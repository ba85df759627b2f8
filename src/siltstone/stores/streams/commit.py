"""A step of a partition as commands, and sending it: compared, then all or nothing, in one round trip."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from siltstone.domain.records import Gone, Record
from siltstone.ports.stores import Position
from siltstone.stores.streams import follow, rows, scripts
from siltstone.stores.streams.keys import Keys, registry
from siltstone.stores.streams.server import Beside, Command, Server

STAGED_BYTES = 4 << 20
"""A larger step is laid down on the server in pieces of that size first, then run from there."""
STAGED_SECONDS = 3_600
WORDS = 1_000
"""Words in one command; Lua cannot pass on many more."""
COMMANDS_A_SECOND = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What is to happen at position `before` of the projection's `version`, and where the partition is afterwards."""

    user_id: str
    before: Position
    known: str
    after: Position
    version: str
    commands: Sequence[Command]
    opening: Sequence[Command] = ()
    followed: Sequence[str] = ()
    work: int = 0
    """Entries that the server will copy."""


class Writer:
    """Sends steps. `replicas` is how many have to confirm each within `replicas_timeout` seconds."""

    def __init__(self, server: Server, keys: Keys, *, replicas: int = 0, replicas_timeout: float = 1.0) -> None:
        self._server, self._keys, self.replicas, self._wait = server, keys, replicas, replicas_timeout

    def send(self, step: Step) -> tuple[list[Any], int]:
        """The script's answer, and how many replicas confirmed; the script is `scripts.COMMIT`."""
        words = flat(step.commands)
        stage = self._stage(step.commands) if sum(map(len, words)) > STAGED_BYTES else ""
        patience = (len(step.commands) + step.work) / COMMANDS_A_SECOND if stage or step.work else 0.0
        head: list[Any] = [step.before.seq, step.before.epoch, step.known, 0, follow.TAIL, stage]
        head += [step.after.seq, step.after.epoch, step.version, step.user_id]
        replies = self._attempt(step, head, [] if stage else words, patience)
        if replies[0][0] == scripts.LATE:  # the clocks went apart
            self._server.synchronise()
            replies = self._attempt(step, head, [] if stage else words, patience)
        if stage and replies[0][0] != scripts.COMMITTED:
            self._server.one("UNLINK", stage)
        return replies[0], replies[1] if self.replicas else 0

    def _attempt(self, step: Step, head: list[Any], words: Sequence[bytes], patience: float) -> list[Any]:
        head[3] = self._server.deadline()
        new = step.before == Position()
        beside = Beside(
            before=[*step.opening, ("SADD", registry(self._server.address.prefix), self._keys.tag)] if new else [],
            after=[("WAIT", self.replicas, int(1000 * self._wait))] if self.replicas else [],
            patience=patience + (self._wait if self.replicas else 0.0),
        )
        keys = [self._keys.head, self._keys.journal, *step.followed]
        return self._server.script(scripts.COMMIT, keys, [*head, *words], beside=beside)

    def _stage(self, commands: Sequence[Command]) -> str:
        """Lay the commands down under a key that expires; answers the key."""
        key = self._keys.own(f"step:{secrets.token_hex(8)}")
        for piece in _pieces(flat(commands)):
            self._server.run(
                [("RPUSH", key, *words) for words in cut(piece, WORDS)] + [("EXPIRE", key, STAGED_SECONDS)]
            )
        return key


def record_commands(keys: Keys, records: Iterable[Record], gone: Iterable[Gone]) -> Iterator[Command]:
    """What writes these records and erases those."""
    pairs: list[bytes | str] = []
    for record in records:
        pairs += [rows.field_of((record.kind, record.id)), rows.record_text(record)]
    yield from field_commands(keys, pairs, [rows.field_of((name.kind, name.id)) for name in gone])


def field_commands(keys: Keys, pairs: Sequence[bytes | str], erased: Sequence[bytes | str]) -> Iterator[Command]:
    """The same, for fields and values by turns, and for fields to erase."""
    yield from (("HSET", keys.records, *words) for words in cut(pairs, WORDS))
    yield from (("HDEL", keys.records, *words) for words in cut(erased, WORDS))


def vector_commands(keys: Keys, model: str, seq: int, vectors: Mapping[str, bytes]) -> Iterator[Command]:
    """What stores these vectors of one position, in order of their keys; known ones stay."""
    words = [word for key in sorted(vectors) for word in (key, vectors[key])]
    start = ("@vector", keys.vectors(model), keys.known(model), keys.models, model, seq)
    yield from ((*start, *some) for some in cut(words, WORDS))


def flat(commands: Iterable[Command]) -> list[bytes]:
    """Commands as the script reads them: the number of words, then the words."""
    words: list[bytes] = []
    for command in commands:
        words.append(b"%d" % len(command))
        words += [word if isinstance(word, bytes) else str(word).encode() for word in command]
    return words


def cut(words: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    """The words in runs of at most that many, an even number."""
    return (words[start : start + size] for start in range(0, len(words), size))


def _pieces(words: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    """The words in runs of about STAGED_BYTES."""
    start = size = 0
    for n, word in enumerate(words):
        size += len(word)
        if size > STAGED_BYTES:
            yield words[start : n + 1]
            start, size = n + 1, 0
    yield words[start:]
