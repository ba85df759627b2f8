"""The mirror of MEMORY.md and USER.md: what the host's memory tool does there is done here."""

from __future__ import annotations

import pytest

from hosts.hermes.homes import Home, answered

BOAT = "Tom's boat is called Petrel."


def _known(home: Home, query: str, **told: object) -> list[str]:
    with home.session(**told) as provider:
        return [hit["text"] for hit in answered(provider, "siltstone_search", query=query, limit=20).get("results", [])]


def test_what_is_added_is_known_once(home: Home) -> None:
    """Adding the same text again, with other blanks or marks, leaves one memory."""
    with home.session() as provider:
        for text in (BOAT, BOAT, f"  {BOAT}  ", BOAT.upper().replace("TOM", "Tom")):
            provider.on_memory_write("add", "memory", text)
    assert len(_known(home, "What is Tom's boat called?")) == 1


@pytest.mark.parametrize("told", [{"old_text": "Petrel"}, {"previous_content": BOAT, "old_text": "boat"}])
def test_a_replaced_entry_no_longer_answers(home: Home, told: dict[str, str]) -> None:
    """The old entry is found by a part of it, or by the whole that newer hosts hand on; its history stays."""
    with home.session() as provider:
        home.tool(provider, "add", "memory", BOAT)
        home.write("memory", ["Tom's boat is called Puffin."])
        provider.on_memory_write("replace", "memory", "Tom's boat is called Puffin.", told)
    assert _known(home, "What is Tom's boat called?") == ["Tom's boat is called Puffin."]


def test_a_replacement_by_itself_changes_nothing(home: Home) -> None:
    """An entry that is replaced by its own text stays, also when the host tells it twice."""
    with home.session() as provider:
        home.tool(provider, "add", "memory", BOAT)
        for _ in range(2):
            home.tool(provider, "replace", "memory", BOAT, "Petrel")
    assert _known(home, "What is Tom's boat called?") == [BOAT]


def test_a_removed_entry_can_be_added_again(home: Home) -> None:
    """Removing hides it; adding it again brings the same memory back."""
    with home.session() as provider:
        home.tool(provider, "add", "memory", BOAT)
        first = answered(provider, "siltstone_search", query="Tom's boat")["results"][0]["id"]
        home.tool(provider, "remove", "memory", old_text="Petrel")
        assert answered(provider, "siltstone_search", query="Tom's boat")["results"] == []
        home.tool(provider, "add", "memory", BOAT)
        assert answered(provider, "siltstone_search", query="Tom's boat")["results"][0]["id"] == first


def test_the_other_target_and_our_own_tool_are_left_alone(home: Home) -> None:
    """A removal in one file does not reach entries of the other file, nor what the model kept with our tool."""
    with home.session() as provider:
        home.tool(provider, "add", "memory", "The boat needs paint in spring.")
        home.tool(provider, "add", "user", "The user wants paint that is green.")
        answered(provider, "siltstone_remember", text="The paint shop is in Harbour Street.")
        home.tool(provider, "remove", "memory", old_text="paint")
    assert sorted(_known(home, "paint")) == [
        "The paint shop is in Harbour Street.",
        "The user wants paint that is green.",
    ]


def test_an_ambiguous_part_means_what_left_the_file(home: Home) -> None:
    """Where a part is in several notes, the one that is no longer in the file was meant."""
    with home.session() as provider:
        for text in ("Ana lives in Oslo near the port.", "Bo lives in Oslo near the park."):
            home.tool(provider, "add", "memory", text)
        home.write("memory", ["Bo lives in Oslo near the park."])
        provider.on_memory_write("remove", "memory", "", {"old_text": "lives in Oslo"})
    assert _known(home, "Who lives in Oslo?") == ["Bo lives in Oslo near the park."]


