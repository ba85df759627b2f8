"""The protocol on the wire, addresses, keys and messages of stores on a server."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servers import RunningServer
from siltstone.errors import InvalidInput, StoreBusy, StoreError, StoreUnavailable
from siltstone.stores.streams import failures
from siltstone.stores.streams.address import Address, parse
from siltstone.stores.streams.keys import Keys, decoded, encoded
from siltstone.stores.streams.server import Refusal, Server
from siltstone.stores.streams.wire import Wire, pack


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_names_in_keys_are_reversible(name: str) -> None:
    """Any name becomes a part of a key without braces, colons or blanks, and comes back."""
    assert decoded(encoded(name)) == name
    assert not set("{}: \n") & set(encoded(name))
    assert encoded(name)


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text(st.characters(exclude_categories=["Cs"])))
def test_users_never_share_a_key(one: str, other: str) -> None:
    """Two users have no key in common, and each user's keys have one hash tag."""
    first, second = Keys("siltstone", one), Keys("siltstone", other)
    assert (first.journal == second.journal) == (one == other)
    assert first.journal.count("{") == first.vectors("m{o}d").count("{") == 1


def test_a_name_without_a_form_in_utf8() -> None:
    """Half of a surrogate pair in a name raises InvalidInput."""
    with pytest.raises(InvalidInput, match="surrogates"):
        encoded("\ud83d")


@given(st.lists(st.one_of(st.binary(), st.text(st.characters(exclude_categories=["Cs"])), st.integers())))
def test_commands_are_packed_by_length(words: list[bytes | str | int]) -> None:
    """A packed command holds the number of its words and the length of each: no content can end it early."""
    data, found = pack(words), []
    head, _, rest = data.partition(b"\r\n")
    for _ in range(int(head[1:])):
        size, _, rest = rest.partition(b"\r\n")
        found.append(rest[: int(size[1:])])
        rest = rest[int(size[1:]) + 2 :]
    assert rest == b""
    assert found == [word if isinstance(word, bytes) else str(word).encode() for word in words]


def test_every_kind_of_reply_is_read(redis_server: RunningServer) -> None:
    """Strings, numbers, nothing, lists in lists, states and errors come back as what they are."""
    server = Server(redis_server.address())
    replies = server.attempt(
        [
            ("PING",),
            ("ECHO", b"\x00\r\n\xff"),
            ("GET", "no such key"),
            ("EVAL", "return {1, {2, 'x'}, {}}", 0),
            ("NONSENSE",),
            ("EVAL", "return {ok='fine'}", 0),
        ]
    )
    assert replies[:4] == [b"PONG", b"\x00\r\n\xff", None, [1, [2, b"x"], []]]
    assert isinstance(replies[4], Refusal) and replies[4].startswith("ERR unknown command")
    assert replies[5] == b"fine"
    server.close()
    with pytest.raises(StoreUnavailable, match="was closed"):
        server.one("PING")


@pytest.mark.parametrize("answer", [b"", b"$5\r\nab", b"*2\r\n:1\r\n", b"+PO"])
def test_a_reply_that_breaks_off(answer: bytes) -> None:
    """A connection that ends amid a reply is an error, never half an answer."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(1_000)
                connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        wire = Wire(Address(scheme="redis", host="127.0.0.1", port=listener.getsockname()[1]), 5.0)
        with pytest.raises(EOFError):
            wire.exchange([("PING",)])
        wire.close()
        thread.join()


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("redis://", Address(scheme="redis")),
        ("redis://host", Address(scheme="redis", host="host")),
        ("redis://:p%40ss@host:7000/2", Address(scheme="redis", host="host", port=7000, database=2, password="p@ss")),
        ("redis://ana:x@[::1]:1/0", Address(scheme="redis", host="::1", port=1, username="ana", password="x")),
        ("rediss://host?ca=/a&verify=no", Address(scheme="rediss", host="host", tls=True, ca="/a", verify=False)),
        ("redis+unix:///a%20b/s?db=1&prefix=p", Address(scheme="redis", host="", port=0, socket="/a b/s", database=1, prefix="p")),
    ],
)  # fmt: skip
def test_urls(url: str, found: Address) -> None:
    """A URL names host, port, database, user, password, socket, prefix and TLS."""
    assert parse(url, scheme="redis") == found


@given(
    st.text(min_size=6), st.sampled_from(["redis://u:{}@h/0", "redis://u:{}@h/x", "redis://u:{}@h:x/0", "x://u:{}@h"])
)
def test_no_message_shows_a_password(password: str, form: str) -> None:
    """Whatever the password is, neither the address as shown nor an error about the URL holds it."""
    try:
        shown = parse(form.format(password), scheme="redis").shown
    except InvalidInput as error:
        shown = str(error)
    assert f":{password}@" not in shown


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("NOAUTH Authentication required.", StoreUnavailable),
        ("WRONGPASS invalid username-password pair", StoreUnavailable),
        ("OOM command not allowed when used memory > 'maxmemory'.", StoreUnavailable),
        ("READONLY You can't write against a read only replica.", StoreUnavailable),
        ("MISCONF Redis is configured to save RDB snapshots", StoreUnavailable),
        ("LOADING Redis is loading the dataset in memory", StoreBusy),
        ("BUSY Redis is busy running a script.", StoreBusy),
        ("MOVED 1234 10.0.0.1:6379", StoreUnavailable),
        ("ASK 1234 10.0.0.1:6379", StoreUnavailable),
        ("NOPERM this user has no permissions to run the 'eval' command", StoreUnavailable),
        ("NOREPLICAS Not enough good replicas to write.", StoreUnavailable),
        ("MASTERDOWN Link with MASTER is down", StoreUnavailable),
        ("CLUSTERDOWN The cluster is down", StoreUnavailable),
        ("CROSSSLOT Keys in request don't hash to the same slot", StoreUnavailable),
        ("TRYAGAIN Multiple keys request during rehashing of slot", StoreBusy),
        ("ERR something new", StoreError),
    ],
)
def test_error_replies(reply: str, kind: Callable[..., Exception]) -> None:
    """Each error reply becomes an error of ours that names the server and says what to do."""
    error = failures.replied(reply, Address(scheme="redis", password="geheim"))
    assert type(error) is kind
    assert "redis://localhost:6379/0" in str(error) and "geheim" not in str(error)
