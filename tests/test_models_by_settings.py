"""Models by endpoint, as settings name them: completion, embeddings, entailment and reranking at the shared stub server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import siltstone.beliefs as bubble
from siltstone import Memory

ANA = "ana"
DIVORCE = "I am getting divorced"
SEGMENT = {"text": DIVORCE, "intensity": 0.95, "valence": "neg"}
TEA = ("I had green tea for breakfast", "green tea again this morning", "made a cup of green tea at noon")


@pytest.fixture
def stub(stub_module: ModuleType) -> Iterator[Any]:
    """A running stub that takes every turn for one vivid statement."""
    with stub_module.Stub(
        rules=[{"marker": "segments", "role": "system", "reply": {"segments": [SEGMENT]}}]
    ) as running:
        yield running


def opened(stub: Any, url: str = "memory://", **settings: Any) -> Memory:
    """A memory whose language model is the stub."""
    asked = {"completion__provider": "openai", "completion__model": "stub-model", "completion__base_url": stub.url}
    return Memory.open(url, **({"embedding__provider": "none", "completion__retries": 0} | asked | settings))


def chats(stub: Any) -> int:
    """How many completions were asked for."""
    return sum(request["path"].endswith("/chat/completions") for request in stub.requests)


def test_a_language_model_takes_turns_apart_with_one_call(stub: Any) -> None:
    """Settings alone put the model to work; its answer is recorded, and neither replay nor reading asks again."""
    with opened(stub) as memory:
        assert memory.process("Guess what: we split up", user_id=ANA).status == "kept"
        assert chats(stub) == 1
        assert [episode.text for episode in memory.beliefs.episodes(user_id=ANA)] == [DIVORCE]
        assert memory.replay(user_id=ANA).same and memory.retrieve("divorced", user_id=ANA, kinds=("snapshot",)).hits
        assert chats(stub) == 1


def test_a_paste_asks_no_model(stub: Any) -> None:
    """What is pasted is one segment of little intensity, and costs no call."""
    with opened(stub) as memory:
        log = "\n".join(f"2026-03-01 12:00:{n:02d} worker {n} restarted the service after timeout" for n in range(40))
        memory.process(log, user_id=ANA)
        assert chats(stub) == 0 and memory.beliefs.pool(user_id=ANA)[0].statements[0].intensity == 0.05


@pytest.mark.parametrize(
    "rule",
    [
        {"status": 503, "times": 1},
        {"status": 429, "times": 1},
        {"status": 401, "message": "invalid api key", "times": 1},
        {"status": 0, "times": 1},
        {"delay": 1.5, "times": 1},
    ],
    ids=["down", "rate limited", "wrong key", "hangs up", "slow"],
)
def test_a_model_that_does_not_answer_leaves_the_turn_waiting(stub: Any, rule: dict[str, Any], tmp_path: Path) -> None:
    """The turn is kept and found at once, status says what waits, and it is formed once when the model is back."""
    stub.rules = [rule | {"reply": {"segments": []}}, *stub.rules]
    url = f"sqlite:///{tmp_path}/m.db"
    with opened(stub, url, completion__timeout=0.5) as memory:
        receipt = memory.process(DIVORCE, user_id=ANA)
        assert receipt.status == "waiting" and receipt.waiting_for == ("formation",)
        assert [hit.text for hit in memory.retrieve("divorced", user_id=ANA)] == [DIVORCE]
        assert memory.beliefs.status(user_id=ANA).waiting == receipt.ids
    stub.rules = stub.rules[1:]
    with opened(stub, url) as memory:
        assert memory.form(user_id=ANA).done == receipt.ids
        assert memory.form(user_id=ANA).done == ()
        assert len(memory.beliefs.episodes(user_id=ANA)) == 1


@pytest.mark.parametrize(
    "shape", [{"shape": "fenced"}, {"shape": "prose"}, {"shape": "think"}, {"cut": 75, "times": 1}]
)
def test_an_answer_in_another_form_is_read(stub: Any, shape: dict[str, Any]) -> None:
    """Fenced, explained, thought about or cut off once: the segments arrive."""
    stub.rules = [{**stub.rules[0], **shape}, *stub.rules]
    with opened(stub) as memory:
        memory.process("Guess what: we split up", user_id=ANA)
        assert [episode.text for episode in memory.beliefs.episodes(user_id=ANA)] == [DIVORCE]


def test_one_refused_turn_does_not_hold_up_the_others(stub: Any) -> None:
    """A turn that the model refuses for good is marked failed with the reason; those after it are formed."""
    refusal = {"marker": "weapon", "status": 400, "message": "content policy: this request was rejected"}
    stub.rules = [refusal, *stub.rules]
    with opened(stub) as memory:
        bad = memory.process("the weapon in the film", user_id=ANA)
        good = memory.process("Guess what: we split up", user_id=ANA)
        status = memory.beliefs.status(user_id=ANA)
        assert list(status.failed) == [bad.id] and "rejected" in status.failed[bad.id] and good.status == "kept"
        assert len(memory.beliefs.episodes(user_id=ANA)) == 1
        stub.rules = stub.rules[1:]
        assert memory.beliefs.form(user_id=ANA, again=True).done == bad.ids


def test_a_wrong_key_of_the_embedder_fails_no_turn_for_good(stub: Any) -> None:
    """What a set-up is to blame for leaves the turns waiting: none is marked as failed."""
    stub.rules = [{"path": "/embeddings", "status": 401, "message": "no"}]
    with Memory.open("memory://", embedding__base_url=stub.url, embedding__model="m", embedding__retries=0) as memory:
        memory.process(DIVORCE, user_id=ANA)
        status = memory.beliefs.status(user_id=ANA)
        assert len(status.waiting) == 1 and not status.failed
        stub.rules = []
        assert len(memory.form(user_id=ANA).done) == 1


def test_an_entailment_server_decides_what_supersedes(stub: Any) -> None:
    """Its contradiction supersedes, its verdicts are asked for in both directions, and its name is the judge's."""
    settings = {"entailment__base_url": f"{stub.url.removesuffix('/v1')}/predict", "entailment__model": "nli"}
    with Memory.open("memory://", **settings) as memory:
        memory.process("I love my job at the hospital", user_id=ANA, occurred_at="2026-01-01")
        memory.process("I do not love my job at the hospital", user_id=ANA, occurred_at="2026-02-01")
        asked = [request["body"]["inputs"] for request in stub.requests if request["path"].endswith("/predict")]
        assert asked and memory.parts.judge is not None and memory.parts.judge.fingerprint == "endpoint/nli"
        old, new = memory.beliefs.episodes(user_id=ANA)
        assert old.superseded_by == new.id and memory.replay(user_id=ANA).same


