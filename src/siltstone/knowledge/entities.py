"""Entities: who and what a text names, found without a model: names by their form, their words and their surroundings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from siltstone.knowledge import entities_chinese
from siltstone.knowledge.lexicon import (
    GIVEN,
    HEADS,
    LINKING,
    MAKERS,
    ORGANIZED,
    PINYIN,
    PLACES,
    PLAIN,
    PRODUCTS,
    ROLES,
    SITED,
    TITLES,
)
from siltstone.knowledge.mentions import DATE, UNKNOWN, Mention
from siltstone.knowledge.names import ORGANIZATION, PATH, PERSON, PLACE, PRODUCT, TASK, TICKER, VERSION
from siltstone.text.normal import fold, plain

SCANNED = 6000


Finder = Callable[[str], Iterator[Mention]]

_WORD = r"[^\W\d_](?:[^\W_]|['’](?=[A-Z]))*"
_CAPITAL = r"(?:[A-Z\u00c0-\u00d6\u00d8-\u00de\uff21-\uff3a]|[a-z](?=[A-Z]))"
_INNER = "0-9A-Za-z_\u00c0-\u024f\u0400-\u04ff\uff10-\uff5a"
_NAME_WORD = rf"{_CAPITAL}(?:[{_INNER}+#]|['’](?=[A-Z])|[.&-](?=[{_INNER}]))*"
_NAME = re.compile(
    rf"(?<![A-Za-z0-9_@/.#$-])(?:(?:Dr|Prof|Mr|Mrs|Ms|Sir)\.? )?{_NAME_WORD}"
    rf"(?:(?:\.? | (?:of|de|da|di|del|della|van|von|der|den|la|le|bin|ibn|&) (?:the )?){_NAME_WORD}| (?=\d)\d+(?:\.\d+)*(?![\w%:/-]))*"
)
_VERSION = re.compile(
    r"(?<![A-Za-z0-9_.])(?:v\d+(?:\.\d+)*(?:-[a-z]+\d*)?|\d+\.\d+\.\d+)(?![A-Za-z0-9_])", re.IGNORECASE
)
_PATH = re.compile(
    r"(?<![\w/:.])(?:~?/|\./|\.\./)?(?:[\w.-]+/)+[\w.-]*\w|(?<![\w/.@])[\w-]+\.(?:py|js|ts|md|toml|json|yaml|yml|sh|rs|go|java|cpp|css|html|sql|txt|csv|ini|cfg)\b"
)
_TICKER = re.compile(r"(?<![\w$])\$([A-Z]{1,5})\b|\b(?:NASDAQ|NYSE|HKEX|SSE): ?([A-Z0-9]{1,6})\b")
_DATE = re.compile(
    r"\b\d{4}-\d{2}-\d{2}\b|\b(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}(?:st|nd|rd|th)?"
    r"(?:,? \d{4})?\b|\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)(?: \d{4})?\b"
    r"|\d{4}年\d{1,2}月(?:\d{1,2}[日号])?|(?<!\d)\d{1,2}月\d{1,2}[日号]"
)
_TASK = re.compile(
    r"\b(?:task|ticket|todo|issue|story)s? (?:called |named |for |about )?(?:(?:is |was )?to (?P<verb>[a-z][\w.+#/ -]*?\w)|[\"“'‘](?P<quoted>[^\"”'’\n]{2,80})[\"”'’])"
    r"(?= (?:to|by|on|before|after|for|with|and|from|in|at|because|so|which|who|when|as)\b|[,;:!?)\n]|\.(?!\d)|$)",
    re.IGNORECASE,
)
_DEPLOY = re.compile(r"\b(?:deploy|release|ship|upgrade to|migrate to|roll out) v\d+(?:\.\d+)*\b")
_HEAD = "|".join(sorted(HEADS, key=len, reverse=True))
_PHRASE = re.compile(
    rf"(?<![\w-])((?:[A-Z]{{2,5}} |[A-Z][a-z]+ (?=[a-z]))?(?:[a-z][\w-]* ){{0,2}}?(?:{_HEAD}))(?![\w-])(?! (?:{_HEAD})\b)"
)
_NO_PHRASE = frozenset(
    "the a an our my this that its their his her your is was are were be to of in on at and or for with from by as not new created needs depends uses fixed caused broke"
    " runs every each no any some which who it we they i you he she has have had made get got will would can could do does did task ticket than then so if when".split()
)


def find(text: str) -> list[Mention]:
    """The mentions in the first 6,000 characters of a text, in order, none within another.

    Where two overlap, the finder that comes first in `FINDERS` wins, then the longer one.
    """
    text = text[:SCANNED]
    taken: list[Mention] = []
    for finder in FINDERS:
        for mention in sorted(finder(text), key=lambda found: (found.start, -found.end)):
            if not any(mention.start < other.end and other.start < mention.end for other in taken):
                taken.append(mention)
    return sorted(taken, key=lambda mention: mention.start)


def paths(text: str) -> Iterator[Mention]:
    """Paths and file names."""
    for match in _PATH.finditer(text):
        if not re.fullmatch(r"[\d/.-]+", match[0]) and not re.fullmatch(r"[a-z]+/[a-z]+", match[0]):
            yield Mention(type=PATH, name=match[0], start=match.start(), end=match.end())


def tickers(text: str) -> Iterator[Mention]:
    """Ticker symbols: `$TSLA`, `NASDAQ: AAPL`."""
    for match in _TICKER.finditer(text):
        yield Mention(type=TICKER, name=match[1] or match[2], start=match.start(), end=match.end())


def dates(text: str) -> Iterator[Mention]:
    """Dates that are spelled out."""
    for match in _DATE.finditer(text):
        yield Mention(type=DATE, name=match[0], start=match.start(), end=match.end())


def tasks(text: str) -> Iterator[Mention]:
    """What a task is to do: "a task to deploy v1.0" is `deploy_v1` with the version 1.0."""
    for match in _TASK.finditer(text):
        group = "verb" if match["verb"] else "quoted"
        words = match[group]
        if len(words.split()) <= 8:
            yield task(words, match.start(group), match.end(group))


def task(words: str, start: int, end: int) -> Mention:
    """The mention of a task by what is to be done."""
    name, attributes = task_name(words)
    aliases = (words,) if words != name else ()
    return Mention(type=TASK, name=name, start=start, end=end, aliases=aliases, attributes=attributes)


def task_name(words: str) -> tuple[str, dict[str, str]]:
    """The name of a task from its words, with `_` for blanks and a version's `.0` left off; and its version."""
    version = re.search(r"\bv?(\d+(?:\.\d+)+)\b", words)
    if version is None:
        return "_".join(words.split()), {}
    short = re.sub(r"(?:\.0)+(?=\b|_|$)", "", version[0])
    return "_".join(words.replace(version[0], short).split()), {"version": version[1]}


