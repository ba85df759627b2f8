"""A user's in-process index: every recallable memory as one row of columns, postings and a vector matrix.

It is a cache of the store's projection: built from `Partition.records` and `.vectors`, kept current by journal
position, thrown away when the epoch changes. Its rows never influence ranking by their order: whatever was updated,
forgotten or loaded in another order ranks the same as after a rebuild.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from siltstone.domain.graph import EXTRACTED, GRAPH_KINDS
from siltstone.domain.records import Record
from siltstone.domain.upkeep_fold import SYNONYMS
from siltstone.domain.values import ENTRY
from siltstone.ports.stores import Partition, Position
from siltstone.retrieval.columns import Column, Names, Postings
from siltstone.retrieval.company import Company
from siltstone.retrieval.tallies import Tally
from siltstone.retrieval.vectors import Space, Vectors
from siltstone.text.form import FORM_MARK, Form, read_form
from siltstone.text.normal import fold
from siltstone.text.tokens import terms

FOREVER = float("inf")
DAY, EPOCH = 86_400, date(1970, 1, 1).toordinal()
SHARE_DEAD = 0.5
SMALL = 1024
BATCH = 20_000
NAMED_SPEAKERS = 2000
FIRST_CJK = "\u2e80"
DESCRIBED = frozenset({"tags", "metadata"})

Counts = TypeVar("Counts", bound=Tally)


def seconds(text: str | None, missing: float) -> float:
    """Seconds since 1970 of an ISO 8601 text; `missing` where there is none."""
    if text is None:
        return missing
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


class Parsed(NamedTuple):
    """A record's index terms, taken apart: its words, the times that it speaks of (first and last day), form."""

    words: list[str]
    spans: list[tuple[int, int]]
    form: Form


def split(terms: str) -> Parsed:
    """The index terms of a record, as `text.analysis.analyse` joined them (words, form, times), taken apart."""
    words, mark, rest = terms.rpartition(FORM_MARK)
    if not mark:
        return Parsed(terms.split(), [], Form())
    marked = (mark + rest).split()
    return Parsed(words.split(), [_days(term) for term in marked[1:]], read_form(marked[0]))


def _days(term: str) -> tuple[int, int]:
    """The ordinals in `@2023-05-01/2023-05-07`."""
    first, last = term[1:].split("/")
    return date.fromisoformat(first).toordinal(), date.fromisoformat(last).toordinal()


def _is_cjk(words: Sequence[str]) -> bool:
    """Whether at least half of a row's words are in a script that starts beyond Latin, Greek, Arabic and the like."""
    return 2 * sum(word[0] >= FIRST_CJK for word in words) >= len(words) > 0


