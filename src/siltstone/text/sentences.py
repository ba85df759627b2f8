"""Cutting a text into sentences and a sentence into clauses, in English and in Chinese and Japanese punctuation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from siltstone.text.normal import cjk_share

_FENCE = re.compile(r"(?:^|(?<=\n))[ \t]*(```|~~~)[^\n]*(?:\n(?![ \t]*\1)[^\n]*)*(?:\n[ \t]*\1[^\n]*)?")
_BULLET = re.compile(r"\s*(?:[-*+•·◦▪‣–—]\s+|#{1,6}\s+|>\s?)+")
_NUMBERED = re.compile(r"\s*\(?\d{1,3}[.)]\s")
_CLOSING = "\"'”’»)\\]}」』）】》〉"
_END = re.compile(rf"(?:[.!?…]+[{_CLOSING}]*(?=\s|$|[^\x00-\x7f])|[。！？｡‼⁉]+[.!?…。！？{_CLOSING}]*)")
_LAST_WORD = re.compile(r"([^\s(\[\"“‘]*)$")
_PAIRS = (("(", ")"), ("[", "]"), ("“", "”"), ("（", "）"), ("「", "」"), ("『", "』"), ("《", "》"))
_OPENING = "\"'“‘«([「『（【《-– "

# Never the end of a sentence; the second set only before a number; the third not before a small letter.
_TITLES = frozenset(
    "mr mrs ms dr prof st mt sr jr gen col capt lt rev hon messrs vs e.g i.e cf viz approx al fig eq".split()
)
_NUMBERERS = frozenset("no nos p pp vol ch sec art jan feb mar apr jun jul aug sep sept oct nov dec".split())

_WRAP, _NUMBER_ROOM = 40, 8
_WORDS, _CHARS, _UNCUT = 3, 4, 2000
_SUBJECT = r"(?:I|we|he|she|they|you|it|my|our|his|her|their|there|this|that)(?:'\w+)?\s+\w"
_CLAUSE = re.compile(
    rf"[;；]\s{{0,4}}|\s{{1,4}}[–—]\s|——|,?\s{{1,4}}(?=(?:but|and|so|yet|while|whereas)\s+{_SUBJECT})"
    r"|[，,](?=(?:但是|但|可是|不过|不過|然后|然後|而且|所以|于是|於是|后来|後來|因此|并且|並且))",
    re.IGNORECASE,
)


def sentences(text: str) -> list[str]:
    """The sentences of the text in order, stripped; list items and lines are sentences of their own.

    A fenced code block is one sentence, whole. Bullets, heading and quotation marks at the start of a line are left out;
    nothing else is lost. A line of at least 40 characters without an end goes on where the next begins with a small
    letter. Abbreviations, initials, decimals, versions and an ellipsis within a sentence end none.
    """
    found: list[str] = []
    place = 0
    for fence in _FENCE.finditer(text):
        found += _prose(text[place : fence.start()])
        found.append(fence[0].strip())
        place = fence.end()
    found += _prose(text[place:])
    return found


def clauses(sentence: str) -> list[str]:
    """The clauses of a sentence: cut at semicolons, dashes, and conjunctions that bring their own subject.

    Conservative: no clause has under three words (four characters where it is mostly Chinese), none leaves a bracket or
    quotation open, and a sentence of more than 2,000 characters is not cut. Words are kept, conjunctions too; the
    punctuation between clauses is not.
    """
    if len(sentence) > _UNCUT:
        return [sentence.strip()]
    found: list[tuple[int, int]] = []
    start = 0
    for match in _CLAUSE.finditer(sentence):
        part = sentence[start : match.start()]
        if not (_is_short(part) or _is_open(part)):
            found.append((start, match.start()))
            start = match.end()
    if found and _is_short(sentence[start:]):
        start = found.pop()[0]
    found.append((start, len(sentence)))
    return [part for first, last in found if (part := sentence[first:last].strip(" \t\n,，"))]


def _is_short(part: str) -> bool:
    if cjk_share(part) > 0.5:
        return len(part.strip()) < _CHARS
    return len(part.split()) < _WORDS


def _is_open(part: str) -> bool:
    opened = any(part.count(left) > part.count(right) for left, right in _PAIRS)
    return opened or part.count('"') % 2 == 1


def _prose(text: str) -> Iterator[str]:
    for block in _blocks(text):
        start = 0
        for match in _END.finditer(block):
            if _ends(block, match):
                yield block[start : match.end()].strip()
                start = match.end()
        if rest := block[start:].strip():
            yield rest


def _blocks(text: str) -> Iterator[str]:
    """Lines without their bullets, a wrapped line joined to the one before."""
    lines: list[str] = []
    for line in text.split("\n"):
        content = _BULLET.sub("", line, count=1) if _BULLET.match(line) else line
        content = content.strip()
        if lines and content == line.strip() and _goes_on(lines[-1], content):
            lines.append(content)
        else:
            yield " ".join(lines)
            lines = [content] if content else []
    yield " ".join(lines)


def _goes_on(line: str, following: str) -> bool:
    return len(line) >= _WRAP and line[-1] not in ".!?…:;。！？：；" and following[:1].islower()


def _ends(block: str, match: re.Match[str]) -> bool:
    """Whether the punctuation found ends a sentence there."""
    if match[0][0] in "。！？｡‼⁉":
        return True
    following = block[match.end() : match.end() + 40].lstrip(_OPENING)
    if following[:1].islower():
        return False
    if match[0] != ".":
        return True
    word = _word_before(block, match.start())
    if word.lower() in _TITLES or (len(word) == 1 and word.isupper() and word != "I"):
        return False
    if match.end() < _NUMBER_ROOM and _NUMBERED.fullmatch(block[: match.end() + 1]):
        return False
    return not (word.lower() in _NUMBERERS and following[:1].isdigit())


def _word_before(block: str, place: int) -> str:
    match = _LAST_WORD.search(block[max(0, place - 20) : place])
    return match[1] if match else ""
