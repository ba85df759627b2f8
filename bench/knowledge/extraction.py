"""Measure who is taken for whom, and what is read without a model, on labelled conversations.

Each conversation is one user's memory, its turns one entry each. A mention counts as the node that the graph made of a
name which overlaps it in its entry; one that was not found stands alone. Pairs of mentions of a conversation are compared
with the labels: precision, recall and F1 over all pairs of a half. `given` takes the labelled mentions as found, so that it
measures resolution alone. Relations are compared by the nodes of their ends.

    python bench/knowledge/extraction.py --half held --json out.json
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from siltstone import Memory
from siltstone.knowledge import rules
from siltstone.knowledge.names import name_key

DATA = Path(__file__).parent / "data" / "conversations.txt"
USER = "someone"
IGNORED = ("mentioned", "talked_to", "trades", "has", "likes", "prefers", "changed", "part_of", "knows", "works_on")
"""Relations that the labels do not cover: neither a hit nor a mistake."""


@dataclass
class Turn:
    """One turn with its labels: mentions as (text, type, who), relations as (who, type, whom)."""

    speaker: str
    text: str
    mentions: list[tuple[str, str, str]] = field(default_factory=list)
    relations: list[tuple[str, str, str]] = field(default_factory=list)


def conversations() -> Iterator[tuple[str, list[Turn]]]:
    """Every conversation's name and turns."""
    found: dict[str, list[Turn]] = {}
    for line in DATA.read_text(encoding="utf-8").splitlines():
        mark, rest = line[:2], line[2:].strip()
        if mark == "= ":
            turns = found.setdefault(rest, [])
        elif mark == "> ":
            speaker, _, text = rest.partition(":")
            turns.append(Turn(speaker.strip(), text.strip()))
        elif mark == "- ":
            name, kind, who = (part.strip() for part in rest.split(" | "))
            turns[-1].mentions.append((name, kind, who))
        elif mark == "~ ":
            source, kind, target = (part.strip() for part in rest.split(" | "))
            turns[-1].relations.append((source, kind, target))
    yield from found.items()


def half(name: str) -> str:
    """ "tune" or "held", by the hash of the conversation's name."""
    return "tune" if int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2 == 0 else "held"


@dataclass
class Count:
    """Pairs or relations that are right, made and wanted."""

    right: int = 0
    made: int = 0
    wanted: int = 0

    def report(self) -> dict[str, float]:
        """Precision, recall and F1."""
        precision = self.right / self.made if self.made else 0.0
        recall = self.right / self.wanted if self.wanted else 0.0
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        return {"precision": round(precision, 3), "recall": round(recall, 3), "f1": round(f1, 3), "wanted": self.wanted}


def kept(memory: Memory, turns: list[Turn]) -> list[str]:
    """Keep the turns; answers their ids."""
    return [
        memory.add(turn.text, user_id=USER, **({"speaker": turn.speaker} if turn.speaker else {})).id for turn in turns
    ]


def nodes_of(memory: Memory, turn: Turn, entry_id: str, place: int) -> list[str]:
    """For each labelled mention the id of the node that the graph made of it; one of its own where there is none."""
    entities = memory.graph.mentioned([entry_id], user_id=USER)[entry_id]
    found = []
    for number, (text, _, _) in enumerate(turn.mentions):
        keys = {name_key(text), name_key(text, "organization"), name_key(text, "person")}
        whole = [e.id for e in entities if keys & {name_key(name, e.type) for name in (e.name, *e.aliases)}]
        part = [
            e.id
            for e in entities
            if any(
                name_key(text) in name_key(name) or name_key(name) in name_key(text) for name in (e.name, *e.aliases)
            )
        ]
        found.append((whole or part or [f"none {place} {number}"])[0])
    return found


def compared(labels: list[str], nodes: list[str], count: Count) -> None:
    """Add the pairs of one conversation."""
    for (label, node), (other, another) in combinations(zip(labels, nodes, strict=True), 2):
        count.made += node == another
        count.wanted += label == other
        count.right += node == another and label == other


