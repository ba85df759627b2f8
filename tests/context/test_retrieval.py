"""Buffer, token counters, scores and budgets of the context API."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.context import AgentContext, AgentMemory, ContextRetriever, MemoryItem
from siltstone.context.buffer import Buffer
from siltstone.context.counting import counter
from siltstone.errors import InvalidInput


@given(st.lists(st.integers(0, 30), max_size=30), st.integers(1, 6), st.integers(1, 40))
def test_the_buffer_keeps_the_newest_within_both_limits(sizes: list[int], count: int, tokens: int) -> None:
    """The buffer is always the longest run of newest items within count and tokens, and never empty once filled."""
    buffer = Buffer(count, tokens, len)
    for number, size in enumerate(sizes):
        buffer.put(MemoryItem("x" * size, memory_id=str(number)))
        newest = [sizes[number - n] for n in range(min(count, number + 1))]
        fitting = [n + 1 for n, total in enumerate(itertools.accumulate(newest)) if total <= tokens]
        kept = max([1, *fitting])
        assert [item.memory_id for item in buffer] == [str(n) for n in range(number - kept + 1, number + 1)]
        assert [item.oversized for item in buffer] == [len(item.content) > tokens for item in buffer]


def test_an_oversized_item_is_kept_alone_and_marked() -> None:
    """One item above the token limit stays in the buffer by itself, with a mark, and in the long-term tier."""
    with AgentContext("memory://", token_limit=5) as agent:
        agent.store("small")
        agent.store("much too long " * 10)
        assert [(item.oversized, len(item.content) > 20) for item in agent.memory.short_term_memory] == [(True, True)]
        agent.store("small again")
        assert [item.content for item in agent.memory.short_term_memory] == ["small again"]
        assert agent.count() == 3 and agent.memory._prune_short_term_memory() == 0


def test_token_counters_can_be_chosen() -> None:
    """A counter is a name or a function; an unknown name raises and says the known ones."""
    assert counter(None)("x" * 9) == 2 and counter("estimate")("你好世界") == 5 and counter(len)("abc") == 3
    with pytest.raises(InvalidInput, match="quarter"):
        AgentContext("memory://", token_counter="quater")
    with AgentContext("memory://", token_counter=lambda text: 7, token_limit=14) as agent:
        for number in range(3):
            agent.store(str(number))
        assert len(agent.memory.short_term_memory) == 2


def test_an_exact_counter_needs_no_download() -> None:
    """The exact counter is a vocabulary that its package carries."""
    pytest.importorskip("quicktok", reason="optional package not installed: quicktok-v1")
    assert counter("exact")("hello world, hello tokens") == 5


def test_the_token_limit_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """CONTEXT_TOKEN_LIMIT is read when a context is built; an argument wins; nonsense raises."""
    monkeypatch.setenv("CONTEXT_TOKEN_LIMIT", "7")
    assert AgentMemory("memory://").choices.token_limit == 7
    assert AgentMemory("memory://", token_limit=9).choices.token_limit == 9
    for nonsense in ("0", "-3", "many"):
        monkeypatch.setenv("CONTEXT_TOKEN_LIMIT", nonsense)
        with pytest.raises(ValueError, match="token_limit"):
            AgentMemory("memory://")


def test_tuning_comes_from_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every default of the tuning section is a setting, under its own name."""
    plain = AgentMemory("memory://").choices
    assert (plain.token_limit, plain.short_term_limit, plain.hybrid_alpha, plain.max_hops) == (2000, 10, 0.5, 2)
    monkeypatch.setenv("SILTSTONE_CONTEXT_HYBRID_ALPHA", "0.25")
    monkeypatch.setenv("SILTSTONE_CONTEXT_MAX_EXPANSION_HOPS", "3")
    monkeypatch.setenv("SILTSTONE_CONTEXT_SHORT_TERM_LIMIT", "4")
    chosen = AgentMemory("memory://").choices
    assert (chosen.hybrid_alpha, chosen.max_hops, chosen.short_term_limit) == (0.25, 3, 4)