def _is_no_part(word: str) -> bool:
    """Whether a word at the start of a noun phrase does not belong to it."""
    plain_word = fold(word)
    return (
        plain_word in _NO_PHRASE
        or plain_word in PLAIN
        or plain_word in GIVEN
        or plain_word in _FOLDED_PRODUCTS
        or plain_word in _FOLDED_MAKERS
        or word.endswith("ed")
    )


def deployments(text: str) -> Iterator[Mention]:
    """What is done with a version, as a task: `deploy v1.0`."""
    for match in _DEPLOY.finditer(text):
        yield task(match[0], match.start(), match.end())


def versions(text: str) -> Iterator[Mention]:
    """Version numbers that stand alone."""
    for match in _VERSION.finditer(text):
        yield Mention(type=VERSION, name=match[0], start=match.start(), end=match.end())


def phrases(text: str) -> Iterator[Mention]:
    """Noun phrases in small letters whose last word tells what they name: `the payment module`."""
    for match in _PHRASE.finditer(text):
        start, words = match.start(1), match[1].split(" ")
        while len(words) > 1 and _is_no_part(words[0]):
            start += len(words[0]) + 1
            words = words[1:]
        head = HEADS[fold(words[-1])]
        if len(words) > 1 or (head in ("event", "component") and _definite(text, start)):
            yield Mention(type=head, name=" ".join(words), start=start, end=match.end(1))


def names(text: str) -> Iterator[Mention]:
    """Names by their capital letters."""
    for match in _NAME.finditer(text):
        for start, end in _split(text, match.start(), match.end()):
            mention = _named(text, start, end)
            if mention is not None:
                yield mention


