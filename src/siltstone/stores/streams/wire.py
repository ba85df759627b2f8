"""Redis' protocol (RESP2) on a socket: commands in, replies out. As much of it as a store needs, and no package.

Specification: https://redis.io/docs/latest/develop/reference/protocol-spec/
"""

from __future__ import annotations

import select
import socket
import ssl
from collections.abc import Iterable, Sequence
from typing import Any

from siltstone.stores.streams.address import Address

Command = Sequence[bytes | str | int | float]
Reply = Any
_BUFFER = 1 << 18
_STRING, _ARRAY, _NUMBER, _STATUS, _ERROR = b"$*:+-"


class Refusal(str):
    """An error reply: the server's words, code first."""

    __slots__ = ()


class Wire:
    """One connection. After any exception it has to be closed. Raises OSError or EOFError, `TimeoutError` among them."""

    def __init__(self, address: Address, timeout: float) -> None:
        self._socket, self._timeout = _connected(address, timeout), timeout
        self._reader = self._socket.makefile("rb", _BUFFER)

    def exchange(self, commands: Iterable[Command], patience: float = 0.0) -> list[Reply]:
        """The replies to these commands, sent together; an error reply is a `Refusal` among them.

        Each part is waited for as long as the connection's timeout says, and `patience` more.
        """
        packed = [pack(command) for command in commands]
        self._socket.settimeout(self._timeout + patience)
        self._socket.sendall(b"".join(packed))
        return [self._reply() for _ in packed]

    def idle(self) -> bool:
        """Whether nothing has arrived that nobody asked for: such a connection was closed by the server."""
        poll = select.poll()
        poll.register(self._socket, select.POLLIN | select.POLLHUP | select.POLLERR)
        return not poll.poll(0)

    def close(self) -> None:
        """Close the connection; a second call does nothing."""
        self._reader.close()
        self._socket.close()

    def _reply(self) -> Reply:
        line = self._reader.readline()
        if not line.endswith(b"\r\n"):
            raise EOFError("the connection was closed")
        kind = line[0]
        if kind == _STRING:
            size = int(line[1:])
            return None if size < 0 else self._string(size)
        if kind == _ARRAY:
            count = int(line[1:])
            return None if count < 0 else [self._reply() for _ in range(count)]
        if kind == _NUMBER:
            return int(line[1:])
        if kind == _STATUS:
            return line[1:-2]
        if kind == _ERROR:
            return Refusal(line[1:-2].decode("utf-8", "replace"))
        raise OSError(f"no Redis speaks there: it answers {line[:40]!r}")

    def _string(self, size: int) -> bytes:
        data: bytes = self._reader.read(size + 2)
        if len(data) < size + 2:
            raise EOFError("the connection was closed")
        return data[:-2]


def pack(command: Command) -> bytes:
    """A command as the protocol has it. Raises UnicodeEncodeError for text that UTF-8 cannot hold."""
    parts = [b"*%d\r\n" % len(command)]
    for word in command:
        data = word if isinstance(word, bytes) else str(word).encode()
        parts.append(b"$%d\r\n%b\r\n" % (len(data), data))
    return b"".join(parts)


def _connected(address: Address, timeout: float) -> socket.socket:
    if address.socket:
        local = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            local.settimeout(timeout)
            local.connect(address.socket)
        except BaseException:
            local.close()
            raise
        return local
    plain = socket.create_connection((address.host, address.port), timeout)
    try:
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        return _secured(plain, address) if address.tls else plain
    except BaseException:
        plain.close()
        raise


def _secured(plain: socket.socket, address: Address) -> socket.socket:
    context = ssl.create_default_context(cafile=address.ca or None)
    if not address.verify:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if address.cert:
        context.load_cert_chain(address.cert, address.key or None)
    return context.wrap_socket(plain, server_hostname=address.host)
