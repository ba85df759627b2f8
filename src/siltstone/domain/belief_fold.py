"""The fold of belief events: what a turn's segments, clusters, episodes, chains and snapshots are after each.

Payloads name segments and never repeat what they say, so that purging a turn takes everything along that follows from
it: an event whose segment is gone changes nothing, and an episode that lost its words speaks by the evidence it has left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from siltstone.domain import beliefs as b
from siltstone.domain import events as e
from siltstone.domain.beliefs import CHAIN, CLUSTER, EPISODE, FORMED, PENDING, SEGMENT, SNAPSHOT
from siltstone.domain.events import Event
from siltstone.domain.records import Get, Gone, Record
from siltstone.domain.values import ENTRY, format_time

Changes = tuple[Record | Gone, ...]
UNIFORM = ("speaker", "agent_id")
"""What an episode takes over from its evidence where all of it agrees."""


class Board:
    """The records that one event has changed so far, on top of the state before it."""

    def __init__(self, event: Event, get: Get) -> None:
        self.event, self._get = event, get
        self._changed: dict[tuple[str, str], Record | Gone] = {}

    def get(self, kind: str, memory_id: str | None) -> Record | None:
        """The record as it is now; None for None."""
        if memory_id is None:
            return None
        found = self._changed.get((kind, memory_id))
        if found is None:
            return self._get(kind, memory_id)
        return found if isinstance(found, Record) else None

    def each(self, kind: str, ids: Iterable[str]) -> list[Record]:
        """Those of the records that are there, in order."""
        return [record for record in (self.get(kind, memory_id) for memory_id in ids) if record is not None]

    def put(self, kind: str, memory_id: str, body: Mapping[str, Any], *, live: bool = True) -> None:
        """The record with that body; its origin is the event that first put it."""
        old = self.get(kind, memory_id)
        seq = self.event.seq
        kept = {key: value for key, value in body.items() if value is not None}
        if old is None:
            record = Record(kind=kind, id=memory_id, seq=seq, origin=seq, body=kept, live=live)
        else:
            record = replace(old, seq=seq, body=kept, live=live)
        self._changed[kind, memory_id] = record

    def set(self, record: Record, *, live: bool | None = None, **changes: Any) -> None:
        """The record with some keys of its body changed; None takes a key away."""
        live = record.live if live is None else live
        self.put(record.kind, record.id, {**record.body, **changes}, live=live)

    def drop(self, kind: str, memory_id: str) -> None:
        """The record is gone, if it was there."""
        if self.get(kind, memory_id) is not None:
            self._changed[kind, memory_id] = Gone(kind=kind, id=memory_id)

    def changes(self) -> Changes:
        """All that changed, with the mark that beliefs did."""
        if self._changed:
            state = self.get(b.STATE, b.STATE_ID)
            self.put(b.STATE, b.STATE_ID, {} if state is None else state.body)
        return tuple(self._changed.values())


def pending(event: Event, get: Get) -> Changes:
    """The mark that a turn waits for formation, where `entry_added` asks for it."""
    if not event.payload.get("form"):
        return ()
    body = {"since": format_time(event.at)}
    return (Record(kind=PENDING, id=event.payload["id"], seq=event.seq, origin=event.seq, body=body),)


def _turn_decomposed(payload: Mapping[str, Any], board: Board) -> None:
    entry = board.get(ENTRY, payload["id"])
    board.drop(PENDING, payload["id"])
    if entry is None:
        return
    for segment in payload["segments"]:
        body = b.statement_body(entry.body, entry.id, segment)
        board.put(SEGMENT, segment["id"], {**body, "withdrawn": None if entry.live else True}, live=False)
    formed = {key: payload.get(key) for key in ("decomposer", "dropped", "reason")}
    board.put(FORMED, entry.id, {**formed, "segments": [segment["id"] for segment in payload["segments"]]})


def _formation_failed(payload: Mapping[str, Any], board: Board) -> None:
    record = board.get(PENDING, payload["id"])
    if record is not None:
        board.set(record, failed=payload["reason"])


def _segment_pooled(payload: Mapping[str, Any], board: Board) -> None:
    segment = board.get(SEGMENT, payload["id"])
    if segment is None:
        return
    if "cluster_id" in segment.body:
        _grow(board, segment.body["cluster_id"], -1)
    board.set(segment, state="weak", cluster_id=payload["cluster_id"], chain_id=None, relation=None)
    _grow(board, payload["cluster_id"], 1)


def _clusters_merged(payload: Mapping[str, Any], board: Board) -> None:
    moved = board.each(SEGMENT, payload["segments"])
    for segment in moved:
        board.set(segment, cluster_id=payload["id"])
    _grow(board, payload["id"], len(moved))
    source = board.get(CLUSTER, payload["from"])
    if source is not None:
        board.set(source, live=False, size=0, merged_into=payload["id"])


def _segment_reinforced(payload: Mapping[str, Any], board: Board) -> None:
    segment = board.get(SEGMENT, payload["id"])
    if segment is None:
        return
    if "cluster_id" in segment.body:
        _grow(board, segment.body["cluster_id"], -1)
    relation = payload.get("relation")
    board.set(segment, state="reinforcing", chain_id=payload["chain_id"], cluster_id=None, relation=relation)


def _grow(board: Board, cluster_id: str, count: int) -> None:
    """Count statements into a cluster of the pool, or out of it; an empty cluster is no longer in the pool."""
    cluster = board.get(CLUSTER, cluster_id)
    body = {} if cluster is None else cluster.body
    size = body.get("size", 0) + count
    board.put(CLUSTER, cluster_id, {**body, "size": size}, live=size > 0 and "episode_id" not in body)


def _episode_formed(payload: Mapping[str, Any], board: Board) -> None:
    segments = board.each(SEGMENT, payload["segments"])
    cluster = board.get(CLUSTER, payload.get("cluster_id"))
    if cluster is not None:
        board.set(cluster, live=False, episode_id=payload["id"])
    if not segments:
        return
    for segment in segments:
        board.set(segment, state="vivid" if payload["vivid"] else "promoted", episode_id=payload["id"])
    body = {key: payload.get(key) for key in ("vivid", "confidence", "valence", "cluster_id", "score", "written_by")}
    body["segments"] = [segment.id for segment in segments]
    body["recorded_at"] = format_time(board.event.at)
    board.put(EPISODE, payload["id"], {**body, "written": payload.get("text"), "speaks_by": payload["speaks_by"]})
    _speak(board, payload["id"])


def _speak(board: Board, episode_id: str) -> None:
    """Give the episode the words, time and liveness that its evidence supports now."""
    episode = board.get(EPISODE, episode_id)
    if episode is None:
        return
    evidence = board.each(SEGMENT, episode.body["segments"])
    found = [segment for segment in evidence if not segment.body.get("withdrawn")]
    by = _latest(found or evidence)
    chosen = next((s for s in found if s.id == episode.body["speaks_by"]), by)
    whole = len(found) == len(evidence)
    text = episode.body.get("written") if whole and episode.body.get("written") else chosen.body["text"]
    told = {key: _uniform(found, key) for key in UNIFORM}
    entries = list(dict.fromkeys(segment.body["entry_id"] for segment in evidence))
    board.set(episode, live=bool(found), text=text, occurred_at=by.body["occurred_at"], entries=entries, **told)


def _latest(segments: Sequence[Record]) -> Record:
    return max(segments, key=lambda segment: (segment.body["occurred_at"], segment.origin, segment.id))


def _uniform(segments: Sequence[Record], key: str) -> Any:
    values = {segment.body.get(key) for segment in segments}
    return values.pop() if len(values) == 1 else None


def _episode_dissolved(payload: Mapping[str, Any], board: Board) -> None:
    """The episode is taken back: its statements are weak again, and wait for the groups that they get next."""
    episode = board.get(EPISODE, payload["id"])
    if episode is None:
        return
    for segment in board.each(SEGMENT, payload["segments"]):
        board.set(segment, state="weak", episode_id=None, cluster_id=None)
    board.drop(EPISODE, episode.id)
    if "chain_id" in episode.body:
        _leave(board, episode.id, episode.body["chain_id"])


def _episode_chained(payload: Mapping[str, Any], board: Board) -> None:
    episode = board.get(EPISODE, payload["id"])
    if episode is None:
        return
    left = episode.body.get("chain_id")
    board.set(episode, chain_id=payload["chain_id"], decision=payload["decision"])
    if left is not None and left != payload["chain_id"]:
        _hold(board, episode.id)
        _leave(board, episode.id, left)
    for pair in payload.get("supersedes", ()):
        _supersede(board, pair["id"], pair["by"])
    chain = board.get(CHAIN, payload["chain_id"])
    body: Mapping[str, Any] = chain.body if chain is not None else {"version": 0}
    board.put(CHAIN, payload["chain_id"], {**body, "episodes": [*body.get("episodes", ()), episode.id]})
    _settle(board, payload["chain_id"])


def _leave(board: Board, episode_id: str, chain_id: str) -> None:
    """Take an episode out of a chain, and what it superseded there holds again; without episodes it is a chain no longer."""
    chain = board.get(CHAIN, chain_id)
    if chain is None:
        return
    episodes = [known for known in chain.body["episodes"] if known != episode_id]
    for other in board.each(EPISODE, episodes):
        if other.body.get("superseded_by") == episode_id:
            _hold(board, other.id)
    board.set(chain, live=chain.live and bool(episodes), episodes=episodes)
    if episodes:
        _settle(board, chain_id)
    else:
        board.drop(SNAPSHOT, chain_id)


def _hold(board: Board, episode_id: str) -> None:
    """Nothing supersedes the episode any more: what did was on another topic."""
    episode = board.get(EPISODE, episode_id)
    if episode is not None:
        board.set(episode, superseded_by=None, invalid_at=None)


def _supersede(board: Board, old_id: str, by_id: str) -> None:
    old, by = board.get(EPISODE, old_id), board.get(EPISODE, by_id)
    if old is not None and by is not None:
        board.set(old, superseded_by=by_id, invalid_at=by.body["occurred_at"])


def _settle(board: Board, chain_id: str) -> None:
    """Order the chain by event time, give it its next version, and its snapshot the words of the newest that holds."""
    chain = board.get(CHAIN, chain_id)
    if chain is None:
        return
    episodes = board.each(EPISODE, chain.body["episodes"])
    episodes.sort(key=lambda episode: (episode.body["occurred_at"], episode.origin, episode.id))
    found = [episode for episode in episodes if episode.live]
    version = chain.body["version"] + 1
    ids = [episode.id for episode in episodes]
    board.put(CHAIN, chain_id, {**chain.body, "episodes": ids, "version": version}, live=bool(found))
    holding = [episode for episode in found if not _is_superseded(board, episode)]
    if not episodes:
        return
    newest = (holding or found or episodes)[-1]
    body = {"text": newest.body["text"], "version": version, "occurred_at": newest.body["occurred_at"]}
    told = {key: _uniform(found, key) for key in UNIFORM}
    entries = list(dict.fromkeys(entry for episode in episodes for entry in episode.body["entries"]))
    recorded = format_time(board.event.at)
    board.put(SNAPSHOT, chain_id, {**body, **told, "entries": entries, "recorded_at": recorded}, live=bool(found))


def _is_superseded(board: Board, episode: Record) -> bool:
    by = board.get(EPISODE, episode.body.get("superseded_by"))
    return by is not None and by.live


def _chains_merged(payload: Mapping[str, Any], board: Board) -> None:
    into, source = board.get(CHAIN, payload["id"]), board.get(CHAIN, payload["from"])
    if source is None:
        return
    for segment in board.each(SEGMENT, payload["segments"]):
        board.set(segment, chain_id=payload["id"])
    moved = board.each(EPISODE, payload["episodes"])
    for episode in moved:
        board.set(episode, chain_id=payload["id"])
    body: Mapping[str, Any] = into.body if into is not None else {"version": 0}
    episodes = [*body.get("episodes", ()), *(episode.id for episode in moved)]
    board.put(CHAIN, payload["id"], {**body, "episodes": episodes})
    board.set(source, live=False, merged_into=payload["id"], episodes=[])
    board.drop(SNAPSHOT, source.id)
    _settle(board, payload["id"])


def _snapshot_summarized(payload: Mapping[str, Any], board: Board) -> None:
    snapshot = board.get(SNAPSHOT, payload["id"])
    if snapshot is not None and snapshot.body["version"] == payload["version"]:
        board.set(snapshot, text=payload["text"], written_by=payload["model"], plain=snapshot.body["text"])


def _beliefs_reset(payload: Mapping[str, Any], board: Board) -> None:
    for kind, ids in payload["records"].items():
        for memory_id in ids:
            board.drop(kind, memory_id)
    board.put(b.STATE, b.STATE_ID, {"reset": board.event.seq})
    for entry in board.each(ENTRY, payload.get("reopened", ())):
        board.put(PENDING, entry.id, {"since": format_time(board.event.at)})


def withdrawn(event: Event, get: Get, entry_ids: Iterable[str], *, found: bool) -> Changes:
    """What follows for beliefs when these entries are forgotten (`found` False) or revived."""
    board = Board(event, get)
    segments = [
        segment for formed in board.each(FORMED, entry_ids) for segment in board.each(SEGMENT, formed.body["segments"])
    ]
    for segment in segments:
        board.set(segment, withdrawn=None if found else True)
    episodes = sorted({segment.body["episode_id"] for segment in segments if "episode_id" in segment.body})
    for episode_id in episodes:
        _speak(board, episode_id)
    chains = {episode.body.get("chain_id") for episode in board.each(EPISODE, episodes)}
    for chain_id in sorted(filter(None, chains)):
        _settle(board, chain_id)
    return board.changes()


def reopened(event: Event, get: Get, entry_id: str) -> Changes:
    """What follows for beliefs when the words of a formed entry change: the old ones are taken back, the turn waits."""
    formed = get(FORMED, entry_id)
    if formed is None:
        return ()
    taken = withdrawn(event, get, [entry_id], found=False)
    body = {"since": format_time(event.at)}
    return (*taken, Record(kind=PENDING, id=entry_id, seq=event.seq, origin=event.seq, body=body))


def _folded(step: Callable[[Mapping[str, Any], Board], None]) -> Callable[[Event, Get], Changes]:
    def fold(event: Event, get: Get) -> Changes:
        board = Board(event, get)
        step(event.payload, board)
        return board.changes()

    return fold


FOLDS: dict[str, Callable[[Event, Get], Changes]] = {
    e.TURN_DECOMPOSED: _folded(_turn_decomposed),
    e.FORMATION_FAILED: _folded(_formation_failed),
    e.SEGMENT_POOLED: _folded(_segment_pooled),
    e.CLUSTERS_MERGED: _folded(_clusters_merged),
    e.SEGMENT_REINFORCED: _folded(_segment_reinforced),
    e.EPISODE_FORMED: _folded(_episode_formed),
    e.EPISODE_DISSOLVED: _folded(_episode_dissolved),
    e.EPISODE_CHAINED: _folded(_episode_chained),
    e.CHAINS_MERGED: _folded(_chains_merged),
    e.SNAPSHOT_SUMMARIZED: _folded(_snapshot_summarized),
    e.BELIEFS_RESET: _folded(_beliefs_reset),
}
