"""siltstone stats: how much a user's memory holds."""

from __future__ import annotations

from siltstone.cli.command import Run
from siltstone.cli.documents import document


def stats(run: Run) -> None:
    """Count what a user's memory holds; print its fingerprint."""
    with run.memory() as memory:
        found = memory.stats(user_id=run.user)
        fingerprint = memory.fingerprint(user_id=run.user)
        url = memory.store.url
    if run.screen.json:
        run.screen.document({"store": url, "user_id": run.user, **document(found), "fingerprint": fingerprint})
        return
    rows = [["store", url], ["user", run.user], ["events", str(found.events)]]
    rows += [[f"records: {kind}", str(count)] for kind, count in found.records.items()]
    rows += [[f"vectors: {model}", str(count)] for model, count in found.vectors.items()]
    run.screen.table(("name", "value"), [*rows, ["fingerprint", fingerprint]])
