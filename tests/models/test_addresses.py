"""Rules of joining an endpoint's address."""

from __future__ import annotations

import pytest

from siltstone.errors import InvalidInput
from siltstone.models.addresses import join_address, shown_address

HOST = "http://localhost:8997"


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        (HOST, f"{HOST}/v1/embeddings"),
        (f"{HOST}/", f"{HOST}/v1/embeddings"),
        (f"{HOST}/v1", f"{HOST}/v1/embeddings"),
        (f"{HOST}/v1/", f"{HOST}/v1/embeddings"),
        (f"{HOST}/v1/embeddings", f"{HOST}/v1/embeddings"),
        (f" {HOST}/v1/embeddings/ ", f"{HOST}/v1/embeddings"),
        (f"{HOST}/embeddings", f"{HOST}/embeddings"),
        (f"{HOST}/v1/chat/completions", f"{HOST}/v1/embeddings"),
        (f"{HOST}/proxy", f"{HOST}/proxy/v1/embeddings"),
        (
            "https://dashscope.aliyuncs.com/compatible-mode/v1",
            "https://dashscope.aliyuncs.com/compatible-mode/v1/embeddings",
        ),
        ("https://host/v1beta/openai/", "https://host/v1beta/openai/embeddings"),
        (
            "https://host/openai/deployments/e/embeddings?api-version=1",
            "https://host/openai/deployments/e/embeddings?api-version=1",
        ),
        ("https://host/v1?k=1#part", "https://host/v1/embeddings?k=1"),
    ],
)
def test_every_way_to_write_a_base_reaches_the_endpoint(base: str, expected: str) -> None:
    """Root, versioned base and full address all lead to the same endpoint, never to a doubled path."""
    assert join_address(base, "/embeddings", version="/v1") == expected


@pytest.mark.parametrize(
    ("base", "path", "expected"),
    [
        (HOST, "/predict", f"{HOST}/predict"),
        (f"{HOST}/predict", "/predict", f"{HOST}/predict"),
        (f"{HOST}/v1", "/rerank", f"{HOST}/v1/rerank"),
        (f"{HOST}/rerank", "/rerank", f"{HOST}/rerank"),
    ],
)
def test_an_endpoint_without_a_version_gets_none(base: str, path: str, expected: str) -> None:
    """Where an endpoint has no versioned form, none is added."""
    assert join_address(base, path) == expected


@pytest.mark.parametrize(
    "base", ["", "localhost:8997", "ftp://host/v1", "http://", "http://host:99999", "http://host:x"]
)
def test_what_is_no_http_address_is_refused(base: str) -> None:
    """An address without scheme, host or usable port raises InvalidInput that shows how to write one."""
    with pytest.raises(InvalidInput, match="http://localhost"):
        join_address(base, "/embeddings")


def test_a_password_in_the_address_is_refused_unseen() -> None:
    """User and password do not belong in an address, and the error does not repeat them."""
    with pytest.raises(InvalidInput) as caught:
        join_address("http://me:hunter2@host/v1", "/embeddings")
    assert "hunter2" not in str(caught.value)


def test_a_query_is_not_shown() -> None:
    """The form for messages has no query."""
    assert shown_address("https://host/v1?key=abc") == "https://host/v1"
