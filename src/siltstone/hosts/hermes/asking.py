"""What a prompt asks of memory: the whole of it, and where that finds nothing, its sentences one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from siltstone.domain.values import Hit
from siltstone.hosts.hermes.gate import trivial
from siltstone.hosts.hermes.notes import Notes

SENTENCE = re.compile(r"[^.!?。！？\n]+(?:[.!?](?!\s|$)[^.!?。！？\n]*)*[.!?。！？]*")
MOST_SENTENCES = 4
LONGEST = 4_000
"""Characters of a prompt that are looked at: its end, where people ask."""
SUPPORT = 0.45
"""Share of the words plus likeness of meaning that the best memory needs, where an embedder took part: one ordinary word
in common is not enough. Chosen with all of bench/hosts/data/harder.jsonl in sight."""
BEST = 3
FEW_TERMS = 1
"""Words beside a date in a prompt that asks for what happened then."""


def found(notes: Notes, prompt: str, *, at_most: int) -> list[Hit]:
    """The memories that answer the prompt, best first; of a prompt of several sentences, those that answer one."""
    text = prompt[-LONGEST:]
    if hits := _supported(notes, text, at_most):
        return hits
    for sentence in _sentences(text):
        if hits := _supported(notes, sentence, at_most):
            return hits
    return []


def _sentences(text: str) -> Sequence[str]:
    """The sentences of a text of several, questions before others, the last first."""
    parts = [part.strip() for part in SENTENCE.findall(text)]
    worth = [part for part in parts if part and not trivial(part)]
    if len(parts) < 2:
        return ()
    worth.reverse()
    return sorted(worth, key=lambda part: not part.endswith(("?", "？")))[:MOST_SENTENCES]


def _supported(notes: Notes, text: str, at_most: int) -> list[Hit]:
    recall = notes.memory.retrieve(text, user_id=notes.scope.user_id, top_k=at_most, **notes.scope.narrow)  # type: ignore[arg-type]
    return list(_borne(recall.hits, len(recall.trace.get("terms", ()))))


def _borne(hits: Sequence[Hit], terms: int) -> Iterator[Hit]:
    """The hits, where the best has enough in common with the text; a date alone is enough where little else is asked."""
    if terms <= FEW_TERMS:
        yield from hits
    elif any(_support(hit) >= SUPPORT or ("semantic" not in hit.channels and _support(hit) > 0) for hit in hits[:BEST]):
        yield from (hit for hit in hits if _support(hit) > 0)


def _support(hit: Hit) -> float:
    return hit.channels.get("lexical", 0.0) + hit.channels.get("semantic", 0.0)
