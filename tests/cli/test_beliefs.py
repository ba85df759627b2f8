"""The commands that form beliefs and look at them."""

from __future__ import annotations

import pytest

from cli.started import Siltstone

TEA = ("I had green tea for breakfast", "green tea again this morning", "made a cup of green tea at noon")


def test_decompose_keeps_nothing(siltstone: Siltstone) -> None:
    """A dry run shows the statements and their routes, and leaves the store empty."""
    shown = siltstone.run("beliefs", "decompose", "I am getting divorced. The metro was late.", "--json").json
    assert [segment["route"] for segment in shown["segments"]] == ["vivid", "weak"]
    assert siltstone.run("users").code == 1


def test_ingest_then_promote(siltstone: Siltstone) -> None:
    """What ingest leaves in the pool, promote makes an episode of; a second promote finds nothing."""
    for text in TEA:
        assert siltstone.run("beliefs", "ingest", "ana", text).code == 0
    shown = siltstone.run("beliefs", "diagnose", "ana", "--json", "--theta", "9").json
    (cluster,) = shown["clusters"]
    assert cluster["due"] and cluster["score"] > shown["thresholds"]["promote"] and shown["at"]["promoted"] == []
    assert len(siltstone.run("beliefs", "promote", "ana", "--json").json["promoted"]) == 1
    assert siltstone.run("beliefs", "promote", "ana").code == 1


def test_query_shows_what_is_believed(siltstone: Siltstone) -> None:
    """The answer is a chain's summary with its episodes and their labels; nothing found is exit code 1."""
    siltstone.run("beliefs", "ingest", "ana", "I adopted a labrador called Rex")
    ran = siltstone.run("beliefs", "query", "ana", "labrador")
    assert ran.code == 0 and "labrador called Rex" in ran.out and "vivid, unverified" in ran.out
    assert siltstone.run("beliefs", "query", "ana", "volcano").code == 1


def test_status_counts(siltstone: Siltstone) -> None:
    """The status is counts by kind and what waits."""
    siltstone.run("beliefs", "ingest", "ana", TEA[0])
    shown = siltstone.run("beliefs", "status", "ana", "--json").json
    assert (shown["counts"]["weak"], shown["counts"]["episode"], shown["waiting"]) == (1, 0, [])


def test_reset_asks_first(siltstone: Siltstone) -> None:
    """Beliefs are thrown away only when told so; the turns stay."""
    siltstone.run("beliefs", "ingest", "ana", TEA[0])
    assert siltstone.run("beliefs", "reset", "ana", "--json").code == 2
    assert siltstone.run("beliefs", "reset", "ana", "--yes", "--json").json["reset"] > 0
    assert siltstone.run("beliefs", "status", "ana", "--json").json["counts"]["segment"] == 0
    assert siltstone.run("list", "-u", "ana").code == 0


@pytest.mark.parametrize("arguments", [["ingest", "ana"], ["query"], ["nonsense"]])
def test_wrong_usage_is_exit_code_2(siltstone: Siltstone, arguments: list[str]) -> None:
    """A missing argument or an unknown command is wrong input."""
    assert siltstone.run("beliefs", *arguments).code == 2


def test_replay_takes_the_user_as_bubble_does(siltstone: Siltstone) -> None:
    """`replay USER` rebuilds that user's beliefs and says that they are the same."""
    siltstone.run("beliefs", "ingest", "ana", "I adopted a labrador called Rex")
    shown = siltstone.run("replay", "ana", "--json").json
    assert (shown["user_id"], shown["same"]) == ("ana", True) and shown["events"] > 1
