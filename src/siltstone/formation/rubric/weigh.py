"""How much a statement weighs: its object, whose it is, and how firmly it is said."""

from __future__ import annotations

import re
from typing import NamedTuple

from siltstone.formation.rubric.objects import Object, object_lexicon, objects
from siltstone.text.lexicon import Hit, Token
from siltstone.text.sentiment import sentiment

VIVID = 0.6
_HEDGE = re.compile(
    r"\b(?:i think|i guess|i suppose|i reckon|i feel like|maybe|perhaps|possibly|probably|might|may(?= (?:be|have|want|not|need|never|just))|not sure|not certain|unsure|seems?|i may|we may|sort of|kind of|kinda|sorta|dunno|idk|don'?t know if|"
    r"could be|i wonder|wondering|half a mind|leaning towards?|considering|thinking (?:of|about)|toying with|not (?:entirely |really |quite )?(?:convinced|decided)|it'?s possible|potentially|presumably|i doubt|hard to (?:say|tell)|somewhat|more or less|apparently|supposedly|if i'?m honest i may|tempted to|on the fence|so-so|a (?:bit|little) (?:unsure|torn)|torn about|should i)\b"
    r"|可能|也许|或许|大概|好像|似乎|估计|没准|说不定|不确定|不一定|不太确定|应该(?:是|会|能)?|有点想|有些|算是吧?|感觉(?:自己)?|我觉得|觉得|考虑|犹豫|恐怕|未必|差不多|搞不好|八成|要不要|还没想好|没想好|还没decide|maybe|不知道(?:是不是|要不要|该不该)|有点儿?(?!累|困|饿)",
    re.IGNORECASE,
)
_FIRM = re.compile(
    r"\b(?:always|never|forever|absolutely|definitely|hands down|for life|my whole life|all my life|for years|since i was|since childhood|without fail|every single|no matter what|can'?t stand|cannot stand|hate|love|adore|favou?rite|detest|loathe|despise|by far|no exceptions?|ever)\b|从来|从不|一直|永远|绝对|最|受不了|从小|一辈子|没有之一|打死|坚决|必须|一定",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"\b(?:today|tonight|this (?:morning|afternoon|evening|week|weekend)|right now|yesterday|last night|just now|at the moment|again|so far today|for lunch|for dinner|for breakfast|just)\b|今天|今晚|今早|昨天|昨晚|刚才|刚刚|现在|中午|下午|早上|又",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"n't\b|\b(?:not|never|no longer|no|dont|didnt|doesnt|isnt|havent|cant|wont)\b|不|没|未", re.IGNORECASE
)
_OWNERS = ("SELF", "KIN", "PET", "FAR", "FICTION", "OTHER")
_LASTING = {"trait", "taste", "habit"}


class Weight(NamedTuple):
    """Intensity on [0, 1], the plain valence of the object ("" where none is named or it is a stranger's), its category."""

    intensity: float
    valence: str
    category: str


def weigh(text: str) -> Weight:
    """The weight of one statement. Its length plays no part."""
    lexicon, known = object_lexicon(), objects()
    tokens = lexicon.tokens(text)
    keys = [lexicon.keys(token.word) for token in tokens]
    hits = [hit for hit in lexicon.hits(tokens) if known[hit.category].kind != "void"]
    ranked = sorted(
        ((_of_hit(known[hit.category], hit, text, tokens, keys), hit) for hit in hits), key=lambda pair: -pair[0]
    )
    hedged = bool(_HEDGE.search(text))
    small = [pair for pair in ranked if known[pair[1].category].kind == "small"]
    if ranked and not (small and ranked[0][0] < 0.6):
        value, hit = ranked[0]
        item = known[hit.category]
        valence = item.valence if value >= 0.2 and value > 0.42 * item.weight else ""
        return Weight(round(_hedged(value, item) if hedged else value, 3), valence, hit.category)
    value = _plain(text, keys)
    if small:
        item = known[small[0][1].category]
        return Weight(round(min(0.3, max(item.weight, min(value, 0.24))), 3), item.valence, small[0][1].category)
    return Weight(round(value, 3), "", "")


