"""How much a statement weighs: its object, whose it is, and how firmly it is said."""

from __future__ import annotations

import re
from typing import NamedTuple

from siltstone.formation.rubric.objects import Object, object_lexicon, objects, read
from siltstone.text.lexicon import Hit, Token
from siltstone.text.sentiment import sentiment

VIVID = 0.6
_HEDGE = re.compile(
    r"\b(?:i think(?! of)|i guess|i suppose|i reckon|i feel like|maybe|perhaps|possibly|probably|might|may(?= (?:be|have|want|not|need|never|just))|not sure|not certain|unsure|seems?|i may|we may|sort of|kind of|kinda|sorta|dunno|idk|don'?t know if|"
    r"could be|i wonder|(?:could|can) (?:see|imagine) (?:myself|us)|wondering|half a mind|leaning towards?|considering|thinking (?:of|about)|toying with|not (?:entirely |really |quite )?(?:convinced|decided)|it'?s possible|potentially|presumably|i doubt|hard to (?:say|tell)|somewhat|more or less|apparently|supposedly|if i'?m honest i may|tempted to|on the fence|so-so|a (?:bit|little) (?:unsure|torn)|torn about|should i)\b"
    r"|可能|也许|或许|大概|好像|似乎|估计|没准|说不定|不确定|不一定|不太确定|应该(?:是|会|能)?|有点想|有些|算是吧?|感觉(?:自己)?|我觉得|觉得|考虑|犹豫|恐怕|未必|差不多|搞不好|八成|要不要|还没想好|没想好|还没decide|maybe|不知道(?:是不是|要不要|该不该)|有点儿?(?!累|困|饿)",
    re.IGNORECASE | re.ASCII,
)
_FIRM = re.compile(
    r"\b(?:always|never|forever|absolutely|definitely|hands down|for life|my whole life|all my life|for years|since i was|since childhood|without fail|every single|no matter what|can'?t stand|cannot stand|hate|love|adore|favou?rite|detest|loathe|despise|by far|no exceptions?|ever)\b|从来|从不|一直|永远|绝对|最|受不了|从小|一辈子|没有之一|打死|坚决|必须|一定",
    re.IGNORECASE | re.ASCII,
)
_PASSING = re.compile(
    r"\b(?:today|tonight|this (?:morning|afternoon|evening|week|weekend)|right now|yesterday|last night|just now|at the moment|again|so far today|for lunch|for dinner|for breakfast|just)\b|今天|今晚|今早|昨天|昨晚|刚才|刚刚|现在|中午|下午|早上|又",
    re.IGNORECASE | re.ASCII,
)
_NOT = re.compile(
    r"n't\b|\b(?:not|never|no longer|no|dont|didnt|doesnt|isnt|havent|cant|wont)\b|不|没|未", re.IGNORECASE | re.ASCII
)
_LEARNT = frozenset({"skill", "hobby", "like", "plan", "habit"})
_PLANNED = re.compile(
    r"\b(?:plan(?:ning)? (?:to|on)|want to|would like to|hope to|hoping to|going to|wish i|sign(?:ed)? up)\b|打算|计划|准备|想学|想去|报名|报了",
    re.IGNORECASE | re.ASCII,
)
_HEALTH = frozenset({"grave_illness", "recovery", "adoption_child", "pregnancy_loss"})
_HEARSAY = re.compile(r"\b(?:i heard|apparently|they say|rumou?r|word is)\b|听说|据说|传言", re.IGNORECASE | re.ASCII)
_USUALLY = re.compile(
    r"\b(?:usually|mostly|generally|normally|tend to|rarely)\b|一般|平时|通常|大多", re.IGNORECASE | re.ASCII
)
_EARLIER = re.compile(r"\b(?:before|until|till)\b[^,.]{0,20}$")
_LASTED = re.compile(r"\b(?:always|never|since|ever|all my life|for years|'ve|have)\b", re.IGNORECASE | re.ASCII)
_RULE = re.compile(
    r"\b(?:always(?! (?:late|the|is|has|been))|never(?! (?:got|came|went|saw|heard|knew|did|had|made|said|thought|\w+ed\b|mind|again|finish|found|seen))|won'?t ever|ever!?$|only ever"
    r"|every (?:single )?time|it'?s (?:a|my) rule|on principle|no exceptions?|all my life|my (?:whole|entire) life|since (?:i was|childhood|school)|for life|without exception|refuse to|never have|religiously|is the only)\b"
    r"|从不(?!同)|从来不|从来都|永远|一辈子|绝不|打死|雷打不动|风雨无阻|从小",
    re.IGNORECASE | re.ASCII,
)
_OWNERS = ("SELF", "KIN", "PET", "FAR", "FICTION", "OTHER")


