"""Rules of asking a JSON server."""

from __future__ import annotations

import os
import socket
import threading
import time
from typing import Any

import pytest

from models.scripted import FakeTime, ScriptedServer, Step
from siltstone.errors import InvalidInput, ModelAnswerInvalid, ModelRefused, ModelUnavailable
from siltstone.models.http import JsonServer, Policy

KEY = "sk-secret-0123456789"


def make(
    server: ScriptedServer | str, clock: FakeTime | None = None, key: str | None = None, **policy: Any
) -> JsonServer:
    address = server if isinstance(server, str) else server.url
    return JsonServer(address, api_key=key, policy=Policy(**policy), time=clock.time if clock else None)


def ask(client: JsonServer) -> Any:
    return client.post_json("/embeddings", {"model": "m", "input": ["a"]}, version="/v1")


def closed_address() -> str:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_a_passing_failure_is_tried_again(server: ScriptedServer, clock: FakeTime, status: int) -> None:
    """A status that may pass is tried again after a wait, and the answer of the later try is used."""
    server.steps = [Step(status=status), Step(body={"ok": 1})]
    assert ask(make(server, clock)) == {"ok": 1}
    assert clock.waits == [0.25]


def test_waits_double(server: ScriptedServer, clock: FakeTime) -> None:
    """Each wait is twice the one before, up to the longest wait."""
    server.steps = [Step(status=500)] * 5
    ask(make(server, clock, retries=5, longest_wait=1.5, breaker_failures=9))
    assert clock.waits == [0.25, 0.5, 1.0, 1.5, 1.5]


def test_tries_are_bounded(server: ScriptedServer, clock: FakeTime) -> None:
    """After the last retry the call fails with ModelUnavailable, which names the status and the server's own words."""
    server.steps = [Step(status=503, body={"error": {"message": "model is loading"}})] * 9
    with pytest.raises(ModelUnavailable, match=r"3 of 3 tries.*503 \(model is loading\)"):
        ask(make(server, clock))
    assert len(server.seen) == 3


@pytest.mark.parametrize("status", [300, 301, 307, 400, 401, 403, 404, 405, 409, 413, 422])
def test_a_refusal_is_final(server: ScriptedServer, clock: FakeTime, status: int) -> None:
    """A request that would be refused again is not sent again, and the error carries the status."""
    server.steps = [Step(status=status, body={"detail": "no"}, headers={"Location": "/elsewhere"})]
    with pytest.raises(ModelRefused, match=str(status)) as caught:
        ask(make(server, clock))
    assert caught.value.status == status
    assert len(server.seen) == 1
    assert not clock.waits


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry-After": "3"}, 3.0),
        ({"Retry-After": "0"}, 0.0),
        ({"Retry-After": "1.5"}, 1.5),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:05 GMT", "Date": "Wed, 21 Oct 2015 07:28:00 GMT"}, 5.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT", "Date": "Wed, 21 Oct 2015 07:28:05 GMT"}, 0.0),
        ({"Retry-After": "soon"}, 0.25),
        ({"Retry-After": "²"}, 0.25),
        ({"Retry-After": ""}, 0.25),
    ],
)
def test_retry_after_is_honoured(server: ScriptedServer, clock: FakeTime, headers: dict[str, str], wait: float) -> None:
    """Retry-After in seconds or as a date sets the wait; one that cannot be read is passed over."""
    server.steps = [Step(status=429, headers=headers)]
    ask(make(server, clock))
    assert clock.waits == [wait]


def test_a_long_retry_after_is_not_waited_for(server: ScriptedServer, clock: FakeTime) -> None:
    """A server that asks for more than the longest wait is left alone for that time, and the call fails at once."""
    server.steps = [Step(status=429, headers={"Retry-After": "120"})]
    client = make(server, clock)
    with pytest.raises(ModelUnavailable, match="429"):
        ask(client)
    clock.at += 119
    with pytest.raises(ModelUnavailable, match="left alone"):
        ask(client)
    clock.at += 2
    ask(client)
    assert (len(server.seen), clock.waits) == (2, [])


def test_the_budget_ends_the_tries(server: ScriptedServer, clock: FakeTime) -> None:
    """No wait begins that would end after the call's budget."""
    server.steps = [Step(status=503, headers={"Retry-After": "4"})] * 9
    with pytest.raises(ModelUnavailable):
        ask(make(server, clock, retries=8, budget=10, breaker_failures=99))
    assert clock.waits == [4.0, 4.0]


def test_a_hang_up_is_tried_again(server: ScriptedServer, clock: FakeTime) -> None:
    """A connection that breaks before the answer is tried again."""
    server.steps = [Step(status=0), Step(body=[1])]
    assert ask(make(server, clock)) == [1]


def test_nobody_listening(clock: FakeTime) -> None:
    """A server that is not there gives ModelUnavailable with its address and what to check."""
    with pytest.raises(ModelUnavailable, match=r"127\.0\.0\.1.*check the server"):
        ask(make(closed_address(), clock))


def test_a_dead_server_costs_one_timeout(server: ScriptedServer) -> None:
    """After one timeout the server is left alone: the next calls fail at once."""
    server.steps = [Step(delay=1.0)]
    client = make(server, timeout=0.2)
    started = time.monotonic()
    for _ in range(20):
        with pytest.raises(ModelUnavailable):
            ask(client)
    assert time.monotonic() - started < 0.9
    assert len(server.seen) == 1


