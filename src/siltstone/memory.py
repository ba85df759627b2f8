"""Memory: the verbs of Siltstone. Read this file first; each verb is a few lines that name what happens, in order.

Only this file touches a store. Models are asked outside the store's transactions.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Unpack

from siltstone.domain import events
from siltstone.domain.beliefs import Episode
from siltstone.domain.events import Draft, Event
from siltstone.domain.graph import ENTITY, RELATION
from siltstone.domain.options import Narrow, Told, checked
from siltstone.domain.records import fingerprint
from siltstone.domain.values import ENTRY, TURN, Change, Entry, ForgetReceipt, Receipt
from siltstone.errors import NotFound
from siltstone.facades import Facades
from siltstone.formation import intake, messages
from siltstone.formation.messages import Content, Message
from siltstone.ports.stores import Partition, Progress, StoreStats, View
from siltstone.retrieval import embedding, reindexing, search
from siltstone.retrieval.recall import Recall
from siltstone.retrieval.reranking import reranked
from siltstone.retrieval.voice import voiced
from siltstone.text import checks
from siltstone.upkeep import entries, following, pauses

if TYPE_CHECKING:
    from siltstone.formation.pipeline import Formed
    from siltstone.upkeep.transfer import ImportReceipt, Replay


class Memory(Facades):
    """Long-term memory for the users of one store. Safe to use from many threads; close it, or use it in `with`."""

    @classmethod
    def open(cls, url: str | None = None, **settings: Any) -> Memory:
        """The memory at `url` (default: the configured one, else ~/.siltstone/memory.db).

        `settings` are dotted names with `__` for the dot (`recall__top_k=5`); they win over environment and file.
        """
        from siltstone.assembly import assemble

        return cls(assemble(url, settings))

    # writing

    def add(self, content: Content, *, user_id: str, memory_id: str | None = None, **told: Unpack[Told]) -> Receipt:
        """Keep a text, a message or a list of them whole, searchable at once. One call is one durable step.

        `memory_id` is the id to keep a single text under; InvalidInput where the user has a memory of that id.
        """
        checked("add", Told, told)
        return self._keep(content, user_id, {**told, "memory_id": memory_id}, kind=None)

    def process(
        self, content: Content, *, user_id: str, prior: str | None = None, promote: bool = True, **told: Unpack[Told]
    ) -> Receipt:
        """Keep a turn of a conversation and form beliefs from it; `prior` is what was said before it, as context.

        `memory.beliefs` lists what was formed. The receipt says "waiting" where a model has still to answer; the turn is
        kept and searchable all the same. With `promote` False no cluster of weak statements becomes an episode yet.
        """
        checked("process", Told, told)
        extra = {"form": True} | ({"prior": checks.text(prior)} if prior else {})
        receipt = self._keep(content, user_id, told, kind=TURN, extra=extra)
        return self._former.receipt(receipt, self._partition(user_id), promote=promote)

    def follow(
        self, items: Sequence[Message], *, user_id: str, source: str, mark: Message, **told: Unpack[Told]
    ) -> Receipt:
        """Keep what was read of a source that grows, once by each message's `key`, and the `mark` reached, in one step."""
        checked("follow", Told, told)
        read = following.read(items, told, source=source, mark=mark, clock=self._clock)
        return following.keep(read, self._partition(user_id), self.embedder, self._commit)

    def followed(self, source: str, *, user_id: str) -> Mapping[str, Any] | None:
        """The mark that the last `follow` of that source left; None where it was never followed."""
        return following.mark_of(self._partition(user_id), source)

    def form(self, *, user_id: str) -> Formed:
        """Form every kept turn that still waits, e.g. because a model was down."""
        return self.beliefs.form(user_id=user_id)

    def consolidate(self, *, user_id: str) -> Sequence[Episode]:
        """Group all beliefs anew by topic, and promote what has gathered enough in the pool; the new episodes."""
        return self.beliefs.consolidate(user_id=user_id)

    def _keep(
        self,
        content: Content,
        user_id: str,
        told: Mapping[str, Any],
        *,
        kind: str | None,
        extra: Mapping[str, Any] | None = None,
    ) -> Receipt:
        partition = self._partition(user_id)
        reading = messages.read(content)
        now = self._clock.now()
        payloads = [intake.payload(item, told, kind=kind, now=now) | dict(extra or {}) for item in reading.utterances]
        key = told.get("idempotency_key")
        drafts = intake.drafts(payloads, clock=self._clock, key=key, memory_id=told.get("memory_id"))
        if self.settings.knowledge.extract == "rules":
            drafts += self.graph.reading_of(drafts)
        embedded = embedding.embed_payloads(self.embedder, payloads, partition)
        written = self._commit(partition, lambda view: intake.unseen(drafts, view, told), embedded.vectors)
        return Receipt(
            ids=tuple(dict.fromkeys(draft.payload["id"] for draft in drafts)),
            created=bool(written),
            **embedded.told(),
            skipped=reading.skipped,
            seq=written[-1].seq if written else partition.position().seq,
        )

    def update(
        self, memory_id: str, *, user_id: str, text: str | None = None, clear: Sequence[str] = (), **told: Unpack[Told]
    ) -> Entry:
        """Change what is kept: its text, or what was told about it. None leaves a value, `clear` removes it by name.

        `metadata` and `tags` replace the old ones whole; `{}` and `[]` clear them. Earlier versions stay in `history`.
        """
        checked("update", Told, told)
        partition = self._partition(user_id)
        changes = entries.changes(text, told, clear)
        embedded = embedding.embed_payloads(self.embedder, [changes], partition)
        draft = self._draft(events.ENTRY_UPDATED, {"id": memory_id, "changes": changes})
        self._commit(partition, lambda view: entries.revise(draft, view), embedded.vectors)
        return entries.found(memory_id, partition)

    def forget(
        self,
        memory_id: str | Sequence[str] | None = None,
        *,
        user_id: str,
        purge: bool = False,
        all: bool = False,
        **narrow: Unpack[Narrow],
    ) -> ForgetReceipt:
        """Make memories unfindable, by id, by filter, or `all` of a user; their history stays.

        With `purge` their content is erased from the journal, indexes and vectors, byte by byte; that cannot be undone.
        A call without any selector raises InvalidInput. An unknown id raises NotFound.
        """
        checked("forget", Narrow, narrow)
        partition = self._partition(user_id)
        chosen = entries.selector(memory_id, checks.narrowed(narrow, user_id=user_id), all)
        if purge:
            return self._purge(partition, chosen)
        draft = self._draft(events.ENTRIES_FORGOTTEN, {"ids": [], "reason": "asked"})
        written = partition.commit(lambda view: entries.forget(draft, chosen, view))
        return ForgetReceipt(ids=tuple(memory_id for event in written for memory_id in event.payload["ids"]))

    def revive(self, memory_id: str, *, user_id: str) -> Entry:
        """Make a forgotten memory findable again."""
        partition = self._partition(user_id)
        draft = self._draft(events.ENTRIES_REVIVED, {"ids": [memory_id]})
        partition.commit(lambda view: entries.revive(draft, view))
        return entries.found(memory_id, partition)

    def feedback(
        self, memory_id: str, *, user_id: str, useful: bool, turn: str | None = None, note: str | None = None
    ) -> Entry:
        """Say whether a recalled memory was useful (+1) or not (-2). Repeating it for the same `turn` changes nothing."""
        partition = self._partition(user_id)
        payload = entries.feedback_payload(memory_id, useful=useful, turn=turn, note=note)
        draft = self._draft(events.FEEDBACK_GIVEN, payload)
        self._commit(partition, lambda view: entries.rate(draft, view))
        return entries.found(memory_id, partition)

    def used(self, memory_ids: str | Sequence[str], *, user_id: str, turn: str | None = None) -> Sequence[str]:
        """Say that memories were used, e.g. put before a model; once a `turn`. Answers the ids for which it counted."""
        partition = self._partition(user_id)
        draft = self._draft(events.MEMORIES_USED, entries.use_payload(memory_ids, turn))
        written = self._commit(partition, lambda view: entries.use(draft, view))
        return [memory_id for event in written for memory_id in event.payload["ids"]]

    def pause(self, *, user_id: str, seconds: float, what: str = "recall") -> datetime:
        """Stop `what` ("recall", "writes", "both") for so long; answers when it ends. See `UpkeepVerbs.pause`."""
        return self.upkeep.pause(user_id=user_id, seconds=seconds, what=what)

    def resume(self, *, user_id: str, what: str = "both") -> None:
        """End a pause before its time."""
        self.upkeep.resume(user_id=user_id, what=what)

    # reading

    def retrieve(
        self,
        query: str,
        *,
        user_id: str,
        top_k: int | None = None,
        recent_session: str | None = None,
        **narrow: Unpack[Narrow],
    ) -> Recall:
        """The memories that answer `query`, best first. Writes nothing; the same state gives the same answer.

        `recent_session` names the conversation under way: its latest turns count as the short-term buffer.
        """
        checked("retrieve", Narrow, narrow)
        partition = self._partition(user_id)
        skipped, gaps = self._gate.look(query)
        if skipped is not None:
            return skipped
        asked, reranker = self.settings.recall.top_k if top_k is None else top_k, self.parts.reranker
        request = search.request(
            query,
            top_k=asked if reranker is None else max(asked, self.settings.rerank.candidates),
            wanted=checks.narrowed(narrow, user_id=user_id),
            recent_session=recent_session,
            now=self._clock.now(),
        )
        said = self._voiced(request.text, partition)
        meant = embedding.ask(self.embedder, self.parts.second, said)
        with partition.reading():
            paused = self._gate.paused(query, partition)
            if paused is not None:
                return paused
            with self._shelf.current(partition, meant.spaces) as corpus:
                if (heard := voiced(request.text, corpus)) != said:  # a speaker is new
                    meant = embedding.ask(self.embedder, self.parts.second, heard)
                if corpus.graphed and self.settings.recall.graph:
                    request = self.graph.linking(request, user_id=user_id, hops=self.settings.recall.graph_hops)
                ranked = search.run(corpus, request, meant=meant.meaning, settings=self.settings)
                degraded = search.gaps(corpus, meant.failures)
            found = search.records(ranked, partition)
        answer = search.recall(request, ranked, found, (*gaps, *degraded))
        if not {ENTITY, RELATION}.isdisjoint(request.wanted.kinds):
            answer = self.graph.joining(answer, request, user_id=user_id)
        return answer if reranker is None else reranked(answer, reranker, asked)

    def get(self, memory_id: str, *, user_id: str) -> Entry | None:
        """The entry, forgotten ones included; None where there is none of that id."""
        record = self._partition(user_id).get(ENTRY, memory_id)
        return None if record is None else entries.entry(record)

    def list(
        self,
        *,
        user_id: str,
        limit: int = 100,
        after: str | None = None,
        forgotten: bool = False,
        **narrow: Unpack[Narrow],
    ) -> builtins.list[Entry]:
        """A user's entries in the order in which they came, filtered, then cut to `limit`; `after` is the last id seen.

        Forgotten ones are listed only with `forgotten=True`.
        """
        checked("list", Narrow, narrow)
        partition = self._partition(user_id)
        wanted = checks.narrowed(narrow, user_id=user_id)
        return entries.page(partition.records(), wanted, limit=limit, after=after, forgotten=forgotten)

    def history(self, memory_id: str, *, user_id: str) -> builtins.list[Change]:
        """Everything that happened to a memory, oldest first; raises NotFound for an id that the journal never had."""
        found = [entries.change(event) for event in self._partition(user_id).events(mentioning=memory_id)]
        if not found:
            raise NotFound(f"the journal of {user_id!r} has no memory {memory_id!r}; list them with list()")
        return found

    # the whole of a user

    def fingerprint(self, *, user_id: str) -> str:
        """SHA-256 over every projection and vector of the user: equal state, equal fingerprint."""
        partition = self._partition(user_id)
        vectors = ((model, vector) for model in partition.models() for vector in partition.vectors(model))
        return fingerprint(partition.records(), vectors)

    def replay(self, *, user_id: str, progress: Progress | None = None) -> Replay:
        """Throw every projection of the user away and fold the journal again; no model is called."""
        from siltstone.upkeep.transfer import Replay

        partition = self._partition(user_id)
        before = self.fingerprint(user_id=user_id)
        partition.rebuild(progress)
        self._shelf.drop(user_id)
        return Replay(events=partition.position().seq, before=before, after=self.fingerprint(user_id=user_id))

    def export(self, *, user_id: str, to: str | Path | IO[str] | None = None) -> int | Iterator[str]:
        """The user's journal and vectors as JSON Lines: written to `to` (answers the number of lines), or as lines."""
        from siltstone.upkeep import transfer

        partition = self._partition(user_id)
        lines = transfer.export_lines(partition)
        return lines if to is None else transfer.write_lines(lines, to)

    def import_(
        self, source: str | Path | IO[str], *, user_id: str, format: str = "auto", progress: Progress | None = None
    ) -> ImportReceipt:
        """Read an export, JSON Lines of messages, a LoCoMo file or plain text into a user's memory.

        A Redis URL reads what Keepsake keeps there. Repeating an import adds nothing twice. A line that cannot be read
        is reported and skipped.
        """
        from siltstone.upkeep import fragments, transfer

        if isinstance(source, str) and "://" in source:
            from siltstone.assembly import open_hashes

            hashes = open_hashes(source, self.settings)
            return fragments.import_from(self, hashes, user_id=checks.user(user_id), format=format, progress=progress)
        return transfer.import_source(self, source, user_id=checks.user(user_id), format=format, progress=progress)

    def reindex(self, *, user_id: str, progress: Progress | None = None) -> int:
        """Embed every text that lacks a vector of a current model; resumable. Answers how many vectors were made."""
        embedders = embedding.present(self.embedder, self.parts.second, self.settings.embedding.provider)
        return reindexing.reindex(self._partition(user_id), embedders, self._clock, progress)

    def users(self) -> Sequence[str]:
        """The users that have a memory in this store."""
        return self.store.users()

    def stats(self, *, user_id: str) -> StoreStats:
        """How many events, records and vectors the user has."""
        return self._partition(user_id).stats()

    # the pieces that the verbs share

    def _voiced(self, text: str, partition: Partition) -> str:
        """The question as the speaker whom it is about would put it, as far as the user's index, read if need be, knows."""
        said = self._shelf.glimpse(partition.user_id, lambda known: voiced(text, known))
        if said is not None:
            return said
        spaces = embedding.spaces_now(self.embedder, self.parts.second)
        with partition.reading(), self._shelf.current(partition, spaces) as corpus:
            return voiced(text, corpus)

    def _draft(self, kind: str, payload: Mapping[str, Any]) -> Draft:
        return Draft(id=self._clock.new_id(), kind=kind, at=self._clock.now(), payload=payload)

    def _commit(
        self,
        partition: Partition,
        decide: Callable[[View], Sequence[Draft]],
        vectors: Mapping[str, bytes] | None = None,
    ) -> tuple[Event, ...]:
        """What a writing verb decides; refused while writes are paused."""
        model = embedding.model_name(self.embedder) if vectors else ""
        guarded = pauses.refusing(decide, partition.user_id, self._clock.now())
        done = partition.commit(guarded, model=model, vectors=vectors)
        if done:
            self._later.put(partition)
        return done

    def _purge(self, partition: Partition, chosen: entries.Selector) -> ForgetReceipt:
        ids = entries.chosen_ids(partition.records(), chosen)
        draft = self._draft(events.ENTRIES_PURGED, {"ids": list(ids)})
        erased = partition.purge(ids, draft) if ids else {}
        self._shelf.drop(partition.user_id)
        return ForgetReceipt(ids=ids, purged=True, erased=erased)
