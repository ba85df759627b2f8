"""Extraction: entries are read, by rules or by a model, and what was read is recorded with them.

A model is asked outside the commit and the lock. An entry has been read when its reading is in the journal, so that what a
crash or a failure leaves unread is read by the next run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from siltstone.domain.events import EXTRACTION_FAILED, GRAPH_EXTRACTED, Draft
from siltstone.domain.graph import EXTRACTED, Claims, Extraction, GraphStatus
from siltstone.domain.records import Record
from siltstone.domain.values import ENTRY, parse_time
from siltstone.errors import InvalidInput, MissingDependency, ModelAnswerInvalid, ModelError
from siltstone.knowledge.claims import checked_claims
from siltstone.knowledge.desk import Desks
from siltstone.knowledge.familiar import Familiar
from siltstone.knowledge.index import GraphIndex
from siltstone.knowledge.lens import Lens
from siltstone.knowledge.options import whole
from siltstone.ports.clock import Clock
from siltstone.ports.knowledge import KnowledgeModel, Text
from siltstone.ports.stores import Partition, View

if TYPE_CHECKING:
    from siltstone.knowledge.rules import Known

__all__ = ["Extractor", "checked_claims", "extractor", "record", "run", "status"]

BATCH_RULES = 200
BATCH_MODEL = 12
CHARACTERS = 12_000
"""At most so much text is shown to a model in one call, but for a single longer entry."""
KNOWN = 60
"""Entities already known that a model is told of: those most spoken of, and those that the texts name."""
ATTEMPTS = 3
BY = ("rules", "model")
RULES = "rules/1"
"""The reader that is recorded for the rules: another version of them is another name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extractor:
    """Who reads, how many entries at a time, and by whose clock it is recorded. `model` None: the rules."""

    clock: Clock
    model: KnowledgeModel | None = None

    @property
    def name(self) -> str:
        """Who is recorded as the reader."""
        return RULES if self.model is None else self.model.name

    def read(self, texts: Sequence[Text], known: Sequence[str]) -> Sequence[Claims | None]:
        """What the model finds in each text; None for one that it did not reach. Raises ModelError."""
        assert self.model is not None
        found = self.model.read(texts, known)
        if len(found) != len(texts):
            raise ModelAnswerInvalid(f"{self.name} answered for {len(found)} of {len(texts)} texts; use another model")
        if not any(told is not None for told in found):
            raise ModelAnswerInvalid(f"{self.name} read none of {len(texts)} texts; use another model")
        return [None if told is None else _checked(told, self.name) for told in found]


def extractor(by: str | KnowledgeModel | None, model: KnowledgeModel | None, clock: Clock) -> Extractor:
    """The extractor that `by` names: "rules", "model", an extractor itself, or None for the model where there is one."""
    if by is not None and not isinstance(by, str):
        return Extractor(clock=clock, model=by)
    if by is not None and by not in BY:
        raise InvalidInput(f"by cannot be {by!r}; choose one of: rules, model")
    if by == "model" and model is None:
        raise InvalidInput("there is no completion model to read with; set completion.provider, or use by='rules'")
    return Extractor(clock=clock, model=None if by == "rules" else model)


def run(
    desks: Desks, partition: Partition, reader: Extractor, *, limit: int | None = None, again: bool = False
) -> Extraction:
    """Read what is due, batch by batch; stops at the first failure that may pass, and names what waits."""
    if limit is not None:
        whole("limit", limit)
    with desks.current(partition) as index:
        ids = due(index, reader, again)[:limit]
    done: list[str] = []
    waiting: dict[str, str] = {}
    failed: dict[str, str] = {}
    size = BATCH_RULES if reader.model is None else BATCH_MODEL
    for start in range(0, len(ids), size):
        entries = [record for record in partition.get_many(ENTRY, ids[start : start + size]).values() if record.live]
        for group in _groups(entries, reader):
            try:
                done += _read(desks, partition, reader, group, failed)
            except (ModelError, MissingDependency) as error:
                waiting = dict.fromkeys(
                    [entry for entry in ids if entry not in done and entry not in failed], str(error)
                )
                return Extraction(read=tuple(done), waiting=waiting, failed=failed)
    return Extraction(read=tuple(done), waiting=waiting, failed=failed)


