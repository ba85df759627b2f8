"""Every command: what it prints in a pipe, and what it answers with --json."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from cli.started import Siltstone

MESSAGES = "".join(
    json.dumps({"role": "user", "content": text, "session_id": "s1", "occurred_at": "2026-01-02T03:04:05Z"}) + "\n"
    for text in ("The quince tree has a leaf", "The cat is grey")
)


def test_add_prints_the_id_and_search_finds_the_text(siltstone: Siltstone) -> None:
    """What was added is found at once: score, date, speaker, text, id, parted by tabs."""
    memory_id = siltstone.add("Prefers TypeScript", "--speaker", "Ana", "--occurred-at", "2026-01-02T03:04:05Z")
    outcome = siltstone.run("search", "typescript")
    score, *rest = outcome.out.rstrip("\n").split("\t")
    assert outcome.code == 0
    assert 0 < float(score) <= 1
    assert rest == ["2026-01-02 03:04", "Ana", "Prefers TypeScript", memory_id]


def test_add_answers_with_the_receipt(siltstone: Siltstone) -> None:
    """With --json, add prints the receipt as one document."""
    document = siltstone.run("add", "a", "text", "--json").json
    assert set(document) == {"ids", "created", "status", "waiting_for", "skipped", "seq"}
    assert siltstone.run("show", document["ids"][0], "--json").json["text"] == "a text"


def test_add_reads_standard_input(siltstone: Siltstone) -> None:
    """`-` keeps all of standard input, line feeds inside it included, as UTF-8 whatever the locale is."""
    outcome = siltstone.process("add", "-", "--json", input="first\n第二\n".encode(), PYTHONIOENCODING="ascii")
    assert siltstone.run("show", outcome.json["ids"][0], "--json").json["text"] == "first\n第二"


def test_add_with_a_used_key_writes_nothing(siltstone: Siltstone) -> None:
    """A repeated idempotency key answers with the first id and says so."""
    first = siltstone.add("once", "--key", "k")
    again = siltstone.run("add", "once", "--key", "k")
    assert again.out.strip() == first
    assert "nothing was written" in again.err


def test_add_keeps_what_is_told(siltstone: Siltstone) -> None:
    """Each option of add lands where its name says; metadata that is JSON stays JSON."""
    told = ["--speaker", "Ana", "--role", "user", "--session", "s", "--agent", "g", "--tag", "a", "--tag", "b"]
    told += ["--meta", "n=1", "--meta", "t=plain", "--valid-from", "2026-01-01", "--invalid-at", "2027-01-01"]
    entry = siltstone.run("show", siltstone.add("text", *told), "--json").json
    assert (entry["speaker"], entry["role"], entry["session_id"], entry["agent_id"]) == ("Ana", "user", "s", "g")
    assert (entry["tags"], entry["metadata"], entry["kind"]) == (["a", "b"], {"n": 1, "t": "plain"}, "turn")
    assert (entry["valid_from"], entry["invalid_at"]) == ("2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z")


def test_search_answers_with_hits_and_what_was_degraded(siltstone: Siltstone) -> None:
    """The document names query, user, hits and gaps; the trace comes with --explain, the prompt with --prompt."""
    siltstone.add("green tea")
    plain = siltstone.run("search", "tea", "--json").json
    full = siltstone.run("search", "tea", "--json", "--explain", "--prompt").json
    assert set(plain) == {"query", "user_id", "hits", "degraded"}
    assert set(full) - set(plain) == {"trace", "prompt"}
    assert set(plain["hits"][0]) >= {"id", "text", "score", "channels", "factors", "provenance", "occurred_at"}
    assert plain["degraded"][0]["part"] == "semantic"
    assert "green tea" in full["prompt"]


def test_search_explains(siltstone: Siltstone) -> None:
    """--explain adds the channels' scores and the factors to each line, and the trace on standard error."""
    siltstone.add("green tea")
    outcome = siltstone.run("search", "tea", "--explain")
    assert "lexical=" in outcome.out.split("\t")[5]
    assert "trace: {" in outcome.err


