"""siltstone demo: the main job on a conversation that comes with Siltstone."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from siltstone.cli import exits
from siltstone.cli.command import Run
from siltstone.cli.documents import document
from siltstone.cli.screen import one_line, shown

if TYPE_CHECKING:
    from siltstone.memory import Memory
    from siltstone.retrieval.recall import Recall
    from siltstone.upkeep.transfer import ImportReceipt, Replay

USER = "demo"
TOP = 3
GOOD = ("answered", "abstained")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question about the conversation, and the texts that answer it: none where nothing should be found."""

    question: str
    language: str
    why: str
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What came back. `outcome` is answered, missed, abstained or invented."""

    question: Question
    recall: Recall
    rank: int | None

    @property
    def outcome(self) -> str:
        """answered: an expected text is among the first three; abstained: rightly nothing was found."""
        if self.question.answers:
            return "missed" if self.rank is None else "answered"
        return "invented" if self.recall else "abstained"


def demo(run: Run) -> int:
    """Remember a conversation, ask about it, replay it.

    The conversation is in English and Chinese and comes with Siltstone.

    Works on a store of its own that is thrown away, unless --db names one. Exits with 4 where the rebuilt memory
    differs.
    """
    user = run.common.user or USER
    with _memory(run) as memory, _folder() as folder:
        with run.screen.progress("remembering") as progress:
            receipt = memory.import_(folder / "conversation.jsonl", user_id=user, progress=progress)
        remembered = memory.list(user_id=user, limit=10_000)
        asked = [_ask(memory, user, question) for question in _questions(folder)]
        replay = memory.replay(user_id=user)
        store = memory.store.url
    if run.screen.json:
        run.screen.document(_document(store, receipt, asked, replay))
    else:
        sessions = len({entry.session_id for entry in remembered})
        dates = f"{shown(remembered[0].occurred_at)[:10]} to {shown(remembered[-1].occurred_at)[:10]}"
        run.screen.line(f"Remembered {len(remembered)} turns of {sessions} conversations, {dates}.")
        _print(run, asked, replay)
    return exits.OK if replay.same else exits.STORE_FAILED


@contextmanager
def _memory(run: Run) -> Iterator[Memory]:
    from siltstone.memory import Memory

    if run.common.db:
        with run.memory() as memory:
            yield memory
        return
    with (
        tempfile.TemporaryDirectory(prefix="siltstone-demo-") as folder,
        Memory.open(f"sqlite://{Path(folder) / 'memory.db'}") as memory,
    ):
        yield memory


@contextmanager
def _folder() -> Iterator[Path]:
    with resources.as_file(resources.files("siltstone") / "demo") as folder:
        yield folder


def _questions(folder: Path) -> list[Question]:
    lines = (folder / "conversation.jsonl").read_text("utf-8").splitlines()
    texts = [json.loads(line)["content"] for line in lines]
    return [
        Question(
            question=item["question"],
            language=item["language"],
            why=item["why"],
            answers=tuple(texts[place] for place in item["answer_ids"]),
        )
        for item in json.loads((folder / "questions.json").read_text("utf-8"))
    ]


def _ask(memory: Memory, user: str, question: Question) -> Asked:
    recall = memory.retrieve(question.question, user_id=user, top_k=TOP)
    places = [place for place, hit in enumerate(recall, 1) if hit.text in question.answers]
    return Asked(question=question, recall=recall, rank=min(places, default=None))


def _document(store: str, receipt: ImportReceipt, asked: Sequence[Asked], replay: Replay) -> dict[str, Any]:
    listed = [
        {
            "question": item.question.question,
            "language": item.question.language,
            "why": item.question.why,
            "outcome": item.outcome,
            "rank": item.rank,
            "hits": document(item.recall.hits),
            "degraded": document(item.recall.degraded),
        }
        for item in asked
    ]
    return {
        "store": store,
        "imported": document(receipt),
        "questions": listed,
        "replay": document(replay) | {"same": replay.same},
    }


def _print(run: Run, asked: Sequence[Asked], replay: Replay) -> None:
    for item in asked:
        _print_answer(run, item)
    for part in asked[0].recall.degraded if asked else ():
        run.screen.note(f"without the {part.part} channel: {part.reason}; {part.remedy}")
    right = sum(item.outcome in GOOD for item in asked)
    run.screen.line("")
    run.screen.line(f"{right} of {len(asked)} questions met (* marks the expected line, among the first {TOP}).")
    run.screen.line(f"Replayed {replay.events} events, no model called:")
    run.screen.line(f"  before {replay.before}")
    same = "the same" if replay.same else "DIFFERENT"
    run.screen.line(f"  after  {replay.after}  {same}", "" if replay.same else "red")


def _print_answer(run: Run, item: Asked) -> None:
    """The question with its outcome, then each hit with score, date, text and origin."""
    run.screen.line("")
    style = "bold green" if item.outcome in GOOD else "bold yellow"
    run.screen.line(f"{item.question.question}  [{item.outcome}]", style)
    for hit in item.recall:
        mark = "*" if hit.text in item.question.answers else " "
        text = f"{hit.speaker}: {one_line(hit.text)}" if hit.speaker else one_line(hit.text)
        origin = f"{hit.session_id}, journal {hit.provenance.get('seq')}"
        run.screen.line(f" {mark} {hit.score:.3f}  {shown(hit.occurred_at)}  {text}  ({origin})")
    if not item.recall:
        run.screen.line("   nothing scored above the floor: better no answer than a wrong one")
