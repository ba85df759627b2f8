"""Taking over snapshots that another plugin wrote: its entities and relations become part of the graph, once a file.

That plugin named its files by session, so that all workspaces shared one: such a file goes to the workspace in which the
session is first met, and to no other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from siltstone.hosts.bub.snapshots import SemanticSnapshot, SemanticStore, read_snapshots
from siltstone.knowledge.names import entity_key
from siltstone.memory import Memory

OWNERS = "bub:snapshots"
"""The user under whom it is noted which workspace a file named by session went to."""


def adopt(memory: Memory, user: str, *, tape: str, session: str | None, folder: Path) -> None:
    """Take over what lies in the folder for a tape that is met for the first time. Raises OSError."""
    store = SemanticStore(folder)
    own = store.path(tape)
    if own.exists() and memory.followed(source_of(own), user_id=user) is None:
        take_over(memory, user, own)
    if not session:
        return
    shared = store.path(session)
    if shared.exists() and memory.followed(source_of(shared), user_id=OWNERS) is None:
        memory.follow([], user_id=OWNERS, source=source_of(shared), mark={"workspace": user})
        take_over(memory, user, shared)


def take_over(memory: Memory, user: str, path: Path) -> str:
    """Put what the file, or each file of the folder, holds into the graph; doing it again changes nothing.

    Raises OSError where it cannot be read.
    """
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    counts = [0, 0, 0]
    for file in files:
        content = file.read_bytes()
        found = list(read_snapshots(file))
        nodes, edges = graph_of(found)
        receipt = memory.graph.add(user_id=user, nodes=nodes, edges=edges)
        mark = {"sha256": hashlib.sha256(content).hexdigest()}
        memory.follow([], user_id=user, source=source_of(file), mark=mark)
        counts = [counts[0] + len(found), counts[1] + receipt.new_nodes, counts[2] + receipt.new_edges]
    return (
        f"{counts[0]} snapshots of {len(files)} files taken over: {counts[1]} new entities, {counts[2]} new relations"
    )


def source_of(file: Path) -> str:
    """The name under which it is noted that a file was taken over."""
    return f"snapshots:{hashlib.sha256(str(file.name).encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


def graph_of(found: Iterable[SemanticSnapshot]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Nodes and edges for `memory.graph.add`: random ids are replaced by keys of type and name, which are the same each time."""
    ids, nodes, edges = dict[str, str](), list[dict[str, Any]](), list[dict[str, Any]]()
    for snapshot in found:
        for entity in snapshot.entities:
            key = entity_key(entity.type, entity.name)
            ids[entity.id] = key
            told = {"attributes": dict(entity.metadata)} if entity.metadata else {}
            nodes.append({"type": entity.type, "name": entity.name, **told})
        for relation in snapshot.relations:
            source, target = ids.get(relation.from_id), ids.get(relation.to_id)
            if source and target:
                told = {"attributes": dict(relation.metadata)} if relation.metadata else {}
                edges.append({"source": source, "target": target, "type": relation.type, **told})
    return nodes, edges
