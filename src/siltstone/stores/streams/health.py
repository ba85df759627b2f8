"""What `doctor` asks of a server: can it be trusted with memories, are they whole, and can they be mended?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from siltstone.errors import StoreError
from siltstone.ports.stores import Finding, Progress
from siltstone.stores.streams import erasure, rewrite, rows
from siltstone.stores.streams.keys import Keys, registry
from siltstone.stores.streams.server import Refusal

if TYPE_CHECKING:
    from siltstone.stores.streams.partition import StreamPartition
    from siltstone.stores.streams.store import StreamStore

SAMPLE_USERS, SAMPLE_EVENTS = 20, 2_000
OLDEST = (7, 0)
FULL = 0.95
_REPAIR = "siltstone doctor --repair"
_WIPE = f"{_REPAIR}, as a user that may run BGREWRITEAOF and BGSAVE"


def check(store: StreamStore, *, full: bool) -> list[Finding]:
    """One finding a rule, in a fixed order; a rule that cannot be looked at is a finding, too."""
    rules: dict[str, Callable[[], Finding]] = {
        "server": lambda: _server(store),
        "persistence": lambda: _persistence(store),
        "eviction": lambda: _eviction(store),
        "memory": lambda: _memory(store),
        "replicas": lambda: _replicas(store),
        "journal": lambda: _journal(store),
        "projections": lambda: _projections(store, full=full),
        "erasure": lambda: _erasure(store),
    }
    return [*[_guarded(name, rule) for name, rule in rules.items()], *store.shared.sink.check(store)]


def repair(store: StreamStore, progress: Progress | None) -> list[Finding]:
    """Mend what `check` finds: the list of users, projections, unfinished purges, the sink."""
    found = _register(store)
    users, rebuilt = store.users(), 0
    for done, user_id in enumerate(users, 1):
        partition = store.bare(user_id)  # opening it may be what its damage prevents
        if not _matches(partition):
            partition.rebuild()
            rebuilt += 1
        if progress is not None:
            progress(done, len(users))
    mended = [Finding(name="projections", ok=True, detail=f"{rebuilt} of {len(users)} rebuilt from their journals")]
    if found:
        mended.append(Finding(name="users", ok=True, detail=f"{found} users were not listed, and are now"))
    tokens = erasure.waiting(store.server)
    if tokens and erasure.wipe(store.server, tokens):
        mended.append(Finding(name="erasure", ok=True, detail="an interrupted purge was finished"))
    return [*mended, *store.shared.sink.repair(store, progress)]


def _guarded(name: str, rule: Callable[[], Finding]) -> Finding:
    try:
        return rule()
    except StoreError as error:
        return Finding(name=name, ok=False, detail=str(error), remedy=_REPAIR)


def _server(store: StreamStore) -> Finding:
    known = erasure.info(store.server, "server")
    version = known.get("redis_version", "0")
    ok = tuple(int(part) for part in version.split(".")[:2]) >= OLDEST
    detail = f"{known.get('server_name', 'redis')} {version} at {store.url}, keys begin with {store.address.prefix!r}"
    return Finding(name="server", ok=ok, detail=detail, remedy="" if ok else "upgrade the server to 7.0 or newer")


def _persistence(store: StreamStore) -> Finding:
    """Whether what is acknowledged outlives the server."""
    log = erasure.info(store.server, "persistence").get("aof_enabled") == "1"
    sync, snapshots = _setting(store, "appendfsync"), _setting(store, "save")
    detail = f"append-only file {'on' if log else 'off'}, fsync {sync or 'unknown'}, snapshots {snapshots or 'none'}"
    if not log:
        return Finding(
            name="persistence",
            ok=False,
            detail=detail,
            remedy="on the server: CONFIG SET appendonly yes, CONFIG REWRITE",
        )
    if sync == "no":
        return Finding(
            name="persistence", ok=False, detail=detail, remedy="on the server: CONFIG SET appendfsync always"
        )
    if sync == "everysec":
        detail += "; a crash of the machine may lose the last second (appendfsync always loses nothing)"
    return Finding(name="persistence", ok=True, detail=detail)


def _eviction(store: StreamStore) -> Finding:
    """Whether the server would throw memories away when it is full."""
    policy, limit = _setting(store, "maxmemory-policy"), _setting(store, "maxmemory")
    ok = policy in ("noeviction", "") or limit == "0"
    remedy = "" if ok else "on the server: CONFIG SET maxmemory-policy noeviction"
    return Finding(name="eviction", ok=ok, detail=f"policy {policy or 'unknown'}", remedy=remedy)


def _memory(store: StreamStore) -> Finding:
    """Whether the server is about to refuse writes."""
    known = erasure.info(store.server, "memory")
    used, limit = int(known.get("used_memory", "0")), int(known.get("maxmemory", "0"))
    ok = limit == 0 or used < FULL * limit
    detail = f"{used / 1e6:.0f} MB used of {f'{limit / 1e6:.0f} MB' if limit else 'what the machine has'}"
    return Finding(name="memory", ok=ok, detail=detail, remedy="" if ok else "on the server: raise maxmemory")


def _replicas(store: StreamStore) -> Finding:
    wanted = store.shared.replicas
    there = int(erasure.info(store.server, "replication").get("connected_slaves", "0"))
    ok = there >= wanted
    detail = f"{there} connected, each write waits for {wanted}"
    return Finding(
        name="replicas", ok=ok, detail=detail, remedy="" if ok else "start replicas, or lower store.replicas"
    )


def _journal(store: StreamStore) -> Finding:
    users = store.users()
    keys = [Keys(store.address.prefix, user) for user in users]
    asked = [("HGET", k.head, "seq") for k in keys] + [("XLEN", k.journal) for k in keys]
    ends = [("XREVRANGE", k.journal, "+", "-", "COUNT", 1) for k in keys]
    told = store.server.run([*asked, *ends]) if users else []
    count = len(users)
    seqs, lengths, lasts = told[:count], told[count : 2 * count], told[2 * count :]
    gaps = [
        user
        for user, seq, length, last in zip(users, seqs, lengths, lasts, strict=True)
        if int(seq or 0) != length or (last and rows.place(last[0][0]) != length)
    ]
    detail = f"{sum(lengths)} events of {count} users"
    if gaps:
        detail += f"; gaps in {len(gaps)} journals ({', '.join(map(repr, gaps[:3]))})"
    remedy = "restore the server's files or an export: events are missing" if gaps else ""
    return Finding(name="journal", ok=not gaps, detail=detail, remedy=remedy)


def _projections(store: StreamStore, *, full: bool) -> Finding:
    users = store.users()
    looked = users if full else users[:: max(1, len(users) // SAMPLE_USERS)][:SAMPLE_USERS]
    outdated = [user for user in users if _version(store, user) != store.projector.version]
    damaged = [user for user in looked if user not in outdated and not _sound(store, user, full=full)]
    detail = f"{len(users)} users, {len(looked)} compared with their journal, {len(damaged)} differ, "
    detail += f"{len(outdated)} outdated"
    ok = not damaged and not outdated
    return Finding(name="projections", ok=ok, detail=detail, remedy="" if ok else _REPAIR)


def _erasure(store: StreamStore) -> Finding:
    left = erasure.waiting(store.server)
    detail = "a purge was cut short: its bytes may still be in the server's files" if left else "nothing left to wipe"
    return Finding(name="erasure", ok=not left, detail=detail, remedy=_WIPE if left else "")


def _version(store: StreamStore, user_id: str) -> str:
    found = store.server.one("HGET", Keys(store.address.prefix, user_id).head, "version")
    return found.decode() if found else store.projector.version


def _sound(store: StreamStore, user_id: str, *, full: bool) -> bool:
    partition = store.bare(user_id)
    return (not full and partition.position().seq > SAMPLE_EVENTS) or _matches(partition)


def _matches(partition: StreamPartition) -> bool:
    """Whether the stored records are what the journal gives in this version of the fold."""
    steps = partition.steps
    told = steps.server.together([steps.follower.ask, ("HGETALL", steps.keys.records)])
    seq = steps.follower.head(told[0]).position.seq
    if steps.follower.head(told[0]).version != steps.projector.version:
        return False
    wanted = rewrite.texts_of(rewrite.folded(steps, rewrite.journal(steps, seq), seq))
    return wanted == rows.paired(told[1])


def _setting(store: StreamStore, name: str) -> str:
    """A setting of the server; "" where it does not tell."""
    (told,) = store.server.attempt([("CONFIG", "GET", name)])
    return "" if isinstance(told, Refusal) or len(told) < 2 else told[1].decode()


def _register(store: StreamStore) -> int:
    """List the users whose partition is there and whose name is not; how many those were."""
    prefix, cursor, found = store.address.prefix, b"0", 0
    while True:
        cursor, names = store.server.one("SCAN", cursor, "MATCH", f"{prefix}:{{*}}:head", "COUNT", 1_000)
        tags = [name.decode()[len(prefix) + 2 : -len("}:head")] for name in names]
        if tags:
            found += store.server.one("SADD", registry(prefix), *tags)
        if cursor == b"0":
            return found
