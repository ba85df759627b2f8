"""Reading messages: a string, a message dict, or a list of them in the OpenAI form → plain utterances.

Content may be text, null, or a list of parts (text, images, audio, refusals). Tool calls and images are kept: their
text form is searchable, their data goes to the metadata. A message without anything to keep is skipped, with a reason.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from siltstone.errors import InvalidInput
from siltstone.text import checks
from siltstone.text.normal import clean

Message = Mapping[str, Any]
Content = str | Message | Sequence[str | Message]

TIME_KEYS = ("occurred_at", "timestamp", "created_at", "date", "time")
SPEAKER_KEYS = ("speaker", "name", "author")
KEPT_KEYS = frozenset({"agent_id", "session_id", "tags", "metadata", "valid_from", "invalid_at"})
READ_KEYS = frozenset({"role", "content", "text", "tool_calls", "function_call", "refusal", *TIME_KEYS, *SPEAKER_KEYS})
IMAGE_LIMIT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One text to keep, with what its message said about it. `told` holds keys of `options.Told`."""

    text: str
    role: str | None = None
    told: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What was read: the utterances, and one line for each message that was left out."""

    utterances: tuple[Utterance, ...]
    skipped: tuple[str, ...] = ()


def read(content: object) -> Reading:
    """The utterances in `content`, in order. Raises InvalidInput where it is of no known form, or wholly blank."""
    if isinstance(content, str | Mapping):
        found = _read_one(content)
        if isinstance(found, str):
            raise InvalidInput(f"the content {str(content)[:60]!r} cannot be kept: {found}; give it some text")
        return Reading(utterances=(found,))
    if not isinstance(content, Sequence) or isinstance(content, bytes | bytearray):
        raise InvalidInput(
            f"content of type {type(content).__name__} cannot be read; give a string, a message dict or a list of them"
        )
    read_all = [_read_one(item) for item in content]
    kept = tuple(item for item in read_all if isinstance(item, Utterance))
    left = tuple(f"message {n}: {why}" for n, why in enumerate(read_all) if isinstance(why, str))
    return Reading(utterances=kept, skipped=left)


def _read_one(item: object) -> Utterance | str:
    """The utterance, or why there is none."""
    if isinstance(item, str):
        text = clean(item)
        return Utterance(text=text) if text.strip() else "it is blank"
    if not isinstance(item, Mapping):
        raise InvalidInput(f"a message of type {type(item).__name__} cannot be read; give a string or a message dict")
    if not READ_KEYS & item.keys():
        raise InvalidInput(f"the message with the keys {sorted(map(str, item))} has no 'content'; add it")
    text, extra = _text_and_extra(item)
    if not text.strip():
        return "its content is null" if item.get("content") is None else "it is blank"
    return Utterance(text=text, role=_optional_text(item, "role"), told=_told(item, extra))


def _text_and_extra(item: Message) -> tuple[str, dict[str, Any]]:
    """The message's text, and what belongs into its metadata."""
    content = item.get("content", item.get("text"))
    extra: dict[str, Any] = {}
    if isinstance(content, str) or content is None:
        lines = [content or ""]
    elif isinstance(content, Sequence):
        lines, images = _parts(content)
        extra = {"images": images} if images else {}
    else:
        raise InvalidInput(
            f"message content of type {type(content).__name__} cannot be read; give text, null or a list of parts"
        )
    if isinstance(item.get("refusal"), str):
        lines.append(item["refusal"])
    calls = _calls(item)
    if calls:
        extra["tool_calls"] = calls
        lines += [f"(called {call['name']} with {call['arguments']})" for call in calls]
    return clean("\n".join(line for line in lines if line)), extra


def _parts(parts: Sequence[Any]) -> tuple[list[str], list[str]]:
    """Texts and image references of a list of content parts; an image without text leaves the mark "[image]"."""
    texts, images = [], []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, Mapping) and isinstance(part.get("text") or part.get("refusal"), str):
            texts.append(part.get("text") or part["refusal"])
        elif isinstance(part, Mapping) and "image" in str(part.get("type")):
            images.append(_image(part))
    if images and not any(text.strip() for text in texts):
        texts.append("[image]")
    return texts, images


def _image(part: Message) -> str:
    """A short reference to the image: its URL, or the kind and size of inline data."""
    source = part.get("image_url", part.get("image", part.get("source")))
    if isinstance(source, Mapping):
        source = source.get("url") or source.get("data") or ""
    url = clean(source) if isinstance(source, str) else ""
    if len(url) > IMAGE_LIMIT:
        return f"{url[:40].partition(',')[0]},… ({len(url)} characters)"
    return url or "unnamed"


def _calls(item: Message) -> list[dict[str, str]]:
    given = item.get("tool_calls")
    listed = given if isinstance(given, Sequence) and not isinstance(given, str) else ()
    calls = [call.get("function", call) for call in listed if isinstance(call, Mapping)]
    if isinstance(item.get("function_call"), Mapping):
        calls.append(item["function_call"])
    return [
        {"name": str(call.get("name", "?")), "arguments": _as_text(call.get("arguments"))}
        for call in calls
        if isinstance(call, Mapping)
    ]


def _as_text(value: Any) -> str:
    return clean(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str))


def _told(item: Message, extra: dict[str, Any]) -> dict[str, Any]:
    told = {key: item[key] for key in KEPT_KEYS & item.keys() if item[key] is not None}
    for name, keys in (("occurred_at", TIME_KEYS), ("speaker", SPEAKER_KEYS)):
        value = next((item[key] for key in keys if item.get(key) not in (None, "")), None)
        if value is not None:
            told[name] = value
    if extra:
        told["metadata"] = {**checks.mapping(told.get("metadata")), **extra}
    return told


def _optional_text(item: Message, key: str) -> str | None:
    value = item.get(key)
    return clean(value) if isinstance(value, str) and value.strip() else None
