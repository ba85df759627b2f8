"""From the text of one speaker to the spans of its statements: sentences, clauses, and what belongs together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from siltstone.formation.rubric.objects import object_lexicon, objects, read
from siltstone.formation.rubric.speech import CORRECTION, IRONY, Act, act, has_verb, is_past
from siltstone.formation.rubric.weigh import VIVID
from siltstone.text.sentiment import sentiment

_SENTENCE = re.compile(
    r"(?:[.…]{2,}|(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bSt)(?<!\bvs)(?<!\be\.g)(?<!\bi\.e)(?<!\b[a-zA-Z]\.[a-zA-Z])\.(?=[\s\"')\]]|$|[\u3000-\u9fff])|[!?。！？；…]+|;(?=\s)|\n+)[\"”’')\]]*"
)
_COMMA = re.compile(r",(?!\d)\s*|，|(?<=\s)[-–—]+(?=\s)|——|:(?=\s)|：")
_CONJUNCTION = re.compile(r"\s+(?:and|but|so|then|plus)\s+(?=[\w'])", re.IGNORECASE)
_JOINING = re.compile(
    r"^(?:[\s.,;:!?。，；：！？…~\-–—]|(?:and|but|also|btw|by the way|oh and|plus|anyway)(?![\w'])|不过|另外|然后|就是(?=[\u4e00-\u9fff])|对了[，,]?|顺便说一下|还有[，,]|而且|但是?(?!我还))+",
    re.IGNORECASE,
)
_INTERJECTION = re.compile(
    r"\W*(?:o+h|ah|ugh|argh|meh|yeah|yep|yes|no|nah|nope|sure|right|great|wow|well|hmm*|haha|lol|omg|damn|oh great|oh no|oh wow|oh well|还行吧?|好吧|行吧|哎|唉|哎呀|嗯+|啊+|哇|(?:没有)+|真的)\W*$",
    re.IGNORECASE,
)
_EDGE = " \t\n\r.,;:!?。，；：！？…~、-–—"
_LONG_SENTENCE = 90
"""In a longer sentence "and" adds to what is told more often than it begins something else."""
_FAMILIES = {
    "recovery": "health", "grave_illness": "health", "injury": "health", "pregnancy": "birth", "adoption_child": "birth",
    "death_any": "death", "migration": "move", "passing_like": "like", "love": "like", "favourite": "like",
}  # fmt: skip
_HAN = re.compile(r"[\u4e00-\u9fff]")
_LOOK = 300
"""Rules look at most so many characters back and ahead."""
_LONG_TEXT = 250
_LIFE_SHAPING = 0.8
_PERSONAL = frozenset({"KIN", "PET", "FAR"})
_SUBJECT = frozenset(
    "i i'm im i've ive i'll i'd we we're we've we'll my our there there's the a an his her their this everyone everybody nobody people mum dad both".split()
)
_REFERRING = frozenset(
    "it it's its that that's thats this which who whose he he's she she's they they're hers him them such because since cause cos when while after before although though if unless until as with without even where".split()
)
_THEN_PAST = frozenset("and then so".split())
_REFERRING_HAN = re.compile(
    r"^(?:也|都|还|而|因为|所以|结果|只是|因此|可|却|才|那时候|那时|他|她|它|这|那|叫|是|像|说|原因|毕竟|反正|尤其|特别是|比如|至于|如果|要是|虽然|即使|除非|以前|现在|到现在|已经|从此|从来|一直|每次|心里|心情|真是|真的|简直|总算|终于|感觉|觉得|好像|大家|全家|爸妈都|我们都|我很|我也|我还|我都|我就|我又|我好|我太|我特|我真|我不|我为|但我|可我|我的天)"
)
_TURNING_HAN = re.compile(
    r"^(?:另外|然后|不过|就是|对了|顺便|还有|后来|接着|同时|今天|昨天|明天|昨晚|今早|今晚|周[一二三四五六日末]|下周|上周|早上|中午|下午|晚上)"
)
_DONE_HAN = re.compile(r"^[\u4e00-\u9fff]{1,2}了[\u4e00-\u9fff]{1,7}$")
_NOUN_FIRST_HAN = re.compile(
    r"^(?:我|我们|咱们?|我[爸妈哥姐弟妹家]|[\u4e00-\u9fff]{1,5}?(?:太|很|好|真|又|还是|倒是|有点|挺|特别|超|不太|坏|没|是|在|都|涨|涨了|开|关))"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of text that makes one statement, as a span; `retracted` and `ironic` are told by marks within it."""

    start: int
    end: int
    retracted: bool = False
    ironic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Clause:
    start: int
    end: int
    text: str
    act: Act
    opens: bool
    joined: str


