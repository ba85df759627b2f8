"""What goes wrong in the reference package (section 8, S1 to S25), one rule for each."""

from __future__ import annotations

import logging
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from context.conftest import OtherStore
from siltstone import Memory
from siltstone.context import AgentContext, AgentMemory, ContextGraph
from siltstone.errors import InvalidInput, UnknownFilter


def test_s1_a_graph_needs_no_further_package(context: AgentContext) -> None:
    """A context with a graph works with the core's packages."""
    agent = AgentContext(memory=context.memory.engine, knowledge_graph=ContextGraph())
    agent.graph.add_nodes([{"id": "python", "type": "language"}])
    assert agent.retrieve("anything about python?")[0]["node_id"] == "python"


def test_s2_vectors_count() -> None:
    """The memory that is nearest by its vector wins, although another shares more words."""
    store = OtherStore()
    store.embed = lambda text: [1.0, 0.0] if "pet" in text or "labrador" in text else [0.0, 1.0]  # type: ignore[method-assign]
    agent = AgentContext(store)
    agent.store("The router needs a reset")
    labrador = agent.store("A labrador lives with us")
    assert agent.retrieve("which pet does the user own?")[0]["memory_id"] == labrador
    assert agent.memory.retrieve("which pet does the user own?")[0]["vector_score"] == pytest.approx(1.0)


def test_s3_no_call_deletes_more_than_it_names(context: AgentContext) -> None:
    """Each selector forgets what it names and nothing else; one that names nothing raises."""
    context.store("one", conversation_id="c1")
    context.store("two", conversation_id="c2", metadata={"type": "fact"})
    assert context.delete_conversation("c1") == 1
    assert context.clear(type="other") == 0
    for selector in ({"nonsense": 1}, {"user_id": ""}, {}):
        with pytest.raises((InvalidInput, TypeError)):
            context.forget(**selector)
    assert context.count() == 1


def test_s4_a_hit_is_a_copy(context: AgentContext) -> None:
    """What a caller does to a hit changes nothing that is stored."""
    stored = context.store("tea with milk", metadata={"tags": ["a"]})
    hit = context.retrieve("tea")[0]
    hit["metadata"]["tags"].append("b")
    hit["metadata"]["user_id"] = "bob"
    found = context.get(stored)
    assert found is not None and found["metadata"] == {"tags": ["a"], "user_id": "default"}


def test_s5_an_automatic_id_costs_nothing_that_grows(context: AgentContext) -> None:
    """Storing without an id costs the same at 1,500 items as at the beginning."""
    costs = []
    for number in range(1500):
        began = time.process_time()
        context.store(f"note {number}")
        costs.append(time.process_time() - began)
    assert sum(costs[-300:]) < 3 * sum(costs[100:400])


def test_s6_vector_hits_have_their_content() -> None:
    """A hit that only another store's vectors found has its text, and every one is its own result."""
    agent = AgentContext(OtherStore())
    texts = {"aaa bbb", "aab bba", "abab"}
    for text in texts:
        agent.store(text)
    assert {hit["content"] for hit in agent.retrieve("baab")} == texts


def test_s7_no_embedder_is_said_once_and_nothing_is_made_up(
    context: AgentContext, caplog: pytest.LogCaptureFixture
) -> None:
    """Without an embedder words alone are looked for, and the log says so once."""
    context.store("tea")
    with caplog.at_level(logging.WARNING, "siltstone.context"):
        assert context.retrieve("quantum") == []
        context.retrieve("tea")
    assert [record.message for record in caplog.records if "no embedder" in record.message] == [caplog.messages[0]]
    assert context.stats()["degraded"]


