"""The tree: every setting with its default and what it means. A section is one part of the engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


def _setting(default: Any, doc: str, *, secret: bool = False, choices: tuple[str, ...] = ()) -> Any:
    return field(default=default, metadata={"doc": doc, "secret": secret, "choices": choices})


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreSettings:
    """Where and how memories are kept."""

    busy_timeout: float = _setting(30.0, "Seconds to wait for another writer before StoreBusy is raised.")
    timeout: float = _setting(5.0, "Seconds until the connection to a server, or its answer, is given up.")
    replicas: int = _setting(0, "Replicas of a Redis server that have to confirm each write (WAIT).")
    replicas_timeout: float = _setting(1.0, "Seconds that a write waits for its replicas.")
    mirror_mb: int = _setting(512, "Memory for this process's copies of what a server keeps; the oldest are dropped.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeSettings:
    """Whose memories this process reads and writes within a user."""

    agent_id: str = _setting("", "The agent that every read and write is bound to; empty binds to none.")
    primary: bool = _setting(False, "Whether that agent also sees what other agents of the user keep.")


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingSettings:
    """The model behind the semantic channel."""

    provider: str = _setting(
        "auto",
        "Which embedder: `auto` takes the static model, with MiniLM beside it, as far as their packages are installed.",
        choices=("auto", "static", "minilm", "e5", "endpoint", "none"),
    )
    model: str = _setting("", "Model name that an endpoint is asked for.")
    base_url: str = _setting("", "Base URL of an OpenAI-compatible server, with or without /v1 or /v1/embeddings.")
    api_key: str = _setting("", "Bearer key of the endpoint.", secret=True)
    dimension: int = _setting(0, "Vector size to ask for; 0 takes what the model gives.")
    timeout: float = _setting(10.0, "Seconds until one request to the endpoint is given up.")
    retries: int = _setting(2, "How often a failed request is tried again (429, 5xx, connection errors).")
    batch: int = _setting(32, "Texts in one request; a server that refuses as many is asked in halves.")
    background: bool = _setting(
        True, "Whether a model that is too slow for a write embeds on a worker thread; else `reindex` does it."
    )
    cache_seconds: int = _setting(
        3600, "How long an endpoint's vector of a query that was asked before is reused; 0 never."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionSettings:
    """The language model that takes turns apart and words summaries. Without one, rules do it."""

    provider: str = _setting(
        "none",
        "Who completes: nobody, or one of the dialects of an endpoint.",
        choices=("none", "anthropic", "openai", "gemini"),
    )
    model: str = _setting("", "Model name that the provider is asked for.")
    api_key: str = _setting("", "Key of the provider.", secret=True)
    base_url: str = _setting("", "Base URL of a server that speaks the provider's dialect; empty: the provider's own.")
    timeout: float = _setting(60.0, "Seconds until one request is given up.")
    retries: int = _setting(2, "How often a failed request is tried again (429, 5xx, connection errors).")


@dataclass(frozen=True, slots=True, kw_only=True)
class EntailmentSettings:
    """The model that says whether two statements of a chain can both hold. Without one, rules do it."""

    enabled: bool = _setting(True, "Whether the endpoint is asked, where one is set.")
    base_url: str = _setting("", "Address of a text-embeddings-inference server, with or without /predict.")
    model: str = _setting("", "The model's name, recorded with its verdicts; the server has one model.")
    timeout: float = _setting(5.0, "Seconds until one request is given up.")
    retries: int = _setting(1, "How often a failed request is tried again.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankSettings:
    """The model that looks at the best hits once more."""

    enabled: bool = _setting(True, "Whether the model is asked, where one is set.")
    path: str = _setting("", "Folder of a local cross-encoder: model.onnx and tokenizer.json; instead of `base_url`.")
    base_url: str = _setting("", "Address of a /rerank server (text-embeddings-inference, Cohere's or Jina's form).")
    model: str = _setting("", "Model name, for servers in Cohere's form; empty asks in the form of TEI.")
    api_key: str = _setting("", "Bearer key of the server.", secret=True)
    candidates: int = _setting(30, "How many of the best hits the model looks at.")
    timeout: float = _setting(5.0, "Seconds until one request is given up.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallSettings:
    """How memories are found and ranked."""

    top_k: int = _setting(10, "Hits returned where the call names no number.")
    floor: float = _setting(
        -1.0, "Confidence below which nothing is returned, on [0, 1]; -1 takes the calibrated one, 0 answers always."
    )
    half_life_days: float = _setting(0.0, "Half-life of the time factor in days; 0 switches the factor off.")
    cache_mb: int = _setting(1024, "Memory for the indexes of users in use; least recently used ones are dropped.")
    lexical_candidates: int = _setting(
        0, "How many of the best by words are ranked in full; 0 takes the engine's number."
    )
    semantic_candidates: int = _setting(
        0, "How many of the best by meaning are ranked in full; 0 takes the engine's number."
    )
    graph: bool = _setting(True, "Whether the knowledge graph takes part, where the user has one.")
    graph_hops: int = _setting(2, "How many steps the graph channel walks from the entities of a query.")
    tags: str = _setting("", "Tags, separated by commas, that every recalled memory has all of; empty: any.")


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeSettings:
    """How the knowledge graph comes about."""

    extract: str = _setting(
        "off",
        "What is read out of entries when they are kept: nothing (`memory.graph.extract` does it when asked), or what the "
        "rules find, in the same durable step.",
        choices=("off", "rules"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingSettings:
    """The factors beside likeness. A boost of 1.0 switches its factor off."""

    emotion_factor: float = _setting(0.0, "Weight of a text's intensity: 1 + min(intensity, 2) × this; 0 is off.")
    positive_boost: float = _setting(1.0, "The most that a text of positive sentiment is lifted.")
    negative_boost: float = _setting(1.0, "The most that a text of negative sentiment is lifted.")
    feedback_boost: float = _setting(1.3, "The most that useful feedback lifts a memory.")
    feedback_penalty: float = _setting(0.5, "The least that useless feedback leaves of a memory's score.")
    topic_boost: float = _setting(1.0, "The most that a hot topic lifts a memory.")
    topic_half_life_days: float = _setting(30.0, "Half-life of a hot topic since it was last seen, in days.")
    attention_boost: float = _setting(1.0, "The most that attention lifts a memory.")
    attention_increment: float = _setting(2.0, "Attention that one mention or use adds to a word.")
    attention_emotion: float = _setting(1.5, "Attention that a text's intensity adds for each unit.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SynonymSettings:
    """Words that stand for each other, and entities that come together, in a query."""

    related_entities: int = _setting(0, "Entities that come together with the query's, looked for too; 0 is off.")
    related_min_count: int = _setting(2, "Memories in which two entities must come together to count as related.")
    min_frequency: int = _setting(10, "Memories in which a word must be before it is suggested as a synonym.")
    min_jaccard: float = _setting(0.5, "Share of memories (Jaccard) from which two words are suggested.")
    min_together: int = _setting(3, "Memories in which two words must come together to be suggested.")
    automatic: bool = _setting(False, "Whether `maintain` accepts the surest suggestions without a person's consent.")
    chinese_words: bool = _setting(
        False, "Whether a query in Chinese is read by words that the memory itself shows to be words."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardSettings:
    """What is not asked for, and what is not kept, in hosts that ask and keep by themselves."""

    min_length: int = _setting(0, "Characters that a query needs, unless it is Chinese, Japanese or Korean.")
    small_talk: bool = _setting(
        False, "Whether a query that is nothing but a reaction (`ok`, `thanks`, 好的) is skipped."
    )
    patterns_file: str = _setting("", "File of queries that are skipped: one a line, # begins a comment.")


@dataclass(frozen=True, slots=True, kw_only=True)
class FormationSettings:
    """How turns become beliefs."""

    mode: str = _setting(
        "inline",
        "When a processed turn is formed: `inline` before the call returns, `background` on a worker thread.",
        choices=("inline", "background"),
    )
    threshold: float = _setting(0.6, "Intensity from which a statement is vivid and an episode at once.")
    promote: float = _setting(0.2, "Score that a cluster of weak statements must exceed: ln(turns) × mean intensity.")
    cluster_min_size: int = _setting(3, "Distinct turns that a cluster needs before it can become an episode.")
    cluster_dimensions: int = _setting(
        0, "Leading dimensions by which statements are compared (Matryoshka models); 0 takes all."
    )
    join_similarity: float = _setting(
        0.0, "Likeness from which a weak statement joins a cluster; 0 takes the calibrated value."
    )
    topic_similarity: float = _setting(
        0.0, "Likeness from which a weak statement speaks for a chain; 0 takes that for clusters."
    )
    chain_max_distance: float = _setting(
        0.0, "Distance (1 − likeness) up to which an episode joins a chain; 0 takes the calibrated value."
    )
    archive_dir: str = _setting("", "Folder that `archive` writes Bubble's lines to, where the call names no file.")


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepSettings:
    """What `maintain` does."""

    consolidate_min_group: int = _setting(2, "Memories of one topic that are merged into one.")
    consolidate_min_age_hours: float = _setting(72.0, "Age from which memories are merged, in hours.")
    forget_min_age_days: float = _setting(30.0, "Age from which a memory that nobody needs is forgotten, in days.")
    forget_dry_run: bool = _setting(True, "Whether forgetting only says what it would do.")
    grace_days: float = _setting(30.0, "Days between forgetting by upkeep and erasing for good.")
    retention_days: float = _setting(0.0, "Days after which every memory is forgotten; 0 keeps them.")
    max_memories: int = _setting(0, "Memories of a user beyond which the oldest are forgotten; 0 keeps all.")
    every_hours: float = _setting(2.0, "Hours between two runs of merging and forgetting, in the schedule for hosts.")
    deduplicate_every_hours: float = _setting(
        1.0, "Hours between two runs of deduplication, in the schedule for hosts."
    )
    synonyms_every_hours: float = _setting(8.0, "Hours between two searches for synonyms, in the schedule for hosts.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSettings:
    """The context API (`siltstone.context`)."""

    token_limit: int = _setting(2000, "Tokens that the short-term buffer may hold.")
    short_term_limit: int = _setting(10, "Items that the short-term buffer may hold.")
    hybrid_alpha: float = _setting(0.5, "Share of the graph in the score: 0 is pure vector, 1 pure graph.")
    max_expansion_hops: int = _setting(2, "Hops that graph expansion walks.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings. `url` names the store; each section is one part of the engine."""

    profile: str = _setting(
        "library",
        "Defaults of what is not set: `library` ranks by likeness and feedback alone, `host` takes all factors, "
        "associations and guards that an agent's host wants.",
        choices=("library", "host"),
    )
    url: str = _setting(
        "sqlite:///~/.siltstone/memory.db",
        "The store: sqlite:///path, redis://host:port/0, falkordb://host:port, or memory:// for tests.",
    )
    store: StoreSettings = field(default_factory=StoreSettings)
    scope: ScopeSettings = field(default_factory=ScopeSettings)
    embedding: EmbeddingSettings = field(default_factory=EmbeddingSettings)
    completion: CompletionSettings = field(default_factory=CompletionSettings)
    entailment: EntailmentSettings = field(default_factory=EntailmentSettings)
    rerank: RerankSettings = field(default_factory=RerankSettings)
    recall: RecallSettings = field(default_factory=RecallSettings)
    ranking: RankingSettings = field(default_factory=RankingSettings)
    synonyms: SynonymSettings = field(default_factory=SynonymSettings)
    guard: GuardSettings = field(default_factory=GuardSettings)
    formation: FormationSettings = field(default_factory=FormationSettings)
    knowledge: KnowledgeSettings = field(default_factory=KnowledgeSettings)
    upkeep: UpkeepSettings = field(default_factory=UpkeepSettings)
    context: ContextSettings = field(default_factory=ContextSettings)


HOST: dict[str, Any] = {
    "recall.half_life_days": 60.0,
    "ranking.emotion_factor": 0.4,
    "ranking.positive_boost": 1.5,
    "ranking.negative_boost": 1.3,
    "ranking.topic_boost": 1.2,
    "ranking.attention_boost": 1.5,
    "synonyms.related_entities": 3,
    "synonyms.chinese_words": True,
    "knowledge.extract": "rules",
    "guard.min_length": 2,
    "guard.small_talk": True,
}
"""What the profile `host` sets where nothing else does: Keepsake's documented defaults."""
