"""Rules of the circuit breaker."""

from __future__ import annotations

import pytest

from models.scripted import FakeTime
from siltstone.models.breaker import Breaker


@pytest.fixture
def breaker(clock: FakeTime) -> Breaker:
    """One that opens after three failures for thirty seconds."""
    return Breaker(limit=3, rest=30, now=lambda: clock.at)


def test_it_opens_at_the_limit(breaker: Breaker) -> None:
    """Two failures let callers through, the third turns them away."""
    breaker.failed()
    breaker.failed()
    assert breaker.admit() == 0
    breaker.failed()
    assert breaker.admit() == 30


def test_a_success_forgets_failures(breaker: Breaker) -> None:
    """Only failures in a row count."""
    for _ in range(5):
        breaker.failed()
        breaker.failed()
        breaker.succeeded()
    assert breaker.admit() == 0


def test_after_the_rest_one_caller_tries(breaker: Breaker, clock: FakeTime) -> None:
    """When the rest is over one caller is let through while the others still wait."""
    breaker.failed(at_once=True)
    clock.at += 30
    assert breaker.admit() == 0
    assert breaker.admit() == 30


def test_a_rest_may_be_asked_for(breaker: Breaker, clock: FakeTime) -> None:
    """A rest that the endpoint asks for holds in place of the usual one."""
    breaker.failed(rest=100)
    clock.at += 99
    assert breaker.admit() == 1
    assert breaker.is_open
