"""Telling pasted text (logs, code, articles, recipes) from what a speaker says of themselves, in any language."""

from __future__ import annotations

import re

PASTE_INTENSITY = 0.05
FEWEST_WORDS = 100
HAN_A_WORD = 1.5
"""150 Chinese characters count like 100 words."""
MOST_FIRST_PERSON = 0.02
_WORD = re.compile(r"[^\W\d_\u2e80-\u9fff\u3040-\u30ff\uac00-\ud7af]+(?:'[a-z]+)?|\d+")
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_FIRST = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll|im|me|my|mine|myself|we|we're|us|our|ours|ich|mir|mich|mein\w*|wir|uns|unser\w*|je|j'|moi|mon|ma|mes|nous|notre|nos|yo|mi|mis|nosotros|io|mio|mia|noi|eu|meu|minha|я|мне|меня|мой|моя|мы|нас)\b"
    r"|我|咱|俺|私|僕|俺|나는|내가|저는|제가|우리",
    re.IGNORECASE,
)
_LINE = re.compile(r"[^\n]*\n|[^\n]+$")
_OPENING = re.compile(r"[^.!?。！？\n:：]{4,200}[.!?。！？:：\n]+\s*")
_EDGE = " \t\r\n"


def paste_at(text: str) -> tuple[int, int] | None:
    """Where pasted text stands in what one speaker wrote, or None. A line of the speaker's own may come before it.

    A paste has at least 100 words (or 150 Chinese characters) of which under 2 % are in the first person.
    """
    if len(text) < FEWEST_WORDS:
        return None
    start = _own_opening(text)
    if start and _is_paste(text[start:]):
        return start, len(text.rstrip(_EDGE))
    return (len(text) - len(text.lstrip(_EDGE)), len(text.rstrip(_EDGE))) if _is_paste(text) else None


def _is_paste(text: str) -> bool:
    units = len(_WORD.findall(text)) + len(_HAN.findall(text)) / HAN_A_WORD
    return units >= FEWEST_WORDS and len(_FIRST.findall(text)) / units < MOST_FIRST_PERSON


def _own_opening(text: str) -> int:
    """The length of an opening line or sentence in which the speaker speaks; 0 where there is none."""
    for pattern in (_LINE, _OPENING):
        match = pattern.match(text)
        if match and len(match[0]) < 240 and (_FIRST.search(match[0]) or "?" in match[0] or "？" in match[0]):
            return match.end()
    return 0
