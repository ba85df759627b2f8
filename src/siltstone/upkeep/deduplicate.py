"""Deduplication: notes of one scope that say the same in the same words; the newest stays, the others are forgotten.

Two notes are duplicates where their words are equal, in order, up to case, accents, punctuation, contractions, plural s,
words that carry nothing, and the user's synonyms. So a negation, a number, a name or another order is a difference by
itself; and where both speak of a time (`today`), it must be the same one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from siltstone.domain.records import Record
from siltstone.domain.upkeep_fold import SYNONYMS
from siltstone.retrieval.corpus import split
from siltstone.retrieval.synonyms import word_key
from siltstone.text.normal import CJK, fold
from siltstone.upkeep.report import Action
from siltstone.upkeep.work import Work, is_free, notes, scope_key

NAME = "deduplicate"
DUPLICATE = "duplicate"
_TOKEN = re.compile(rf"[{CJK}]|[^\W_{CJK}]+|(?<!\w)-(?=\d)|[+*/=<>%$€£¥#@&~^|]")
_SHORTENED = (
    ("won't", "will not"),
    ("can't", "can not"),
    ("n't", " not"),
    ("'re", " are"),
    ("'m", " am"),
    ("'ve", " have"),
)
_LIGHT = frozenset("the a an just also really very actually please 的 呢 啊 吧 呀 嘛 很".split())
_LEAD = (("user",), ("用", "户"))
_WHITE = re.compile(r"\s+")


def deduplicate(work: Work) -> list[Action]:
    """Forget older duplicates; answers what was done, or would be."""
    found = duplicates(work.entries(), synonym_words(work.partition.records()))
    if work.dry_run:
        return found
    done: list[Action] = []
    for action in found:
        if work.out_of_time():
            work.notes.append(NAME)
            break
        ids = work.forget(action.ids, DUPLICATE, kept=action.into)
        done += [Action(ids=ids, reason=action.reason, into=action.into, text=action.text)] if ids else []
    return done


def duplicates(entries: Iterable[Record], synonyms: Mapping[str, str]) -> list[Action]:
    """For each note that has older duplicates, what is to be forgotten in its favour."""
    groups: dict[tuple[object, ...], list[Record]] = {}
    for record in filter(is_free, notes(entries)):
        if not record.body.get("level"):
            times = tuple(split(record.terms).spans)
            key = (scope_key(record), same_words(record.body["text"], synonyms), times)
            groups.setdefault(key, []).append(record)
    return [_action(group) for group in groups.values() if len(group) > 1]


def _action(group: Sequence[Record]) -> Action:
    ordered = sorted(group, key=lambda record: (record.body["occurred_at"], record.origin))
    newest, older = ordered[-1], ordered[:-1]
    exact = all(record.body["text"] == newest.body["text"] for record in older)
    ids = tuple(record.id for record in older)
    return Action(
        ids=ids, reason="the same text" if exact else "the same words", into=newest.id, text=newest.body["text"]
    )


def same_words(text: str, synonyms: Mapping[str, str]) -> tuple[str, ...]:
    """The words that two texts must share, in order. A text of nothing but light words keeps them."""
    folded = _WHITE.sub(" ", fold(text).replace("\u2019", "'"))
    for word, chosen in synonyms.items():
        folded = _replaced(folded, word, chosen)
    for short, whole in _SHORTENED:
        folded = folded.replace(short, whole)
    tokens = [_singular(token) for token in _TOKEN.findall(folded)]
    for lead in _LEAD:
        at = 1 if tokens[:1] == ["the"] else 0
        if tuple(tokens[at : at + len(lead)]) == lead and len(tokens) > at + len(lead):
            tokens = tokens[at + len(lead) :]
    return tuple(token for token in tokens if token not in _LIGHT) or tuple(tokens)


def synonym_words(records: Iterable[Record]) -> dict[str, str]:
    """For each word of the user's synonym table the one that stands for it: the key under which it is told."""
    table = sorted((record.id, record.body["words"]) for record in records if record.kind == SYNONYMS and record.live)
    keys = {word for word, _ in table}
    chosen: dict[str, str] = {}
    for word, others in table:
        for other in map(word_key, others):
            if other not in keys or word < other:
                chosen.setdefault(other, word)
    return chosen


def _replaced(text: str, word: str, chosen: str) -> str:
    if word not in text:
        return text
    edge = r"\b" if word.isascii() else ""
    return re.sub(f"{edge}{re.escape(word)}{edge}", lambda _: chosen, text)


def _singular(token: str) -> str:
    plural = len(token) > 3 and token.isascii() and token.isalpha() and token.endswith("s")
    return token[:-1] if plural and not token.endswith(("ss", "us", "is")) else token