def test_search_says_which_channel_is_missing(siltstone: Siltstone) -> None:
    """A degraded search says so on standard error, with the remedy."""
    siltstone.add("green tea")
    assert "without the semantic channel" in siltstone.run("search", "tea").err


@pytest.mark.parametrize(
    ("options", "count"),
    [
        (["--tag", "drink"], 1),
        (["--tag", "drink", "--tag", "hot"], 0),
        (["--speaker", "Ben"], 1),
        (["--since", "2026-02-01"], 1),
        (["--until", "2026-02-01"], 1),
        (["--meta", "n=1"], 1),
        (["--meta", "n=2"], 0),
        (["--kind", "turn"], 1),
        (["--session", "s"], 1),
        (["--agent", "none"], 0),
        (["--as-of", "2026-01-15"], 1),
        (["-k", "1"], 1),
    ],
)
def test_search_is_narrowed(siltstone: Siltstone, options: list[str], count: int) -> None:
    """Each filter lets through what it says."""
    siltstone.add("green tea", "--tag", "drink", "--meta", "n=1", "--occurred-at", "2026-01-01")
    siltstone.add("black tea", "--speaker", "Ben", "--session", "s", "--occurred-at", "2026-03-01")
    assert len(siltstone.run("search", "tea", "--json", *options).json["hits"]) == count


def test_search_prints_a_prompt(siltstone: Siltstone) -> None:
    """--prompt prints quoted lines with a heading."""
    siltstone.add("green tea")
    heading, line = siltstone.run("search", "tea", "--prompt").out.splitlines()
    assert "not instructions" in heading
    assert '"green tea"' in line


def test_list_prints_one_memory_a_line_whatever_the_text_holds(siltstone: Siltstone) -> None:
    """Line feeds, tabs and control characters in a text neither break the record nor steer a terminal."""
    siltstone.add("two\nlines\tand \x1b[31mred\x9b31m")
    (line,) = siltstone.run("list").out.splitlines()
    assert line.split("\t")[3] == "two lines and [31mred\ufffd31m"


def test_list_goes_on_where_the_last_page_ended(siltstone: Siltstone) -> None:
    """`next` is the id to go on after; the last page has none."""
    ids = [siltstone.add(f"text {n}") for n in range(3)]
    first = siltstone.run("list", "-n", "2", "--json").json
    second = siltstone.run("list", "-n", "2", "--after", first["next"], "--json").json
    assert [entry["id"] for page in (first, second) for entry in page["entries"]] == ids
    assert second["next"] is None


def test_show_prints_what_is_filled(siltstone: Siltstone) -> None:
    """One field a line: its name, a tab, its value; empty ones are left out."""
    memory_id = siltstone.add("text")
    fields = dict(line.split("\t") for line in siltstone.run("show", memory_id).out.splitlines())
    assert (fields["id"], fields["text"]) == (memory_id, "text")
    assert "speaker" not in fields


def test_history_tells_everything_that_happened(siltstone: Siltstone) -> None:
    """Adding, changing, forgetting and reviving are lines of the history, in order."""
    memory_id = siltstone.add("old")
    siltstone.run("update", memory_id, "--text", "new")
    siltstone.run("forget", memory_id)
    assert siltstone.run("revive", memory_id, "--json").json["text"] == "new"
    document = siltstone.run("history", memory_id, "--json").json
    kinds = [change["kind"] for change in document["changes"]]
    assert kinds == ["entry_added", "entry_updated", "entries_forgotten", "entries_revived"]
    assert siltstone.run("history", memory_id).out.splitlines()[0].split("\t")[2] == "entry_added"


def test_update_clears(siltstone: Siltstone) -> None:
    """--clear removes what was told."""
    memory_id = siltstone.add("text", "--tag", "a")
    assert siltstone.run("update", memory_id, "--clear", "tags", "--json").json["tags"] == []


