"""Regroup: all that a user said is grouped anew at once, and what proves to be elsewhere moves.

A statement finds its group when it comes, knowing nothing of what follows. Seen together, splits and mixtures of those
decisions show. Only differences become events: a second pass over the same statements decides none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from siltstone.domain.beliefs import CHAIN, CLUSTER, EPISODE, SEGMENT, derived_id
from siltstone.domain.events import CHAINS_MERGED, EPISODE_DISSOLVED, SEGMENT_POOLED, SEGMENT_REINFORCED
from siltstone.domain.records import Record, text_key
from siltstone.formation.affinity import affinities
from siltstone.formation.closer import Sight
from siltstone.formation.index import BeliefIndex, Group
from siltstone.formation.linkage import Likeness, Reach, linked
from siltstone.formation.plan import Plan

LIMIT = 1000
"""The newest statements, which may move: the time it takes grows with the square of their number."""
WEAK = ("weak", "reinforcing")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """What stays together: a statement, or episodes that supersede each other with their evidence.

    `home` is the group that it is in; `statements` are those that are compared. `part` names the distilled episode that
    a single statement was evidence for so far: if all its parts are one topic it is, else it is taken back.
    """

    statements: tuple[str, ...]
    home: Group
    episodes: tuple[str, ...] = ()
    part: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """Units that are one topic, and the name of the group that they are to be in."""

    units: tuple[Unit, ...]
    name: str

    @property
    def kind(self) -> str:
        """A chain where an episode is among them, else a cluster of the pool."""
        return CHAIN if any(unit.episodes for unit in self.units) else CLUSTER


def topics(index: BeliefIndex, reach: Reach, salt: int, sights: Sequence[Sight] = ()) -> list[Topic]:
    """What the user's statements are about, the oldest topic first. New groups are named after `salt`."""
    units = _units(index)
    believed = [bool(unit.episodes or unit.part) for unit in units]
    found = linked(_alike(index, units, sights), [len(unit.statements) for unit in units], believed, reach)
    return _named(_mended([[units[place] for place in places] for places in found]), salt)


def dissolved(plan: Plan, found: Sequence[Topic]) -> None:
    """Decide that distilled episodes whose evidence proves to be of several topics are taken back."""
    parts: dict[str, list[str]] = {}
    for topic in found:
        for unit in topic.units:
            if unit.part:
                parts.setdefault(unit.part, []).extend(unit.statements)
    for episode_id, statements in sorted(parts.items()):
        plan.add(EPISODE_DISSOLVED, {"id": episode_id, "segments": sorted(statements)})


def moved(plan: Plan, found: Sequence[Topic]) -> None:
    """Decide the events that bring every weak statement to its topic's group. Episodes have to be there already."""
    for topic in found:
        for unit in topic.units:
            for statement_id in () if unit.episodes else unit.statements:
                _settle(plan, statement_id, topic)


def strays(plan: Plan, found: Sequence[Topic]) -> Iterator[tuple[Record, str]]:
    """The episodes that are in another chain than their topic's, by event time, each with that chain's id."""
    for topic in found:
        ids = [episode_id for unit in topic.units for episode_id in unit.episodes]
        episodes = [record for record in (plan.get(EPISODE, episode_id) for episode_id in ids) if record is not None]
        for episode in sorted(episodes, key=lambda record: (record.body["occurred_at"], record.origin, record.id)):
            if episode.body.get("chain_id") != topic.name:
                yield episode, topic.name


def emptied(plan: Plan, found: Sequence[Topic]) -> None:
    """Decide that a chain which lost all its episodes goes on as that which took most; forgotten evidence follows."""
    heirs: dict[str, dict[str, int]] = {}
    for topic in found:
        for unit in topic.units:
            if unit.episodes:
                taken = heirs.setdefault(unit.home.id, {})
                taken[topic.name] = taken.get(topic.name, 0) + len(unit.statements)
    for chain_id, taken in heirs.items():
        group = plan.index.group(CHAIN, chain_id)
        if group is not None and not group.live and chain_id not in taken:
            heir = max(taken, key=lambda name: taken[name])
            plan.add(CHAINS_MERGED, {"id": heir, "from": chain_id, **plan.index.parts(group)})


def _settle(plan: Plan, statement_id: str, topic: Topic) -> None:
    body = plan.index.statements[statement_id].body
    about = {"id": statement_id, "entry_id": body["entry_id"]}
    if topic.kind == CHAIN and body.get("chain_id") != topic.name:
        plan.add(SEGMENT_REINFORCED, {**about, "chain_id": topic.name, "similarity": None})
    elif topic.kind == CLUSTER and body.get("cluster_id") != topic.name:
        plan.add(SEGMENT_POOLED, {**about, "cluster_id": topic.name, "similarity": None})


