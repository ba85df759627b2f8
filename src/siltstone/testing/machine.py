"""A hypothesis state machine: random steps on a store and on an oracle beside it, with crashes among them.

After each step the partition that was touched must have the oracle's position, journal, records and vectors; at the end
all partitions must, once more after a rebuild. Subclass it, define the four hooks, and let pytest collect `TestCase`:

    class MyMachine(StoreMachine):
        ...

    TestMyMachine = MyMachine.TestCase
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from siltstone.domain import events
from siltstone.domain.events import Draft, Event
from siltstone.domain.records import Vector, text_key
from siltstone.domain.values import ENTRY
from siltstone.ports.stores import Partition, Projector, Store, View
from siltstone.testing.clock import ManualClock
from siltstone.testing.projector import WordProjector
from siltstone.testing.rules.base import all_vectors, state, texts_of, vector_of

USERS = st.sampled_from(["ana", "ana/2", "r7&user=u2"])
NAMES = st.sampled_from([f"m{n}" for n in range(6)])
TEXTS = st.one_of(st.sampled_from(["", "tea", "Tea  with MILK", "茶 🍵", "same"]), st.text(max_size=30))
MODELS = st.sampled_from(["first", "second"])
SESSIONS = st.sampled_from([None, "s1", "s2"])


class StoreMachine(RuleBasedStateMachine):
    """Drives `self.store` beside `self.oracle`; both get the same drafts."""

    def make_store(self, projector: Projector) -> Store:
        """A new, empty store of the kind under test."""
        raise NotImplementedError

    def make_oracle(self, projector: Projector) -> Store:
        """A new, empty store that is known to be right."""
        raise NotImplementedError

    def reopen(self, store: Store, projector: Projector) -> Store:
        """Close the store and open the same place again."""
        raise NotImplementedError

    def crash(self, store: Store, projector: Projector) -> Store:
        """Open the same place again with the store left as it is: not closed, as a killed process leaves it."""
        raise NotImplementedError

    @initialize()
    def start(self) -> None:
        """Two empty stores."""
        self.clock, self.projector = ManualClock(), WordProjector()
        self.store, self.oracle = self.make_store(self.projector), self.make_oracle(self.projector)
        self.exports: list[tuple[list[Event], list[tuple[str, Vector]]]] = []

    @rule(user=USERS, name=NAMES, text=TEXTS, session=SESSIONS, model=MODELS)
    def add(self, user: str, name: str, text: str, session: str | None, model: str) -> None:
        """Add a memory, where there is none of that name; else nothing, vectors included."""
        draft = self._draft(events.ENTRY_ADDED, id=name, text=text, session_id=session)

        def decide(view: View) -> Sequence[Draft]:
            return () if view.get(ENTRY, name) else [draft]

        self._commit(user, decide, [draft], model)

    @rule(user=USERS, names=st.lists(NAMES, min_size=1, max_size=6, unique=True), text=TEXTS, model=MODELS)
    def add_batch(self, user: str, names: list[str], text: str, model: str) -> None:
        """Add several memories in one commit, over those that are there."""
        drafts = [self._draft(events.ENTRY_ADDED, id=name, text=f"{text} {name}") for name in names]
        self._commit(user, lambda view: drafts, drafts, model)

    @rule(user=USERS, name=NAMES, text=TEXTS, model=MODELS)
    def update(self, user: str, name: str, text: str, model: str) -> None:
        """Change a text, also of a memory that is not there."""
        draft = self._draft(events.ENTRY_UPDATED, id=name, changes={"text": text})
        self._commit(user, lambda view: [draft], [draft], model)

    @rule(user=USERS, names=st.lists(NAMES, max_size=3), kind=st.sampled_from(["forget", "revive", "rate"]))
    def touch(self, user: str, names: list[str], kind: str) -> None:
        """Forget, revive or rate memories, known and unknown."""
        if kind == "rate":
            drafts = [self._draft(events.FEEDBACK_GIVEN, id=name, value=0.5, turn=None) for name in names]
        else:
            chosen = events.ENTRIES_FORGOTTEN if kind == "forget" else events.ENTRIES_REVIVED
            drafts = [self._draft(chosen, ids=names)]
        self._commit(user, lambda view: drafts, drafts, "first")

    @rule(user=USERS, names=st.sets(NAMES, max_size=3))
    def purge(self, user: str, names: set[str]) -> None:
        """Purge memories, known and unknown."""
        draft = self._draft(events.ENTRIES_PURGED, ids=sorted(names))
        assert self._partition(user).purge(names, draft) == self.oracle.partition(user).purge(names, draft)
        self._compare(user)

    @rule(user=USERS)
    def rebuild(self, user: str) -> None:
        """Fold the journal again."""
        self._partition(user).rebuild()
        self.oracle.partition(user).rebuild()
        self._compare(user)

    @rule(user=USERS)
    def export(self, user: str) -> None:
        """Keep what the partition holds now."""
        partition = self._partition(user)
        self.exports.append((list(partition.events()), all_vectors(partition)))

    @rule(user=USERS, which=st.integers(0, 9), start=st.integers(0, 3))
    def restore(self, user: str, which: int, start: int) -> None:
        """Restore an earlier export, or its end, into any partition."""
        if self.exports:
            journal, vectors = self.exports[which % len(self.exports)]
            answers = [
                store.partition(user).restore(iter(journal[start:]), iter(vectors))
                for store in (self.store, self.oracle)
            ]
            assert answers[0] == answers[1]
            self._compare(user)

    @rule()
    def close_and_open(self) -> None:
        """Close the store and open it again."""
        self.store = self.reopen(self.store, self.projector)
        self._compare_all()

    @rule()
    def crash_and_open(self) -> None:
        """Abandon the store and open it again: everything acknowledged is there."""
        self.store = self.crash(self.store, self.projector)
        self._compare_all()

    def teardown(self) -> None:
        """All partitions agree, also after a rebuild of each."""
        if hasattr(self, "store"):
            self._compare_all()
            for user in self.oracle.users():
                before = state(self._partition(user))
                self._partition(user).rebuild()
                assert state(self._partition(user)) == before
            assert all(finding.ok for finding in self.store.check())
            self.store.close()

    def _draft(self, kind: str, /, **payload: Any) -> Draft:
        given = {key: value for key, value in payload.items() if value is not None}
        return Draft(id=self.clock.new_id(), kind=kind, at=self.clock.advance(), payload=given)

    def _commit(self, user: str, decide: Any, drafts: Sequence[Draft], model: str) -> None:
        texts = [text for draft in drafts for text in texts_of(draft)]
        vectors = {text_key(text): vector_of(f"{model} {text}") for text in texts}
        answers = [
            store.partition(user).commit(decide, model=model, vectors=vectors) for store in (self.store, self.oracle)
        ]
        assert answers[0] == answers[1]
        self._compare(user)

    def _compare(self, user: str) -> None:
        mine, right = self._partition(user), self.oracle.partition(user)
        assert mine.position().seq == right.position().seq
        assert list(mine.events()) == list(right.events())
        assert list(mine.records()) == list(right.records())
        assert state(mine) == state(right)
        assert mine.stats() == right.stats()
        for after in (1, mine.position().seq - 1):
            assert list(mine.records(after=after)) == list(right.records(after=after))
            for model in mine.models():
                assert list(mine.vectors(model, after=after)) == list(right.vectors(model, after=after))

    def _compare_all(self) -> None:
        assert self.store.users() == self.oracle.users()
        for user in self.oracle.users():
            self._compare(user)

    def _partition(self, user: str) -> Partition:
        return self.store.partition(user)