FINDERS: list[Finder] = [
    paths,
    tickers,
    dates,
    tasks,
    entities_chinese.find,
    deployments,
    phrases,
    names,
    versions,
]
"""What finds mentions, in order of precedence. Add your own: `FINDERS.insert(0, find_mine)`."""


def _split(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A run of capitalised words without the plain word that only begins a sentence, or a link that leads nowhere."""
    words = text[start:end].split(" ")
    if len(words) > 1 and fold(words[0]) in ROLES:
        start += len(words[0]) + 1 + sum(len(word) + 1 for word in takewhile(LINKING.__contains__, words[1:]))
        return _split(text, start, end)
    first = fold(words[0].rstrip("."))
    if first in PLAIN and _begins(text, start) and first not in TITLES:
        start += len(words[0]) + 1
        return _split(text, start, end) if start < end else []
    if first in PLAIN and len(words) == 1 and first not in GIVEN:
        return []
    return [(start, end)] if start < end else []


def _named(text: str, start: int, end: int) -> Mention | None:
    name = text[start:end].strip(" .")
    end = start + len(name)
    words = [fold(word.strip(".")) for word in name.split(" ")]
    if not words or len(name) < 2 or all(word in PLAIN and word not in GIVEN for word in words):
        return None
    if name.isupper() and len(words) > 4:
        return None
    kind, sure = type_of(name, words)
    if (
        kind == UNKNOWN
        and _begins(text, start)
        and len(words) == 1
        and name[1:].islower()
        and not _is_subject(text, end)
    ):
        return None
    version = re.search(r" (\d+(?:\.\d+)*)$", name)
    attributes = {"version": version[1]} if version and kind == PRODUCT else {}
    return Mention(type=kind, name=name, start=start, end=end, attributes=attributes, sure=sure)


def type_of(name: str, words: Sequence[str]) -> tuple[str, bool]:
    """What a capitalised name most likely names, and whether that is sure."""
    whole = fold(plain(name))
    bare = re.sub(r" \d+(?:\.\d+)*$", "", whole)
    if words[0] in TITLES and len(words) > 1:
        return PERSON, True
    if words[-1] in ORGANIZED and len(words) > 1:
        return ORGANIZATION, True
    if bare in _FOLDED_PRODUCTS:
        return PRODUCT, True
    if whole in _FOLDED_MAKERS:
        return ORGANIZATION, True
    if whole in _FOLDED_PLACES and (whole not in GIVEN):
        return PLACE, whole not in _AMBIGUOUS
    if (
        len(words) == 2
        and (words[0] in PINYIN or words[1] in PINYIN)
        and words[0] not in _FOLDED_PLACES
        and name.isascii()
    ):
        return PERSON, words[0] in GIVEN
    if words[0] in GIVEN:
        return PERSON, whole not in _FOLDED_PLACES
    if words[-1] in SITED and len(words) > 1:
        return PLACE, True
    if bare != whole or re.search(r"[+#]|\d", name):
        return PRODUCT, False
    if words[0] in _FOLDED_PLACES and len(words) > 1 and words[-1] not in ORGANIZED:
        return (PERSON if words[0] in _AMBIGUOUS else UNKNOWN), False
    return UNKNOWN, False


_FOLDED_PLACES = frozenset(fold(name) for name in PLACES)
_FOLDED_MAKERS = frozenset(fold(name) for name in MAKERS)
_FOLDED_PRODUCTS = frozenset(fold(name) for name in PRODUCTS)
_AMBIGUOUS = frozenset(
    "jordan paris washington florence sofia austin virginia georgia chelsea dallas houston phoenix carolina charlotte sydney israel".split()
)


def _begins(text: str, start: int) -> bool:
    """Whether a sentence begins at this place."""
    before = text[:start].rstrip(" \"'“‘([*_>-")
    return not before or before[-1] in ".!?:;…\n。！？：；" or text[:start].endswith("\n")


def _is_subject(text: str, end: int) -> bool:
    """Whether what follows is a verb as it stands after a name."""
    return (
        re.match(
            r"(?:'s| (?:is|was|has|had|will|and|[a-z]+(?:s|ed)|went|met|told|said|bought|wrote|led|left|got|took|made|built|broke|runs?)\b)",
            text[end:],
        )
        is not None
    )


def _definite(text: str, start: int) -> bool:
    return re.search(r"\b(?:the|our|this|that) $", text[max(0, start - 6) : start], re.IGNORECASE) is not None
