"""A turn's text taken apart into statements, each with its intensity and valence, by rules and without a model.

English, Chinese and mixed text. What the rules follow is the rubric of the labelled sets (see `bench/beliefs`):
intensity says how personal and lasting the object is, times how firmly it is said; length plays no part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from siltstone.domain.beliefs import NEGATIVE, NEUTRAL, POSITIVE, Segment
from siltstone.formation.rubric.clauses import Span, statements
from siltstone.formation.rubric.paste import PASTE_INTENSITY, paste_at
from siltstone.formation.rubric.speech import IRONY, RETRACTION
from siltstone.formation.rubric.valence import valence_of
from siltstone.formation.rubric.weigh import VIVID, weigh

DECOMPOSER = "rules/1"
LONGEST = 20_000
"""What a speaker says beyond so many characters is kept whole, as a paste is."""
WEIGHED = 600
"""A statement is weighed by its first so many characters."""
MOCKED, MOCKED_LIFE = 0.4, 0.56
"""The most that irony weighs: it is a passing irritation, somewhat more where it is about a person or a life."""
_PREFIX = re.compile(r"^[ \t]*\[([^\]\n]{1,40})\][ \t]*:?[ \t]*", re.MULTILINE)
_SPACE = " \t\r\n"
_EDGE = " \t\r\n.,;:!?。，；：！？…~、-–—"
_HAN = re.compile(r"[\u4e00-\u9fff]")
_OPPOSITE = {POSITIVE: NEGATIVE, NEGATIVE: POSITIVE, NEUTRAL: NEUTRAL}


def decompose(text: str, *, speaker: str | None = None, prior: str | None = None) -> list[Segment]:
    """The statements of a turn in order; none where it only greets, asks, commands or fills.

    `text[start:end]` is where a segment stands, without the prefix `[Name]`. A retracted segment stands for the denial of
    what it takes back, which `prior`, the turn before, may hold; its text says so. `speaker` is who speaks where a line has
    no prefix; the rules word nothing anew and so do not need it. Raises nothing; the same text gives the same segments.
    """
    del speaker
    return [segment for start, end in _blocks(text) for segment in _of_block(text, start, end, prior)]


def without_paste(text: str) -> tuple[str, list[Segment]]:
    """What the speaker says, and the pasted rest as one segment of little intensity; all is their own without a paste."""
    found = paste_at(text[:LONGEST])
    if found is None:
        return text, []
    first, last = found
    if last == len(text[:LONGEST].rstrip(_SPACE)):
        last = len(text.rstrip(_SPACE))
    pasted = Segment(text=text[first:last], start=first, end=last, intensity=PASTE_INTENSITY, valence=NEUTRAL)
    return text[:first], [pasted]


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """What each speaker says: the stretches between prefixes."""
    marks = list(_PREFIX.finditer(text))
    starts = [mark.end() for mark in marks]
    ends = [mark.start() for mark in marks]
    for start, end in zip([0, *starts], [*ends, len(text)], strict=True):
        if text[start:end].strip():
            yield start, end


def _of_block(text: str, start: int, end: int, prior: str | None) -> Iterator[Segment]:
    body = text[start:end]
    paste = paste_at(body[:LONGEST])
    if len(body) > LONGEST:
        paste = (paste[0] if paste else LONGEST, len(body.rstrip()))
    own = body[: paste[0]] if paste else body
    for span in statements(own):
        yield _segment(body, span, start, prior)
    if paste:
        first, last = paste
        piece = body[first:last]
        yield Segment(text=piece, start=start + first, end=start + last, intensity=PASTE_INTENSITY, valence=NEUTRAL)


def _segment(body: str, span: Span, offset: int, prior: str | None) -> Segment:
    said = body[span.start : span.end]
    start, end = offset + span.start, offset + span.end
    if span.retracted:
        meant = RETRACTION.split(said)[0].strip(_EDGE)[:WEIGHED]
        if not _says_something(meant):
            meant = (prior or "").strip()[:WEIGHED] or said
        weight = weigh(meant)
        valence = _OPPOSITE[valence_of(meant, weight)]
        return Segment(
            text=_denied(meant), intensity=weight.intensity, valence=valence, retracted=True, start=start, end=end
        )
    plain = IRONY.sub("", said)[:WEIGHED]
    weight = weigh(plain)
    if span.ironic:
        limit = MOCKED_LIFE if weight.intensity >= VIVID else MOCKED
        return Segment(text=said, intensity=min(weight.intensity, limit), valence=NEGATIVE, start=start, end=end)
    return Segment(text=said, intensity=weight.intensity, valence=valence_of(plain, weight), start=start, end=end)


def _says_something(text: str) -> bool:
    return len(text) >= (2 if _HAN.search(text) else 6) and bool(statements(text))


def _denied(statement: str) -> str:
    return f"并不是：{statement}" if _HAN.search(statement) else f"It is not true that {statement}"
