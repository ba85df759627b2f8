"""Reads a statement for the entailment rules: its content words with their polarity, its numbers, its single values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import snowballstemmer

from siltstone.models.opposites import (
    CHINESE_OPPOSITES,
    FUNCTION_CHARACTERS,
    FUNCTION_WORDS,
    HARMLESS,
    NEGATIONS,
    NUMBER_WORDS,
    PHRASES,
    SINGLE_VALUED,
    pairs_of,
)

CJK = "\u3040-\u30ff\u3400-\u9fff"
SPEAKER = re.compile(r"^\s*\[([^\]]+)\]\s*:?")
CONTRACTIONS = (
    (re.compile(r"\bwon['’]t\b"), "will not"),
    (re.compile(r"\bcan(?:['’]t|not)\b"), "can not"),
    (re.compile(r"n['’]t\b"), " not"),
    (re.compile(r"\s+"), " "),
)
CLAUSE_END = re.compile(
    r"[,.;:!?()，。；：！？、…\n]+|\b(?:but|although|though|because|instead|now|yet)\b|但是|但|可是|因为|虽然|而是|现在"
)
CHINESE_WORDS = sorted(
    {
        *(word for word in (*NEGATIONS, *SINGLE_VALUED) if not word.isascii() and len(word) > 1),
        *(word for pair in pairs_of(CHINESE_OPPOSITES) for word in pair if len(word) > 1),
        *HARMLESS,
    },
    key=lambda word: (-len(word), word),
)
TOKENS = re.compile(
    rf"\d+(?:[.:,/-]\d+)*%?|(?:周|星期|礼拜)[一二三四五六日天]|[^\W\d_{CJK}]+|{'|'.join(CHINESE_WORDS)}|[{CJK}]"
)
PHRASE = re.compile(rf"\b(?:{'|'.join(sorted(PHRASES, key=len, reverse=True))})\b")
CHINESE_SINGLE = tuple(
    sorted((name for name in SINGLE_VALUED if not name.isascii()), key=lambda name: (-len(name), name))
)
TEXT_LIMIT = 1_000
MEASURES = "只个岁人次年月天块元公斤米条本间辆家份杯瓶点号"
PLACES = re.compile(
    rf"\b(?:live|lives|living|moved|relocated|moving)\s+(?:in|to|near)\s+(?P<live>[^,.;!?{CJK}]+)"
    rf"|\b(?:work|works|working|job)\s+(?:at|for|as)\s+(?P<work>[^,.;!?{CJK}]+)"
    rf"|(?:住在|搬到|搬去|搬家到|移居)(?P<zh_live>[{CJK}\w]+)"
    rf"|在(?P<zh_work>[{CJK}\w]+?)(?:工作|上班|任职)"
)
NAMED = re.compile(
    rf"(?P<noun>[\w{CJK}]+)\s*(?:\bis\b|\bare\b|\bwas\b|\bbecame\b|=|是|叫|改成|换成|变成)\s*(?P<value>[^,.;!?，。；！？]+)"
)
FAVOURITE = re.compile(
    rf"\b(?:favou?rite|preferred|default)\s+(?P<what>[\w ]+?)\s+(?:is|are|was)\s+(?P<value>[^,.;!?]+)"
    rf"|最(?:喜欢|爱)的(?P<zh_what>[{CJK}]+?)是(?P<zh_value>[^,.;!?，。；！？]+)",
    re.IGNORECASE,
)
FIRST_PERSON = frozenset("i me my mine we us our 我".split())
THIRD_PERSON = frozenset("he him his she her they them their 他 她".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What the rules look at. `words` maps a content word's stem to +1, or to -1 where it is denied."""

    words: dict[str, int]
    numbers: dict[str, frozenset[str]]
    """Numbers by what they count (a stem, "" for none)."""
    values: dict[str, frozenset[str]]
    """The stems of the value by the name of what can have one value only."""
    who: str
    """Who it is about: "speaker", "speaker ana" (of a text that begins with "[Ana]"), "name ana", "third" or ""."""


def read_statement(text: str) -> Statement:
    """The statement in a text of one or a few clauses, in English, Chinese or both; cut to 1,000 characters."""
    text = text[:TEXT_LIMIT]
    speaker = SPEAKER.match(text)
    body = SPEAKER.sub("", text)
    plain = _plain(body)
    clauses = [TOKENS.findall(clause) for clause in CLAUSE_END.split(plain)]
    return Statement(
        words={stem: polarity for clause in clauses for stem, polarity in _polarities(clause)},
        numbers=_numbers(clauses),
        values=dict(_values(plain)),
        who=_who(body, speaker.group(1) if speaker else ""),
    )


@lru_cache(maxsize=8_192)
def stem(word: str) -> str:
    """The word's English stem; other scripts stay as they are."""
    # A stemmer keeps state while it works, so that threads must not share one.
    found: str = snowballstemmer.stemmer("english").stemWord(word) if word.isascii() else word
    return found


def content_stems(text: str) -> frozenset[str]:
    """The stems of a text's content words, numbers included."""
    return frozenset(stem(token) for token in TOKENS.findall(text.lower()) if _is_content(token))


def _plain(text: str) -> str:
    plain = text.lower()
    for pattern, meaning in CONTRACTIONS:
        plain = pattern.sub(meaning, plain)
    return PHRASE.sub(lambda found: PHRASES[found[0]], plain)


def _is_content(token: str) -> bool:
    return token not in FUNCTION_WORDS and token not in FUNCTION_CHARACTERS and token not in NEGATIONS


def _polarities(clause: list[str]) -> Iterator[tuple[str, int]]:
    polarity = 1
    for token in clause:
        if token in NEGATIONS:
            polarity = -polarity
        elif _is_content(token) and not _number(token):
            yield stem(token), polarity


def _numbers(clauses: list[list[str]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for clause in clauses:
        for at, token in enumerate(clause):
            number = _number(token)
            unit = next((word for word in clause[at + 1 : at + 3] if word not in MEASURES and _is_content(word)), "")
            if number and (token.isascii() or (clause[at + 1 : at + 2] and clause[at + 1] in MEASURES)):
                found.setdefault(stem(unit), set()).add(number)
    return {unit: frozenset(numbers) for unit, numbers in found.items()}


def _number(token: str) -> str:
    return token if token[0].isdigit() else NUMBER_WORDS.get(token, "")


def _values(plain: str) -> Iterator[tuple[str, frozenset[str]]]:
    for match in PLACES.finditer(plain):
        kind = match.lastgroup or ""
        yield kind.removeprefix("zh_"), content_stems(match[kind])
    for match in FAVOURITE.finditer(plain):
        what, value = match["what"] or match["zh_what"], match["value"] or match["zh_value"]
        yield f"favourite {stem(what.split()[-1])}", content_stems(value)
    for match in NAMED.finditer(plain):
        noun = next((name for name in CHINESE_SINGLE if match["noun"].endswith(name)), match["noun"])
        if noun in SINGLE_VALUED:
            yield noun, content_stems(match["value"])


def _who(body: str, speaker: str) -> str:
    first = re.match(rf"\W*([^\W\d_{CJK}]+|我们?|[他她]们?)", body)
    word = first.group(1).rstrip("们") if first else ""
    if word.lower() in FIRST_PERSON:
        return f"speaker {speaker.lower()}".strip()
    if word.lower() in THIRD_PERSON:
        return "third"
    known = word.lower() in FUNCTION_WORDS | NEGATIONS
    named = word[:1].isupper() and not known and re.match(r"\W*\w+(?:['’]s)?\s+[a-z]", body)
    return f"name {word.lower()}" if named else ""
