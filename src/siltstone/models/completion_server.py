"""The JSON server of a completion model: its key in the header that the provider wants, its errors by what they mean.

A `ModelRefused` from here is about this one request: sent again it would be refused again. What a person can mend (a wrong
key, model or address, an empty account) is plain ModelUnavailable: the same request succeeds once that is mended.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from siltstone.errors import ModelRefused, ModelUnavailable
from siltstone.models.http import JsonServer, Policy, Time
from siltstone.models.retrying import detail_of

PATIENCE = Policy(timeout=60.0, budget=120.0)
"""A model that writes takes longer than one that embeds."""
ABOUT_THE_REQUEST = frozenset({400, 413, 422, 451})
ABOUT_THE_ACCOUNT = re.compile(
    r"api[ _-]?key|credential|credit|billing|quota|balance|payment|account|arrear|subscription|unauthori[sz]ed"
    r"|model\b.{0,60}\b(?:not found|not exist|no access)",
    re.IGNORECASE,
)

ABOUT_THE_CONTENT = re.compile(
    r"flagged|moderation|content[ _-]?(?:policy|filter|management)|usage polic|safety|inappropriate|prohibited",
    re.IGNORECASE,
)


class CompletionServer(JsonServer):
    """A JsonServer whose key goes out in `key_header`, as a bearer token where that is empty. Never shows the key."""

    def __init__(
        self,
        address: str,
        *,
        api_key: str | None = None,
        key_header: str = "",
        headers: Mapping[str, str] | None = None,
        policy: Policy | None = None,
        time: Time | None = None,
    ) -> None:
        super().__init__(address, api_key=api_key, headers=headers, policy=policy or PATIENCE, time=time)
        if key_header and self._headers.pop("Authorization", ""):
            self._headers[key_header] = self._key

    def post_json(self, path: str, body: Any, *, version: str = "") -> Any:
        """As in JsonServer; an answer of status 200 that holds an error raises too."""
        try:
            answer = super().post_json(path, body, version=version)
        except ModelRefused as refusal:
            if _is_final(refusal):
                raise
            raise ModelUnavailable(str(refusal)) from refusal
        if isinstance(answer, dict) and answer.get("error"):
            detail = self._hide(detail_of(json.dumps(answer).encode()))
            raise ModelUnavailable(f"the completion server answered with an error{detail}; see the server's log")
        return answer


def words_of(refusal: ModelRefused) -> str:
    """The server's own words in a refusal, "" where it gave none."""
    return str(refusal).partition(f"status {refusal.status}")[2].rpartition("; ")[0].strip(" ()")


def _is_final(refusal: ModelRefused) -> bool:
    """Whether the request itself is refused, so that nothing that a person mends elsewhere would let it pass."""
    said = words_of(refusal)
    about_it = refusal.status in ABOUT_THE_REQUEST and not ABOUT_THE_ACCOUNT.search(said)
    return about_it or (400 <= refusal.status < 500 and bool(ABOUT_THE_CONTENT.search(said)))