class Corpus:
    """The rows of one user, with the vectors of each of the `spaces`."""

    def __init__(self, spaces: Sequence[Space] = ()) -> None:
        self.spaces = tuple(spaces)
        self._clear()

    def _clear(self) -> None:
        self.graphed = False  # whether the user has a graph at all
        self.position = Position()
        self._records_to = 0
        self.ids: list[str] = []
        self.terms: list[str] = []
        self.kinds, self.sessions, self.agents, self.speakers = Names(), Names(), Names(), Names()
        self.kind, self.session = Column("int32"), Column("int32")
        self.agent, self.speaker = Column("int32"), Column("int32")
        self.occurred, self.starts, self.ends = Column("float64"), Column("float64"), Column("float64")
        self.origin, self.length = Column("int64"), Column("float32")
        self.live, self.dated = Column("bool"), Column("bool")
        self.form = {name: Column("int8") for name in Form._fields}
        self.group, self.group_length, self.group_rows = Column("int32"), Column("float32"), Column("int32")
        self.span_row, self.span_first, self.span_last = Column("int32"), Column("int32"), Column("int32")
        self.before, self.after = Column("int32"), Column("int32")
        self.vectors = {space.model: Vectors(space) for space in self.spaces}
        self.postings = Postings()
        self.extras: dict[int, Mapping[str, Any]] = {}
        self.rated: dict[int, float] = {}
        self.used: dict[int, Sequence[str]] = {}
        self.synonyms: dict[str, tuple[str, ...]] = {}
        self.company = Company()
        self.retired: list[int] = []
        self._tallies: dict[type[Tally], Tally] = {}
        self._row_of: dict[tuple[str, str], int] = {}
        self._session_rows: dict[int, list[int]] = {}
        self._session_group: dict[int, int] = {}
        self._years: set[int] = set()
        self._speaker_words: list[list[tuple[str, str]]] = []
        self._called: dict[str, list[int]] = {}
        self._unsorted: set[int] = set()
        self.count, self.total_length, self._dead = 0, 0.0, 0
        self.cjk_count = 0

    @property
    def size(self) -> int:
        """Rows, live or not."""
        return len(self.ids)

    @property
    def years(self) -> list[int]:
        """The years in which something occurred."""
        return sorted(self._years)

    @property
    def days(self) -> tuple[int, int]:
        """The first and the last day (ordinals) on which something occurred, or that something speaks of."""
        if not self.ids:
            return 0, 0
        first, last = (EPOCH + int(end // DAY) for end in (self.occurred.view.min(), self.occurred.view.max()))
        if len(self.span_row):
            first, last = min(first, int(self.span_first.view.min())), max(last, int(self.span_last.view.max()))
        return first, last

    @property
    def nbytes(self) -> int:
        """An estimate of the memory held."""
        columns = (self.occurred, self.starts, self.ends, self.origin, self.length)
        matrices = sum(vectors.matrix.nbytes for vectors in self.vectors.values())
        return matrices + sum(column.nbytes for column in columns) + 320 * self.size + 16 * self.postings.size

    def session_rows(self, session_id: str | None) -> list[int]:
        """The live rows of a session in order of arrival; [] for None or an unknown one."""
        return [] if session_id is None else self._session_rows.get(self.sessions.known(session_id), [])

    def speaker_words(self) -> list[list[tuple[str, str]]]:
        """For each speaker, by code, the folded words of the name with their index terms; "" for a word in CJK script.

        At most 2,000 speakers are known by name.
        """
        for code in range(len(self._speaker_words), min(len(self.speakers.names), NAMED_SPEAKERS)):
            words = [word for word in fold(self.speakers.names[code]).split() if terms(word)]
            self._speaker_words.append([(word, terms(word)[0] if word.isascii() else "") for word in words])
            for word in set(words):
                self._called.setdefault(word, []).append(code)
        return self._speaker_words

    def called(self, word: str) -> Sequence[int]:
        """The codes of the speakers whose name has this folded word."""
        if len(self._speaker_words) < min(len(self.speakers.names), NAMED_SPEAKERS):
            self.speaker_words()
        return self._called.get(word, ())

    def words(self, row: int) -> list[str]:
        """The index terms of a row's words, in order, with repeats."""
        return split(self.terms[row]).words

    def tally(self, kind: type[Counts]) -> Counts:
        """The counts of that kind over the rows as they are now; made when they are first asked for."""
        found = self._tallies.get(kind)
        if not isinstance(found, kind):
            found = self._tallies[kind] = kind()
        found.refresh(self)
        return found

    def refresh(self, partition: Partition) -> None:
        """Bring the rows up to the partition's position."""
        position = partition.position()
        if position.epoch != self.position.epoch or (self._dead > SMALL and self._dead > SHARE_DEAD * self.size):
            self._clear()
        if position.seq > self._records_to or any(held.behind(position.seq) for held in self.vectors.values()):
            self._read(partition, position.seq)
        self.position = position

    def missing_vectors(self) -> dict[str, int]:
        """For each model the live rows that have a text but no vector of it, where there are any."""
        missing = {model: vectors.missing(self.live.view) for model, vectors in self.vectors.items()}
        return {model: count for model, count in missing.items() if count}

    def _read(self, partition: Partition, seq: int) -> None:
        records, reached = partition.records(after=self._records_to), seq
        while batch := list(islice(records, BATCH)):
            self._put(batch)
            reached = max(reached, batch[-1].seq)
        self._records_to = reached
        for vectors in self.vectors.values():
            vectors.read(partition, seq)
        for session in self._unsorted:
            self._relink(session)
        self._unsorted.clear()

    def row(self, kind: str, memory_id: str) -> int:
        """The row of a live memory, or -1."""
        return self._row_of.get((kind, memory_id), -1)

    def _put(self, records: Sequence[Record]) -> None:
        """Take in changed records: their old rows are retired, the live ones become new rows."""
        for record in records:
            old = self._row_of.pop((record.kind, record.id), None)
            if old is not None:
                self._retire(old)
                if record.kind == ENTRY and self.terms[old] != record.terms:
                    self.company.drop(record.id)
            self.graphed = self.graphed or record.kind in GRAPH_KINDS
            if record.kind == SYNONYMS:
                self._take_synonyms(record)
            elif record.kind == EXTRACTED:
                self.company.take(record)
        self._append([record for record in records if record.live and (record.terms or record.vector_key)])

    def _take_synonyms(self, record: Record) -> None:
        self.synonyms.pop(record.id, None)
        if record.live:
            self.synonyms[record.id] = tuple(record.body["words"])

    def _retire(self, row: int) -> None:
        self.retired.append(row)
        terms = split(self.terms[row]).words
        self.postings.retire(terms)
        group = int(self.group[row])
        self.group_length[group] -= len(terms)
        self.group_rows[group] -= 1
        self.live[row] = False
        self.count -= 1
        self.cjk_count -= _is_cjk(terms)
        self.total_length -= len(terms)
        self._dead += 1
        for told in (self.extras, self.rated, self.used):
            told.pop(row, None)
        session = int(self.session[row])
        if session >= 0:
            self._session_rows[session].remove(row)
            self._unsorted.add(session)

    def _append(self, records: Sequence[Record]) -> None:
        first, bodies = self.size, [record.body for record in records]
        parts = [split(record.terms) for record in records]
        self._name(records, bodies)
        self._date(bodies)
        self.origin.extend(record.origin for record in records)
        self.length.extend(len(part.words) for part in parts)
        self.live.extend(1 for _ in records)
        self.dated.extend(bool(part.spans) for part in parts)
        for name, column in self.form.items():
            column.extend(getattr(part.form, name) for part in parts)
        for column in (self.before, self.after):
            column.extend(-1 for _ in records)
        keys = [record.vector_key for record in records]
        for vectors in self.vectors.values():
            vectors.append(keys)
        self.postings.add(first, [part.words for part in parts])
        for row, part in enumerate(parts, first):
            self._place(row, len(part.words), part.spans)
        self.count += len(records)
        self.cjk_count += sum(_is_cjk(part.words) for part in parts)

    def _name(self, records: Sequence[Record], bodies: Sequence[Mapping[str, Any]]) -> None:
        """Fill the columns of names."""
        first = self.size
        self.ids += [record.id for record in records]
        self.terms += [record.terms for record in records]
        self._row_of.update(((record.kind, record.id), row) for row, record in enumerate(records, first))
        kinds = (record.body.get("kind") if record.kind == ENTRY else record.kind for record in records)
        self.kind.extend(map(self.kinds.code, kinds))
        self.session.extend(self.sessions.code(body.get("session_id")) for body in bodies)
        self.agent.extend(self.agents.code(body.get("agent_id")) for body in bodies)
        self.speaker.extend(self.speakers.code(body.get("speaker")) for body in bodies)
        for row, body in enumerate(bodies, first):
            if not DESCRIBED.isdisjoint(body):
                self.extras[row] = {key: body.get(key) for key in DESCRIBED}
            if body.get("feedback"):
                self.rated[row] = body["feedback"]
            if body.get("used"):
                self.used[row] = body["used"]

    def _date(self, bodies: Sequence[Mapping[str, Any]]) -> None:
        """Fill the columns of times."""
        self.occurred.extend(seconds(body.get("occurred_at"), 0.0) for body in bodies)
        self.starts.extend(seconds(body.get("valid_from"), -FOREVER) for body in bodies)
        self.ends.extend(seconds(body.get("invalid_at"), FOREVER) for body in bodies)
        self._years.update(int(str(body.get("occurred_at", "1970"))[:4]) for body in bodies)

    def _place(self, row: int, length: int, spans: Sequence[tuple[int, int]]) -> None:
        """Enter a new row into its session and the times that it speaks of."""
        session = self.session[row]
        self._group(session, length)
        self.total_length += length
        for start, end in spans:
            self.span_row.append(row)
            self.span_first.append(start)
            self.span_last.append(end)
        if session >= 0:
            self._link(row, session, self.origin[row])

    def _group(self, session: int, length: int) -> None:
        """Count the newest row into its session's group; a row without session is a group of its own."""
        group = self._session_group.get(session, -1) if session >= 0 else -1
        if group < 0:
            group = self.group_length.append(0.0)
            self.group_rows.append(0)
            if session >= 0:
                self._session_group[session] = group
        self.group.append(group)
        self.group_length[group] += length
        self.group_rows[group] += 1

    def _link(self, row: int, session: int, origin: int) -> None:
        """Enter the row as its session's last turn, or mark the session for sorting where it is an earlier one."""
        rows = self._session_rows.setdefault(session, [])
        if rows and self.origin[rows[-1]] < origin:
            self.before[row], self.after[rows[-1]] = rows[-1], row
        elif rows:
            self._unsorted.add(session)
        rows.append(row)

    def _relink(self, session: int) -> None:
        rows = self._session_rows[session]
        rows.sort(key=lambda row: (self.origin[row], self.ids[row]))
        for left, row, right in zip([-1, *rows], rows, [*rows[1:], -1], strict=False):
            self.before[row], self.after[row] = left, right
