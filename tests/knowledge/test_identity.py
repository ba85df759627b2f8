"""Who is whom: one person is one node, and near-names are kept apart."""

from __future__ import annotations

import pytest

from knowledge.graphs import ANA, keep, nodes
from siltstone import Memory
from siltstone.knowledge.names import entity_key, entity_type, name_key, relation_type


def told(memory: Memory, *entities: tuple[str, str] | tuple[str, str, list[str]]) -> list[str]:
    """Let one entry each mention an entity (type, name, aliases); answers the ids of their entries."""
    found = []
    for number, (kind, name, *aliases) in enumerate(entities):
        entry = memory.add(f"entry {number} about {name}", user_id=ANA).id
        entity = {"type": kind, "name": name, "aliases": aliases[0] if aliases else []}
        memory.graph.ingest(entry, user_id=ANA, entities=[entity], extractor="test")
        found.append(entry)
    return found


@pytest.mark.parametrize(
    ("kind", "spellings"),
    [
        ("person", ["José Álvarez", "JOSE ALVAREZ", "Dr. Jose  Alvarez", "ｊose alvarez"]),
        ("person", ["O'Brien", "O’Brien", "OBRIEN"]),
        ("person", ["張偉", "张伟"]),
        ("organization", ["Acme", "Acme, Inc.", "ACME Corp", "the Acme Company"]),
        ("organization", ["腾讯", "腾讯公司", "騰訊"]),
        ("product", ["PostgreSQL", "Postgre SQL"]),
        ("version", ["v1.0", "1.0", "version 1.0"]),
        ("task", ["deploy_v1", "Deploy v1", "deploy-v1"]),
    ],
)
def test_spellings_of_a_name_are_one_node(memory: Memory, kind: str, spellings: list[str]) -> None:
    """Case, width, accents, script, titles and legal forms make no second node."""
    told(memory, *((kind, name) for name in spellings))
    (node,) = memory.graph.nodes(user_id=ANA)
    assert node.mentions == len(spellings)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("person", ["Sam", "Samantha", "Samsung"]),
        ("person", ["Alice Chen", "Alice Wong"]),
        ("person", ["李雷", "李磊", "小李"]),
        ("product", ["C", "C++", "C#"]),
        ("product", ["Java", "JavaScript"]),
        ("product", ["Python 3.11", "Python 3.1"]),
        ("organization", ["Acme", "Acme Labs"]),
        ("path", ["src/Main.py", "src/main.py"]),
    ],
)
def test_near_names_are_kept_apart(memory: Memory, kind: str, names: list[str]) -> None:
    """Being alike joins nothing."""
    told(memory, *((kind, name) for name in names))
    assert len(memory.graph.nodes(user_id=ANA)) == len(names)


def test_one_name_of_two_kinds_is_two_nodes(memory: Memory) -> None:
    """Jordan the person is not Jordan the country; a mention that says no kind is the one most spoken of."""
    told(memory, ("person", "Jordan"), ("country", "Jordan"), ("country", "Jordan"), ("thing", "Jordan"))
    mentions = {node.id: node.mentions for node in memory.graph.nodes(user_id=ANA)}
    assert mentions == {"person:jordan": 1, "place:jordan": 3}


def test_an_alias_that_is_told_joins_both_names(memory: Memory) -> None:
    """Before and after: `小李 (Li Lei)` makes one node of both, whichever was known first."""
    told(memory, ("person", "Li Lei"), ("person", "小李"), ("person", "小李", ["Li Lei"]), ("person", "LI LEI"))
    (node,) = memory.graph.nodes(user_id=ANA)
    assert node.id == "person:li_lei" and "小李" in node.aliases and node.mentions == 4


def test_a_first_name_is_the_only_person_who_has_it(memory: Memory) -> None:
    """Known before or after the full name; with two such persons it is neither of them."""
    told(memory, ("person", "Maria"), ("person", "Maria Lopez"), ("person", "Tom Baker"), ("person", "Tom"))
    assert nodes(memory) == {"person:maria", "person:tom_baker"}
    told(memory, ("person", "Eva Berg"), ("person", "Eva Holm"), ("person", "Eva"))
    assert {"person:eva", "person:eva_berg", "person:eva_holm"} <= nodes(memory)


def test_taking_an_alias_back_takes_the_joining_back(memory: Memory) -> None:
    """Who was one by the word of an entry is two again once that entry is forgotten, and one when it is revived."""
    *_, alias = told(memory, ("person", "Robert"), ("person", "Bob"), ("person", "Robert", ["Bob"]))
    assert len(nodes(memory)) == 1
    memory.forget(alias, user_id=ANA)
    assert nodes(memory) == {"person:robert", "person:bob"}
    memory.revive(alias, user_id=ANA)
    assert len(nodes(memory)) == 1


def test_what_an_alias_joined_can_be_split(memory: Memory) -> None:
    """A split keeps two names apart, whatever entries say later."""
    told(memory, ("person", "Sam Reed", ["Sammy"]), ("person", "Sammy"))
    assert nodes(memory) == {"person:sam_reed"}
    memory.graph.split("person:sammy", user_id=ANA)
    assert nodes(memory) == {"person:sam_reed", "person:sammy"}
    told(memory, ("person", "Sammy"))
    found = memory.graph.get("person:sammy", user_id=ANA)
    assert found is not None and found.mentions == 2
    assert memory.replay(user_id=ANA).same


def test_a_node_put_by_hand_takes_over_its_name(memory: Memory) -> None:
    """What entries said of a name belongs to the node that is put under it; its id is kept."""
    told(memory, ("person", "Alice"))
    memory.graph.add(user_id=ANA, nodes=[{"id": "employee-7", "type": "person", "name": "Alice"}])
    told(memory, ("person", "ALICE"))
    (node,) = memory.graph.nodes(user_id=ANA)
    assert (node.id, node.mentions) == ("employee-7", 2)
    assert memory.graph.get("person:alice", user_id=ANA) == node


def test_nodes_put_by_hand_are_joined_to_none(memory: Memory) -> None:
    """Two ids of one name, put by hand, are two nodes."""
    memory.graph.add(user_id=ANA, nodes=[{"id": "n1", "name": "Python"}, {"id": "n2", "name": "Python"}])
    assert nodes(memory) == {"n1", "n2"}


def test_one_person_over_sessions(memory: Memory) -> None:
    """What two conversations say of one name is said of one node."""
    keep(memory, "Alice Chen works at Acme Corp.", session_id="monday")
    keep(memory, "alice chen moved to Oslo", session_id="friday")
    (alice,) = [node for node in memory.graph.nodes(user_id=ANA) if node.type == "person"]
    assert alice.mentions == 2 and len(memory.graph.relations(alice.id, user_id=ANA)) == 2


def test_keys_follow_from_type_and_name() -> None:
    """The id of an entity is its type and plain name; types and relations have one spelling."""
    assert entity_key("Person", "Alice") == "person:alice"
    assert entity_key("todo", "Deploy v1") == "task:deploy_v1"
    assert (entity_type("Company"), entity_type("公司"), entity_type(" ")) == ("organization", "organization", "entity")
    assert (relation_type("Works At"), relation_type("")) == ("works_at", "related_to")
    assert name_key("!!!") == "!!!"
