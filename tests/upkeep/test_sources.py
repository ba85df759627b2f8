"""The forms that an import reads, and how it tells them apart."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone import Memory
from siltstone.errors import FormatError
from siltstone.upkeep.sources import bubble, detect, locomo, messages, text
from siltstone.upkeep.sources.items import Found, Problem
from siltstone.upkeep.sources.lines import Lines, opened

SAMPLE = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ana",
        "speaker_b": "Ben",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ana", "dia_id": "D1:1", "text": "I planted a quince tree."},
            {"speaker": "Ben", "dia_id": "D1:2", "text": "Show me!", "blip_caption": "a small tree in a pot"},
        ],
        "session_10_date_time": "12:05 am on 1 January, 2024",
        "session_10": [{"speaker": "Ben", "dia_id": "D10:1", "text": "Happy new year."}],
        "session_2_date_time": "12:30 pm on 9 May, 2023",
        "session_2": [{"speaker": "Ana", "dia_id": "D2:1", "text": "It has a leaf."}],
        "session_3_date_time": "a date without turns",
    },
}
ARCHIVED = {
    "text": "I quit smoking",
    "prior": None,
    "intensity": 0.8,
    "valence": "positive",
    "timestamp": "2026-01-02T03:04:05Z",
}


def lines(content: str) -> Lines:
    return Lines(io.StringIO(content))


def found(items: Any) -> list[Any]:
    """The messages among the items."""
    return [item.message for item in items if isinstance(item, Found)]


def problems(items: Any) -> list[str]:
    return [str(item) for item in items if isinstance(item, Problem)]


@pytest.mark.parametrize(
    ("content", "form"),
    [
        ('{"siltstone": 1, "user_id": "ana", "events": 0}\n', "export"),
        (json.dumps(ARCHIVED) + "\n", "bubble"),
        (json.dumps({**ARCHIVED, "user": "more keys are allowed"}) + "\n", "bubble"),
        ('{"role": "user", "content": "hello"}\n', "messages"),
        ('{"messages": [{"role": "user", "content": "hello"}]}\n', "messages"),
        ('[{"role": "user", "content": "hello"}]', "messages"),
        ('[\n  {"role": "user",\n "content": "hello"}\n]', "messages"),
        ('torn line\n{"role": "user", "content": "hello"}\n', "messages"),
        (json.dumps(SAMPLE), "locomo"),
        (json.dumps([SAMPLE]), "locomo"),
        (json.dumps([SAMPLE], indent=2), "locomo"),
        (json.dumps(SAMPLE, indent=2), "locomo"),
        ("Ana: hello\nBen: hi", "text"),
        ("[Ana]: hello\n[Ben]: hi", "text"),
        ("[not json] a text", "text"),
        ("{curly} text", "text"),
        ('A text.\n\nWith an example:\n\n{"role": "user"}\n\nand more', "text"),
        ("", "text"),
    ],
)
def test_the_form_of_a_source_is_recognised(content: str, form: str) -> None:
    """Each form is told from the others by its first lines, and nothing is read away by looking."""
    source = lines(content)
    assert detect.detect(source) == form
    assert [line.text for line in source] == [line for line in content.splitlines() if line.strip()]


def test_archive_lines_become_turns_with_what_bubble_judged() -> None:
    """Intensity and valence go to the metadata, the timestamp is when it was said."""
    (message,) = found(bubble.read(lines(json.dumps({**ARCHIVED, "prior": "before"}))))
    assert message["content"] == "I quit smoking"
    assert message["occurred_at"] == "2026-01-02T03:04:05Z"
    assert message["metadata"] == {
        "intensity": 0.8,
        "valence": "positive",
        "prior": "before",
        "source": "bubble archive",
    }


def test_a_torn_last_archive_line_is_set_aside_and_reported() -> None:
    """Every whole line is read; the torn one is a problem that says so."""
    whole = json.dumps(ARCHIVED)
    items = list(bubble.read(lines(f"{whole}\n{whole}\n{whole[:30]}")))
    assert len(found(items)) == 2
    assert problems(items) == ["line 3: it is torn: the file ends in the middle of it"]


@pytest.mark.parametrize("change", [{"intensity": "high"}, {"intensity": 1.5}, {"intensity": True}])
def test_an_archive_line_with_an_impossible_intensity_is_a_problem(change: dict[str, Any]) -> None:
    """Intensity is a number from 0 to 1."""
    items = list(bubble.read(lines(json.dumps({**ARCHIVED, **change}))))
    assert found(items) == []
    assert "intensity" in problems(items)[0]


def test_the_turns_of_a_conversation_share_what_its_line_says() -> None:
    """Session, agent and date of a conversation count for its messages, where they do not say otherwise."""
    line = {
        "session_id": "s",
        "agent_id": "a",
        "messages": [{"content": "one"}, {"content": "two", "session_id": "t"}, "three"],
    }
    first, second, third = found(messages.read(lines(json.dumps(line))))
    assert (first["session_id"], first["agent_id"]) == ("s", "a")
    assert second["session_id"] == "t"
    assert third["content"] == "three"


def test_conversations_without_a_session_get_one_each() -> None:
    """Two conversations are not mixed, and the same one gets the same name again."""
    one, two = ({"messages": [{"role": "user", "content": text}]} for text in ("one", "two"))
    content = "".join(json.dumps(line) + "\n" for line in (one, two, one))
    sessions = [message["session_id"] for message in found(messages.read(lines(content)))]
    assert sessions[0] == sessions[2] != sessions[1]


def test_a_locomo_sample_is_read_session_by_session() -> None:
    """Sessions come in the order of their numbers, turns one second apart, with the id of each turn."""
    items = list(locomo.read(lines(json.dumps(SAMPLE))))
    assert [message["session_id"] for message in found(items)] == ["session_1", "session_1", "session_2", "session_10"]
    assert [message["occurred_at"] for message in found(items)] == [
        "2023-05-08T13:56:00Z",
        "2023-05-08T13:56:01Z",
        "2023-05-09T12:30:00Z",
        "2024-01-01T00:05:00Z",
    ]
    assert found(items)[1] == {
        "content": "Show me!",
        "speaker": "Ben",
        "session_id": "session_1",
        "occurred_at": "2023-05-08T13:56:01Z",
        "metadata": {"dia_id": "D1:2"},
    }
    assert problems(items) == []


def test_captions_are_text_only_when_asked_for() -> None:
    """What a picture shows is appended with captions, and left out without."""
    texts = [found(locomo.read(lines(json.dumps(SAMPLE)), captions=flag))[1]["content"] for flag in (False, True)]
    assert texts == ["Show me!", "Show me! (shows a small tree in a pot)"]


def test_several_samples_are_several_users() -> None:
    """The receipt names them: the user given, a slash, and the sample's name."""
    document = json.dumps([SAMPLE, {**SAMPLE, "sample_id": "conv-2"}])
    with Memory.open("memory://", embedding__provider="none") as memory:
        receipt = memory.import_(io.StringIO(document), user_id="ana")
        assert receipt.users == ("ana/conv-1", "ana/conv-2")
        assert memory.users() == ["ana/conv-1", "ana/conv-2"]
        assert [len(memory.list(user_id=user_id)) for user_id in receipt.users] == [4, 4]


