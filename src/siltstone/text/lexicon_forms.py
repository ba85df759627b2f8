"""Forms of English words: regular and irregular inflection, contractions with and without their apostrophe."""

from __future__ import annotations

from collections.abc import Iterator

_IRREGULAR = """
    be am is are was were been being, have has had having, do does did done doing, go goes went gone going, get got gotten getting,
    lose lost losing, leave left leaving, die died dying, lie lied lying, bear born bore, give gave given, take took taken,
    make made, find found, say said, tell told, think thought, feel felt, know knew known, become became, begin began begun,
    break broke broken, buy bought, sell sold, win won winning, quit quitting, run ran running, see saw seen, meet met, eat ate eaten,
    drink drank drunk, sleep slept, speak spoke spoken, write wrote written, read reading, drive drove driven,
    ride rode ridden riding, grow grew grown, fall fell fallen, hurt hurting, keep kept, build built, spend spent, send sent,
    teach taught, bring brought, catch caught, choose chose chosen choosing, cut cutting, put putting, set setting, let letting,
    lay laid, pay paid, lead led, hold held, hear heard, swim swam swum swimming, sing sang sung, wear wore worn, wake woke woken,
    forget forgot forgotten, forgive forgave forgiven, stand stood, understand understood, mean meant, fight fought, steal stole stolen,
    throw threw thrown, fly flew flown, draw drew drawn, show shown, bite bit bitten, shoot shot, sit sat sitting, stick stuck,
    sting stung, wed wedded, split splitting, hit hitting, bake baked, rise rose risen, child children, wife wives, life lives,
    man men, woman women, person people, foot feet, baby babies, bury buried, marry married, try tried, study studied,
    cry cried, carry carried, good better best, bad worse worst, knit knitted knitting, swear swore sworn, hang hung, dig dug,
    bleed bled, breed bred, feed fed, freeze froze frozen, hide hid hidden, light lit, shake shook shaken, sink sank sunk,
    stink stank, beat beaten, come came, cost costing, bet betting, tear tore torn, deal dealt, dream dreamt, burn burnt, learn learnt,
    smell smelt, spill spilt, spoil spoilt, lend lent, seek sought, shrink shrank shrunk, spin spun, ring rang rung, blow blew blown,
    mouse mice, tooth teeth, step stepped, rob robbed, plan planned, ban banned, stop stopped, drop dropped, chat chatted,
    jog jogged, nap napped, refer referred, dump dumped, shop shopped, trip tripped, admit admitted, commit committed,
    propose proposed, divorce divorced, adore adored, hate hated, love loved, grieve grieved, believe believed
"""
IRREGULAR: dict[str, tuple[str, ...]] = {
    row.split()[0]: tuple(row.split()[1:]) for row in " ".join(_IRREGULAR.split()).split(",")
}
"""Base form to forms that no rule makes, and to some that a rule would make wrongly."""

CONTRACTED = {
    "m": "be", "re": "be", "ve": "have", "ll": "will", "d": "would", "can": "can", "won": "will", "shan": "shall",
    "ain": "be", "isn": "be", "aren": "be", "wasn": "be", "weren": "be", "hasn": "have", "haven": "have", "hadn": "have",
    "doesn": "do", "didn": "did", "don": "do",
}  # fmt: skip

RUN_TOGETHER: dict[str, tuple[str, ...]] = {
    "im": ("i", "be"), "ive": ("i", "have"), "dont": ("do", "not"), "doesnt": ("do", "not"), "didnt": ("did", "not"),
    "cant": ("can", "not"), "cannot": ("can", "not"), "wont": ("will", "not"), "isnt": ("be", "not"),
    "arent": ("be", "not"), "wasnt": ("be", "not"), "werent": ("be", "not"), "havent": ("have", "not"),
    "hasnt": ("have", "not"), "hadnt": ("have", "not"), "couldnt": ("could", "not"), "wouldnt": ("would", "not"),
    "shouldnt": ("should", "not"), "aint": ("be", "not"), "thats": ("that", "be"), "whats": ("what", "be"),
    "hes": ("he", "be"), "shes": ("she", "be"), "theyre": ("they", "be"), "youre": ("you", "be"),
    "gonna": ("go", "to"), "wanna": ("want", "to"), "gotta": ("have", "to"), "dunno": ("do", "not", "know"),
    "idk": ("i", "do", "not", "know"), "ima": ("i", "will"), "kinda": ("kind", "of"), "sorta": ("sort", "of"),
}  # fmt: skip

_VOWELS = "aeiou"


def inflected(base: str) -> Iterator[str]:
    """The regular forms of a verb or noun: -s, -ed, -ing with the usual spelling changes, British doubling included."""
    if len(base) < 3:
        return
    if base.endswith("y") and base[-2] not in _VOWELS:
        yield from (base[:-1] + "ies", base[:-1] + "ied", base + "ing")
    elif base.endswith("e"):
        yield from (base + "s", base + "d", base[:-1] + "ing")
    else:
        sibilant = base.endswith(("s", "x", "z", "ch", "sh", "o"))
        yield from (base + ("es" if sibilant else "s"), base + "s", base + "ed", base + "ing")
        if base[-1] not in _VOWELS + "wxy" and base[-2] in _VOWELS and (len(base) == 3 or base[-3] not in _VOWELS):
            yield from (base + base[-1] + "ed", base + base[-1] + "ing")