def due(index: GraphIndex, reader: Extractor, again: bool) -> list[str]:
    """The entries that this reader has not read, oldest first; a model also reads what only the rules have."""
    waiting = dict(index.unread)
    if reader.model is not None:
        waiting |= dict.fromkeys((entry for entry, (name, _) in index.read.items() if name == RULES), 0)
    given_up = {
        entry
        for entry, body in index.failed.items()
        if body["attempts"] >= ATTEMPTS and body["extractor"] == reader.name and not again
    }
    return [entry for entry in sorted(waiting, key=lambda entry: (waiting[entry], entry)) if entry not in given_up]


def record(partition: Partition, entry_id: str, claims: Claims, name: str, clock: Clock) -> bool:
    """Record what was read out of one entry, in place of an earlier reading; False where the entry is not there."""
    draft = draft_of(entry_id, claims, name, clock)
    return bool(partition.commit(lambda view: () if view.get(ENTRY, entry_id) is None else (draft,)))


def draft_of(entry_id: str, claims: Claims, name: str, clock: Clock) -> Draft:
    """The event that says what was read out of an entry."""
    payload: dict[str, Any] = {"id": entry_id, "extractor": name}
    payload |= {"entities": list(claims.entities)} if claims.entities else {}
    payload |= {"relations": list(claims.relations)} if claims.relations else {}
    return Draft(id=clock.new_id(), kind=GRAPH_EXTRACTED, at=clock.now(), payload=payload)


def read_draft(entry: Draft, clock: Clock) -> Draft:
    """The event that says what the rules read out of an entry that is about to be kept."""
    at = parse_time(entry.payload.get("valid_from") or entry.payload["occurred_at"])
    claims = _ruled(entry.payload["text"], speaker=_speaker(entry.payload), at=at)
    return draft_of(entry.payload["id"], claims, RULES, clock)


def _ruled(text: str, *, speaker: str | None, at: datetime | None, known: Known | None = None) -> Claims:
    # Loaded on first use: their patterns take longer to load than all the rest of the graph.
    from siltstone.knowledge import rules

    return rules.read(text, speaker=speaker, at=at, known=known)


def status(lens: Lens) -> GraphStatus:
    """The counts of one user's graph."""
    read: dict[str, int] = {}
    for name, _ in lens.index.read.values():
        read[name] = read.get(name, 0) + 1
    failed = {entry: str(body["reason"]) for entry, body in lens.index.failed.items()}
    return GraphStatus(
        entities=sum(1 for _ in lens.all_nodes()),
        relations=sum(1 for _ in lens.all_edges()),
        read=read,
        unread=len(lens.index.unread),
        failed=failed,
    )


def _checked(told: object, name: str) -> Claims:
    """One text's answer with its whole items only. Raises ModelAnswerInvalid where it has another form."""
    entities = told.get("entities", ()) if isinstance(told, Mapping) else None
    relations = told.get("relations", ()) if isinstance(told, Mapping) else None
    if not (isinstance(entities, list | tuple) and isinstance(relations, list | tuple)):
        raise ModelAnswerInvalid(
            f"{name} answered {str(told)[:80]!r}; an extractor gives entities and relations as lists"
        )
    return checked_claims(entities, relations)


def _groups(entries: Sequence[Record], reader: Extractor) -> list[list[Record]]:
    """The entries in groups that fit into one call."""
    if reader.model is None:
        return [list(entries)] if entries else []
    groups: list[list[Record]] = []
    room = 0
    for entry in entries:
        length = len(entry.body["text"])
        if not groups or length > room:
            groups.append([])
            room = CHARACTERS
        groups[-1].append(entry)
        room -= length
    return groups