def test_s8_every_filter_works_everywhere(context: AgentContext) -> None:
    """Conversation, type and dates narrow retrieval, lists, counts and exports alike, with and without the graph."""
    day = datetime(2026, 3, 1, tzinfo=UTC)
    wanted = context.store("red tea", conversation_id="c1", metadata={"type": "fact"}, timestamp=day)
    context.store("red wine", conversation_id="c2", metadata={"type": "other"}, timestamp=day + timedelta(days=9))
    context.graph.add_nodes([{"id": "red", "type": "colour"}])
    scopes = ({"conversation_id": "c1"}, {"type": "fact"}, {"end_date": day}, {"metadata": {"type": "fact"}})
    for scoped in scopes:
        for use_graph in (True, False):
            assert [hit["id"] for hit in context.retrieve("red", use_graph=use_graph, **scoped)] == [wanted]
        assert [item["id"] for item in context.list(**scoped)] == [wanted]
        assert (context.count(**scoped), context.export(**scoped)["count"]) == (1, 1)
    assert context.count(start_date=day + timedelta(days=9)) == 1
    for call in (context.retrieve, context.list, context.count, context.export):
        with pytest.raises(TypeError, match="colour"):
            call(*(["red"] if call == context.retrieve else []), colour="red")  # type: ignore[arg-type]


def test_s9_linking_and_paths_work(context: AgentContext) -> None:
    """`link` finds nodes by name, alias and spelling; `path` names the nodes on the way."""
    context.graph.add_nodes([{"id": "py", "type": "language", "name": "Python", "aliases": ["CPython"]}])
    context.graph.add_edges([{"source_id": "coding", "target_id": "py"}, {"source_id": "py", "target_id": "pip"}])
    assert [found.entity_id for found in context.link("We run cpython here")] == ["py"]
    near = context.link("", [{"text": "Pyhton"}])[0]
    assert (near.entity_id, near.confidence < 1.0) == ("py", True)
    unknown = context.link("", ["zebra crossing"])[0]
    assert (unknown.entity_id, unknown.confidence) == ("zebra crossing", 0.0)
    assert context.graph.path("coding", "pip") == context.graph.get_path("coding", "pip") == ["coding", "py", "pip"]


def test_s10_the_same_query_has_the_same_scores(context: AgentContext) -> None:
    """Ten retrievals in a row give one answer."""
    context.store("python code", entities=["Python"])
    context.store("python snakes")
    assert len({repr(context.retrieve("python")) for _ in range(10)}) == 1


def test_s11_an_update_keeps_the_id(context: AgentContext) -> None:
    """A changed memory has its id, its time, and what was not changed."""
    stored = context.store("tea", metadata={"a": 1}, conversation_id="c", memory_id="m", entities=[{"id": "tea"}])
    before = context.get("m")
    assert stored == "m" and context.update("m", "coffee") is True
    after = context.get("m")
    assert before is not None and after == {**before, "content": "coffee"}
    assert context.update("m", metadata={"b": 2}) and context.update("nobody", "x") is False
    found = context.get("m")
    assert found is not None and found["metadata"] == {"b": 2, "user_id": "default", "conversation_id": "c"}
    assert context.memory.short_term_memory[0].content == "coffee" and context.count() == 1


def test_s12_counts_are_true(context: AgentContext) -> None:
    """Forgetting what is not there counts 0, what is there counts once."""
    stored = context.store("tea")
    assert [context.forget("bogus"), context.forget([stored, stored]), context.forget(stored)] == [0, 1, 0]
    assert context.delete(stored) is False


def test_s13_a_conversation_needs_its_id_alone(context: AgentContext) -> None:
    """The newest items of a conversation are found, whatever was said elsewhere, in order."""
    for number in range(3):
        context.store(f"c1 says {number}", conversation_id="c1")
    for number in range(5):
        context.store(f"c2 says {number}", conversation_id="c2")
    assert [item["content"] for item in context.conversation("c1", max_items=2)] == ["c1 says 1", "c1 says 2"]
    assert len(context.memory.get_conversation_history("c1")) == 3
    assert [told["count"] for told in context.list_conversations()] == [5, 3]


