"""Taking over snapshots that another plugin wrote: its entities and relations become part of the graph, once a file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from siltstone.hosts.bub.snapshots import SemanticSnapshot, read_snapshots
from siltstone.knowledge.names import entity_key
from siltstone.memory import Memory


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