@pytest.fixture
def agent(context: AgentContext) -> AgentContext:
    """Memories around a small graph: coding -.8- python -.5- pip."""
    context.graph.add_edges(
        [
            {"source_id": "coding", "target_id": "python", "weight": 0.8},
            {"source_id": "python", "target_id": "pip", "weight": 0.5},
        ]
    )
    context.store("the pip of an apple", memory_id="pip")
    context.store("Python runs the reports", memory_id="python")
    context.store("coding is fun, coding pays", memory_id="coding")
    context.store("nothing of the kind", memory_id="other")
    return context


@pytest.mark.parametrize("alpha", [0.0, 0.25, 0.5, 0.75, 1.0])
def test_the_final_score_is_the_formula(agent: AgentContext, alpha: float) -> None:
    """Final = V·(1 − α) + G·α exactly, each on [0, 1], in descending order."""
    hits = agent.retrieve("is coding fun?", hybrid_alpha=alpha, max_results=10)
    for hit in hits:
        assert hit["score"] == pytest.approx(hit["vector_score"] * (1 - alpha) + hit["graph_score"] * alpha, abs=1e-12)
        assert 0 <= min(hit["vector_score"], hit["graph_score"]) <= max(hit["vector_score"], hit["graph_score"]) <= 1
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)


def test_alpha_means_what_the_reference_says(agent: AgentContext) -> None:
    """α = 0 is the plain vector order, α = 1 the plain graph order with decay, α without a graph counts as 0."""
    pure = agent.retrieve("is coding fun?", hybrid_alpha=0.0)
    assert [(hit["id"], hit["vector_score"] > 0) for hit in pure] == [("coding", True)]
    assert pure == [
        {**hit, "graph_score": pure[0]["graph_score"], "source": pure[0]["source"], "sources": pure[0]["sources"]}
        | {"related_entities": pure[0]["related_entities"]}
        for hit in agent.retrieve("is coding fun?", use_graph=False)
    ]
    graph = agent.retrieve("is coding fun?", hybrid_alpha=1.0)
    assert [(hit["id"], hit["score"]) for hit in graph] == [
        ("coding", 1.0),
        ("python", pytest.approx(0.8)),
        ("pip", pytest.approx(0.2)),
    ]


def test_hops_bound_the_walk(agent: AgentContext) -> None:
    """`max_hops` and `max_expansion_hops` say how far the graph is followed."""
    for hops, found in ((1, {"coding", "python"}), (2, {"coding", "python", "pip"})):
        assert {hit["id"] for hit in agent.retrieve("coding", max_hops=hops)} == found
        retriever = ContextRetriever(AgentMemory(memory=agent.memory.engine, max_expansion_hops=hops))
        assert {hit.memory_id for hit in retriever.retrieve("coding")} == found


def test_a_result_says_what_made_it(agent: AgentContext) -> None:
    """Each result carries id, text, score, its parts, source, entities and, when asked for, relationships."""
    hit = agent.retrieve("coding", include_relationships=True)[0]
    assert set(hit) == {
        *("memory_id", "id", "content", "score", "source", "sources", "vector_score", "graph_score"),
        *("timestamp", "metadata", "related_entities", "related_relationships"),
    }
    assert (hit["source"], set(hit["sources"])) == (f"{hit['sources'][0]}:coding", {"keyword", "graph", "short_term"})
    assert hit["related_entities"][0]["id"] == "coding" and hit["related_relationships"][0]["target"] == "python"
    assert "related_entities" not in agent.retrieve("coding", include_entities=False)[0]


def test_query_entities_are_whole_words(agent: AgentContext) -> None:
    """A part of a word names no node; an alias does, and so does the text of one."""
    agent.graph.add_nodes(
        [{"id": "cafe_1", "type": "place", "content": "the corner coffee house", "aliases": ["Joe's"]}]
    )
    agent.graph.add_edges([{"source_id": "cafe_1", "target_id": "other"}])
    agent.store("Croissants come on Monday", memory_id="monday", entities=[{"id": "cafe_1"}])
    assert agent.retrieve("decoding pythons") == [] or agent.retrieve("decoding")[:1] == []
    for query in ("meet me at Joe's", "corner coffee house", "coffee house"):
        assert "monday" in [hit["id"] for hit in agent.retrieve(query)], query


