"""The lines of a source, numbered; the first ones can be looked at before anything is read."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from siltstone.errors import FormatError
from siltstone.upkeep.sources.items import Problem

HEAD_LINES, HEAD_CHARACTERS = 5, 1_000_000
UNDECODED = re.compile("[\udc80-\udcff]")
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line without its end; `ended` is False for a last line that nothing ends: it may be torn."""

    number: int
    text: str
    ended: bool = True

    @property
    def place(self) -> str:
        """How a report names the line."""
        return f"line {self.number}"

    def fault(self) -> Problem | None:
        """Why the line's bytes are no text, if so."""
        if UNDECODED.search(self.text):
            return Problem(place=self.place, reason="it is not UTF-8; convert the file, for instance with iconv")
        return None


class Lines:
    """Iterates once over the lines that are not blank. `done` of `size` bytes were read; `size` is 0 for a stream."""

    def __init__(self, stream: IO[str], *, size: int = 0) -> None:
        self._stream, self.size = stream, size
        self._numbered = enumerate(stream, 1)
        self._ahead: list[Line] = []

    @property
    def done(self) -> int:
        """How many bytes of the file were read, in steps of the buffer."""
        raw = getattr(self._stream, "buffer", None)
        return min(raw.tell(), self.size) if raw is not None and self.size else 0

    def head(self) -> list[Line]:
        """The first lines, at most five; they stay to be read."""
        while len(self._ahead) < HEAD_LINES and sum(len(line.text) for line in self._ahead) < HEAD_CHARACTERS:
            line = self._next()
            if line is None:
                break
            self._ahead.append(line)
        return list(self._ahead)

    def whole(self) -> str:
        """All that is left, as one text; it stays to be read."""
        self._ahead.extend(iter(self._next, None))
        return "\n".join(line.text for line in self._ahead)

    def __iter__(self) -> Iterator[Line]:
        yield from self._drain()
        yield from iter(self._next, None)

    def _drain(self) -> Iterator[Line]:
        ahead, self._ahead = self._ahead, []
        yield from ahead

    def _next(self) -> Line | None:
        for number, text in self._numbered:
            text = text.removeprefix("\ufeff") if number == 1 else text
            if text.strip():
                return Line(number=number, text=text.rstrip("\r\n"), ended=text.endswith("\n"))
        return None


@contextmanager
def opened(source: str | Path | IO[str]) -> Iterator[Lines]:
    """The lines of a file or an open stream; a stream stays open. Raises FormatError where there is none to read."""
    if isinstance(source, str | Path):
        path = Path(source).expanduser()
        with _file(path) as raw:
            yield Lines(_decoded(raw), size=path.stat().st_size)
    elif hasattr(source, "read"):
        yield from _from_stream(source)
    else:
        raise FormatError(f"a source of type {type(source).__name__} cannot be read; give a path or an open text file")


def _file(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise FormatError(f"the file {path} cannot be read ({why}); name a readable file") from error


def _from_stream(stream: Any) -> Iterator[Lines]:
    """A stream of text as it is, one of bytes decoded; the caller's stream is never closed."""
    if isinstance(stream, io.TextIOBase) or isinstance(stream.read(0), str):
        yield Lines(cast(IO[str], stream))
        return
    text = _decoded(stream)
    try:
        yield Lines(text)
    finally:
        buffered: Any = text.detach()
        if buffered is not stream:
            buffered.detach()


def _decoded(raw: Any) -> io.TextIOWrapper:
    """The bytes as text: UTF-8, or UTF-16 where a byte order mark says so. Bytes that are neither stay visible."""
    buffered = raw if hasattr(raw, "peek") else io.BufferedReader(raw)
    wide = buffered.peek(2)[:2] in UTF16
    return io.TextIOWrapper(
        buffered, encoding="utf-16" if wide else "utf-8-sig", errors="replace" if wide else "surrogateescape"
    )
