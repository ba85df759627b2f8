"""Bridges: beliefs as nodes of the same graph. An episode mentions entities, a snapshot contains episodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from siltstone.domain.beliefs import CHAIN, EPISODE, SNAPSHOT
from siltstone.domain.records import Record
from siltstone.knowledge.identity import Identity
from siltstone.knowledge.names import name_key

MENTIONS, CONTAINS, SUPERSEDED = "mentions", "contains", "superseded_by"

Bridges = dict[int, list[tuple[int, str, bool]]]


def belief_node(kind: str, record_id: str) -> str:
    """The id of the node that stands for a belief."""
    return f"{kind}:{record_id}"


def bridges(
    beliefs: Mapping[tuple[str, str], Record], identity: Identity, mentioned: Mapping[str, Sequence[int]]
) -> Bridges:
    """All edges from and to beliefs that are live, by node number."""
    found: Bridges = {}

    def join(source: int, kind: str, target: int) -> None:
        found.setdefault(source, []).append((target, kind, True))
        found.setdefault(target, []).append((source, kind, False))

    nodes = {
        (kind, record.id): identity.bridge(
            belief_node(kind, record.id), kind, record.body["text"], record.body["recorded_at"]
        )
        for (kind, _), record in sorted(beliefs.items())
        if kind in (EPISODE, SNAPSHOT) and "text" in record.body
    }
    for name, number in nodes.items():
        identity.nodes[number].gone = not beliefs[name].live
    live = {name: number for name, number in nodes.items() if beliefs[name].live}
    for (kind, record_id), number in live.items():
        body = beliefs[kind, record_id].body
        if kind == EPISODE:
            for other in _named(body["text"], body.get("entries", ()), identity, mentioned):
                join(number, MENTIONS, other)
            if (EPISODE, body.get("superseded_by", "")) in live:
                join(number, SUPERSEDED, live[EPISODE, body["superseded_by"]])
        elif (CHAIN, record_id) in beliefs:
            for episode_id in beliefs[CHAIN, record_id].body.get("episodes", ()):
                if (EPISODE, episode_id) in live:
                    join(number, CONTAINS, live[EPISODE, episode_id])
    return found


def _named(
    text: str, entries: Sequence[str], identity: Identity, mentioned: Mapping[str, Sequence[int]]
) -> Sequence[int]:
    """Of the entities of an episode's entries those that its text names; all of them where it names none."""
    everyone = list(dict.fromkeys(number for entry in entries for number in mentioned.get(entry, ())))
    said = name_key(text)
    named = [
        number
        for number in everyone
        if any(key in said for key in (name_key(identity.nodes[number].name), *(identity.nodes[number].aliases or ())))
    ]
    return named or everyone