def statements(text: str) -> list[Span]:
    """The spans of the statements in order; none for a text that only greets, asks or commands."""
    found: list[Span] = []
    dropped: _Clause | None = None
    told = len(text) + 2 * len(_HAN.findall(text)) > _LONG_TEXT
    for clause in _clauses(text):
        if dropped and not clause.opens:
            clause = _after_dropped(dropped, clause)
        _place(text, clause, found, told=told)
        dropped = clause if clause.act in (Act.SILENT, Act.ASK, Act.COMMAND) else None
    trimmed = (_trimmed(text, span) for span in found)
    return [
        span
        for span in trimmed
        if span.start < span.end and (span.retracted or not _empty(text[span.start : span.end]))
    ]


def _empty(said: str) -> bool:
    """Whether what is left says nothing by itself: "we'll see", "maybe"."""
    if sentiment(said) or read(said)[1]:
        return False
    if _HAN.search(said):
        short = len(said) < 4 and not re.search("[了着过]", said)
    else:
        short = len(_words(said)) < 3 and not has_verb(_words(said)) and said.isascii()
    return short or act(said) is Act.ADD


def _after_dropped(dropped: _Clause, clause: _Clause) -> _Clause:
    """A clause after one that states nothing: the reason for a question goes with it, a statement takes "oh, " along."""
    words = _words(clause.text)
    if dropped.act is Act.COMMAND and clause.joined == ":":
        return replace(clause, act=Act.COMMAND)
    if dropped.act in (Act.ASK, Act.COMMAND) and words and words[0] in _REFERRING and _weight(clause.text) < VIVID:
        return replace(clause, act=dropped.act)
    if dropped.act is Act.ASK and clause.act is Act.ASK and words and words[0] in _SUBJECT | {"he's", "she's", "it's"}:
        return replace(clause, act=Act.STATE)
    if dropped.act is Act.SILENT and (clause.act is Act.RETRACT or _INTERJECTION.match(dropped.text)):
        kind = Act.STATE if clause.act is Act.ADD else clause.act
        return replace(clause, start=dropped.start, text=dropped.text + clause.text, act=kind)
    return clause


def _place(text: str, clause: _Clause, found: list[Span], *, told: bool) -> None:
    """Add a clause to the statements: as one of its own, to the last one, or not at all."""
    last = found[-1] if found else None
    if clause.act is Act.ASK:
        found += _embedded(clause)
    elif clause.act is Act.RETRACT:
        retracted = Span(start=clause.start, end=clause.end, retracted=True)
        found[-1:] = [replace(last, end=clause.end, retracted=True) if last else retracted]
    elif last and (clause.act is Act.IRONY or _mocks(text, last, clause)):
        found[-1] = replace(last, end=clause.end, ironic=True)
    elif clause.act in (Act.STATE, Act.ADD):
        if last and clause.act is Act.ADD and text[last.end : clause.start].strip(_EDGE):
            return
        if last and _belongs(text, last, clause, told=told):
            found[-1] = replace(last, end=clause.end, ironic=last.ironic or _ironic(clause))
        else:
            found.append(Span(start=clause.start, end=clause.end, ironic=_ironic(clause)))


def _mocks(text: str, last: Span, clause: _Clause) -> bool:
    """Whether an ironic sentence comments on the light one before it: "Great, another form. I just love those /s"."""
    ironic = clause.act is Act.STATE and clause.opens and _ironic(clause)
    return ironic and _weight(_end_of(text, last)) < VIVID


def _ironic(clause: _Clause) -> bool:
    return bool(IRONY.search(clause.text))


