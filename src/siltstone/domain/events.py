"""The journal's events: what may happen, in which version, and how an older version is read.

| kind | version | payload |
|---|---|---|
| entry_added | 1 | id, text, kind, occurred_at; where given: role, speaker, agent_id, session_id, tags, metadata, valid_from, invalid_at |
| entry_updated | 1 | id, changes (the same keys; None clears) |
| entries_forgotten | 1 | ids, reason; where upkeep did it: run, and for a duplicate kept |
| entries_revived | 1 | ids |
| entries_purged | 1 | ids |
| feedback_given | 1 | id, value, turn, note |
| texts_embedded | 1 | model, count |
| source_read | 1 | source, mark (the reader's own JSON: how far it read) |
| turn_decomposed | 1 | id, segments (id, text, intensity, valence, start, end), decomposer, dropped, reason |
| formation_failed | 1 | id, reason |
| segment_pooled | 1 | id, entry_id, cluster_id, similarity |
| clusters_merged | 1 | id, from, segments |
| segment_reinforced | 1 | id, entry_id, chain_id, similarity, relation |
| episode_formed | 1 | id, vivid, segments, entries, speaks_by, confidence, valence, cluster_id, score, text, written_by |
| episode_dissolved | 1 | id, segments |
| episode_chained | 1 | id, chain_id, decision, scores, supersedes (id, by) |
| chains_merged | 1 | id, from, episodes, segments |
| snapshot_summarized | 1 | id, version, text, model, entries |
| beliefs_reset | 1 | records (kind → ids), reopened |
| memories_used | 1 | ids, turn |
| synonyms_changed | 1 | word, words (all that it now has; [] for none), source |
| memory_paused | 1 | what, until |
| memory_resumed | 1 | what |
| entries_consolidated | 1 | keys of entry_added; level, sources, entries (all that it goes back to), written_by, run |
| consolidations_undone | 1 | ids |
| upkeep_finished | 1 | run, steps (name → how many) |
| graph_extracted | 1 | id, extractor, entities (type, name, aliases, attributes), relations (source, target, type, …) |
| extraction_failed | 1 | id, extractor, reason |
| graph_changed | 1 | nodes, edges, removed_nodes, removed_edges |
| entities_merged | 1 | into, from |
| entities_split | 1 | ids |

A kind is a noun and a past participle. A changed payload gets the next version and one function in `UPCASTS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from siltstone.errors import SchemaTooNew

ENTRY_ADDED = "entry_added"
ENTRY_UPDATED = "entry_updated"
ENTRIES_FORGOTTEN = "entries_forgotten"
ENTRIES_REVIVED = "entries_revived"
ENTRIES_PURGED = "entries_purged"
FEEDBACK_GIVEN = "feedback_given"
TEXTS_EMBEDDED = "texts_embedded"
SOURCE_READ = "source_read"
TURN_DECOMPOSED = "turn_decomposed"
FORMATION_FAILED = "formation_failed"
SEGMENT_POOLED = "segment_pooled"
CLUSTERS_MERGED = "clusters_merged"
SEGMENT_REINFORCED = "segment_reinforced"
EPISODE_FORMED = "episode_formed"
EPISODE_DISSOLVED = "episode_dissolved"
EPISODE_CHAINED = "episode_chained"
CHAINS_MERGED = "chains_merged"
SNAPSHOT_SUMMARIZED = "snapshot_summarized"
BELIEFS_RESET = "beliefs_reset"
MEMORIES_USED = "memories_used"
SYNONYMS_CHANGED = "synonyms_changed"
MEMORY_PAUSED = "memory_paused"
MEMORY_RESUMED = "memory_resumed"
ENTRIES_CONSOLIDATED = "entries_consolidated"
CONSOLIDATIONS_UNDONE = "consolidations_undone"
UPKEEP_FINISHED = "upkeep_finished"
GRAPH_EXTRACTED = "graph_extracted"
EXTRACTION_FAILED = "extraction_failed"
GRAPH_CHANGED = "graph_changed"
ENTITIES_MERGED = "entities_merged"
ENTITIES_SPLIT = "entities_split"

VERSIONS: dict[str, int] = {
    ENTRY_ADDED: 1,
    ENTRY_UPDATED: 1,
    ENTRIES_FORGOTTEN: 1,
    ENTRIES_REVIVED: 1,
    ENTRIES_PURGED: 1,
    FEEDBACK_GIVEN: 1,
    TEXTS_EMBEDDED: 1,
    SOURCE_READ: 1,
    TURN_DECOMPOSED: 1,
    FORMATION_FAILED: 1,
    SEGMENT_POOLED: 1,
    CLUSTERS_MERGED: 1,
    SEGMENT_REINFORCED: 1,
    EPISODE_FORMED: 1,
    EPISODE_DISSOLVED: 1,
    EPISODE_CHAINED: 1,
    CHAINS_MERGED: 1,
    SNAPSHOT_SUMMARIZED: 1,
    BELIEFS_RESET: 1,
    MEMORIES_USED: 1,
    SYNONYMS_CHANGED: 1,
    MEMORY_PAUSED: 1,
    MEMORY_RESUMED: 1,
    ENTRIES_CONSOLIDATED: 1,
    CONSOLIDATIONS_UNDONE: 1,
    UPKEEP_FINISHED: 1,
    GRAPH_EXTRACTED: 1,
    EXTRACTION_FAILED: 1,
    GRAPH_CHANGED: 1,
    ENTITIES_MERGED: 1,
    ENTITIES_SPLIT: 1,
}

Upcast = Callable[[Mapping[str, Any]], Mapping[str, Any]]
UPCASTS: dict[tuple[str, int], Upcast] = {}
"""(kind, version) → the function that turns that version's payload into the next version's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An event that was decided but has no place in the journal yet."""

    id: str
    kind: str
    at: datetime
    payload: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One line of a user's journal. `seq` starts at 1 and has no gaps within a user."""

    user_id: str
    seq: int
    id: str
    kind: str
    version: int
    at: datetime
    payload: Mapping[str, Any]

    @classmethod
    def of(cls, draft: Draft, *, user_id: str, seq: int) -> Event:
        """The event that `draft` becomes at place `seq`, in the newest version of its kind."""
        version = VERSIONS[draft.kind]
        return cls(
            user_id=user_id,
            seq=seq,
            id=draft.id,
            kind=draft.kind,
            version=version,
            at=draft.at,
            payload=draft.payload,
        )


