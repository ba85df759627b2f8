"""What a failed request means: another try, a refusal, how long to wait."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

DETAIL_LIMIT = 200
HINTS = {
    301: "the server has moved; set the address that it redirects to",
    302: "the server redirects; set the address that it redirects to",
    307: "the server redirects; set the address that it redirects to",
    308: "the server has moved; set the address that it redirects to",
    400: "check the model name and the input",
    401: "check the api_key",
    403: "check that the api_key may use this model",
    404: "check the address and the model name",
    405: "the address is not that of the endpoint; set the server's base address",
    413: "the input is too long for this model; ask for less at once",
    422: "the server does not take this input; ask for less at once",
}


class Failure(Exception):
    """One try failed and another may succeed. Never leaves this package: callers see ModelUnavailable."""

    def __init__(
        self,
        reason: str,
        *,
        cause: Exception | None = None,
        timed_out: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(reason)
        self.cause, self.timed_out, self.retry_after = cause, timed_out, retry_after


def retry_after_seconds(headers: Mapping[str, str], wall: float) -> float | None:
    """Seconds that `Retry-After` asks for (RFC 9110, section 10.2.3: a number or a date); None if it says nothing.

    A date counts from the answer's own `Date`, so that a wrong clock on this side does no harm, else from `wall`.
    """
    asked = headers.get("Retry-After", "").strip()
    try:
        return max(0.0, float(asked)) if asked.replace(".", "", 1).isdigit() else _until(asked, headers, wall)
    except (TypeError, ValueError, OverflowError):
        return None


def _until(asked: str, headers: Mapping[str, str], wall: float) -> float | None:
    if not asked:
        return None
    sent = headers.get("Date")
    start = parsedate_to_datetime(sent) if sent else datetime.fromtimestamp(wall, UTC)
    return max(0.0, (parsedate_to_datetime(asked) - start).total_seconds())


def detail_of(answer: bytes) -> str:
    """The server's own words for what went wrong, as ` (…)`, cut to 200 characters; "" where there are none."""
    try:
        body = json.loads(answer)
    except ValueError:
        return ""
    found = body.get("error", body.get("message", body.get("detail"))) if isinstance(body, dict) else None
    found = found.get("message") if isinstance(found, dict) else found
    return f" ({str(found)[:DETAIL_LIMIT]})" if found else ""
