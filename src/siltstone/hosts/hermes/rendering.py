"""How recalled memories look in a prompt: one `- ` line each with date, quoted text and id, within a budget."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from siltstone.domain.values import Hit
from siltstone.hosts.hermes.recalled import HEADINGS, digest
from siltstone.text.normal import cjk_share
from siltstone.text.tokencount import estimate_tokens

SHOWN_ID = 8
FULL_ID = re.compile(r"[0-9a-f]{22}")
TAG = re.compile(r"[<>＜＞]")
MARKER = re.compile(r"<?\|[\w ]+\|>?|\[/?INST\]|```|~~~", re.IGNORECASE)
CALL = re.compile(r"\{\s*\"(?:name|tool|function|tool_calls?)\"\s*:|\bCALLTOOL\b|\btool_calls?\b\s*[:=(\[{]")
ORDER = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b[^.!?\n]{0,40}\b(?:previous|prior|above|earlier|all|system|your)\b[^.!?\n]{0,30}"
    r"\b(?:instructions?|prompts?|rules?|messages?|guidelines?)\b|\breveal\b[^.!?\n]{0,30}\bsystem prompt\b"
    r"|(?:忽略|无视|無視|忘记|忘記)[^。！？\n]{0,12}(?:之前|以上|前面|所有|系统|系統)[^。！？\n]{0,8}(?:指令|指示|提示|规则|規則)",
    re.IGNORECASE,
)
CHINESE_FROM = 0.3
LEAST_SHARE = 0.55
"""Of the best hit's score, from which a memory is shown with it: what is much weaker is noise beside it."""


def short_id(memory_id: str) -> str:
    """The id as shown: the last eight digits of one of ours, any other id whole."""
    return memory_id[-SHOWN_ID:] if FULL_ID.fullmatch(memory_id) else memory_id


def commands(text: str) -> bool:
    """Whether a text tries to be obeyed by the model instead of being read: it is not put into prompts by itself."""
    return ORDER.search(text) is not None


def neutral(text: str) -> str:
    """The text on one line, in a form that is neither a tag, a tool call nor a role marker."""
    if not text.isprintable():
        text = "".join(char if char.isprintable() else " " for char in text)
    flat = " ".join(text.split())
    flat = TAG.sub(lambda found: "‹" if found[0] in "<＜" else "›", MARKER.sub(" ", flat))
    return CALL.sub(lambda found: found[0].replace("{", "(").replace("CALLTOOL", "call"), flat)


def chosen(hits: Iterable[Hit], *, shown: set[str], limit: int) -> Iterator[Hit]:
    """The hits worth showing, best first: near the best one, not shown before, nothing twice, nothing that commands."""
    said: set[str] = set()
    best = None
    for hit in hits:
        best = hit.score if best is None else best
        if limit == 0 or hit.score < LEAST_SHARE * best:
            return
        words = digest(hit.text)
        if hit.id not in shown and words not in said and not commands(hit.text):
            limit -= 1
            said.add(words)
            yield hit


def block(hits: Sequence[Hit], *, query: str, language: str, budget: int) -> tuple[str, tuple[Hit, ...]]:
    """The lines for these hits within about `budget` tokens, and the hits that they hold; ("", ()) for none."""
    heading = HEADINGS[language == "zh" or (language == "auto" and cjk_share(query) > CHINESE_FROM)]
    held: list[Hit] = []
    lines, left = [heading], budget - _cost(heading)
    for hit in hits:
        line = _line(hit, hit.text)
        cost = _cost(line) + 1
        if cost > left and not held:
            line, cost = _shortened(hit, left)
        if line and cost <= left:
            lines.append(line)
            held.append(hit)
            left -= cost
    return ("\n".join(lines), tuple(held)) if held else ("", ())


@lru_cache(maxsize=1024)
def _cost(line: str) -> int:
    """The line's tokens; what is remembered is recalled again and again."""
    return estimate_tokens(line)


def _line(hit: Hit, text: str) -> str:
    return f"- {hit.occurred_at:%Y-%m-%d} “{neutral(text)}” ({short_id(hit.id)})"


def _shortened(hit: Hit, budget: int) -> tuple[str, int]:
    """The first hit's line and its cost, its text cut until it fits the budget; ("", 0) where nothing of it does."""
    length = len(hit.text)
    while length > 1:
        length = length * 3 // 4
        line = _line(hit, hit.text[:length] + "…")
        cost = estimate_tokens(line) + 1
        if cost <= budget:
            return line, cost
    return "", 0