def _clauses(text: str) -> Iterator[_Clause]:
    for start, end in _cuts(text, _SENTENCE, 0, len(text)):
        asked = bool(re.search(r"[?？][\s\"”’')\]]*$", text[start:end]))
        parts = list(_parts(text, start, end))
        for at, (a, b, joined) in enumerate(parts):
            last = at == len(parts) - 1
            kind = act(text[a:b], asked=asked and last, opens=at == 0)
            if text[a:b].rstrip().endswith((":", "：")) and kind is Act.STATE and len(_words(text[a:b])) < 4:
                kind = Act.SILENT if _weight(text[a:b]) < VIVID else kind
            yield _Clause(start=a, end=b, text=text[a:b], act=kind, opens=at == 0, joined=joined)


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """The clauses of a sentence, each with the mark or word that joins it to the one before."""
    joined = ""
    long = end - start > _LONG_SENTENCE
    for a, b in _cuts(text, _COMMA, start, end):
        at = a
        for match in _CONJUNCTION.finditer(text, a, b):
            left, right = (
                text[max(at, match.start() - _LOOK) : match.start()],
                text[match.end() : min(b, match.end() + _LOOK)],
            )
            if not long and _splits(left, right):
                yield at, match.start(), joined
                at, joined = match.start(), match[0].strip().lower()
        yield at, b, joined
        joined = text[a:b].rstrip()[-1:]