def test_an_unreadable_session_date_is_a_problem_and_its_turns_are_kept() -> None:
    """A date that cannot be read loses no turn."""
    sample = {"conversation": {"session_1": [{"speaker": "Ana", "text": "hello"}], "session_1_date_time": "32 May"}}
    items = list(locomo.read(lines(json.dumps(sample))))
    assert [message["content"] for message in found(items)] == ["hello"]
    assert "'32 May'" in problems(items)[0]


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("12:00 am on 29 February, 2024", datetime(2024, 2, 29, tzinfo=UTC)),
        ("12:09 PM on 1 december 2023", datetime(2023, 12, 1, 12, 9, tzinfo=UTC)),
        ("1:56 pm on 31 June, 2023", None),
        ("1:56 pm on 8 Maius, 2023", None),
        ("noon", None),
        (None, None),
    ],
)
def test_session_dates_are_read_as_utc(written: object, moment: datetime | None) -> None:
    """The dates of LoCoMo files are read whatever the locale is; anything else is no date."""
    assert locomo.session_time(written) == moment


def test_a_document_without_samples_is_no_locomo_file() -> None:
    """Asking for LoCoMo where there is none is an error, not an empty import."""
    with pytest.raises(FormatError, match="no LoCoMo sample"):
        list(locomo.read(lines("[1, 2]")))


def test_a_dialogue_becomes_turns_of_its_speakers() -> None:
    """Lines after a speaker's line belong to it, blank lines or not; all turns share one session."""
    read = found(text.read(lines("Ana: hello\nBen: hi\nand more\n\nstill Ben\n小美：你好\n")))
    assert [(item["speaker"], item["content"]) for item in read] == [
        ("Ana", "hello"),
        ("Ben", "hi\nand more\nstill Ben"),
        ("小美", "你好"),
    ]
    assert len({item["session_id"] for item in read}) == 1


def test_paragraphs_become_notes() -> None:
    """Blank lines part paragraphs; a colon in prose makes no dialogue."""
    read = found(text.read(lines("First line\nsecond line\n\n\nNote: this is prose\n\nend\n")))
    assert read == [{"content": "First line\nsecond line"}, {"content": "Note: this is prose"}, {"content": "end"}]


@given(st.text(alphabet="ab .!\n。猫", max_size=400), st.integers(min_value=4, max_value=50))
def test_the_parts_of_a_cut_text_joined_are_the_text(content: str, limit: int) -> None:
    """Cutting loses nothing, and no part exceeds the limit."""
    parts = text.cut(content, limit)
    assert "".join(parts) == content
    assert max(map(len, parts)) <= limit


def test_a_cut_prefers_the_end_of_a_sentence() -> None:
    """Sentences stay whole where they can."""
    assert text.cut("One two three. Four five six. Seven", 20) == ["One two three. ", "Four five six. Seven"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_byte_order_marks_are_understood(tmp_path: Path, encoding: str) -> None:
    """Files that editors and shells of Windows write are read as what they are."""
    path = tmp_path / "notes.txt"
    path.write_bytes("Grüße 🎉\r\n\r\nzwei".encode(encoding))
    with opened(path) as source:
        assert [line.text for line in source] == ["Grüße 🎉", "zwei"]


def test_a_line_that_is_not_utf8_is_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    """Bytes of another encoding are neither guessed at nor kept."""
    path = tmp_path / "notes.txt"
    path.write_bytes(b"one\n\nGr\xfc\xdfe\n\ntwo\n")
    with opened(path) as source:
        items = list(text.read(source))
    assert [message["content"] for message in found(items)] == ["one", "two"]
    assert problems(items) == ["line 3: it is not UTF-8; convert the file, for instance with iconv"]


def test_an_open_stream_of_bytes_is_read_and_stays_open() -> None:
    """Standard input is such a stream."""
    stream = io.BytesIO("你好\n".encode())
    with opened(stream) as source:  # type: ignore[arg-type]
        assert [line.text for line in source] == ["你好"]
    assert not stream.closed


def test_a_source_that_is_neither_path_nor_stream_is_refused() -> None:
    """A number is no source."""
    with pytest.raises(FormatError, match="int"), opened(7):  # type: ignore[arg-type]
        pass
