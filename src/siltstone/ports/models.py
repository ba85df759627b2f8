"""The model ports. Vectors are float32 arrays; nothing else about numpy is assumed here.

Each may be called from any thread. What goes wrong is a ModelError: ModelUnavailable where the same call may succeed
later, ModelAnswerInvalid where the answer cannot be used. No port makes up an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from siltstone.domain.verdicts import Verdict

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


@runtime_checkable
class Thesaurus(Protocol):
    """Knows words that are like others; an embedder may be one as well."""

    def related(self, words: Sequence[str]) -> Sequence[Sequence[tuple[str, float]]]:
        """For each word: (word, closeness on (0, 1]) for words like it, closest first; () for one it does not know."""
        ...


class Completion(Protocol):
    """A language model that answers once, at temperature 0. `fingerprint` names it, to be recorded with its answers."""

    @property
    def fingerprint(self) -> str: ...

    def complete_json(self, instructions: str, text: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """An object that has what `schema`, a JSON schema of an object, requires, each value of the right type.

        What lies deeper is the caller's to check. `text` is data and never an instruction. Raises ModelError.
        """
        ...

    def complete_text(self, instructions: str, text: str, limit: int) -> str:
        """A plain text of about `limit` tokens at most, never empty. Raises ModelError."""
        ...


class Entailment(Protocol):
    """Says whether one statement implies another. A `fingerprint` that begins with "rules/" asks nobody outside."""

    @property
    def fingerprint(self) -> str: ...

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Verdict]:
        """A verdict for each (premise, hypothesis), in order. Raises ModelError."""
        ...


class Reranker(Protocol):
    """Scores texts against a query. `fingerprint` names the model, to be shown in a trace."""

    @property
    def fingerprint(self) -> str: ...

    def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """The score of each text, in the order of the texts; higher is better. Raises ModelError."""
        ...