def by_rules(turns: list[Turn], pairs: Count, relations: Count, details: list[Any]) -> None:
    """One conversation, read by the rules alone."""
    with Memory.open("memory://", embedding__provider="none") as memory:
        ids = kept(memory, turns)
        memory.graph.extract(user_id=USER, by="rules")
        nodes = [node for place, turn in enumerate(turns) for node in nodes_of(memory, turn, ids[place], place)]
        labels = [who for turn in turns for _, _, who in turn.mentions]
        compared(labels, nodes, pairs)
        details += [(label, node) for label, node in zip(labels, nodes, strict=True)]
        node_of = dict(zip(labels, nodes, strict=True))
        speakers = {turn.speaker.lower(): f"person:{turn.speaker.lower()}" for turn in turns if turn.speaker}
        wanted = {
            (node_of.get(s, speakers.get(s, s)), kind, node_of.get(t, t))
            for turn in turns
            for s, kind, t in turn.relations
        }
        made = set()
        for node in memory.graph.nodes(user_id=USER):
            for edge in memory.graph.relations(node.id, user_id=USER, as_of=None, direction="out"):
                made.add((edge.source, edge.type, edge.target))
        covered = {item for item in made if item[1] not in IGNORED}
        past = wanted - covered
        for source, kind, target in past:
            if any(edge == (source, kind, target) for edge in all_ever(memory)):
                covered.add((source, kind, target))
        relations.wanted += len(wanted)
        relations.made += len(covered)
        relations.right += len(wanted & covered)
        details.append({"missed": sorted(wanted - covered), "wrong": sorted(covered - wanted)})


def all_ever(memory: Memory) -> set[tuple[str, str, str]]:
    """Every relation that was ever stated, superseded ones included."""
    with memory.graph._desks.current(memory._partition(USER)) as index:
        root, edges, nodes = index.identity.root, index.edges, index.nodes
        return {
            (nodes[root[edges.source[n]]].id, edges.kinds[edges.kind[n]], nodes[root[edges.target[n]]].id)
            for n in range(len(edges))
        }


def given(turns: list[Turn], pairs: Count) -> None:
    """One conversation with its labelled mentions: resolution alone. Aliases are those that the rules read."""
    with Memory.open("memory://", embedding__provider="none") as memory:
        ids = kept(memory, turns)
        nodes, labels = [], []
        for entry_id, turn in zip(ids, turns, strict=True):
            told = rules.read(turn.text).entities
            entities = []
            for name, kind, _ in turn.mentions:
                aliases = [alias for e in told if e["name"] == name for alias in e.get("aliases", ())]
                entities.append({"type": kind, "name": name, "aliases": aliases})
            memory.graph.ingest(entry_id, user_id=USER, entities=entities, extractor="labels")
            labels += [who for _, _, who in turn.mentions]
        for turn in turns:
            for name, kind, _ in turn.mentions:
                found = memory.graph.resolve(name, user_id=USER, type=kind)
                nodes.append(found.id if found else f"none {len(nodes)}")
        compared(labels, nodes, pairs)


def main() -> None:
    """Print the figures of the halves asked for, and write them where --json says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("tune", "held", "both"), default="both")
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    report = {}
    for part in ("tune", "held") if arguments.half == "both" else (arguments.half,):
        resolution, pairs, relations = Count(), Count(), Count()
        mentions = 0
        for name, turns in conversations():
            if half(name) == part:
                details: list[Any] = []
                given(turns, resolution)
                by_rules(turns, pairs, relations, details)
                mentions += sum(len(turn.mentions) for turn in turns)
                if arguments.details:
                    print(name, *details, sep="\n  ")
        report[part] = {
            "mentions": mentions,
            "given": resolution.report(),
            "rules": pairs.report(),
            "relations": relations.report(),
        }
    print(json.dumps(report, indent=1))
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
