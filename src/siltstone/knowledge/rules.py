"""Rules: what a text says, found without a model: its mentions, and what stands between each two of them.

What is asked, denied or only supposed states nothing. What is left out is not lost: the entry is kept, and a model may read
it later.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from siltstone.domain.graph import Claims
from siltstone.domain.values import format_time
from siltstone.knowledge import patterns
from siltstone.knowledge.entities import SCANNED, find
from siltstone.knowledge.mentions import DATE, UNKNOWN, Mention
from siltstone.knowledge.names import PERSON, entity_key
from siltstone.knowledge.patterns import Row
from siltstone.text.dates import time_phrases
from siltstone.text.sentences import sentences

USER = "user"
TOLD = 40
"""Characters behind a relation in which its time may be told."""
REACH = 2
"""How many mentions further on the object of a relation may stand."""
_FIRST = re.compile(r"(?<![\w'])I(?:'m|'ve|'d)?(?![\w.])|(?<![^\W\d_])我(?![们們的])")
_PRONOUN = re.compile(
    r"(?:^|(?<=[.!?;,\n] )|(?<= and )|(?<= but ))(?:He|She|he|she)\b|(?:^|(?<=[，。；！]))(?:他|她)(?![们們的])"
)
_ASKED = re.compile(r"[?？][\"”'’)]*\s*$|[吗嗎呢]\s*[?？。]?\s*$")
_SUPPOSED = re.compile(
    r"\s*(?:(?:if|suppose|imagine|what if|unless|maybe|perhaps)\b|如果|假如|要是|也许|也許|可能)", re.IGNORECASE
)
_ROLE = re.compile(
    r"(?:,? (?:who )?(?:is|was|works as|became|am|'m)|,) (?:a|an|the|our) (?P<role>(?:[a-z][\w-]* ){0,3}?[a-z]*"
    r"(?:er|or|ist|ian|ant|ent|nurse|lawyer|chef|pilot|judge|clerk|coach|guide|mechanic|chemist|vet|architect|ceo|cto|cfo|intern|head))(?![\w-])"
    r"|(?:是一名|是一位|是个|是位|是)(?P<zh>[\u4e00-\u9fff]{1,8}?(?:师|师傅|員|员|生|家|手|医生|醫生|教授|经理|經理|律师|老师))",
)
_WHEN = re.compile(r"(?:again,? )?(?:since|in|from|on|as of|at the|back in) ", re.IGNORECASE)
_CLOSED = re.compile(r"^[\"”’')）]*[,，]? ?")
_AGE = re.compile(r" is (?P<age>\d{1,3})(?: years old)?(?=[.,;!]|$| and )|今年(?P<zh>\d{1,3})岁")

Known = Callable[[str], Sequence[Mention]]


class _Sentence(NamedTuple):
    """The text up to the end of a sentence, all mentions, and which are other names of the one before."""

    text: str
    mentions: Sequence[Mention]
    same: Mapping[int, int]


class Found(NamedTuple):
    """One relation between two mentions, by their places."""

    source: int
    target: int
    row: Row

    @property
    def later(self) -> int:
        """The place of the end that stands later."""
        return max(self.source, self.target)


def read(text: str, *, speaker: str | None = None, at: datetime | None = None, known: Known | None = None) -> Claims:
    """The entities that the text names and the relations that it states; `speaker` is who says "I".

    `at` is when it was said: with it, a time that is told with a relation ("joined Acme in 2021") is when that began.
    `known` finds mentions of what is already in the graph, where they are not written like names.
    """
    text = text[:SCANNED]
    mentions = _mentions(text, speaker, known)
    same = _aliases(text, mentions)
    found = list(_relations(text, mentions, same))
    _settle(mentions, found)
    attributes = _attributes(text, mentions)
    begun = {} if at is None else {relation: _begun(text, mentions[relation.later], at) for relation in found}
    return _claims(mentions, found, same, attributes, begun)


def _mentions(text: str, speaker: str | None, known: Known | None) -> list[Mention]:
    """All mentions by place, the speaker's "I" and pronouns for the last person spoken of included."""
    familiar = list(known(text)) if known is not None else []
    mentions = [found for found in find(text) if not any(_yields(found, other) for other in familiar)]
    extra = [
        Mention(type=PERSON, name=speaker or USER, start=match.start(), end=match.end(), attributes={"self": True})
        for match in _FIRST.finditer(text)
    ]
    mentions += [mention for mention in (*familiar, *extra) if not _overlaps(mention, mentions)]
    mentions.sort(key=lambda mention: mention.start)
    return sorted([*mentions, *_pronouns(text, mentions)], key=lambda mention: mention.start)