def test_a_batch_is_taken_over_in_its_order(home: Home) -> None:
    """Each operation of a batch arrives by itself after all are in the file; the end state is the file's."""
    with home.session() as provider:
        for text in ("Ana lives in Oslo.", "Bo is a baker."):
            home.tool(provider, "add", "user", text)
        home.write("user", ["Ana lives in Rome.", "Cleo paints boats."])
        provider.on_memory_write("replace", "user", "Ana lives in Rome.", {"old_text": "Oslo"})
        provider.on_memory_write("remove", "user", "", {"old_text": "baker"})
        provider.on_memory_write("add", "user", "Cleo paints boats.", {})
        provider.on_memory_write("add", "user", "Cleo paints boats.", {})
    assert _known(home, "Where does Ana live?") == ["Ana lives in Rome."]
    assert _known(home, "What does Cleo paint?") == ["Cleo paints boats."]
    assert _known(home, "Who is a baker?") == []


def test_hand_edits_are_found_at_the_start_and_between_turns(home: Home) -> None:
    """What changed in a file without any hook is taken over before the next recall."""
    home.write("memory", [BOAT])
    with home.session() as provider:
        assert "Petrel" in provider.prefetch("What is Tom's boat called?")
        home.write("memory", ["Tom's boat is called Puffin."])
        provider.on_turn_start(2, "What is Tom's boat called?")
        found = provider.prefetch("What is Tom's boat called?")
        assert "Puffin" in found
        assert "Petrel" not in found
        (home.path / "memories" / "MEMORY.md").unlink()
        provider.on_turn_start(3, "And?")
        assert answered(provider, "siltstone_search", query="What is Tom's boat called?")["results"] == []


def test_a_file_that_is_not_text_breaks_nothing(home: Home) -> None:
    """Bytes that are no UTF-8 are replaced, the rest is taken over."""
    path = home.path / "memories" / "MEMORY.md"
    path.parent.mkdir()
    path.write_bytes(b"\xff\xfe broken\n\xc2\xa7\n" + BOAT.encode())
    assert BOAT in _known(home, "What is Tom's boat called?")


def test_what_was_forgotten_by_its_id_does_not_come_back_with_the_file(home: Home) -> None:
    """A line that still stands in a file is not remembered again after the model forgot it; adding it anew does so."""
    with home.session() as provider:
        home.tool(provider, "add", "memory", BOAT)
        shown = answered(provider, "siltstone_search", query="Tom's boat")["results"][0]["id"]
        told = answered(provider, "siltstone_forget", id=shown)
        assert "MEMORY.md" in told["note"]
        home.write("memory", [BOAT, "Eve drives a van."])
        provider.on_turn_start(2, "x")
    assert _known(home, "What is Tom's boat called?") == []
    assert _known(home, "What does Eve drive?") == ["Eve drives a van."]


def test_recalled_lines_are_not_stored_again(home: Home) -> None:
    """A memory that is copied out of a recall, with its date and id, is the memory itself."""
    with home.session() as provider:
        home.tool(provider, "add", "memory", BOAT)
        block = provider.prefetch("What is Tom's boat called?")
        provider.on_memory_write("add", "memory", block.splitlines()[-1])
        provider.on_memory_write("add", "memory", f"<memory-context>\n{block}\n</memory-context>")
        assert answered(provider, "siltstone_remember", text=block)["status"] == "known"
    assert _known(home, "What is Tom's boat called?") == [BOAT]


def test_two_homes_of_one_user_share_memories_but_not_files(
    home: Home, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """An entry that leaves one home's file stays known where it stands in no other's; files are told apart."""
    store = f"sqlite:///{tmp_path_factory.mktemp('store')}/memory.db"
    other = Home(tmp_path_factory.mktemp("other"), url=store)
    home.set(**{"embedding.provider": "none", "url": store})
    with home.session() as one, other.session() as two:
        home.tool(one, "add", "memory", BOAT)
        two.on_turn_start(1, "x")
        assert "Petrel" in two.prefetch("What is Tom's boat called?")


def test_a_guest_of_a_platform_does_not_get_the_owners_files(home: Home) -> None:
    """The files are the owner's; a messaging user's memory does not begin with them."""
    home.write("user", [BOAT])
    assert "Petrel" in home.asked("What is Tom's boat called?")
    assert home.asked("What is Tom's boat called?", platform="telegram", user_id="17") == ""