def test_a_reranker_has_the_last_word_and_says_so(stub: Any) -> None:
    """Hits come in its order with its score, what they had before stays, and without it the old order is kept, loudly."""
    address = stub.url.removesuffix("/v1")
    with Memory.open("memory://", embedding__provider="none", rerank__base_url=address) as memory:
        memory.add(["tea tea tea in the garden", "where is the tea kept", "tea at four"], user_id=ANA)
        plain = memory.retrieve("where is tea kept", user_id=ANA, top_k=2)
        assert plain.hits[0].text == "where is the tea kept" and len(plain) == 2
        assert plain.hits[0].channels["rerank"] == plain.hits[0].score and "fused" in plain.hits[0].channels
        stub.rules = [{"path": "/rerank", "reply": [{"index": n, "score": float(n)} for n in range(3)]}]
        turned = memory.retrieve("where is tea kept", user_id=ANA, top_k=3)
        assert [hit.score for hit in turned] == sorted((hit.score for hit in turned), reverse=True)
        assert all(0 <= hit.score <= 1 for hit in turned)
        stub.rules = [{"path": "/rerank", "status": 500}]
        kept = memory.retrieve("where is tea kept", user_id=ANA, top_k=2)
        assert len(kept) == 2 and [item.part for item in kept.degraded if item.part == "rerank"]


def test_summaries_are_written_once_and_recorded(stub: Any) -> None:
    """A chain of several episodes is summed up on first read; the next read and a replay ask nothing."""
    stub.rules = [
        {"marker": "segments", "role": "system", "reply": {"segments": [{**SEGMENT, "text": "I play the cello"}]}}
    ]
    with opened(stub) as memory:
        for day in ("2026-01-01", "2026-02-01"):
            memory.process("I play the cello", user_id=ANA, occurred_at=day)
        asked = chats(stub)
        chain = memory.beliefs.chains(user_id=ANA)[0]
        first = memory.beliefs.snapshot(chain.id, user_id=ANA)
        assert first is not None and first.written_by.startswith("openai/stub-model") and chats(stub) == asked + 1
        assert memory.beliefs.snapshot(chain.id, user_id=ANA) == first and memory.replay(user_id=ANA).same
        assert chats(stub) == asked + 1


def test_rederiving_asks_the_models_again(stub: Any) -> None:
    """The explicit mode forms every turn anew with what answers today; replay after it gives the same again."""
    with opened(stub) as memory:
        memory.process("Guess what: we split up", user_id=ANA)
        stub.rules = [{**stub.rules[0], "reply": {"segments": [{**SEGMENT, "text": "We split up"}]}}]
        assert len(memory.beliefs.rederive(user_id=ANA).done) == 1 and chats(stub) == 2
        assert [episode.text for episode in memory.beliefs.episodes(user_id=ANA)] == ["We split up"]
        assert memory.replay(user_id=ANA).same and chats(stub) == 2