def test_results_fit_the_budget(context: AgentContext) -> None:
    """Results are kept in rank order while they fit; a first one that does not is cut at a word and marked."""
    for number in range(5):
        context.store(f"apple {'and pear ' * 10}{number}")
    size = context.memory.choices.count(context.list()[0]["content"])
    assert [len(context.retrieve("apple", token_budget=size * n)) for n in (1, 2, 3)] == [1, 2, 3]
    hit = context.retrieve("apple", token_budget=3)[0]
    assert (
        hit["truncated"] is True
        and len(hit["content"]) // 4 <= 3
        and hit["content"].split()[-1] in ("apple", "and", "pear")
    )
    with AgentContext(memory=context.memory.engine, token_limit=size) as small:
        assert len(small.retrieve("apple")) == 1


def test_the_floor_is_under_the_final_score(agent: AgentContext) -> None:
    """`min_score` drops what scores less; the other names of an option say the same."""
    scores = [hit["score"] for hit in agent.retrieve("coding", max_results=10)]
    assert len(agent.retrieve("coding", min_score=scores[0])) == 1
    assert agent.search("coding", min_relevance_score=scores[0]) == agent.find_similar("coding", min_score=scores[0])
    assert agent.retrieve("coding", expand_graph=False) == agent.retrieve("coding", use_graph_expansion=False)


def test_a_list_is_documents(context: AgentContext) -> None:
    """A list is stored as documents, and the counts of nodes and edges are those of the call."""
    told = context.store(
        ["one text", {"content": "two", "id": "d2", "metadata": {"type": "doc"}, "entities": [{"id": "a"}, {"id": "b"}],
                      "relationships": [{"source_id": "a", "target_id": "b"}]}],
        metadata={"source": "import"},
    )  # fmt: skip
    assert isinstance(told, dict)
    assert (told["stored_count"], told["memory_ids"][1], told["graph_nodes"], told["graph_edges"]) == (2, "d2", 2, 1)
    found = context.get("d2")
    assert found is not None and found["metadata"] == {"source": "import", "type": "doc", "user_id": "default"}
    for bad in (5, [5], [{"text": 5}], [{"content": "x", "nonsense": 1}], "", "  "):
        with pytest.raises(InvalidInput):
            context.store(bad)  # type: ignore[arg-type]


def test_extraction_happens_when_asked(context: AgentContext) -> None:
    """Nothing is extracted by itself; asked for, the rules or an extractor of the caller's read the text."""
    context.store("Grace works at Siemens")
    assert context.graph.find_nodes() == []
    context.store("Grace works at Siemens", extract_entities=True)
    assert {node["content"] for node in context.graph.find_nodes()} >= {"Grace", "Siemens"}
    own = AgentContext(
        memory=context.memory.engine,
        user_id="own",
        extractor=lambda text: {
            "entities": [{"text": "Foo", "type": "thing"}, {"text": "Bar", "type": "thing"}],
            "relationships": [{"source": "Foo", "target": "Bar", "type": "makes"}],
        },
    )
    own.store("whatever", auto_extract=True)
    assert [edge["type"] for edge in own.graph.find_edges()] == ["makes"]


def test_an_item_is_read_back(tmp_path: Path) -> None:
    """`MemoryItem.from_dict` reads what `to_dict` wrote; the fields are those of the reference, then keywords."""
    item = MemoryItem("tea", metadata={"a": 1}, embedding=[0.5], entities=[{"id": "tea"}], memory_id="m")
    assert MemoryItem.from_dict(item.to_dict()) == item
    with pytest.raises(TypeError):
        MemoryItem("tea", item.timestamp, {}, [0.5])  # type: ignore[misc]
    with pytest.raises(InvalidInput):
        MemoryItem.from_dict({"text": "tea"})
