"""The server's errors as Siltstone's: what happened, at which server, what to do next. No message shows a secret."""

from __future__ import annotations

from siltstone.errors import StoreBusy, StoreError, StoreUnavailable
from siltstone.stores.streams.address import Address

_REPLIES: tuple[tuple[str, type[StoreError], str], ...] = (
    ("NOAUTH", StoreUnavailable, "it asks for a password; put it into the URL"),
    ("WRONGPASS", StoreUnavailable, "it refuses this user and password; mend them in the URL"),
    ("ERR invalid password", StoreUnavailable, "it refuses this password; mend it in the URL"),
    ("ERR AUTH", StoreUnavailable, "it has no password set; take the one out of the URL"),
    ("NOPERM", StoreUnavailable, "this user may not do that; allow its commands and keys, or name another user"),
    ("ACL failure", StoreUnavailable, "this user may not do that; allow its commands and keys, or name another user"),
    ("OOM", StoreUnavailable, "it is out of memory and refuses to write, nothing was written; raise maxmemory"),
    ("READONLY", StoreUnavailable, "it is a replica and refuses to write, nothing was written; name the primary"),
    ("MISCONF", StoreUnavailable, "it cannot save to its disk and refuses to write; mend that, nothing was written"),
    ("NOREPLICAS", StoreUnavailable, "it has too few replicas and refuses to write, nothing was written"),
    ("MASTERDOWN", StoreUnavailable, "its primary is gone; wait for it, or name another server"),
    ("CLUSTERDOWN", StoreUnavailable, "its cluster is down; look at CLUSTER INFO"),
    ("MOVED", StoreUnavailable, "another node of its cluster keeps this user; name a server that is no cluster"),
    (
        "ASK ",
        StoreUnavailable,
        "another node of its cluster is taking this user over; name a server that is no cluster",
    ),
    (
        "CROSSSLOT",
        StoreUnavailable,
        "it is a cluster and would spread this user over nodes; name a server that is no cluster",
    ),
    ("ERR DB index is out of range", StoreUnavailable, "it has no database of that number; use 0"),
    ("ERR max number of clients", StoreUnavailable, "it takes no more clients; raise maxclients"),
    ("LOADING", StoreBusy, "it was still loading its data when the wait ran out; try again"),
    ("BUSY", StoreBusy, "it ran a script for longer than the wait; try again"),
    ("UNKILLABLE", StoreBusy, "it ran a script for longer than the wait; try again"),
    ("TRYAGAIN", StoreBusy, "its cluster is moving this user; try again"),
)

WAITED_FOR = ("LOADING", "BUSY ", "TRYAGAIN")
"""How replies begin that tell to ask again a little later; nothing was done."""


class Unanswered(StoreUnavailable):
    """The server got what was asked, and what became of it is not known."""


def replied(message: str, address: Address) -> StoreError:
    """The error for an error reply."""
    for start, kind, advice in _REPLIES:
        if message.startswith((start, f"ERR {start}")):
            return kind(f"the server {address.shown} answers {start.removeprefix('ERR ').strip()!r}: {advice}")
    return StoreError(f"the server {address.shown} failed ({message[:200]}); run: siltstone doctor")


def unreachable(error: BaseException, address: Address) -> StoreUnavailable:
    """The error for a server that does not take a connection."""
    return StoreUnavailable(
        f"the server {address.shown} cannot be reached ({_reason(error)}); start it, or mend the URL"
    )


def lost(error: BaseException, address: Address) -> Unanswered:
    """The error for a connection that broke before the answer came."""
    return Unanswered(
        f"the server {address.shown} went away ({_reason(error)}) before it answered; "
        "look at it, and repeat what was asked"
    )


def silent(address: Address, seconds: float) -> StoreUnavailable:
    """The error for a server that takes connections and says nothing; nothing was asked yet."""
    return StoreUnavailable(_silence(address, seconds))


def unanswered(address: Address, seconds: float) -> Unanswered:
    """The error for a server that was asked and does not answer."""
    return Unanswered(_silence(address, seconds))


def _silence(address: Address, seconds: float) -> str:
    return f"the server {address.shown} did not answer within {seconds:g} s; look at it, or raise store.timeout"


def _reason(error: BaseException) -> str:
    return str(error) or type(error).__name__


def closed(address: Address) -> StoreUnavailable:
    """The error for a store that was closed."""
    return StoreUnavailable(f"the store {address.shown} was closed; open it again before using it")


def contended(address: Address, seconds: float) -> StoreBusy:
    """The error for a write that others overtook for longer than the wait."""
    return StoreBusy(
        f"other writers overtook this one at {address.shown} for {seconds:g} s; nothing was written, try again"
    )


def late(address: Address) -> StoreUnavailable:
    """The error for a write that the server saw only when nobody waited for it any more."""
    return StoreUnavailable(
        f"the server {address.shown} came to a write only after its time had run out; nothing was written: "
        "look at the server and at the clocks"
    )


def uncertain(error: StoreUnavailable) -> StoreUnavailable:
    """The error for a write that may have arrived before the server went away."""
    return StoreUnavailable(
        f"{error}. Whether the write arrived is not known: repeat it with its idempotency key once the server is back"
    )


def unconfirmed(address: Address, count: int, wanted: int) -> StoreUnavailable:
    """The error for a write that too few replicas have."""
    return StoreUnavailable(
        f"the write is at {address.shown}, but {count} of {wanted} replicas confirmed it in time: "
        "it is lost if that server is; look at the replicas, or lower store.replicas"
    )
