"""The names of a user's keys. All of them carry the user as their hash tag: a cluster keeps them in one place."""

from __future__ import annotations

from urllib.parse import quote, unquote

from siltstone.errors import InvalidInput

_NOBODY = "%"


class Keys:
    """The keys of one user under one prefix. Raises InvalidInput for a name that UTF-8 cannot hold."""

    __slots__ = ("head", "journal", "models", "records", "root", "tag")

    def __init__(self, prefix: str, user_id: str) -> None:
        self.tag = encoded(user_id)
        self.root = f"{prefix}:{{{self.tag}}}"
        self.head, self.journal = f"{self.root}:head", f"{self.root}:journal"
        self.records, self.models = f"{self.root}:records", f"{self.root}:models"

    def vectors(self, model: str) -> str:
        """The stream of that model's vectors."""
        return f"{self.root}:vectors:{encoded(model)}"

    def known(self, model: str) -> str:
        """The set of the keys that have a vector of that model."""
        return f"{self.root}:known:{encoded(model)}"

    def own(self, name: str) -> str:
        """A key of a sink's own."""
        return f"{self.root}:{name}"


def registry(prefix: str) -> str:
    """The set of the users that may have a partition: a list of names, and nothing of theirs."""
    return f"{prefix}:users"


def due(prefix: str) -> str:
    """The hash of purges whose bytes may still be in the server's files."""
    return f"{prefix}:wipe"


def encoded(name: str) -> str:
    """A name as part of a key: reversible, without braces, colons and blanks."""
    try:
        return quote(name, safe="") or _NOBODY
    except UnicodeEncodeError as error:
        raise InvalidInput(f"a name holds text that UTF-8 has no form for ({error}); remove lone surrogates") from error


def decoded(name: str) -> str:
    """The inverse of `encoded`."""
    return "" if name == _NOBODY else unquote(name)
