"""Consolidation: older notes about one topic become one memory, a level higher; the notes stay, and it can be undone.

Two notes are about one topic where they share at least two of their five keywords (Keepsake's rule). Merged are only
notes of one scope. By rules the merged text holds every note's words, with their dates; a model's text must keep every
number, or the rules' stands.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from typing import Any

from siltstone.domain.beliefs import derived_id
from siltstone.domain.events import ENTRIES_CONSOLIDATED, Draft
from siltstone.domain.records import Record
from siltstone.domain.values import ENTRY, NOTE
from siltstone.errors import ModelError
from siltstone.ports.stores import View
from siltstone.retrieval import embedding
from siltstone.retrieval.corpus import split
from siltstone.retrieval.topics import KEYWORDS, keywords
from siltstone.upkeep.report import Action
from siltstone.upkeep.work import Work, age, is_free, notes, scope_key

NAME = "consolidate"
SHARED = 2
"""Keywords that a note shares with the first one of its group."""
LONGEST = 2000
"""Characters of a merged text: a group that would be longer is two."""
TAKEN_OVER = ("agent_id", "session_id", "speaker", "role", "tags", "metadata")
RULES = "rules"
INSTRUCTIONS = (
    "Merge these dated notes about one topic into one short text that keeps every fact, name, number and date. "
    "Where a later note corrects an earlier one, say both with their dates. Answer with the text alone."
)
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")


def consolidate(work: Work) -> list[Action]:
    """Merge every group that is due; answers what was done, or would be."""
    done = []
    for group in groups(work):
        if work.out_of_time():
            work.notes.append(NAME)
            break
        text, writer = _written(work, group)
        merged = _payload(group, text, writer)
        if work.dry_run or _merge(work, group, merged):
            ids = tuple(record.id for record in group)
            done.append(Action(ids=ids, reason=f"one topic, by {writer}", into=merged["id"], text=text))
    return done


def groups(work: Work) -> Iterator[list[Record]]:
    """The groups that are due, the oldest first. One that was merged and undone before is left alone."""
    settings = work.settings.upkeep
    least = timedelta(hours=settings.consolidate_min_age_hours)
    due = [record for record in notes(work.entries()) if _may_merge(record) and age(record, work.now) >= least]
    scopes: dict[str, list[Record]] = {}
    for record in due:
        scopes.setdefault(scope_key(record), []).append(record)
    for members in scopes.values():
        for group in _by_topic(members):
            if len(group) >= max(settings.consolidate_min_group, 2) and not _known(work, group):
                yield group


def _may_merge(record: Record) -> bool:
    return is_free(record) and not {"valid_from", "invalid_at"}.intersection(record.body)


def _known(work: Work, group: Sequence[Record]) -> bool:
    return work.partition.get(ENTRY, _merged_id(group)) is not None


def _by_topic(records: Sequence[Record]) -> Iterator[list[Record]]:
    """Each record in one group: with the first free record that it shares two keywords with."""
    words = _keywords(records)
    holders: dict[str, list[int]] = {}
    for n, found in enumerate(words):
        for word in found:
            holders.setdefault(word, []).append(n)
    free = dict.fromkeys(range(len(records)))
    for first in range(len(records)):
        if first not in free:
            continue
        shared = Counter(n for word in words[first] for n in holders[word] if n in free)
        group: list[Record] = []
        length = 0
        for n in (first, *sorted(n for n, count in shared.items() if n != first and count >= SHARED)):
            length += len(records[n].body["text"]) + len("2026-01-01: \n")
            if not group or length <= LONGEST:
                group.append(records[n])
                del free[n]
        yield group


def _keywords(records: Sequence[Record]) -> list[list[str]]:
    """Each record's five keywords: those that it says most and the fewest others say."""
    terms = [split(record.terms).words for record in records]
    held = Counter(word for words in terms for word in set(words))
    found = []
    for words in terms:
        counts = Counter(words)
        topical = keywords(words, len(words))
        weight = {word: counts[word] * math.log(1 + (1 + len(records)) / held[word]) for word in topical}
        found.append(sorted(topical, key=lambda word: (-weight[word], topical.index(word)))[:KEYWORDS])
    return found


def _merged_id(group: Sequence[Record]) -> str:
    return derived_id(ENTRIES_CONSOLIDATED, *sorted(record.id for record in group))


def _payload(group: Sequence[Record], text: str, writer: str) -> dict[str, Any]:
    told = {key: group[0].body[key] for key in TAKEN_OVER if key in group[0].body}
    leaves = (leaf for record in group for leaf in record.body.get("entries", (record.id,)))
    return {
        **told,
        "id": _merged_id(group),
        "text": text,
        "kind": NOTE,
        "occurred_at": max(record.body["occurred_at"] for record in group),
        "level": 1 + max(record.body.get("level", 0) for record in group),
        "sources": [record.id for record in group],
        "entries": list(dict.fromkeys(leaves)),
        "written_by": writer,
    }


def _written(work: Work, group: Sequence[Record]) -> tuple[str, str]:
    """The merged text and who wrote it. A model that fails, or loses a number, is noted; the rules' text then stands."""
    text, model = merged_text(group), work.parts.completion
    if model is None or work.dry_run:
        return text, RULES
    try:
        answer = model.complete_text(INSTRUCTIONS, text, limit=len(text) // 2 + 64).strip()
    except ModelError as error:
        work.notes.append(f"merged by rules: {error}")
        return text, RULES
    if _numbers(answer) != _numbers(text) or len(answer) > len(text) + LONGEST // 4:
        work.notes.append("merged by rules: the model's text changed the numbers of the notes, or grew")
        return text, RULES
    return answer, model.fingerprint


def merged_text(group: Sequence[Record]) -> str:
    """The notes line by line in order of time, each once; with their days where these differ."""
    ordered = sorted(group, key=lambda record: (record.body["occurred_at"], record.origin))
    days = {record.body["occurred_at"][:10] for record in ordered if not record.body.get("level")}
    lines: list[str] = []
    for record in ordered:
        dated = len(days) > 1 and not record.body.get("level")
        lines += [f"{record.body['occurred_at'][:10]}: {record.body['text']}" if dated else record.body["text"]]
    return "\n".join(dict.fromkeys(lines))


def _numbers(text: str) -> set[str]:
    return set(_NUMBER.findall(text))


def _merge(work: Work, group: Iterable[Record], merged: dict[str, Any]) -> bool:
    """Write it down, where every note is still as it was read."""
    read = {record.id: record for record in group}
    embedded = embedding.embed_payloads(work.parts.embedder, [merged], work.partition)

    def decide(view: View) -> Sequence[Draft]:
        stand = all(_stands(view.get(ENTRY, memory_id), record) for memory_id, record in read.items())
        return [work.draft(ENTRIES_CONSOLIDATED, merged)] if stand and view.get(ENTRY, merged["id"]) is None else []

    model = embedding.model_name(work.parts.embedder) if embedded.vectors else ""
    return bool(work.partition.commit(decide, model=model, vectors=embedded.vectors))


def _stands(now: Record | None, before: Record) -> bool:
    return (
        now is not None and now.live and now.body["text"] == before.body["text"] and scope_key(now) == scope_key(before)
    )
