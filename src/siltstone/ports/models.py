"""The model ports. Vectors are float32 arrays; nothing else about numpy is assumed here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into vectors.

    `fingerprint` names the model, its version, its dimension and everything that changes its output: vectors of two
    fingerprints are never compared. `languages` is empty for "any"; with "en", other scripts get no weight.
    `inline` says that it is quick enough to run inside a write or a recall (well below a millisecond a text).
    """

    @property
    def fingerprint(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    @property
    def languages(self) -> frozenset[str]: ...

    @property
    def inline(self) -> bool: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit-length vectors, shape (len(texts), dimension). Raises ModelError; never returns made-up vectors."""
        ...

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The unit-length vector of a query, shape (dimension,); models that tell queries from passages differ here."""
        ...
