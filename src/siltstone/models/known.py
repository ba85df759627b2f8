"""What is known about embedding models by name: sizes, whether a vector may be cut, task prefixes, request limits.

Only a model trained for it (Matryoshka representation learning, Kusupati et al. 2022) may have its vectors cut.
Sources: the models' own cards and the providers' API references.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownModel:
    """`smallest` is the shortest useful cut, 0 where none is allowed; `centred` ones are layer-normed before a cut."""

    dimension: int
    smallest: int = 0
    centred: bool = False
    query_prefix: str = ""
    text_prefix: str = ""
    batch: int = 0
    """The most texts that the provider takes in one request; 0 where it states none."""


MODELS = {
    "text-embedding-3-small": KnownModel(dimension=1536, smallest=256),
    "text-embedding-3-large": KnownModel(dimension=3072, smallest=256),
    "text-embedding-ada-002": KnownModel(dimension=1536),
    "text-embedding-v1": KnownModel(dimension=1536, batch=25),
    "text-embedding-v2": KnownModel(dimension=1536, batch=25),
    "text-embedding-v3": KnownModel(dimension=1024, smallest=64, batch=10),
    "text-embedding-v4": KnownModel(dimension=1024, smallest=64, batch=10),
    "gemini-embedding-001": KnownModel(dimension=3072, smallest=128),
    "nomic-embed-text-v1": KnownModel(dimension=768, query_prefix="search_query: ", text_prefix="search_document: "),
    "nomic-embed-text-v1.5": KnownModel(
        dimension=768, smallest=64, centred=True, query_prefix="search_query: ", text_prefix="search_document: "
    ),
    "jina-embeddings-v3": KnownModel(dimension=1024, smallest=32),
    "mxbai-embed-large-v1": KnownModel(dimension=1024, smallest=64),
    "snowflake-arctic-embed-m-v1.5": KnownModel(dimension=768, smallest=256),
    "snowflake-arctic-embed-l-v2.0": KnownModel(dimension=1024, smallest=256),
    "embeddinggemma-300m": KnownModel(dimension=768, smallest=128),
    "qwen3-embedding-0.6b": KnownModel(dimension=1024, smallest=32),
    "qwen3-embedding-4b": KnownModel(dimension=2560, smallest=32),
    "qwen3-embedding-8b": KnownModel(dimension=4096, smallest=32),
    "multilingual-e5-small": KnownModel(dimension=384, query_prefix="query: ", text_prefix="passage: "),
    "multilingual-e5-base": KnownModel(dimension=768, query_prefix="query: ", text_prefix="passage: "),
    "multilingual-e5-large": KnownModel(dimension=1024, query_prefix="query: ", text_prefix="passage: "),
    "bge-m3": KnownModel(dimension=1024),
    "all-minilm-l6-v2": KnownModel(dimension=384),
}
OTHER_NAMES = {
    "nomic-embed-text": "nomic-embed-text-v1.5",
    "mxbai-embed-large": "mxbai-embed-large-v1",
    "snowflake-arctic-embed2": "snowflake-arctic-embed-l-v2.0",
    "embeddinggemma": "embeddinggemma-300m",
    "all-minilm": "all-minilm-l6-v2",
    "qwen3-embedding:0.6b": "qwen3-embedding-0.6b",
    "qwen3-embedding:4b": "qwen3-embedding-4b",
    "qwen3-embedding:8b": "qwen3-embedding-8b",
}


def known_model(name: str) -> KnownModel | None:
    """What is known about a model by any of its usual names: with an owner ("nomic-ai/…"), a tag (":latest")."""
    short = name.rsplit("/", 1)[-1].lower()
    untagged = short.partition(":")[0]
    return MODELS.get(OTHER_NAMES.get(short, OTHER_NAMES.get(untagged, untagged)))
