"""Plain text: a dialogue of lines "Speaker: text", or paragraphs that blank lines part.

A paragraph longer than `PART` is cut at the end of a sentence or a word; its parts, joined, are the paragraph.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from siltstone.upkeep.sources.items import Found, Item
from siltstone.upkeep.sources.lines import Line, Lines

PART = 8_000
SPOKEN = re.compile(r"\s*\[?(?P<speaker>[^\W\d_][\w .'’-]{0,39}?)\]?[:：]\s*(?P<text>\S.*)")
SENTENCE_END = re.compile(r"[.!?]\s|[。！？\n]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Lines that belong together, from line `first`; `speaker` where it is one's speech."""

    first: int
    text: str
    speaker: str = ""


def read(lines: Lines) -> Iterator[Item]:
    """The speeches of a dialogue as turns of one session, or the paragraphs as notes."""
    head = [line.text for line in lines.head()]
    spoken = sum(SPOKEN.fullmatch(text) is not None for text in head)
    if len(head) > 1 and 2 * spoken > len(head):
        session = f"dialogue-{hashlib.sha256(head[0].encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
        shared = {"session_id": session}
    else:
        shared = {}
    for part in _gathered(lines, dialogue=bool(shared)):
        yield from [part] if not isinstance(part, Paragraph) else _parts(part, shared)


def cut(text: str, limit: int = PART) -> list[str]:
    """The text in parts of at most `limit` characters that, joined, are the text."""
    parts = []
    while len(text) > limit:
        ends = [match.end() for match in SENTENCE_END.finditer(text, limit // 2, limit)]
        end = ends[-1] if ends else text.rfind(" ", limit // 2, limit) + 1 or limit
        parts.append(text[:end])
        text = text[end:]
    return [*parts, text]


def _gathered(lines: Lines, *, dialogue: bool) -> Iterator[Item | Paragraph]:
    """Lines put together: those after a speaker's line, or those that no blank line parts."""
    held: list[Line] = []
    for line in lines:
        fault = line.fault()
        if fault is not None:
            yield fault
            continue
        if held and _begins(line, held[-1], dialogue):
            yield _paragraph(held, dialogue)
            held = []
        held.append(line)
    if held:
        yield _paragraph(held, dialogue)


def _begins(line: Line, before: Line, dialogue: bool) -> bool:
    return SPOKEN.fullmatch(line.text) is not None if dialogue else line.number > before.number + 1


def _paragraph(held: list[Line], dialogue: bool) -> Paragraph:
    spoken = SPOKEN.fullmatch(held[0].text) if dialogue else None
    first = spoken["text"] if spoken else held[0].text
    text = "\n".join([first, *(line.text for line in held[1:])])
    return Paragraph(first=held[0].number, text=text, speaker=spoken["speaker"] if spoken else "")


def _parts(paragraph: Paragraph, shared: dict[str, Any]) -> Iterator[Item]:
    parts = cut(paragraph.text)
    for number, text in enumerate(parts, 1):
        message: dict[str, Any] = {"content": text, **shared}
        if paragraph.speaker:
            message["speaker"] = paragraph.speaker
        if len(parts) > 1:
            message["metadata"] = {"line": paragraph.first, "part": number, "parts": len(parts)}
        yield Found(message=message, place=f"line {paragraph.first}")