def _cuts(text: str, pattern: re.Pattern[str], start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretches that a pattern ends."""
    at = start
    for match in pattern.finditer(text, start, end):
        if text[at : match.end()].strip(_EDGE):
            yield at, match.end()
            at = match.end()
    if text[at:end].strip(_EDGE):
        yield at, end


def _splits(left: str, right: str) -> bool:
    """Whether "and" joins two clauses, not two nouns."""
    first = _words(right)[:2]
    said = _words(left)
    if not first or not has_verb(said):
        return False
    if (
        first[0] == "i"
        and len(said) > 1
        and said[-2] in ("my", "our", "and")
        and not has_verb(said[-3:-2])
        and said[-3:-2] != ["with"]
    ):
        return False
    return (
        first[0] in _SUBJECT | _REFERRING
        or is_past(first[0])
        or (len(first) > 1 and is_past(first[1]) and first[0] not in ("a", "an"))
    )


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9']+", text.lower())


def _belongs(text: str, last: Span, clause: _Clause, *, told: bool) -> bool:
    """Whether a clause adds to the statement before it (feeling, detail, cause, restatement) and is none of its own."""
    if text[last.end : clause.start].strip(_EDGE):
        return False
    if _ironic_only(clause) or (_ironic(clause) and not clause.opens):
        return True
    if told and not clause.opens:
        before = _end_of(text, last)
        return _weight(clause.text) < _LIFE_SHAPING or _family(_main(clause.text)) == _family(_main(before))
    han = bool(_HAN.search(clause.text))
    return _belongs_han(text, last, clause) if han else _belongs_latin(text, last, clause)


def _end_of(text: str, span: Span) -> str:
    return text[max(span.start, span.end - _LOOK) : span.end]


def _ironic_only(clause: _Clause) -> bool:
    return not re.search(r"\w", IRONY.sub("", clause.text))


def _belongs_latin(text: str, last: Span, clause: _Clause) -> bool:
    if CORRECTION.match(_end_of(text, last)) and not clause.opens:
        return True
    words = _words(_JOINING.sub("", clause.text))
    words = words[1:] if words[:1] == ["then"] else words
    if not words or clause.act is Act.ADD:
        return True
    if clause.opens:
        return (_refers(words) and len(words) < 9) or (
            len(words) < 5 and not has_verb(words) and not words[0].endswith("ing") and not _main(clause.text)
        )
    before = _end_of(text, last)
    if act(before) is Act.ADD:
        return True
    if words[0] in _REFERRING:
        return True
    if words[0] not in _SUBJECT:
        told = is_past(words[0]) and is_past((_words(before) or [""])[0]) and not sentiment(clause.text)
        another = clause.joined in ("and", "but") and is_past(words[min(1, len(words) - 1)])
        return not (is_past(words[0]) and clause.joined in _THEN_PAST) and not told and not another
    if words[0] in ("the", "a", "an") and (_relative(words) or not has_verb(words)):
        return True
    return _same_matter(before, clause.text, words)


def _refers(words: list[str]) -> bool:
    return words[0] in ("it", "it's", "that's", "thats", "which", "that", "because")


def _same_matter(before: str, after: str, words: list[str]) -> bool:
    main, other = _main(after), _main(before)
    if main and _family(main) == _family(other):
        return True
    if words[0] in ("i", "i'm", "im", "we", "i've", "i'll", "i'd", "we're") and not main:
        if _words(before)[:1] and _words(before)[0] in ("the", "a", "an", "there", "it"):
            return False
        told = sentiment(after) != 0 or "not" in words or any(word.endswith("n't") for word in words)
        return told or (words[0].startswith("we") and bool(re.search(r"\b(?:my|our|a|the) \w+", before.lower())))
    return bool(re.match(r"\W*(?:and |but )?the (?:doctors?|vet|lawyer|judge)", after, re.IGNORECASE)) and not main


def _belongs_han(text: str, last: Span, clause: _Clause) -> bool:
    said = clause.text.strip(_EDGE)
    bare = re.sub(r"^(?:但是?|可是?|不过)", "", said)
    if clause.act is Act.ADD:
        return True
    if clause.opens:
        return False
    before = _end_of(text, last).strip(_EDGE)
    if act(before) is Act.ADD:
        return True
    if _names_other(before, bare):
        return False
    if _TURNING_HAN.match(bare) or (_DONE_HAN.match(bare) and _DONE_HAN.match(before) and not sentiment(bare)):
        return False
    if bare != said and not _REFERRING_HAN.match(bare) and not bare.startswith(("我", "不", "没", "又")):
        return False
    if _REFERRING_HAN.match(bare):
        return not (_weight(bare) >= 0.6 and _main(bare) != _main(before) and bare.startswith(("我", "但我")))
    main, other = _main(bare), _main(before)
    if main and _family(main) == _family(other) and _family(main) not in ("family", "trade"):
        return True
    if main and objects()[main].kind == "feeling" and re.match(r"我(?!们)(?!想我)", bare):
        return True
    return not _NOUN_FIRST_HAN.match(bare)


def _relative(words: list[str]) -> bool:
    """Whether "the third I owned" is a noun with its clause, no statement."""
    at = next((n for n, word in enumerate(words) if word in ("i", "we", "you", "i've", "we've", "i'd")), 99)
    return at < 4 and not has_verb(words[:at])


def _names_other(before: str, after: str) -> bool:
    """Whether a Chinese clause begins with another person or animal than the one before it: "my mother is …，my father is …"."""
    lexicon = object_lexicon()
    first, second = lexicon.tokens(before)[:2], lexicon.tokens(after)[:2]
    one, other = ({t.word for t in tokens if _PERSONAL & set(lexicon.keys(t.word))} for tokens in (first, second))
    return bool(other and not (one & other) and (one or _weight(after) >= VIVID)) and "SELF" not in lexicon.keys(
        second[0].word
    )


def _family(category: str) -> str:
    """Objects of one matter share a name: illness and recovery, expecting and birth."""
    name = category.split("/")[0]
    return _FAMILIES.get(name, name)


def _weight(text: str) -> float:
    main = _main(text)
    return objects()[main].weight if main else 0.0


def _main(text: str) -> str:
    """The weightiest object that a clause names, as its category; empty where it names none."""
    known = objects()
    hits = (hit for hit in read(text)[1] if known[hit.category].kind not in ("small", "void"))
    return max((hit.category for hit in hits), key=lambda name: (known[name].weight, name), default="")


def _embedded(clause: _Clause) -> Iterator[Span]:
    """The weighty statement within a question: "how do I tell my kids that we're splitting up"."""
    for match in re.finditer(
        r"\b(?:that|because|since|now that|given that|if i say)\s+(?=(?:i|we|my|our)\b)", clause.text, re.IGNORECASE
    ):
        if _weight(clause.text[match.end() :]) >= 0.6:
            yield Span(start=clause.start + match.end(), end=clause.end)
            return


def _trimmed(text: str, span: Span) -> Span:
    part = text[span.start : span.end]
    head = _JOINING.match(part)
    start = span.start + (head.end() if head else 0)
    end = span.start + len(part.rstrip(_EDGE))
    return replace(span, start=start, end=max(start, end))
