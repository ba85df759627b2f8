"""What upkeep did, or would do, as values."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One thing that was done, or in a dry run would be: to which memories, why, and what came of it.

    `into` is the memory that stands for them now: the merged one, or the kept one of duplicates.
    """

    ids: tuple[str, ...]
    reason: str
    into: str | None = None
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepReport:
    """One step of a run. `done` is False where it only says what it would do. `note` says what did not go as asked."""

    name: str
    done: bool
    actions: tuple[Action, ...] = ()
    note: str = ""

    @property
    def count(self) -> int:
        """How many memories it is about."""
        return sum(len(action.ids) for action in self.actions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One run of upkeep: its id (for `undo`), its steps, and those that the time did not suffice for."""

    user_id: str
    run: str
    dry_run: bool
    steps: tuple[StepReport, ...] = ()
    unfinished: tuple[str, ...] = ()
    skipped: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """Two words that seem to say the same, and the evidence.

    `frequencies` are the memories that hold each, `together` both. `jaccard` is the share of memories ("together") or of
    neighbouring words ("instead", where one stands for the other) that they have in common; `likeness` the cosine of
    what else is said where only one of them is.
    """

    word: str
    other: str
    kind: str
    frequencies: tuple[int, int]
    together: int
    jaccard: float
    likeness: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """What an undo brought back, and the merged memories that it took away."""

    restored: tuple[str, ...] = ()
    removed: tuple[str, ...] = field(default=())