def upcast(event: Event) -> Event:
    """The same event in the newest version of its kind; raises SchemaTooNew for a kind or version from the future."""
    newest = VERSIONS.get(event.kind)
    if newest is None or event.version > newest:
        raise SchemaTooNew(
            f"the journal holds {event.kind!r} version {event.version}, this Siltstone knows "
            f"{'no such kind' if newest is None else f'versions up to {newest}'}; upgrade: pip install -U siltstone"
        )
    while event.version < newest:
        payload = UPCASTS[event.kind, event.version](event.payload)
        event = replace(event, version=event.version + 1, payload=payload)
    return event


def mentions(event: Event, memory_id: str) -> bool:
    """Whether the event is about that memory, or about what was formed from it."""
    payload = event.payload
    named = (payload.get("id"), payload.get("entry_id"))
    return memory_id in named or memory_id in payload.get("ids", ()) or memory_id in payload.get("entries", ())


def redact(event: Event, ids: frozenset[str]) -> Event:
    """The event without the content of these memories; the same object where it holds none of it."""
    payload = event.payload
    if payload.get("purged"):
        return event
    if payload.get("id") in ids or (
        event.kind == ENTRIES_CONSOLIDATED and ids.intersection(payload["entries"], payload["sources"])
    ):
        return replace(event, payload={"id": payload["id"], "purged": True})
    if event.kind == GRAPH_CHANGED:
        return _without_sources(event, ids)
    if (
        event.kind in (EPISODE_FORMED, SNAPSHOT_SUMMARIZED)
        and "text" in payload
        and ids.intersection(payload["entries"])
    ):
        return replace(
            event, payload={key: value for key, value in payload.items() if key not in ("text", "written_by")}
        )
    return event


def _without_sources(event: Event, ids: frozenset[str]) -> Event:
    """The change without the nodes and edges that these entries alone support; the same object where it names none."""
    payload, changed = dict(event.payload), False
    for name in ("nodes", "edges"):
        items = payload.get(name, ())
        if any(not ids.isdisjoint(item.get("sources", ())) for item in items):
            payload[name] = [kept for item in items if (kept := _supported(item, ids)) is not None]
            changed = True
    return replace(event, payload=payload) if changed else event


def _supported(item: Mapping[str, Any], ids: frozenset[str]) -> Mapping[str, Any] | None:
    if "sources" not in item:
        return item
    sources = [source for source in item["sources"] if source not in ids]
    return {**item, "sources": sources} if sources else None
