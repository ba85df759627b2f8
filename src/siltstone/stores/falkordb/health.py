"""What `doctor` asks about the graphs: which module draws them, and do they agree with the journals?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from siltstone.errors import StoreError, StoreUnavailable
from siltstone.ports.stores import Finding, Progress
from siltstone.stores.falkordb import batch
from siltstone.stores.falkordb.graph import Graph, is_recording
from siltstone.stores.streams.partition import StreamPartition
from siltstone.stores.streams.server import Refusal, Server
from siltstone.stores.streams.store import StreamStore

MODULE = b"graph"
SOUND_INDEX, OLDEST_TRIED = 42_200, 41_603
SAMPLE_USERS = 20
_ATTEMPTS = 3
_REPAIR = "siltstone doctor --repair"


def version_of(server: Server) -> int | None:
    """The module's version as a number, 4.16.3 as 41603; None where this client may not ask.

    Raises StoreUnavailable where the server has no such module.
    """
    (told,) = server.attempt([("MODULE", "LIST")])
    if isinstance(told, Refusal):
        return None
    modules = [dict(zip(words[::2], words[1::2], strict=False)) for words in told]
    found = next((module for module in modules if module.get(b"name") == MODULE), None)
    if found is None:
        raise StoreUnavailable(
            f"the server {server.address.shown} has no FalkorDB module; start it with --loadmodule falkordb.so, or name "
            "it as a redis:// store"
        )
    return int(found[b"ver"])


def check(store: StreamStore) -> list[Finding]:
    """One finding about the module, one about what it notes, one about the graphs."""
    rules: dict[str, Callable[[], Finding]] = {
        "module": lambda: _module(store.server),
        "telemetry": lambda: _telemetry(store.server),
        "graphs": lambda: _graphs(store),
    }
    return [_guarded(name, rule) for name, rule in rules.items()]


def repair(
    store: StreamStore, refill: Callable[[StreamPartition], None], progress: Progress | None = None
) -> list[Finding]:
    """Fill every graph that does not agree with its journal."""
    users, filled = store.users(), 0
    for done, user_id in enumerate(users, 1):
        partition = store.partition(user_id)
        if differences(partition):
            refill(partition)
            filled += 1
        if progress is not None:
            progress(done, len(users))
    return [Finding(name="graphs", ok=True, detail=f"{filled} of {len(users)} filled anew from their journals")]


def differences(partition: StreamPartition) -> str:
    """How the graph differs from the partition, as the end of a sentence; "" where it does not.

    What is written meanwhile is no difference: the two are then compared again.
    """
    graph = Graph(partition.server, partition.keys.own("graph"))
    found = ""
    for _ in range(_ATTEMPTS):
        before = graph.stand(), partition.position()
        found = _difference(graph, partition)
        if not found or (graph.stand(), partition.position()) == before:
            break
    return found


def _difference(graph: Graph, partition: StreamPartition) -> str:
    with partition.reading():
        position, records = partition.position(), list(partition.records())
        vectors = {model: [v.data for v in partition.vectors(model)] for model in partition.models()}
    stand = graph.stand()
    if stand is None:
        return "" if position.seq == 0 else "is not there"
    if not stand.is_whole or stand.position != position:
        return f"is at {stand.position.seq} of {position.seq}"
    nodes, edges = batch.expected(records)
    if graph.nodes() != nodes:
        return "has other nodes"
    if graph.edges() != edges:
        return "has other edges"
    kept = Counter({model: sum(batch.is_vector(data) for data in found) for model, found in vectors.items()})
    return "" if Counter(graph.vectors()) == +kept else "has other vectors"


def _guarded(name: str, rule: Callable[[], Finding]) -> Finding:
    try:
        return rule()
    except StoreError as error:
        return Finding(name=name, ok=False, detail=str(error), remedy=_REPAIR)


def _module(server: Server) -> Finding:
    version = version_of(server)
    if version is None:
        detail = "FalkorDB, its version is not told to this user; distances are exact, without a vector index"
        return Finding(name="module", ok=True, detail=detail)
    shown = f"FalkorDB {version // 10_000}.{version // 100 % 100}.{version % 100}"
    why = " (its vector index loses nodes that change)" if version < SOUND_INDEX else ""
    detail = f"{shown}; distances are exact, without a vector index{why}"
    ok = version >= OLDEST_TRIED
    return Finding(name="module", ok=ok, detail=detail, remedy="" if ok else "upgrade the module to 4.16.3 or newer")


def _telemetry(server: Server) -> Finding:
    noted = is_recording(server)
    detail = "the server keeps the texts of queries until they are purged" if noted else "the server keeps no queries"
    remedy = "start the module with CMD_INFO no: memories then stand in their graph alone, and a purge is quicker"
    return Finding(name="telemetry", ok=True, detail=detail, remedy=remedy if noted else "")


def _graphs(store: StreamStore) -> Finding:
    users = store.users()
    looked = users[:: max(1, len(users) // SAMPLE_USERS)][:SAMPLE_USERS]
    found = {user: differences(StreamPartition(user, store.shared)) for user in looked}
    wrong = [f"that of {user!r} {how}" for user, how in found.items() if how]
    detail = f"{len(users)} users, {len(looked)} graphs compared with their records, {len(wrong)} differ"
    detail += f": {'; '.join(wrong[:3])}" if wrong else ""
    return Finding(name="graphs", ok=not wrong, detail=detail, remedy=_REPAIR if wrong else "")
