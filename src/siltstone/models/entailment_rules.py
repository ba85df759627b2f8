"""Entailment without a model: what negation, opposites, numbers and single values can tell. English and Chinese.

The rules know words, not the world: they are sure of little and say "neutral" otherwise. They find that two statements
about the same thing cannot both hold (denied against affirmed, "loves" against "hates", 3 against 5, Paris against
Rome), and that a statement holds all that another says.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from siltstone.domain.verdicts import Verdict
from siltstone.models.opposites import CHINESE_OPPOSITES, ENGLISH_OPPOSITES, pairs_of
from siltstone.models.statements import Statement, read_statement, stem

SAME_TOPIC = 0.5
SAME_FRAME = 0.6
OPPOSITES = frozenset(
    frozenset({stem(first), stem(second)})
    for first, second in pairs_of(ENGLISH_OPPOSITES) + pairs_of(CHINESE_OPPOSITES)
)


class RuleEntailment:
    """Judges pairs of statements by rules; nothing is loaded and nothing is asked."""

    fingerprint = "rules/1"

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        """A verdict for each (premise, hypothesis). Never fails."""
        return [judge_statements(read_statement(first), read_statement(second)) for first, second in pairs]


def judge_statements(premise: Statement, hypothesis: Statement) -> Verdict:
    """The strongest clash between the two, and else how much of the hypothesis the premise holds."""
    clash = max(rule(premise, hypothesis) for rule in CLASHES) if _same_person(premise, hypothesis) else 0.0
    held = _held(premise, hypothesis) * (1 - clash) if _same_person(premise, hypothesis) else 0.0
    return Verdict(entailment=held, contradiction=clash, neutral=1 - held - clash)


def denial(first: Statement, second: Statement) -> float:
    """One affirms what the other denies: some shared word has the other polarity, and most words are shared."""
    shared = first.words.keys() & second.words.keys()
    turned = [word for word in shared if first.words[word] != second.words[word]]
    overlap = _overlap(first, second)
    agrees = any(first.words[one] != second.words[other] for one, other in _opposites(first, second))
    return 0.6 + 0.35 * overlap if turned and overlap >= SAME_TOPIC and not agrees else 0.0


def opposition(first: Statement, second: Statement) -> float:
    """A word of one is the opposite of a word of the other, both affirmed or both denied, and the rest is shared."""
    for one, other in _opposites(first, second):
        if first.words[one] == second.words[other]:
            rest, other_rest = first.words.keys() - {one}, second.words.keys() - {other}
            smaller = min(len(rest), len(other_rest))
            if smaller == 0 or len(rest & other_rest) / smaller >= SAME_TOPIC:
                return 0.85
    return 0.0


def other_number(first: Statement, second: Statement) -> float:
    """The same thing is counted differently."""
    units = first.numbers.keys() & second.numbers.keys()
    differs = any(not first.numbers[unit] & second.numbers[unit] for unit in units)
    return 0.8 if differs and _overlap(first, second) >= SAME_FRAME else 0.0


def other_value(first: Statement, second: Statement) -> float:
    """What can have one value only has another."""
    for name in first.values.keys() & second.values.keys():
        one, other = first.values[name], second.values[name]
        # Characters are parts of words: two Chinese values may share one (red, blue) and still differ.
        parts = not all(word.isascii() for word in one | other)
        if (one - other and other - one) if parts else (one and other and not one & other):
            return 0.8
    return 0.0


CLASHES = (denial, opposition, other_number, other_value)


def _opposites(first: Statement, second: Statement) -> list[tuple[str, str]]:
    """Words that only one of the two has and that are opposites of each other."""
    own, others = first.words.keys() - second.words.keys(), second.words.keys() - first.words.keys()
    return [(one, other) for one, other in product(own, others) if frozenset({one, other}) in OPPOSITES]


def _same_person(first: Statement, second: Statement) -> bool:
    one, other = sorted((first.who, second.who))
    if not one or one == other or (one == "speaker" and other.startswith("speaker")):
        return True
    one_is, _, one_name = one.partition(" ")
    other_is, _, other_name = other.partition(" ")
    return (one_is, other_is) == ("name", "third") or (one_is != other_is and bool(one_name) and one_name == other_name)


def _overlap(first: Statement, second: Statement) -> float:
    smaller = min(len(first.words), len(second.words))
    return len(first.words.keys() & second.words.keys()) / smaller if smaller else 0.0


def _held(premise: Statement, hypothesis: Statement) -> float:
    """How much of what the hypothesis says the premise says too, cubed: a half is next to nothing."""
    said = {*hypothesis.words.items(), *((unit, n) for unit, ns in hypothesis.numbers.items() for n in ns)}
    known = {*premise.words.items(), *((unit, n) for unit, ns in premise.numbers.items() for n in ns)}
    return 0.95 * (len(said & known) / len(said)) ** 3 if said else 0.0
