"""What a record looks like in a graph, and how values are written in a query."""

from __future__ import annotations

import math
import re
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.domain.records import Gone, Record, Vector
from siltstone.stores.falkordb import batch, cypher, mapping
from siltstone.stores.falkordb.batch import Batch
from siltstone.stores.falkordb.mapping import Edge


def record(of: str, named: str, at: int = 1, /, **body: Any) -> Record:
    """A record of that kind."""
    return Record(kind=of, id=named, seq=at, origin=at, body=body)


def test_a_label_is_the_kind() -> None:
    """`pool_cluster` is PoolCluster; a kind that makes no label has none but Memory."""
    assert [mapping.label(kind) for kind in ("entry", "pool_cluster", "x`) DELETE", "")] == [
        "Entry",
        "PoolCluster",
        "Memory",
        "Memory",
    ]


def test_a_segment_leads_to_its_turn_cluster_and_chain() -> None:
    """A reference in a body is an edge."""
    found = mapping.edges(record("segment", "s", entry_id="e", cluster_id="k", chain_id="c"))
    assert found == [
        Edge("segment/s", "TAKEN_FROM", "entry/e"),
        Edge("segment/s", "GROUPED_IN", "cluster/k"),
        Edge("segment/s", "REINFORCES", "chain/c"),
    ]


def test_a_chain_holds_its_episodes_in_order() -> None:
    """One edge to each episode, and one from each to the next."""
    assert mapping.edges(record("chain", "c", episodes=["a", "b", "d"])) == [
        Edge("chain/c", "HOLDS", "episode/a"),
        Edge("chain/c", "HOLDS", "episode/b"),
        Edge("chain/c", "HOLDS", "episode/d"),
        Edge("episode/a", "FOLLOWED_BY", "episode/b"),
        Edge("episode/b", "FOLLOWED_BY", "episode/d"),
    ]


def test_evidence_succession_and_summary_are_edges() -> None:
    """Episodes lead to their evidence and to what superseded them, snapshots to their chain."""
    assert mapping.edges(record("episode", "p", segments=["s", "s"], superseded_by="q")) == [
        Edge("episode/p", "BASED_ON", "segment/s"),
        Edge("episode/p", "SUPERSEDED_BY", "episode/q"),
    ]
    assert mapping.edges(record("snapshot", "c")) == [Edge("snapshot/c", "SUMMARIZES", "chain/c")]


def test_properties_are_what_a_graph_can_hold() -> None:
    """Text, numbers and lists of these stay; what is nested is JSON; what is no name is kept under `more`; None goes."""
    found = mapping.properties(
        record("entry", "e", kind="note", tags=["a", 1], metadata={"b": [1]}, mixed=[{"c": 2}], big=2**70, **{"a`b": 1})
    )
    assert found == {
        "id": "e",
        "kind": "note",
        "tags": ["a", 1],
        "metadata": '{"b":[1]}',
        "mixed": '[{"c":2}]',
        "big": str(2**70),
        "more": '{"a`b":1}',
        "ref": "entry/e",
        "seq": 1,
        "origin": 1,
        "live": True,
        "vector": None,
    }


def test_a_body_cannot_pose_as_another_node() -> None:
    """What identifies a node comes from the record, whatever its body says."""
    found = mapping.properties(record("entry", "e", ref="entry/other", seq=99, live="no", id="other"))
    assert (found["ref"], found["seq"], found["live"]) == ("entry/e", 1, True)


def test_marks_of_work_have_no_node() -> None:
    """What waits for formation, and what was formed, is no memory."""
    nodes, edges = batch.expected([record("pending", "e"), record("formed", "e"), record("formation", "state")])
    assert (nodes, edges) == ({}, set())


def test_an_edge_needs_both_its_ends() -> None:
    """A reference to what is not there is no edge."""
    nodes, edges = batch.expected([record("segment", "s", entry_id="gone"), record("snapshot", "c")])
    assert set(nodes) == {"segment/s", "snapshot/c"} and edges == set()


def test_later_changes_lie_on_top() -> None:
    """A record that went and came again is there; one that came and went is not; the first vector of a name stays."""
    changes = Batch()
    changes.take([record("entry", "a"), record("entry", "b")])
    changes.take([], [Gone(kind="entry", id="a"), Gone(kind="entry", id="b"), Gone(kind="pending", id="b")])
    changes.take([record("entry", "b", 2)])
    changes.take_vectors([("m", Vector(key="k", seq=1, data=b"first"))])
    changes.take_vectors([("m", Vector(key="k", seq=2, data=b"later"))])
    assert list(changes.records) == ["entry/b"] and changes.gone == {"entry/a", "entry/b"}
    erased = [part.rows for part in batch.changing(changes) if "DETACH" in part.text]
    assert erased == [["entry/a"]] and changes.vectors == {("m", "k"): b"first"}


def test_large_changes_are_done_in_pieces() -> None:
    """No query carries more rows than a server takes in one go; together they carry all of them, in order."""
    changes = Batch()
    changes.take([record("entry", str(number)) for number in range(2_500)])
    parts = batch.changing(changes)
    pieces = list(batch.in_pieces(parts))
    assert not batch.fits(parts) and batch.fits(pieces)
    puts = [row["id"] for piece in pieces if "MERGE" in piece.text for row in piece.rows]
    assert puts == [str(number) for number in range(2_500)]


@given(st.text(st.characters(codec=None), max_size=40))
def test_no_text_leaves_its_literal(text: str) -> None:
    """Quotes and backslashes are escaped, NUL and lone surrogates replaced; all else stays as it is."""
    written = cypher.literal(text)
    assert "\0" not in written and written.encode()
    inner = written[1:-1]
    assert re.fullmatch(r'(?:[^"\\]|\\["\\])*', inner, re.DOTALL)
    cleaned = re.sub("[\0\ud800-\udfff]", "\ufffd", text)
    assert re.sub(r"\\(.)", r"\1", inner, flags=re.DOTALL) == cleaned


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (True, "true"),
        (-3, "-3"),
        (0.1, "0.1"),
        (1e-07, "1e-07"),
        (["a", [1]], '["a",[1]]'),
        ({"a": 1, "b": None}, "{`a`:1}"),
    ],
)
def test_values_have_literals(value: Any, written: str) -> None:
    """Values of JSON are written as Cypher has them; None is left out of maps."""
    assert cypher.literal(value) == written


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_numbers_that_are_not_finite_are_refused(value: float) -> None:
    """Cypher has no literal for them."""
    with pytest.raises(ValueError, match="no literal"):
        cypher.literal(value)


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1, max_size=8))
def test_vectors_keep_their_bits(values: list[float]) -> None:
    """The decimal form of a float32 reads back as the same float32."""
    data = struct.pack(f"<{len(values)}f", *values)
    written = cypher.numbers(data)
    assert written is not None
    assert struct.pack(f"<{len(values)}f", *map(float, written[1:-1].split(","))) == data


@pytest.mark.parametrize("data", [b"", b"abc", struct.pack("<2f", math.nan, 1.0), struct.pack("<f", math.inf)])
def test_what_is_no_vector_has_no_node(data: bytes) -> None:
    """Bytes that are no float32, or not finite, stay in the journal's vectors and are left out of the graph."""
    assert cypher.numbers(data) is None and not batch.is_vector(data)