class Weight(NamedTuple):
    """Intensity on [0, 1], the plain valence of the object ("" where none is named or it is a stranger's), its category."""

    intensity: float
    valence: str
    category: str


class _Said(NamedTuple):
    """A statement with its tokens, and for each token its base forms and classes."""

    text: str
    tokens: list[Token]
    keys: list[tuple[str, ...]]


def weigh(text: str) -> Weight:
    """The weight of one statement. Its length plays no part."""
    tokens, hits = read(text)
    said = _Said(text, tokens, [object_lexicon().keys(token.word) for token in tokens])
    hiding = [hit for hit in hits if objects()[hit.category].kind in ("small", "void")]
    ranked = sorted(
        ((_of_hit(hit, said), hit) for hit in hits if hit not in hiding and not _hidden(hit, hiding)),
        key=lambda pair: (-pair[0], pair[1]),
    )
    small = max((objects()[hit.category] for hit in hiding if objects()[hit.category].kind == "small"), default=None)
    if ranked and (small is None or ranked[0][0] >= VIVID):
        return _of_object(*ranked[0], said)
    plain = _plain(said)
    if small:
        return Weight(round(min(0.3, max(small.weight, min(plain, 0.24))), 3), small.valence, small.name)
    return Weight(round(plain, 3), "", "")


def _of_object(value: float, hit: Hit, said: _Said) -> Weight:
    item = objects()[hit.category]
    valence = item.valence if value >= 0.2 and value > 0.42 * item.weight else ""
    if not _HEDGE.search(said.text):
        return Weight(round(value, 3), valence, hit.category)
    if item.name == "job_left":
        valence = "neg"
    elif item.kind == "event" and valence == "pos":
        valence = "neu"
    return Weight(round(_hedged(value, item), 3), valence, hit.category)


def _hidden(hit: Hit, hiding: list[Hit]) -> bool:
    """Whether a harmless phrase overlaps this one and is at least as long."""
    return any(
        max(hit.first, other.first) < min(hit.last, other.last) and other.last - other.first >= hit.last - hit.first
        for other in hiding
    )


def _of_hit(hit: Hit, said: _Said) -> float:
    item, owner = objects()[hit.category], _owner(hit, said.keys)
    names = {name for group in said.keys for name in group}
    if item.kind in ("event", "trait") and (owner == "FICTION" or (owner in ("OTHER", "") and "FICTION" in names)):
        return 0.06
    if owner == "FAR":
        return 0.18 + 0.18 * (item.weight - 0.4) / 0.5
    if item.kind == "event" and _HEARSAY.search(said.text) and "KIN" not in names:
        return 0.2
    if owner == "" and item.name not in _HEALTH and item.kind in ("event", "trait") and not _subjectless(said.keys):
        return min(item.weight, 0.3)
    value = item.weight
    if item.name in _LEARNT and _PLANNED.search(said.text):
        return 0.38
    if item.kind == "trait" and _USUALLY.search(said.text):
        value = min(value, 0.5)
    if item.kind in ("taste", "habit"):
        value = _taste(value, item, hit, said)
    before = said.text[max(0, said.tokens[hit.first].start - 12) : said.tokens[hit.last - 1].end]
    if item.kind == "feeling" and (_PASSING.search(said.text) or any("TASK" in names for names in said.keys)):
        value = min(value, 0.38)
    if _EARLIER.search(said.text[: said.tokens[hit.first].start]):
        value = min(value, 0.5)
    if item.kind == "event" and _NOT.search(before):
        value = min(value, max(0.5, value - 0.2))
    return value