def movable(index: BeliefIndex) -> list[Record]:
    """The newest statements that are in a group, oldest first: those that are grouped anew."""
    placed = [record for record in index.statements.values() if index.home(record.id) is not None]
    return sorted(placed, key=lambda record: (record.origin, record.id))[-LIMIT:]


def _units(index: BeliefIndex) -> list[Unit]:
    """The units of the newest statements that are in a group, oldest first."""
    newest = movable(index)
    loose = _loose(index, newest)
    units: dict[tuple[str, str], list[str]] = {}
    homes: dict[tuple[str, str], Group] = {}
    for record in newest:
        alone = record.body["state"] in WEAK or record.body["episode_id"] in loose
        name = (SEGMENT, record.id) if alone else (EPISODE, record.body["episode_id"])
        units.setdefault(name, []).append(record.id)
        home = index.home(record.id)
        assert home is not None
        homes[name] = home
    return [_unit(index, name[0], tuple(ids), homes[name]) for name, ids in units.items()]


def _unit(index: BeliefIndex, kind: str, ids: tuple[str, ...], home: Group) -> Unit:
    if kind == EPISODE:
        return Unit(statements=ids, home=home, episodes=tuple(dict.fromkeys(_episode(index, name) for name in ids)))
    return Unit(statements=ids, home=home, part=_episode(index, ids[0]))


def _episode(index: BeliefIndex, statement_id: str) -> str:
    return str(index.statements[statement_id].body.get("episode_id", ""))


def _loose(index: BeliefIndex, newest: Sequence[Record]) -> set[str]:
    """The distilled episodes that may be taken back: those of which all evidence is here."""
    counts = Counter(record.body.get("episode_id") for record in newest)
    return {
        episode.id
        for episode in index.episodes.values()
        if not episode.body["vivid"] and counts[episode.id] == len(episode.body["segments"])
    }


def _mended(found: Sequence[Sequence[Unit]]) -> list[tuple[Unit, ...]]:
    """The topics, with the parts of each distilled episode that are all in one topic as one unit again."""
    spread = Counter(part for units in found for part in {unit.part for unit in units})
    return [tuple(_joined(units, spread)) for units in found]


def _joined(units: Sequence[Unit], spread: Mapping[str, int]) -> Iterator[Unit]:
    done: set[str] = set()
    for unit in units:
        if not unit.part or spread[unit.part] > 1:
            yield unit
        elif unit.part not in done:
            done.add(unit.part)
            ids = tuple(name for other in units if other.part == unit.part for name in other.statements)
            yield Unit(statements=ids, home=unit.home, episodes=(unit.part,))


def _alike(index: BeliefIndex, units: Sequence[Unit], sights: Sequence[Sight]) -> Likeness:
    """The mean likeness of the statements of each two units, shape (n, n)."""
    ids = [statement_id for unit in units for statement_id in unit.statements]
    if not ids:
        return np.zeros((0, 0))
    keys = [text_key(index.statements[statement_id].body["text"]) for statement_id in ids]
    each = affinities([index.weighed(statement_id) for statement_id in ids], keys, index.weights, sights)
    sizes = np.array([len(unit.statements) for unit in units])
    starts = np.cumsum(sizes) - sizes
    sums = np.add.reduceat(np.add.reduceat(each, starts, axis=0), starts, axis=1)
    mean: Likeness = sums / np.outer(sizes, sizes)
    return mean


def _named(found: Sequence[tuple[Unit, ...]], salt: int) -> list[Topic]:
    """Each topic goes on as the group that is most in it; a group goes on once, so what splits off gets a new name."""
    claims: list[tuple[int, int, str, int]] = []
    for number, units in enumerate(found):
        kind = Topic(units=units, name="").kind
        for home, count in _shares(units).values():
            claims += [(-count, home.origin, home.id, number)] if home.live and home.kind == kind else []
    names: dict[int, str] = {}
    taken: set[str] = set()
    for _, _, home_id, number in sorted(claims):
        if number not in names and home_id not in taken:
            names[number] = home_id
            taken.add(home_id)
    return [
        Topic(units=units, name=names.get(number) or derived_id(units[0].statements[0], salt, "apart"))
        for number, units in enumerate(found)
    ]


def _shares(units: Iterable[Unit]) -> Mapping[str, tuple[Group, int]]:
    """How many statements of a topic are in each group, by the group's id."""
    found: dict[str, tuple[Group, int]] = {}
    for unit in units:
        known = found.get(unit.home.id, (unit.home, 0))[1]
        found[unit.home.id] = unit.home, known + len(unit.statements)
    return found