def test_s14_ids_are_everywhere(context: AgentContext) -> None:
    """Each answer names the memory that it is about."""
    stored = context.store("tea", conversation_id="c")
    answers = [context.get(stored), context.list()[0], context.conversation("c")[0], context.retrieve("tea")[0]]
    assert [(item and item["memory_id"], item and item["id"]) for item in answers] == [(stored, stored)] * 4


def test_s15_a_backup_is_whole(context: AgentContext) -> None:
    """An export holds every memory; importing it elsewhere keeps ids, times and metadata."""
    for number in range(150):
        context.store(
            f"note {number}", metadata={"n": number}, timestamp=datetime(2026, 1, 1, 0, number % 60, tzinfo=UTC)
        )
    told = context.backup()
    with AgentContext("memory://") as other:
        assert (told["count"], other.restore(told), other.restore(told)) == (150, 150, 0)
        assert other.list(limit=200) == context.list(limit=200)


def test_s16_a_page_is_cut_after_the_filter(context: AgentContext) -> None:
    """A filtered list fills its page, and pages join without a gap."""
    for number in range(30):
        context.store(f"note {number}", conversation_id="odd" if number % 2 else "even")
    first, second = (context.list(conversation_id="odd", limit=10, offset=offset) for offset in (0, 10))
    assert (len(first), len(second)) == (10, 5)
    assert [item["content"] for item in [*first, *second]] == [f"note {number}" for number in range(1, 30, 2)]


def test_s17_a_metadata_dict_is_copied(context: AgentContext) -> None:
    """One dict given to two stores belongs to neither, and stays as it was."""
    shared = {"source": "chat"}
    context.store("one", shared, user_id="u1")
    context.store("two", shared, user_id="u2")
    assert shared == {"source": "chat"}
    assert context.list(user_id="u1")[0]["metadata"] == {"source": "chat", "user_id": "u1"}
    with pytest.raises(InvalidInput, match="user_id"):
        context.store("three", {"user_id": "u1"}, user_id="u2")


def test_s18_at_most_so_many_are_kept(caplog: pytest.LogCaptureFixture) -> None:
    """`max_memories` lets the oldest go in every tier, and says so."""
    with AgentContext("memory://", max_memories=5) as agent, caplog.at_level(logging.WARNING, "siltstone.context"):
        ids = [agent.store(f"note {number}", entities=[f"thing{number}"]) for number in range(12)]
        assert [item["id"] for item in agent.list()] == ids[-5:]
        assert [item.memory_id for item in agent.memory.short_term_memory] == ids[-5:]
        assert len(agent.graph.find_nodes()) == 5
        assert agent.stats()["retired"] == 7 and agent.memory.last_retired == (ids[6],)
    assert sum("retention" in message for message in caplog.messages) == 7


def test_s19_nothing_vanishes_by_itself(context: AgentContext) -> None:
    """Old items stay, unless `retention_days` is set; 0 or less raises."""
    context.store("old", timestamp=datetime(2001, 1, 1, tzinfo=UTC))
    context.store("new")
    assert context.count() == 2
    aged = AgentContext(memory=context.memory.engine, retention_days=30)
    aged.store("newer")
    assert [item["content"] for item in aged.list()] == ["new", "newer"]
    assert AgentMemory(memory=context.memory.engine, retention_policy="30_days").choices.retention == timedelta(days=30)
    for days in (0, -1):
        with pytest.raises(InvalidInput):
            AgentContext("memory://", retention_days=days)


def test_s20_a_node_has_one_type(context: AgentContext) -> None:
    """A node added again under another type is listed under that alone."""
    context.graph.add_nodes([{"id": "apple", "type": "fruit"}])
    assert context.graph.add_nodes([{"id": "apple", "type": "company"}]) == 0
    assert context.graph.find_nodes("fruit") == [] and len(context.graph.find_nodes("company")) == 1