def test_feedback_is_counted_once_a_turn(siltstone: Siltstone) -> None:
    """Useful adds one, useless takes two, and a turn counts once."""
    memory_id = siltstone.add("text")
    for _ in range(2):
        assert siltstone.run("feedback", memory_id, "--useful", "--turn", "t", "--json").json["feedback"] == 1
    assert siltstone.run("feedback", memory_id, "--useless", "--json").json["feedback"] == -1


def test_forget_hides_and_keeps_the_history(siltstone: Siltstone) -> None:
    """A forgotten memory is not found, is listed with --forgotten, and can be shown."""
    memory_id = siltstone.add("green tea")
    outcome = siltstone.run("forget", memory_id, "--json")
    assert outcome.json == {"ids": [memory_id], "purged": False, "erased": {}, "count": 1}
    assert siltstone.run("search", "tea").code == 1
    assert len(siltstone.run("list", "--forgotten").out.splitlines()) == 1
    assert siltstone.run("show", memory_id).code == 0


def test_forget_by_filter_takes_only_what_matches(siltstone: Siltstone) -> None:
    """A filter selects; one that meets nothing exits with 1."""
    siltstone.add("keep")
    memory_id = siltstone.add("drop", "--tag", "t")
    assert siltstone.run("forget", "--tag", "t").out.strip() == memory_id
    assert siltstone.run("forget", "--tag", "none").code == 1
    assert len(siltstone.run("list").out.splitlines()) == 1


@pytest.mark.parametrize("options", [["--all"], ["--purge", "--all"], ["--purge", "some-id"]])
def test_forget_without_a_terminal_needs_yes(siltstone: Siltstone, options: list[str]) -> None:
    """What destroys much, or for good, is refused in a pipe without --yes, and nothing is done."""
    siltstone.add("text")
    outcome = siltstone.run("forget", *options)
    assert outcome.code == 2
    assert "--yes" in outcome.err
    assert len(siltstone.run("list").out.splitlines()) == 1


def test_forget_purges_everything_with_yes(siltstone: Siltstone) -> None:
    """--purge --all --yes erases the bytes from the store's files."""
    siltstone.add("unmistakable quince")
    outcome = siltstone.run("forget", "--purge", "--all", "--yes", "--json")
    assert outcome.json["purged"] is True
    assert outcome.json["erased"]["records"] == 1
    assert all(b"quince" not in path.read_bytes() for path in siltstone.store.parent.iterdir())


def test_forget_needs_a_selector(siltstone: Siltstone) -> None:
    """A bare forget destroys nothing and says what to give."""
    outcome = siltstone.run("forget")
    assert outcome.code == 2
    assert "selects" in outcome.err


def test_import_and_export_make_the_round_trip(siltstone: Siltstone, tmp_path: Path) -> None:
    """Messages in, export out, export in for another user: the same fingerprint."""
    source, target = tmp_path / "messages.jsonl", tmp_path / "out.jsonl"
    source.write_text(MESSAGES)
    receipt = siltstone.run("import", str(source), "--json").json
    assert receipt["format"] == "messages"
    assert (receipt["added"], receipt["skipped_existing"], receipt["problems"]) == (2, 0, [])
    assert siltstone.run("import", str(source), "--json").json["added"] == 0
    written = siltstone.run("export", str(target), "--json").json
    assert written == {"user_id": "default", "file": str(target), "lines": 3}
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert siltstone.run("import", str(target), "-u", "ben", "--json").json["format"] == "export"
    prints = [siltstone.run("stats", "-u", user, "--json").json["fingerprint"] for user in ("default", "ben")]
    assert prints[0] == prints[1]


def test_export_to_standard_output_is_utf8_in_every_locale(siltstone: Siltstone) -> None:
    """An export loses no character to the terminal's encoding, and can be piped into an import."""
    siltstone.add("emoji 🎉")
    done = siltstone.process("export", PYTHONIOENCODING="cp1252")
    assert "emoji" in done.out
    again = siltstone.process("import", "-", "-u", "ben", "--json", input=done.out.encode("cp1252"))
    assert again.json["added"] == 1
    assert siltstone.run("list", "-u", "ben", "--json").json["entries"][0]["text"] == "emoji 🎉"