def test_a_dripping_answer_times_out(server: ScriptedServer) -> None:
    """The timeout counts for the whole answer, so a server that sends byte by byte cannot hold a call."""
    server.steps = [Step(body="x" * 500, drip=0.02)]
    started = time.monotonic()
    with pytest.raises(ModelUnavailable, match="slowly"):
        ask(make(server, timeout=0.3))
    assert time.monotonic() - started < 2


def test_the_breaker_lets_one_try_after_its_rest(server: ScriptedServer, clock: FakeTime) -> None:
    """After the rest one call is tried once; a failure starts another rest and a success ends it."""
    server.steps = [Step(status=500)] * 4
    client = make(server, clock, breaker_rest=30)
    for _ in range(2):
        with pytest.raises(ModelUnavailable):
            ask(client)
    assert len(server.seen) == 3
    clock.at += 31
    with pytest.raises(ModelUnavailable, match="1 of 3"):
        ask(client)
    assert len(server.seen) == 4
    clock.at += 31
    ask(client)
    ask(client)
    assert len(server.seen) == 6


def test_refusals_do_not_open_the_breaker(server: ScriptedServer, clock: FakeTime) -> None:
    """A server that refuses is alive: the next request is sent."""
    server.steps = [Step(status=400)] * 10
    client = make(server, clock)
    for _ in range(10):
        with pytest.raises(ModelRefused):
            ask(client)
    ask(client)
    assert len(server.seen) == 11


@pytest.mark.parametrize("body", [b"", b"<html>", b"{'a': 1}", b"\xff\xfe"])
def test_what_is_no_json_is_named(server: ScriptedServer, body: bytes) -> None:
    """An answer that is no JSON raises ModelAnswerInvalid and shows its beginning."""
    server.steps = [Step(body=body)]
    with pytest.raises(ModelAnswerInvalid, match="no JSON"):
        ask(make(server))


def test_the_key_goes_out_as_bearer(server: ScriptedServer) -> None:
    """The key is sent as a bearer token; without one no Authorization header is sent."""
    ask(make(server, key=f" {KEY}\n"))
    ask(make(server))
    assert [seen.headers.get("Authorization") for seen in server.seen] == [f"Bearer {KEY}", None]


def test_the_key_is_never_shown(server: ScriptedServer, caplog: pytest.LogCaptureFixture) -> None:
    """The key is in no repr, log line or error, even where the server repeats it."""
    caplog.set_level(0)
    server.steps = [
        Step(status=401, body={"error": {"message": f"bad key {KEY}"}}),
        Step(status=500, body={"error": KEY}),
        Step(body=f"<{KEY}>".encode()),
    ]
    client = make(server, key=KEY, retries=0)
    shown = [repr(client), str(client)]
    for _ in range(3):
        with pytest.raises((ModelUnavailable, ModelAnswerInvalid)) as caught:
            ask(client)
        shown += [str(caught.value), repr(caught.value)]
    assert KEY not in " ".join(shown) + caplog.text


def test_a_query_is_sent_and_not_shown(server: ScriptedServer) -> None:
    """A query in the address goes out with each request and stays out of messages, since it may hold a key."""
    server.steps = [Step(status=404)]
    client = make(f"{server.url}/v1?api-key=hidden")
    with pytest.raises(ModelUnavailable) as caught:
        ask(client)
    assert server.seen[0].path == "/v1/embeddings?api-key=hidden"
    assert "hidden" not in str(caught.value) + repr(client)


def test_lone_surrogates_are_sent(server: ScriptedServer) -> None:
    """A text with half a surrogate pair is sent with a question mark in its place."""
    make(server).post_json("/embeddings", {"model": "m", "input": ["a\ud800b"]})
    assert server.seen[0].body["input"] == ["a?b"]


def test_threads_share_a_server(server: ScriptedServer) -> None:
    """Calls from many threads at once are all answered."""
    client, answers = make(server), list[Any]()
    threads = [threading.Thread(target=lambda: answers.append(ask(client))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 16


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_opens_its_own_connections(server: ScriptedServer) -> None:
    """After a fork parent and child both get answers, over connections of their own."""
    client = make(server)
    ask(client)
    child = os.fork()
    if child == 0:
        os._exit(0 if ask(client)["data"] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert ask(client)["data"]


def test_close_releases_and_the_next_call_opens_again(server: ScriptedServer) -> None:
    """A closed server may be asked again; closing twice is no error."""
    client = make(server)
    ask(client)
    client.close()
    client.close()
    assert ask(client)["data"]


@pytest.mark.parametrize("key", ["line\nbreak", "naïve"])
def test_an_unusable_key_is_refused_unseen(key: str) -> None:
    """A key that no header can carry is refused without being shown."""
    with pytest.raises(InvalidInput) as caught:
        make("http://localhost:1", key=key)
    assert key not in str(caught.value)


@pytest.mark.parametrize("wrong", [{"timeout": 0}, {"retries": -1}, {"budget": -1}, {"breaker_failures": 0}])
def test_a_policy_that_cannot_be_kept_is_refused(wrong: dict[str, Any]) -> None:
    """Times must be above zero and counts not below it."""
    with pytest.raises(InvalidInput):
        Policy(**wrong)
