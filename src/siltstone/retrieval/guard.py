"""The guard: which questions are not asked at all. Small talk, short ones, and those that the user's own file names."""

from __future__ import annotations

import re
import threading
from pathlib import Path

from siltstone.domain.values import Degraded
from siltstone.errors import InvalidInput
from siltstone.settings import GuardSettings
from siltstone.text.normal import fold, is_cjk
from siltstone.text.small_talk import is_small_talk

MARKS = " \t\n.,;:!?…~。，；：！？、～"


class Guard:
    """Says why a question is skipped. The patterns file is read again whenever it changed."""

    def __init__(self, settings: GuardSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._read: tuple[tuple[int, int], dict[str, re.Pattern[str]]] | None = None

    def reason(self, query: str) -> str:
        """Why the query is skipped; "" where it is not. Raises InvalidInput for a patterns file that cannot be read."""
        text = query.strip()
        if len(text) < self._settings.min_length and not any(map(is_cjk, text)):
            return f"it is shorter than {self._settings.min_length} characters"
        if self._settings.small_talk and is_small_talk(text):
            return "it is small talk"
        said = plain(text)
        found = next((pattern for pattern, compiled in self.patterns().items() if compiled.fullmatch(said)), None)
        return "" if found is None else f"the pattern {found!r} skips it"

    def skip(self, query: object) -> tuple[str, tuple[Degraded, ...]]:
        """The reason, and, where the patterns cannot be read, that as a declared gap: the question is then asked."""
        try:
            return (self.reason(query) if isinstance(query, str) and query.strip() else ""), ()
        except InvalidInput as error:
            return "", (Degraded(part="guard", reason=str(error), remedy="mend or unset guard.patterns_file"),)

    def patterns(self) -> dict[str, re.Pattern[str]]:
        """The patterns of the file, folded; none without one. `*` stands for any text."""
        if not self._settings.patterns_file:
            return {}
        path = Path(self._settings.patterns_file).expanduser()
        try:
            stat = path.stat()
            stamp = (stat.st_mtime_ns, stat.st_size)
            with self._lock:
                if self._read is None or self._read[0] != stamp:
                    self._read = stamp, {line: _compiled(line) for line in _lines(path.read_text("utf-8-sig"))}
                return self._read[1]
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput(
                f"the patterns file {path} cannot be read ({error}); create it, one pattern a line, or unset "
                "guard.patterns_file"
            ) from error


def plain(text: str) -> str:
    """The form in which a query and a pattern are compared: folded, blanks single, without marks around it."""
    return " ".join(fold(text).split()).strip(MARKS) or text.strip()


def _lines(text: str) -> list[str]:
    """The patterns of a file: one a line, without comments (# at its beginning or after a blank)."""
    lines = (f" {line}".split(" #")[0].strip() for line in text.splitlines())
    return [plain(line) for line in lines if line]


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, pattern.split("*"))), re.DOTALL)