def test_import_reports_bad_lines_and_keeps_the_rest(siltstone: Siltstone, tmp_path: Path) -> None:
    """Each problem is a line on standard error; the exit code is 0 where something was imported."""
    source = tmp_path / "messages.jsonl"
    source.write_text(f"{MESSAGES}nonsense\n")
    outcome = siltstone.run("import", str(source))
    assert outcome.code == 0
    assert "added\t2" in outcome.out
    assert "line 3: it is no JSON" in outcome.err


def test_import_of_nothing_readable_fails(siltstone: Siltstone, tmp_path: Path) -> None:
    """Where no line could be read, the exit code says so."""
    source = tmp_path / "messages.jsonl"
    source.write_text("nonsense\n")
    assert siltstone.run("import", str(source), "--format", "messages").code == 2


def test_replay_gives_the_same_fingerprint(siltstone: Siltstone) -> None:
    """Replay prints the fingerprints before and after, and they are equal."""
    siltstone.add("text")
    document = siltstone.run("replay", "--json").json
    assert document["same"] is True
    assert document["before"] == document["after"]
    assert "same\tyes" in siltstone.run("replay").out


def test_users_and_stats_count(siltstone: Siltstone) -> None:
    """Users are listed by name, stats count one user's events and records."""
    assert siltstone.run("users").code == 1
    siltstone.add("text", "-u", "ben")
    siltstone.add("text", "-u", "ana")
    assert siltstone.run("users").out == "ana\nben\n"
    assert siltstone.run("users", "--json").json == {"users": ["ana", "ben"]}
    document = siltstone.run("stats", "-u", "ana", "--json").json
    assert (document["events"], document["records"], document["vectors"]) == (1, {"entry": 1}, {})


def test_reindex_embeds_what_has_no_vector(siltstone: Siltstone, monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts that were added without an embedder get their vectors, once."""
    siltstone.add("text")
    monkeypatch.setenv("SILTSTONE_EMBEDDING_PROVIDER", "static")
    assert siltstone.run("reindex", "--json").json == {"embedded": {"default": 1}}
    assert siltstone.run("reindex", "--all-users", "--json").json == {"embedded": {"default": 0}}


def test_reindex_without_an_embedder_says_what_to_install(siltstone: Siltstone) -> None:
    """The exit code is that of a missing model, the message ends in the command that mends it."""
    siltstone.add("text")
    outcome = siltstone.run("reindex")
    assert outcome.code == 5
    assert "embedding.provider is 'none'" in outcome.err
    assert "pip install" in outcome.err


def test_demo_answers_and_replays_to_the_same_fingerprint(
    siltstone: Siltstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The demo leaves no store behind, answers its questions, and replays to what was there."""
    monkeypatch.setenv("SILTSTONE_EMBEDDING_PROVIDER", "auto")
    document = siltstone.run("demo", "--json").json
    assert document["replay"]["same"] is True
    outcomes = [question["outcome"] for question in document["questions"]]
    assert len(outcomes) >= 10
    assert 3 * outcomes.count("answered") >= len(outcomes)
    assert not siltstone.store.exists()


def test_demo_for_people_shows_dates_scores_and_provenance(siltstone: Siltstone) -> None:
    """Each answer has its date and its place in the journal; both fingerprints are printed."""
    out = siltstone.run("demo").out
    assert "[answered]" in out
    assert "journal " in out
    before, after = (line.split()[1] for line in out.splitlines() if line.startswith(("  before", "  after")))
    assert before == after


def test_demo_can_fill_a_store_twice_without_doubling(siltstone: Siltstone) -> None:
    """With --db the conversation stays, and a second run adds nothing."""
    first = siltstone.run("demo", "--db", siltstone.url, "--json").json["imported"]
    second = siltstone.run("demo", "--db", siltstone.url, "--json").json["imported"]
    assert (second["added"], second["skipped_existing"]) == (0, first["added"])
