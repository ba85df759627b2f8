"""LoCoMo files: one JSON list of samples, or one sample; a sample is one long conversation in dated sessions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from siltstone.domain.values import format_time
from siltstone.errors import FormatError
from siltstone.upkeep.sources import document
from siltstone.upkeep.sources.items import Found, Item, Problem
from siltstone.upkeep.sources.lines import Lines

MONTHS = ("january february march april may june july august september october november december").split()
SESSION = re.compile(r"session_(\d+)")
DATE = re.compile(r"(\d{1,2}):(\d{2})\s*([ap])\.?m\.?\s+on\s+(\d{1,2})\s+([a-z]+),?\s+(\d{4})", re.IGNORECASE)


def read(lines: Lines, *, captions: bool = False) -> Iterator[Item]:
    """The turns of every sample, session by session, one second apart; several samples are several users.

    With `captions`, what LoCoMo says about a shared picture is appended to the turn's text.
    """
    found = document.samples(document.parsed(lines.whole()))
    if not found:
        raise FormatError("the source holds no LoCoMo sample; give a JSON list of objects with 'conversation'")
    for number, sample in enumerate(found, 1):
        name = str(sample.get("sample_id") or f"conversation-{number}") if len(found) > 1 else ""
        for key in sorted(filter(SESSION.fullmatch, sample["conversation"]), key=_number):
            yield from _session(sample["conversation"], key, name, captions)


def session_time(text: object) -> datetime | None:
    """The moment that a text such as "1:56 pm on 8 May, 2023" names, read as UTC; None for any other text."""
    match = DATE.fullmatch(text.strip()) if isinstance(text, str) else None
    if match is None or match[5].lower() not in MONTHS:
        return None
    hour = int(match[1]) % 12 + (12 if match[3].lower() == "p" else 0)
    month = MONTHS.index(match[5].lower()) + 1
    try:
        return datetime(int(match[6]), month, int(match[4]), hour, int(match[2]), tzinfo=UTC)
    except ValueError:
        return None


def _number(key: str) -> int:
    return int(key.rpartition("_")[2])


def _session(conversation: Mapping[str, Any], key: str, name: str, captions: bool) -> Iterator[Item]:
    where = f"{name}, {key}" if name else key
    start, turns = session_time(conversation.get(f"{key}_date_time")), conversation[key]
    if not isinstance(turns, list):
        yield Problem(place=where, reason=f"its turns are of type {type(turns).__name__}, not a list")
        return
    if start is None and turns:
        date = conversation.get(f"{key}_date_time")
        yield Problem(place=where, reason=f"its date {date!r} cannot be read; its turns are kept with the present date")
    for number, turn in enumerate(turns):
        place = f"{where}, turn {number + 1}"
        if isinstance(turn, Mapping):
            moment = start and start + timedelta(seconds=number)
            yield Found(message=_message(turn, key, moment, captions), place=place, conversation=name)
        else:
            yield Problem(place=place, reason=f"it is of type {type(turn).__name__}, not an object")


def _message(turn: Mapping[str, Any], session: str, moment: datetime | None, captions: bool) -> dict[str, Any]:
    text, caption = turn.get("text"), turn.get("blip_caption")
    if captions and isinstance(text, str) and isinstance(caption, str):
        text = f"{text} (shows {caption})"
    message = {"content": text, "speaker": turn.get("speaker"), "session_id": session}
    if moment is not None:
        message["occurred_at"] = format_time(moment)
    if turn.get("dia_id") is not None:
        message["metadata"] = {"dia_id": turn["dia_id"]}
    return message