def test_s21_forgetting_takes_the_nodes_that_were_the_memorys_alone(context: AgentContext) -> None:
    """A node goes with the last memory that told of it; one that was put by hand, or is told of elsewhere, stays."""
    context.graph.add_nodes([{"id": "lisbon", "type": "place"}])
    entities = [{"id": "lisbon"}, {"id": "grace"}, {"id": "henrik"}]
    first = context.store("one", entities=entities, relationships=[{"source_id": "grace", "target_id": "lisbon"}])
    context.store("two", entities=[{"id": "henrik"}])
    assert context.forget(first) == 1
    assert {node["id"] for node in context.graph.find_nodes()} == {"lisbon", "henrik"}
    assert context.graph.find_edges() == []


def test_s22_neighbours_lie_in_both_directions(context: AgentContext) -> None:
    """Python finds Coding as Coding finds Python; one direction may be asked for."""
    context.graph.add_edges([{"source_id": "coding", "target_id": "python"}])
    names = [
        [item["id"] for item in context.graph.get_neighbors("python", direction=way)] for way in ("both", "out", "in")
    ]
    assert names == [["coding"], [], ["coding"]]


def test_s23_many_threads_get_what_one_gets(context: AgentContext) -> None:
    """Retrievals with and without the graph, at once, do not change each other's answers."""
    context.store("python code", entities=["python"])
    alone = {use: context.retrieve("python", use_graph=use) for use in (True, False)}
    wrong: list[bool] = []

    def ask(use: bool) -> None:
        wrong.extend(use for _ in range(30) if context.retrieve("python", use_graph=use) != alone[use])

    threads = [threading.Thread(target=ask, args=(number % 2 == 0,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_s24_one_file_holds_everything(tmp_path: Path) -> None:
    """`save` writes memories of all users, vectors and graph into one file; `load` gives the same state."""
    with AgentContext("memory://") as agent, AgentContext("memory://") as other:
        agent.store("python code", user_id="ana", entities=["python"])
        agent.store("tea")
        file = agent.save(tmp_path / "saved")
        assert [path.name for path in file.parent.iterdir()] == [file.name]
        other.load(tmp_path / "saved")
        for user_id in ("ana", "default"):
            engines = agent.memory.engine, other.memory.engine
            assert engines[0].fingerprint(user_id=user_id) == engines[1].fingerprint(user_id=user_id)
        assert other.retrieve("python", user_id="ana") == [
            {**hit, "sources": [source for source in hit["sources"] if source != "short_term"]}
            for hit in agent.retrieve("python", user_id="ana")
        ]


def test_s25_a_vector_store_that_fails_stores_nothing() -> None:
    """Its error is raised, and neither tier nor graph holds the item."""
    store = OtherStore()
    agent = AgentContext(store)
    store.down = True
    with pytest.raises(ConnectionError):
        agent.store("tea", entities=["tea"])
    assert (agent.count(), agent.memory.short_term_memory, agent.graph.find_nodes()) == (0, [], [])


def test_an_entry_that_fails_takes_its_vector_back(tmp_path: Path) -> None:
    """Where the entry cannot be written, the vector store is as it was."""
    store = OtherStore()
    memory = Memory.open(f"sqlite:///{tmp_path}/memory.db", embedding__provider="none")
    agent = AgentContext(store, memory=memory)
    memory.close()
    with pytest.raises(Exception, match="clos"):
        agent.store("tea")
    assert store.rows == {}


def test_unknown_settings_and_filters_raise() -> None:
    """A misspelt keyword of a constructor or a call raises and names the nearest one."""
    with pytest.raises(TypeError, match="token_limit"):
        AgentContext("memory://", token_limits=5)  # type: ignore[call-arg]
    with AgentContext("memory://") as agent:
        with pytest.raises(TypeError, match="max_hops"):
            agent.retrieve("x", max_hop=1)  # type: ignore[call-arg]
        with pytest.raises(InvalidInput):
            agent.retrieve("x", min_score=1.5)
        with pytest.raises(TypeError):
            agent.store("x", memoryid="y")  # type: ignore[call-arg]
    assert issubclass(UnknownFilter, InvalidInput)