def _taste(value: float, item: Object, hit: Hit, said: _Said) -> float:
    """A liking is lasting unless it is said of now or of once; firm words lift it over the gate."""
    firm = bool(_FIRM.search(said.text))
    once = said.tokens[hit.first].word.endswith(("ed", "hated", "loved")) and not _LASTED.search(said.text)
    another = any(name in ("FAR", "OTHER") for names in said.keys[:2] for name in names)
    if _PASSING.search(said.text) or once or another:
        return min(value, 0.3)
    return 0.62 if item.kind == "taste" and value < VIVID and firm else value


def _hedged(value: float, item: Object) -> float:
    """Below the gate for a weighty object, below 0.4 for a liking."""
    if item.name == "plan_big":
        return min(value, 0.5)
    if item.kind in ("taste", "habit", "plan") and value < 0.7:
        return min(value, 0.3 + 0.2 * max(0.0, value - 0.3))
    return value if value < 0.4 else min(0.58, 0.42 + 0.17 * max(0.0, value - 0.55) / 0.38)


def _owner(hit: Hit, keys: list[tuple[str, ...]]) -> str:
    """Whose the object is: its subject, or the nearest person named before the phrase; a stranger's relative is a stranger's."""
    named = [next((owner for owner in _OWNERS if owner in names), "") for names in keys]
    first = named[hit.first]
    near = [name for name in named[max(0, hit.first - 2) : hit.first] if name in ("FAR", "FICTION")]
    if first in ("SELF", "KIN", "PET"):
        return near[-1] if near else first
    before = [name for name in named[: hit.first] if name]
    if before:
        strangers = len(before) > 1 and before[-1] in ("KIN", "OTHER") and before[-2] in ("FAR", "FICTION")
        return before[-2] if strangers else before[-1]
    inside = (name for name in named[hit.first : hit.last] if name in ("SELF", "KIN", "PET"))
    return next(inside, next((name for name in named[hit.last :] if name == "SELF"), ""))


def _subjectless(keys: list[tuple[str, ...]]) -> bool:
    """Whether the statement seems to begin with its verb, the speaker being left out; always so for Chinese."""
    first = next((names for names in keys if names[0].isalnum()), ("",))
    return (
        len(first) > 1 or not first[0].isascii() or first[0] in ("just", "so", "finally", "officially", "and", "well")
    )


def _outside_first(keys: list[tuple[str, ...]]) -> bool:
    return any(name in ("FAR", "FICTION", "OTHER") for names in keys[:2] for name in names)


def _plain(said: _Said) -> float:
    """What a statement about no known object weighs: the speaker's day above the world outside, feeling above fact."""
    names = {name for group in said.keys for name in group}
    feeling = min(2, abs(sentiment(said.text)))
    if "FICTION" in names:
        return 0.08 + 0.08 * feeling
    if "TASK" in names and "KIN" not in names:
        return 0.06 + 0.05 * feeling
    if _RULE.search(said.text) and not _PASSING.search(said.text) and not names & {"OUTSIDE", "FAR", "OTHER"}:
        return 0.61
    if _outside_first(said.keys):
        names = names - {"SELF"}
    own = bool(names & {"SELF", "KIN", "PET"}) or (_subjectless(said.keys) and not _outside_first(said.keys))
    value = 0.1 + 0.06 * own + 0.06 * feeling
    value += 0.05 * ("SELF" in names) + 0.08 * bool(names & {"KIN", "PET"}) + 0.03 * ("FAR" in names)
    value += 0.05 * bool(names & {"FOOD", "HOBBY"}) - 0.05 * ("OUTSIDE" in names)
    return min(0.42, max(0.04, value))