def _read(
    desks: Desks, partition: Partition, reader: Extractor, entries: Sequence[Record], failed: dict[str, str]
) -> list[str]:
    """Read a group and record it. An answer of no use is asked for entry by entry, then given up for now."""
    if reader.model is None:
        return _record(partition, reader, entries, _by_rules(desks, partition, entries))
    with desks.current(partition) as index:
        known = _known(index)
    try:
        found = reader.read([_text(entry) for entry in entries], known)
    except ModelError as error:
        if not _is_final(error):
            raise
        if len(entries) > 1:
            return [done for entry in entries for done in _read(desks, partition, reader, [entry], failed)]
        failed[entries[0].id] = str(error)
        _fail(partition, reader, entries[0].id, str(error))
        return []
    done = _record(partition, reader, entries, found)
    left = [entry for entry, claims in zip(entries, found, strict=True) if claims is None]
    return done + (_read(desks, partition, reader, left, failed) if left else [])


def _by_rules(desks: Desks, partition: Partition, entries: Sequence[Record]) -> list[Claims]:
    """What the rules find in each entry, given all that was read before."""
    found: list[Claims] = []
    with desks.current(partition) as index:
        familiar = Familiar(index.identity)
        for entry in entries:
            text = _text(entry)
            found.append(_ruled(text.text, speaker=text.speaker, at=text.at, known=familiar))
            familiar.learn(found[-1])
    return found


def _record(
    partition: Partition, reader: Extractor, entries: Sequence[Record], found: Sequence[Claims | None]
) -> list[str]:
    """Commit what was read of those entries that still say the same."""
    drafts = [
        draft_of(entry.id, claims, reader.name, reader.clock)
        for entry, claims in zip(entries, found, strict=True)
        if claims is not None
    ]
    texts = {entry.id: entry.body["text"] for entry in entries}

    def decide(view: View) -> Sequence[Draft]:
        return [draft for draft in drafts if _is_due(view, draft.payload["id"], texts, reader)]

    return [event.payload["id"] for event in partition.commit(decide)]


def _is_due(view: View, entry_id: str, texts: Mapping[str, str], reader: Extractor) -> bool:
    entry, before = view.get(ENTRY, entry_id), view.get(EXTRACTED, entry_id)
    if entry is None or not entry.live or entry.body["text"] != texts[entry_id]:
        return False
    return before is None or (reader.model is not None and before.body["extractor"] == RULES)


def _fail(partition: Partition, reader: Extractor, entry_id: str, reason: str) -> None:
    payload = {"id": entry_id, "extractor": reader.name, "reason": reason}
    draft = Draft(id=reader.clock.new_id(), kind=EXTRACTION_FAILED, at=reader.clock.now(), payload=payload)
    partition.commit(lambda view: () if view.get(ENTRY, entry_id) is None else (draft,))


def _text(entry: Record) -> Text:
    body = entry.body
    at = parse_time(body.get("valid_from") or body["occurred_at"])
    assert at is not None
    return Text(text=body["text"], speaker=_speaker(body), at=at)


def _speaker(body: Mapping[str, Any]) -> str | None:
    """Who says "I": the speaker, or a role that is not the user's."""
    role = body.get("role")
    return body.get("speaker") or (role if role not in (None, "user") else None)


def _known(index: GraphIndex) -> list[str]:
    """The entities that entries speak of most, as `type:name`."""
    nodes = [node for node in index.nodes if not node.gone and not node.bridge and (node.entries or node.given)]
    nodes.sort(key=lambda node: -len(node.entries or ()))
    return [f"{node.type}:{node.name}" for node in nodes[:KNOWN]]


def _is_final(error: Exception) -> bool:
    """Whether the same question would fail again: an answer of no use, or a refusal, which carries a `status`."""
    return isinstance(error, ModelAnswerInvalid) or getattr(error, "status", None) is not None
