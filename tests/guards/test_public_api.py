"""The public API is kept as text, so that no change to it goes unseen."""

from __future__ import annotations

import siltstone
from guards.api_text import FILE, render


def test_the_public_api_is_the_one_on_record() -> None:
    """A changed name, parameter or default shows in public_api.txt; `make api` writes it anew."""
    assert render().splitlines() == FILE.read_text(encoding="utf-8").splitlines()


def test_every_public_name_is_there() -> None:
    """Each name that the package lists can be had from it, and nothing else is listed."""
    assert [name for name in siltstone.__all__ if not hasattr(siltstone, name)] == []
    assert sorted(dir(siltstone)) == sorted(siltstone.__all__)
