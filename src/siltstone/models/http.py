"""One JSON server, asked by POST: timeout, bounded retries, circuit breaker, named errors. Shared by all endpoints.

A failed try is repeated on 408, 429, 5xx and a broken connection, after 0.25, 0.5, 1 … seconds or what `Retry-After`
says. A timeout is not repeated. A longer wait than `longest_wait` is not waited for: the call fails and the server is
left alone meanwhile. Refusals (400, 401, 404 …) fail at once. No lock is held while a request is under way.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from siltstone.errors import InvalidInput, MissingDependency, ModelAnswerInvalid, ModelRefused, ModelUnavailable
from siltstone.models.addresses import check_address, is_loopback, join_address, shown_address
from siltstone.models.breaker import Breaker
from siltstone.models.retrying import HINTS, Failure, detail_of, retry_after_seconds

if TYPE_CHECKING:
    import httpx2

ANSWER_LIMIT = 64 << 20
LONGEST_REST = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How patient a server's caller is. Times are in seconds."""

    timeout: float = 10.0
    """For one try, from sending it until the last byte of the answer."""
    retries: int = 2
    budget: float = 30.0
    """For all tries of one call together, waits included."""
    backoff: float = 0.25
    longest_wait: float = 8.0
    breaker_failures: int = 3
    breaker_rest: float = 30.0

    def __post_init__(self) -> None:
        if not (self.timeout > 0 and self.budget > 0 and self.retries >= 0 and self.breaker_failures > 0):
            raise InvalidInput(f"{self} cannot be kept; times and breaker_failures must be above 0, retries 0 or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class Time:
    """Where time comes from, so that tests own it: a clock that never goes back, the wall clock, and waiting."""

    monotonic: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep


class JsonServer:
    """A server at `address` (its root, its versioned base or a full endpoint). Threads may share one.

    The connection pool is opened on first use, again in a forked child, and released by `close`. `api_key` goes out as
    a bearer token; neither it nor `headers` are ever shown. Raises InvalidInput for an unusable address or key.
    """

    def __init__(
        self,
        address: str,
        *,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        policy: Policy | None = None,
        time: Time | None = None,
    ) -> None:
        check_address(address)
        self._address, self._key = address.strip(), (api_key or "").strip()
        if not (self._key.isascii() and (self._key.isprintable())):
            raise InvalidInput("the api_key cannot be sent: it holds characters that no key has; copy it again")
        self._headers = {"Content-Type": "application/json", "Accept": "application/json", **(headers or {})}
        if self._key:
            self._headers["Authorization"] = f"Bearer {self._key}"
        self._policy, self._time = policy or Policy(), time or Time()
        self._breaker = Breaker(
            limit=self._policy.breaker_failures, rest=self._policy.breaker_rest, now=self._time.monotonic
        )
        self._clients: dict[int, httpx2.Client] = {}

    def __repr__(self) -> str:
        return f"JsonServer({shown_address(self._address)!r})"

    def post_json(self, path: str, body: Any, *, version: str = "") -> Any:
        """The decoded JSON answer to a POST of `body`. Raises ModelUnavailable or ModelAnswerInvalid."""
        address = join_address(self._address, path, version=version)
        if (left := self._breaker.admit()) > 0:
            raise ModelUnavailable(
                f"{shown_address(address)} failed {self._breaker.failures} times in a row and is left alone for "
                f"another {left:.0f} s; check that the server runs"
            )
        deadline = self._time.monotonic() + self._policy.budget
        data = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        for attempt in range(self._policy.retries + 1):
            try:
                return self._once(address, data, deadline)
            except Failure as failure:
                if not self._wait_after(failure, attempt, deadline):
                    raise ModelUnavailable(
                        f"{shown_address(address)} did not answer ({attempt + 1} of {self._policy.retries + 1} tries): "
                        f"{self._hide(str(failure))}; check the server and its address, or raise the timeout"
                    ) from failure.cause
        raise AssertionError("the last try returns or raises")

    def close(self) -> None:
        """Closes the connections; the next call opens new ones."""
        if client := self._clients.pop(os.getpid(), None):
            client.close()

    def _once(self, address: str, data: bytes, deadline: float) -> Any:
        """One try. Raises Failure where another try may help, ModelRefused or ModelAnswerInvalid where it cannot."""
        client = self._client()
        import httpx2

        limit = min(self._policy.timeout, deadline - self._time.monotonic())
        until = self._time.monotonic() + limit
        request = client.stream("POST", address, content=data, headers=self._headers, timeout=limit)
        try:
            with request as response:
                answer = self._read(response, until)
        except httpx2.TimeoutException as error:
            raise Failure(f"no answer within {limit:.1f} s", cause=error, timed_out=True) from error
        except (httpx2.TransportError, httpx2.DecodingError) as error:
            raise Failure(f"{type(error).__name__}: {error}", cause=error) from error
        return self._decode(address, response, answer)

    def _read(self, response: httpx2.Response, until: float) -> bytes:
        answer = bytearray()
        for part in response.iter_bytes():
            answer += part
            if self._time.monotonic() > until:
                raise Failure("the answer came too slowly to end in time", timed_out=True)
            if len(answer) > ANSWER_LIMIT:
                raise ModelAnswerInvalid(f"the answer has more than {ANSWER_LIMIT >> 20} MiB; ask for less at once")
        return bytes(answer)

    def _decode(self, address: str, response: httpx2.Response, answer: bytes) -> Any:
        status = response.status_code
        if status in (408, 429) or status >= 500:
            wait = retry_after_seconds(response.headers, self._time.wall())
            raise Failure(f"status {status}{detail_of(answer)}", retry_after=wait)
        self._breaker.succeeded()
        if not 200 <= status < 300:
            hint = HINTS.get(status, "see the server's log")
            raise ModelRefused(
                f"{shown_address(address)} refused the request with status {status}"
                f"{self._hide(detail_of(answer))}; {hint}",
                status=status,
            )
        try:
            return json.loads(answer)
        except ValueError as error:
            start = self._hide(repr(answer[:80]))
            raise ModelAnswerInvalid(
                f"{shown_address(address)} answered {start}, which is no JSON; check that the address is the endpoint's"
            ) from error

    def _wait_after(self, failure: Failure, attempt: int, deadline: float) -> bool:
        """Records a failure; waits and answers True where another try is due."""
        policy, asked = self._policy, failure.retry_after
        if asked is not None and asked > policy.longest_wait:
            self._breaker.failed(rest=min(asked, LONGEST_REST))
            return False
        self._breaker.failed(at_once=failure.timed_out)
        wait = min(policy.backoff * 2**attempt, policy.longest_wait) if asked is None else asked
        if attempt == policy.retries or self._breaker.is_open or self._time.monotonic() + wait >= deadline:
            return False
        self._time.sleep(wait)
        return True

    def _client(self) -> httpx2.Client:
        client = self._clients.get(os.getpid())
        if client is not None:
            return client
        opened = self._open_client()
        client = self._clients.setdefault(os.getpid(), opened)
        if client is not opened:
            opened.close()
        return client

    def _open_client(self) -> httpx2.Client:
        try:
            import httpx2
        except ImportError as error:
            raise MissingDependency("httpx2", "http") from error
        secure = self._address.lower().startswith("https:")  # reading the certificates takes time that http needs not
        return httpx2.Client(trust_env=not is_loopback(self._address), follow_redirects=False, verify=secure)

    def _hide(self, text: str) -> str:
        return text.replace(self._key, "***") if self._key else text