def test_an_archive_comes_back_as_it_was_and_is_not_taken_apart_anew(stub: Any, tmp_path: Path) -> None:
    """Lines have Bubble's five keys; importing them forms the same beliefs with the recorded intensity, and no model takes them apart."""
    file = tmp_path / "ana.jsonl"
    with Memory.open("memory://") as memory, bubble_with(memory):
        for day, text in enumerate([DIVORCE, *TEA], 1):
            memory.process(text, user_id=ANA, prior="well?", occurred_at=f"2026-01-0{day}")
        assert bubble.archive_sync(ANA, file)["lines"] == 4
        first = file.read_text("utf-8")
        wanted = [(e.text, e.vivid, e.confidence) for e in memory.beliefs.episodes(user_id=ANA)]
    assert all(
        set(json.loads(line)) == {"text", "prior", "intensity", "valence", "timestamp"} for line in first.splitlines()
    )
    with opened(stub, embedding__provider="auto") as other, bubble_with(other):
        assert other.import_(file, user_id="bo", format="bubble").added == 4
        assert not [request for request in stub.requests if "segments" in json.dumps(request["body"])]
        assert [e.text for e in other.beliefs.episodes(user_id="bo") if e.vivid] == [
            text for text, vivid, _ in wanted if vivid
        ]
        again = tmp_path / "bo.jsonl"
        bubble.archive_sync("bo", again)
        assert again.read_text("utf-8") == first
        assert other.import_(file, user_id="bo", format="bubble").added == 0


@pytest.mark.parametrize("name", ["../../x", "..", "a/b", "x\\y"])
def test_an_archive_stays_in_its_folder(tmp_path: Path, name: str) -> None:
    """Whatever the user is called, the file lies in the configured folder."""
    folder = tmp_path / "deep" / "archive"
    with Memory.open("memory://", embedding__provider="none", formation__archive_dir=str(folder)) as memory:
        memory.process(DIVORCE, user_id="ok")
        with bubble_with(memory):
            written = Path(bubble.archive_sync("ok")["file"])
            assert written.parent == folder
        from siltstone.upkeep.archive import archive_path

        assert archive_path(name, str(folder)).parent == folder


def test_the_dotenv_of_the_working_folder_configures_bubbles_api(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its variables count below the environment; quotes, `export`, comments and other programs' names are understood."""
    lines = [
        "# set-up",
        "export BUBBLE_EPISODIC_THRESHOLD='0.7' # high",
        'SILTSTONE_URL="memory://"',
        "OTHER=x",
        "BUBBLE_MODEL=",
    ]
    (tmp_path / ".env").write_text("\n".join(lines), "utf-8")
    monkeypatch.chdir(tmp_path)
    assert bubble.dotenv() == {"BUBBLE_EPISODIC_THRESHOLD": "0.7", "SILTSTONE_URL": "memory://", "BUBBLE_MODEL": ""}
    bubble.use(None)
    try:
        settings = bubble.current().settings
        assert settings.formation.threshold == 0.7 and settings.url == "memory://"
        bubble.use(None)
        monkeypatch.setenv("BUBBLE_EPISODIC_THRESHOLD", "0.8")
        assert bubble.current().settings.formation.threshold == 0.8
    finally:
        bubble.use(None)


@pytest.mark.parametrize(
    ("setting", "value"), [("cluster_dimensions", 2), ("join_similarity", 1.4), ("topic_similarity", 1.4)]
)
def test_each_likeness_setting_changes_what_comes_together(setting: str, value: float) -> None:
    """Fewer dimensions lump together, a likeness that nothing reaches keeps apart: each setting has an effect."""

    def shape(**settings: Any) -> tuple[int, int]:
        with Memory.open("memory://", **settings) as memory:
            for day, text in enumerate(
                [*TEA, "the green tea at work is fine", "The metro was late", "rain all afternoon"], 1
            ):
                memory.process(text, user_id=ANA, occurred_at=f"2026-01-0{day}")
            return len(memory.beliefs.pool(user_id=ANA)), len(memory.beliefs.episodes(user_id=ANA))

    assert shape(**{f"formation__{setting}": value}) != shape()


class bubble_with:
    """A memory behind Bubble's API while the block runs."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def __enter__(self) -> None:
        bubble.use(self.memory)

    def __exit__(self, *_: object) -> None:
        bubble._opened.clear()
