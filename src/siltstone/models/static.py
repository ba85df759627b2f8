"""The default embedder: static word-piece vectors that the package `wordllama` carries; no network, no ML framework.

A text's vector is the mean of its pieces' vectors at unit length. The vectors were trained for exactly that mean
(WordLlama, MIT licence), and a piece's length is its weight: "the" has a twelfth of the length of "cat".
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siltstone.errors import ModelAnswerInvalid, ModelUnavailable
from siltstone.models.bytepair import BytePairTokenizer
from siltstone.models.packages import package_folder
from siltstone.models.tensors import map_tensor

WEIGHTS = "weights/l2_supercat_256.safetensors"
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
TENSOR = "embedding.weight"
SHAPE = (32_000, 256)
TOKEN_LIMIT = 512
TOKENS_A_STEP = 4_096
Related = tuple[tuple[str, float], ...]
LEAST_ALIKE, MOST_RELATED, KEPT_RELATED = 0.3, 64, 8_192
PREFIX, SHORTLIST = 64, 256
PROBE_ROWS = slice(400, 32_000, 4_000)
PROBE_SUM = 1375.394


@dataclass(frozen=True, slots=True, kw_only=True)
class _Loaded:
    tokenizer: BytePairTokenizer
    vectors: NDArray[Any]


class StaticEmbedder:
    """English, 256 dimensions, some 20,000 short texts a second on one thread; loaded when first used.

    A text is cut to its first 512 word pieces (about 380 English words). Threads may share one; after a fork each
    process goes on with the same mapped file. Raises MissingDependency when `wordllama` is not installed.
    """

    dimension = SHAPE[1]
    fingerprint = f"wordllama-l2-supercat/{dimension}/mean-{TOKEN_LIMIT}/1"
    languages = frozenset({"en"})
    inline = True

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None
        self._whole: tuple[list[str], NDArray[np.intp], NDArray[np.float32]] | None = None
        self._related: dict[str, Related] = {}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit-length vectors, shape (len(texts), 256). A blank text raises ModelAnswerInvalid: it has no vector."""
        sums = np.empty((len(texts), self.dimension), dtype=np.float32)
        row = 0
        for ids, vectors in self._steps(texts):
            start = 0
            for length in ids:
                vectors[start : start + length].sum(axis=0, out=sums[row])
                row, start = row + 1, start + length
        return _unit(sums)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """One query's unit-length vector, shape (256,): queries and texts are treated alike."""
        row: NDArray[np.float32] = self.embed([text])[0]
        return row

    def token_vectors(self, texts: Sequence[str]) -> list[tuple[list[int], NDArray[np.float32]]]:
        """Each text's piece ids and their vectors as trained (not unit length), shape (pieces, 256)."""
        model = self._model()
        encoded = [model.tokenizer.encode(text, TOKEN_LIMIT) for text in texts]
        return [(ids, model.vectors[ids].astype(np.float32)) for ids in encoded]

    def related(self, words: Sequence[str]) -> list[Related]:
        """For each word, words like it among the model's own: (word, closeness on (0, 1]), at most 64, closest first.

        Closeness is (cosine − .3) / .7; what is less alike than .3 is no relation. A word is the closest to itself.
        """
        fresh = [word for word in dict.fromkeys(words) if word not in self._related]
        if len(self._related) + len(fresh) > KEPT_RELATED:
            self._related.clear()
            fresh = list(dict.fromkeys(words))
        if fresh:
            self._related.update(zip(fresh, self._nearest(fresh), strict=True))
        return [self._related[word] for word in words]

    def _nearest(self, words: Sequence[str]) -> Iterator[Related]:
        names, ids, short = self._words()
        vectors = self._model().vectors
        for query in self.embed(words):
            near = np.argpartition(short @ -query[:PREFIX], SHORTLIST)[:SHORTLIST]
            alike = (_unit(vectors[ids[near]].astype(np.float32)) @ query - LEAST_ALIKE) / (1 - LEAST_ALIKE)
            best = np.argsort(-alike, kind="stable")[:MOST_RELATED]
            yield tuple((names[near[at]], min(float(alike[at]), 1.0)) for at in best if alike[at] > 0)

    def _words(self) -> tuple[list[str], NDArray[np.intp], NDArray[np.float32]]:
        """The vocabulary's whole words, their ids, and their vectors' beginnings at unit length; made on first use.

        The model was trained so that the beginning of a vector is a vector of its own (Kusupati et al. 2022), which
        serves to make the short list.
        """
        made = self._whole
        if made is None:
            model = self._model()
            names, numbers = model.tokenizer.whole_words()
            ids = np.asarray(numbers, dtype=np.intp)
            made = self._whole = names, ids, _unit(model.vectors[ids, :PREFIX].astype(np.float32))
        return made

    def _steps(self, texts: Sequence[str]) -> Iterator[tuple[list[int], NDArray[np.float32]]]:
        """Runs of texts as (pieces of each text, vectors of all their pieces), so that memory stays bounded."""
        model = self._model()
        lengths, ids = list[int](), list[int]()
        for at, text in enumerate(texts):
            found = model.tokenizer.encode(text, TOKEN_LIMIT)
            if not found:
                raise ModelAnswerInvalid(f"text {at} has no vector: {text!r} is blank; leave blank texts out")
            lengths.append(len(found))
            ids += found
            if len(ids) >= TOKENS_A_STEP:
                yield lengths, model.vectors[ids].astype(np.float32)
                lengths, ids = [], []
        if ids:
            yield lengths, model.vectors[ids].astype(np.float32)

    def _model(self) -> _Loaded:
        loaded = self._loaded
        return loaded if loaded is not None else self._load_once()

    def _load_once(self) -> _Loaded:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load()
            return self._loaded


def _load() -> _Loaded:
    folder = package_folder("wordllama", "local")
    vectors = map_tensor(folder / WEIGHTS, TENSOR)
    probe = float(np.abs(vectors[PROBE_ROWS].astype(np.float64)).sum())
    if vectors.shape != SHAPE or abs(probe - PROBE_SUM) > 1e-3:
        raise ModelUnavailable(
            f"the installed wordllama carries other vectors ({vectors.shape}, probe {probe:.3f}) than this release "
            "names in stored vectors; run: pip install 'wordllama==0.4.0.post1'"
        )
    return _Loaded(tokenizer=BytePairTokenizer.from_file(folder / TOKENIZER), vectors=vectors)


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit
