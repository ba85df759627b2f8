"""Rules of completion by endpoint."""

from __future__ import annotations

import json
import threading
import time
from types import ModuleType
from typing import Any

import pytest

from models.completions import KEY, PROVIDERS, WORDS, complaint, given, make, refused, said, words
from models.scripted import FakeTime, ScriptedServer, Step
from siltstone.errors import InvalidInput, ModelAnswerInvalid, ModelError, ModelRefused, ModelUnavailable
from siltstone.models.completion import open_completion


@pytest.mark.parametrize("provider", PROVIDERS)
def test_an_object_is_answered(server: ScriptedServer, provider: str) -> None:
    """Each provider answers the object that was asked for, in one call."""
    server.steps = [Step(body=given(provider, WORDS))]
    assert words(make(server, provider)) == WORDS
    assert len(server.seen) == 1


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_text_is_answered(server: ScriptedServer, provider: str) -> None:
    """Each provider answers a text, without thoughts and NUL, and is told the limit."""
    server.steps = [Step(body=said(provider, "<think>hm</think> Tea\0 every morning. "))]
    assert make(server, provider).complete_text("Sum up.", "tea", 77) == "Tea every morning."
    assert "77" in json.dumps(server.seen[0].body)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_refused_request_is_final(server: ScriptedServer, clock: FakeTime, provider: str) -> None:
    """A request that is refused for what it is raises ModelRefused after one try, and the next request is sent."""
    server.steps = [complaint(400, "the input was rejected")] * 2
    completion = make(server, provider, clock)
    for _ in range(2):
        with pytest.raises(ModelRefused, match="rejected") as caught:
            words(completion)
        assert caught.value.status == 400
    assert len(server.seen) == 2


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_model_that_declines_is_final(server: ScriptedServer, provider: str) -> None:
    """An answer in which the model or its filter declines raises ModelRefused, and is not asked for again."""
    server.steps = [Step(body=refused(provider))]
    with pytest.raises(ModelRefused, match="refused to answer"):
        words(make(server, provider))
    assert len(server.seen) == 1


def test_a_content_filter_is_final_whatever_its_status(server: ScriptedServer) -> None:
    """Content that is flagged with status 403 raises ModelRefused; so does a choice that a filter ended."""
    filtered = {"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]}
    server.steps = [complaint(403, "your input was flagged by moderation"), Step(body=filtered)]
    for _ in range(2):
        with pytest.raises(ModelRefused):
            words(make(server))


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (401, "wrong key"),
        (402, "payment required"),
        (403, "no access to this model"),
        (404, "no such model"),
        (400, "API key not valid. Please pass a valid API key."),
        (400, "Your credit balance is too low"),
        (400, "The model `x` does not exist"),
    ],
)
def test_what_a_person_can_mend_is_not_final(server: ScriptedServer, status: int, message: str) -> None:
    """A wrong key, model or address, or an empty account, raises ModelUnavailable and not ModelRefused: turns may wait."""
    server.steps = [complaint(status, message)]
    with pytest.raises(ModelUnavailable) as caught:
        words(make(server))
    assert not isinstance(caught.value, ModelRefused)
    assert len(server.seen) == 1


@pytest.mark.parametrize("provider", PROVIDERS)
def test_limits_and_failures_pass(server: ScriptedServer, clock: FakeTime, provider: str) -> None:
    """429 and 5xx are tried again after what Retry-After asks for."""
    passing = [Step(status=429, headers={"Retry-After": "3"}), complaint(529, "overloaded")]
    server.steps = [*passing, Step(body=given(provider, WORDS))]
    assert words(make(server, provider, clock)) == WORDS
    assert clock.waits == [3.0, 0.5]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_tries_are_bounded(server: ScriptedServer, clock: FakeTime, status: int) -> None:
    """A server that keeps failing raises ModelUnavailable after the retries, and the object is not asked for anew."""
    server.steps = [complaint(status, "later")] * 9
    with pytest.raises(ModelUnavailable, match=str(status)):
        words(make(server, clock=clock))
    assert len(server.seen) == 3


def test_an_error_in_a_good_answer_is_an_error(server: ScriptedServer) -> None:
    """An answer of status 200 that holds an error raises ModelUnavailable with the server's words, not with the key."""
    server.steps = [Step(body={"error": {"message": f"upstream is down for {KEY}", "code": 502}})]
    with pytest.raises(ModelUnavailable, match="upstream is down") as caught:
        words(make(server))
    assert KEY not in str(caught.value)


def test_a_slow_server_times_out(server: ScriptedServer) -> None:
    """A timeout raises ModelUnavailable, and the next calls fail at once while the server is left alone."""
    server.steps = [Step(delay=1.0)]
    completion = make(server, timeout=0.2)
    started = time.monotonic()
    for _ in range(10):
        with pytest.raises(ModelUnavailable):
            words(completion)
    assert time.monotonic() - started < 0.9
    assert len(server.seen) == 1


def test_a_slow_answer_holds_up_nobody_else(server: ScriptedServer) -> None:
    """While one thread waits for an answer, another one gets its own."""
    server.steps = [Step(body=given("openai", WORDS), delay=0.8)]
    server.default = lambda body: given("openai", WORDS)
    completion = make(server)
    slow = threading.Thread(target=words, args=(completion,))
    slow.start()
    while not server.seen:
        time.sleep(0.01)
    started = time.monotonic()
    assert words(completion) == WORDS
    assert time.monotonic() - started < 0.6
    assert slow.is_alive()
    slow.join()


@pytest.mark.parametrize(
    "body",
    [
        said("openai", "I would rather talk about the sea."),
        said("openai", ""),
        said("openai", '{"words": "none"}'),
        said("openai", '{"other": []}'),
        said("openai", "null"),
        {"choices": []},
        {"choices": [{"message": None}]},
        {"choices": "none"},
        [],
        None,
        b"<html>",
    ],
)
def test_two_unreadable_answers_are_an_error(server: ScriptedServer, body: Any) -> None:
    """After a second answer that holds no such object the call raises ModelAnswerInvalid: nothing is made up."""
    server.steps = [Step(body=body)] * 9
    with pytest.raises(ModelAnswerInvalid):
        words(make(server))
    assert len(server.seen) == 2


@pytest.mark.parametrize("provider", ["anthropic", "gemini"])
@pytest.mark.parametrize("body", [{}, [], None, {"content": "x"}, {"candidates": []}, {"candidates": [1]}])
def test_other_forms_are_an_error(server: ScriptedServer, provider: str, body: Any) -> None:
    """An answer that is none of the provider's raises ModelAnswerInvalid and is asked for once more."""
    server.steps = [Step(body=body)] * 9
    with pytest.raises(ModelAnswerInvalid):
        words(make(server, provider))
    assert len(server.seen) == 2


@pytest.mark.parametrize("second", [said("openai", "no"), said("openai", '{"words": [', cut=True)])
def test_a_cut_answer_is_taken_as_far_as_it_goes(server: ScriptedServer, second: Any) -> None:
    """Where the second answer is no better, what the first one holds is taken."""
    server.steps = [Step(body=said("openai", '{"words": ["kettle", "tea', cut=True)), Step(body=second)]
    assert words(make(server))["words"][0] == "kettle"


def test_a_second_refusal_keeps_the_first_answer(server: ScriptedServer) -> None:
    """A server that refuses the higher limit leaves what the first answer held."""
    first = said("openai", '{"words": ["kettle"], "more": "', cut=True)
    server.steps = [Step(body=first), complaint(400, "max_tokens is too large: 4096")]
    assert words(make(server)) == {"words": ["kettle"]}


def test_a_model_that_thinks_gets_room(server: ScriptedServer) -> None:
    """A limit that is spent on thinking is raised, for this answer and the later ones."""
    server.steps = [Step(body=said("openai", "<think>let me", cut=True))] + [Step(body=said("openai", "yes"))] * 2
    completion = make(server)
    assert [completion.complete_text("Same?", "a, b", 8) for _ in range(2)] == ["yes", "yes"]
    assert [seen.body["max_tokens"] for seen in server.seen] == [8, 2064, 2056]


def test_a_cut_text_ends_with_a_sentence(server: ScriptedServer) -> None:
    """A text that the limit cut keeps its whole sentences; one without any is kept as it is."""
    server.steps = [
        Step(body=said("openai", "喝茶。每天早", cut=True)),
        Step(body=said("openai", "Likes te", cut=True)),
    ]
    completion = make(server)
    assert [completion.complete_text("Sum up.", "tea", 9) for _ in range(2)] == ["喝茶。", "Likes te"]


def test_an_empty_text_is_an_error(server: ScriptedServer) -> None:
    """A model that says nothing twice raises ModelAnswerInvalid."""
    server.steps = [Step(body=said("openai", " \0 "))] * 2
    with pytest.raises(ModelAnswerInvalid):
        make(server).complete_text("Sum up.", "tea", 9)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_key_is_never_shown(server: ScriptedServer, caplog: pytest.LogCaptureFixture, provider: str) -> None:
    """The key goes out in the provider's header alone and is in no repr, log line or error."""
    caplog.set_level(0)
    server.steps = [complaint(400, f"bad {KEY}"), complaint(401, f"bad {KEY}"), Step(body=f"<{KEY}>".encode())]
    server.default = lambda body: {"error": KEY}
    completion = make(server, provider, retries=0)
    shown = [repr(completion), completion.fingerprint]
    for _ in range(4):
        with pytest.raises(ModelError) as caught:
            words(completion)
        shown += [str(caught.value), repr(caught.value)]
    header = {"anthropic": "x-api-key", "openai": "Authorization", "gemini": "x-goog-api-key"}[provider]
    assert all(KEY in seen.headers[header] for seen in server.seen)
    assert all(sum(KEY in value for value in seen.headers.values()) == 1 for seen in server.seen)
    assert KEY not in " ".join(shown) + caplog.text


def test_a_provider_that_is_not_known_is_refused() -> None:
    """An unknown provider's error names the nearest one; a model has to be named."""
    with pytest.raises(InvalidInput, match="did you mean 'anthropic'"):
        open_completion("antropic", model="m")
    with pytest.raises(InvalidInput, match="name the model"):
        open_completion("openai", model=" ")


def test_a_closed_completion_may_be_asked_again(server: ScriptedServer) -> None:
    """Closing releases the connections, and the next call opens new ones."""
    server.default = lambda body: given("openai", WORDS)
    completion = make(server)
    words(completion)
    completion.close()
    assert words(completion) == WORDS


@pytest.mark.parametrize("shape", ["", "fenced", "prose", "think"])
def test_the_shared_stub_is_understood(stub_module: ModuleType, shape: str) -> None:
    """Against the project's stub, an object is read in whatever shape it comes."""
    with stub_module.Stub(rules=[{"marker": "List the words", "reply": WORDS, "shape": shape}]) as stub:
        completion = open_completion("openai", model="stub-model", base_url=stub.url)
        assert words(completion) == WORDS
        completion.close()
        assert len(stub.requests) == 1


def test_faults_of_the_shared_stub_pass(stub_module: ModuleType, clock: FakeTime) -> None:
    """Against the project's stub: an outage, a hang-up and a cut answer pass, and the object arrives."""
    rules: list[dict[str, Any]] = [
        {"status": 503, "times": 1},
        {"status": 0, "times": 1},
        {"reply": WORDS, "cut": 14, "times": 1},
        {"reply": WORDS},
    ]
    with stub_module.Stub(rules=rules) as stub:
        completion = open_completion("openai", model="stub-model", base_url=stub.url, time=clock.time)
        assert words(completion) == WORDS
        completion.close()
        assert len(stub.requests) == 4