def _pronouns(text: str, mentions: Sequence[Mention]) -> Iterator[Mention]:
    for match in _PRONOUN.finditer(text):
        before = [m for m in mentions if m.type == PERSON and m.end <= match.start() and "self" not in m.attributes]
        if before:
            yield replace(before[-1], start=match.start(), end=match.end(), attributes={}, aliases=())


def _yields(mention: Mention, other: Mention) -> bool:
    """Whether a mention gives way to a known name: to a longer one around it, or to the same where it is a guess."""
    if (mention.start, mention.end) == (other.start, other.end):
        return not mention.sure
    return other.start <= mention.start and mention.end <= other.end


def _overlaps(mention: Mention, others: Sequence[Mention]) -> bool:
    return any(mention.start < other.end and other.start < mention.end for other in others)


def _relations(text: str, mentions: Sequence[Mention], same: Mapping[int, int]) -> Iterator[Found]:
    for start, end in _statements(text):
        places = [place for place, mention in enumerate(mentions) if start <= mention.start < end]
        yield from _stated(_Sentence(text[:end], mentions, same), places)


def _statements(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence that states something begins and ends."""
    place = 0
    for sentence in sentences(text):
        start = text.find(sentence, place)
        if start < 0:
            start = place
        place = start + len(sentence)
        if _ASKED.search(sentence) is None and _SUPPOSED.match(sentence) is None:
            yield start, place


def _stated(sentence: _Sentence, places: Sequence[int]) -> Iterator[Found]:
    """The relations within one sentence."""
    last: Found | None = None
    for at, first in enumerate(places):
        for second in places[at + 1 : at + 1 + REACH]:
            found = _between(sentence, first, second)
            if found is not None:
                yield found
                yield from _subjects(sentence, places[:at], found)
                last = found
                break
        following = places[at + 1] if at + 1 < len(places) else None
        if last is not None and following is not None and last.target == first and not last.row.backward:
            further = _further(sentence, last, following)
            if further is not None:
                yield further
                last = further


def _between(sentence: _Sentence, first: int, second: int) -> Found | None:
    """The relation that the words between two mentions state."""
    text, mentions, same = sentence
    left, right = mentions[first], mentions[second]
    words = text[left.end : right.start]
    if len(words) > 80 or "\n" in words or (left.type, left.name) == (right.type, right.name):
        return None
    if first in same:
        words = _CLOSED.sub(" ", words, count=1)
    rest = text[right.end : right.end + 12]
    for row in patterns.rows(words):
        if row.between.fullmatch(words) is None or (row.after is not None and row.after.match(rest) is None):
            continue
        source, target = (second, first) if row.backward else (first, second)
        if _fits(mentions[source], row.source) and _fits(mentions[target], row.target):
            return Found(source, target, row)
    return None


def _subjects(sentence: _Sentence, before: Sequence[int], found: Found) -> Iterator[Found]:
    """The same of those named before its subject: "Ann and Bob joined Acme"."""
    mentions, later = sentence.mentions, found.source
    for place in reversed(before):
        words = sentence.text[mentions[place].end : mentions[later].start]
        if patterns.ALSO.fullmatch(words) is None or mentions[place].type != mentions[found.source].type:
            return
        yield Found(place, found.target, found.row)
        later = place


def _further(sentence: _Sentence, last: Found, following: int) -> Found | None:
    """The same of what is named after its object: "uses C++ and C#"; or where somebody who left went."""
    mentions = sentence.mentions
    words = sentence.text[mentions[last.target].end : mentions[following].start]
    fitting = _fits(mentions[following], last.row.target)
    if last.row.ended and fitting and re.fullmatch(r"\.? (?:for|to join) (?:the )?", words):
        return Found(last.source, following, last.row._replace(ended=False))
    alike = mentions[following].type == mentions[last.target].type or not mentions[following].sure
    if fitting and alike and patterns.ALSO.fullmatch(words) is not None:
        return Found(last.source, following, last.row)
    return None


def _fits(mention: Mention, types: tuple[str, ...]) -> bool:
    """Whether the mention may be of one of these types: it is, or its type is a guess."""
    return not types or mention.type in types or (not mention.sure and mention.type != DATE)


def _settle(mentions: list[Mention], found: Sequence[Found]) -> None:
    """Give mentions whose type is a guess the one that a relation wants; all mentions of a name get it."""
    wanted: dict[str, str] = {}
    for relation in found:
        for place, types in ((relation.source, relation.row.source), (relation.target, relation.row.target)):
            mention = mentions[place]
            if types and not mention.sure and mention.type not in types:
                wanted.setdefault(mention.name, types[0])
    for place, mention in enumerate(mentions):
        if mention.name in wanted and not mention.sure:
            mentions[place] = replace(mention, type=wanted[mention.name], sure=True)


def _aliases(text: str, mentions: list[Mention]) -> dict[int, int]:
    """Which mentions are told to be another name of the one before: place → place."""
    same: dict[int, int] = {}
    for place in range(1, len(mentions)):
        left, right = mentions[place - 1], mentions[place]
        if patterns.ALIAS.fullmatch(text[left.end : right.start]) is None or left.name == right.name:
            continue
        if left.sure and right.sure and left.type != right.type:
            continue
        kind = left.type if left.sure or left.type != UNKNOWN else right.type
        mentions[place - 1], mentions[place] = replace(left, type=kind), replace(right, type=kind)
        same[place] = same.get(place - 1, place - 1)
    return same


def _attributes(text: str, mentions: Sequence[Mention]) -> dict[int, dict[str, Any]]:
    """What the words after a person's name say of him or her."""
    found: dict[int, dict[str, Any]] = {}
    for place, mention in enumerate(mentions):
        if mention.type != PERSON or _ASKED.search(text):
            continue
        role, age = _ROLE.match(text, mention.end), _AGE.match(text, mention.end)
        if role is not None:
            found.setdefault(place, {})["role"] = role["role"] or role["zh"]
        if age is not None:
            found.setdefault(place, {})["age"] = int(age["age"] or age["zh"])
    return found


def _begun(text: str, mention: Mention, at: datetime) -> str | None:
    """The first moment of the time that is told right behind a mention, in the form that the journal keeps."""
    rest = text[mention.end : mention.end + TOLD].lstrip(" ,\"”’')")
    lead = _WHEN.match(rest)
    said = rest.lower()
    for phrase in time_phrases(rest, reference=at)[:1]:
        begins = phrase.text.lower()
        if said.startswith(begins) or (lead is not None and said.startswith(begins, lead.end())):
            return format_time(phrase.start)
    return None


def _claims(
    mentions: Sequence[Mention],
    found: Sequence[Found],
    same: Mapping[int, int],
    attributes: Mapping[int, Mapping[str, Any]],
    begun: Mapping[Found, str | None],
) -> Claims:
    """The claims, each entity once; the speaker is one only where something is said of him or her."""
    spoken = {place for relation in found for place in (relation.source, relation.target)} | set(attributes)
    entities: dict[str, dict[str, Any]] = {}
    key_of: dict[int, str] = {}
    for place, mention in enumerate(mentions):
        if "self" in mention.attributes and place not in spoken:
            continue
        key_of[place] = key = key_of[same[place]] if place in same else entity_key(mention.type, mention.name)
        entity = entities.setdefault(key, {"type": mention.type, "name": mention.name})
        _add(entity, mention, attributes.get(place, {}))
    order = {key: number for number, key in enumerate(entities)}
    relations: dict[tuple[int, str, int], dict[str, Any]] = {}
    for relation in found:
        source, target = order[key_of[relation.source]], order[key_of[relation.target]]
        if source != target:
            told: dict[str, Any] = {"source": source, "target": target, "type": relation.row.kind}
            told |= {"ended": True} if relation.row.ended else {}
            told |= {"valid_from": begun[relation]} if begun.get(relation) else {}
            relations[source, relation.row.kind, target] = told
    return Claims(entities=tuple(entities.values()), relations=tuple(relations.values()))


def _add(entity: dict[str, Any], mention: Mention, attributes: Mapping[str, Any]) -> None:
    """Add what one more mention says to an entity."""
    spelled = [name for name in (mention.name, *mention.aliases) if name != entity["name"]]
    aliases = list(dict.fromkeys([*entity.get("aliases", ()), *spelled]))
    if aliases:
        entity["aliases"] = aliases
    told = {**{name: value for name, value in mention.attributes.items() if name != "self"}, **attributes}
    if told:
        entity["attributes"] = {**entity.get("attributes", {}), **told}