def _of_hit(item: Object, hit: Hit, text: str, tokens: list[Token], keys: list[tuple[str, ...]]) -> float:
    owner = _owner(hit, keys)
    if item.kind == "small":
        return item.weight
    if owner == "FICTION":
        return 0.06
    if owner == "FAR":
        return 0.18 + 0.18 * (item.weight - 0.4) / 0.5
    if item.kind == "event" and owner == "" and not _subjectless(keys):
        return min(item.weight, 0.3)
    value = item.weight
    if item.kind in ("taste", "habit"):
        value = _taste(value, item, text, owner, keys)
    before = text[max(0, tokens[hit.first].start - 12) : tokens[hit.last - 1].end]
    if item.kind == "feeling" and (_PASSING.search(text) or any("TASK" in names for names in keys)):
        value = min(value, 0.38)
    if re.search(r"\b(?:before|until|till)\b[^,.]{0,20}$", before):
        value = min(value, 0.5)
    if item.kind == "event" and _NOT.search(before):
        value = min(value, max(0.5, value - 0.2))
    return value


def _taste(value: float, item: Object, text: str, owner: str, keys: list[tuple[str, ...]]) -> float:
    """A liking is lasting unless its time is said to be now; firm words lift it over the gate."""
    if _PASSING.search(text):
        return min(value, 0.3)
    if owner not in ("SELF", "") or _outside_first(keys):
        return min(value, 0.3)
    if item.kind == "taste" and value < VIVID and _FIRM.search(text):
        return 0.62
    return value


def _hedged(value: float, item: Object) -> float:
    """Below the gate for a weighty object, below 0.4 for a liking."""
    if item.kind in ("taste", "habit", "plan") and value < 0.7:
        return min(value, 0.3 + 0.2 * max(0.0, value - 0.3)) if item.name != "plan_big" else min(value, 0.5)
    if value < 0.4:
        return value
    return min(0.58, 0.42 + 0.17 * max(0.0, (value - 0.55)) / 0.38)


def _owner(hit: Hit, keys: list[tuple[str, ...]]) -> str:
    """Whose the object is: the nearest person named within or before the phrase, a stranger's relative being a stranger's."""
    named = [next((owner for owner in _OWNERS if owner in names), "") for names in keys]
    within = next((name for name in named[hit.first : hit.last] if name in ("SELF", "KIN", "PET")), "")
    before = (
        [name for name in named[max(0, hit.first - 2) : hit.first] if name]
        if within
        else [n for n in named[: hit.first] if n]
    )
    if within:
        return before[-1] if before and before[-1] in ("FAR", "FICTION") else within
    if before:
        return (
            before[-1]
            if len(before) < 2 or before[-1] not in ("KIN", "OTHER") or before[-2] not in ("FAR", "FICTION")
            else before[-2]
        )
    return next((name for name in named[hit.last :] if name == "SELF"), "")


def _subjectless(keys: list[tuple[str, ...]]) -> bool:
    """Whether the statement seems to begin with its verb, the speaker being left out; always so for Chinese."""
    first = next((names for names in keys if names[0].isalnum()), ("",))
    return (
        len(first) > 1 or not first[0].isascii() or first[0] in ("just", "so", "finally", "officially", "and", "well")
    )


def _outside_first(keys: list[tuple[str, ...]]) -> bool:
    return any(name in ("FAR", "FICTION", "OTHER") for names in keys[:2] for name in names)


def _plain(text: str, keys: list[tuple[str, ...]]) -> float:
    """What a statement about no known object weighs: the speaker's day above the world outside, feeling above fact."""
    names = {name for group in keys for name in group}
    feeling = min(2, abs(sentiment(text)))
    if names & {"FICTION"}:
        return 0.08 + 0.08 * feeling
    if names & {"TASK"} and "KIN" not in names:
        return 0.06 + 0.05 * feeling
    own = bool(names & {"SELF", "KIN", "PET"}) or _subjectless(keys)
    value = 0.1 + 0.06 * own + 0.06 * feeling
    value += (
        0.05 * bool(names & {"SELF"})
        + 0.08 * bool(names & {"KIN", "PET"})
        + 0.03 * bool(names & {"FAR"})
        + 0.05 * bool(names & {"FOOD", "HOBBY"})
    )
    value -= 0.05 * bool(names & {"OUTSIDE"})
    return min(0.42, max(0.04, value))
