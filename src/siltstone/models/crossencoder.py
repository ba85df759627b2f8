"""A cross-encoder from a folder: it reads the query and a text as one, which no vector of either can do. Any language.

No package carries such weights; the folder is an export in ONNX as Hugging Face's tools make them (`model.onnx` or
`onnx/model.onnx`, beside `tokenizer.json`). `onnxruntime` computes it, `tokenizers` reads the text. No network.
"""

from __future__ import annotations

import hashlib
import json
import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from siltstone.errors import InvalidInput, ModelAnswerInvalid, ModelUnavailable
from siltstone.models.onnx import open_session
from siltstone.models.packages import optional_module

EXTRA = "cross-encoder"
MODELS, TOKENIZER, CONFIG = ("model.onnx", "onnx/model.onnx"), "tokenizer.json", "tokenizer_config.json"
INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
WHOLE = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
OUTPUT = "logits"
WEIGHTS = ("_data", ".data")
"""What is added to the model file's name where an export keeps its weights beside it."""
TOKEN_LIMIT = 512
"""Pieces of the query and the text together, where the model's own limit is no lower."""
CHARACTERS = 8_192
"""Characters of each that are looked at: more than any 512 pieces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Loaded:
    tokenizer: Any
    session: Any
    inputs: dict[str, Any]
    output: str
    digest: str


class CrossEncoder:
    """Scores on [0, 1], higher is better: the logistic of a model with one output, the second share of one with two.

    Pairs run one at a time on one thread, so that a score depends on nothing but its pair; a pair that is too long loses
    the end of its longer side. Threads may share one. Raises InvalidInput for a folder without the files; they are read
    when first used, which raises MissingDependency, or ModelUnavailable for what is no cross-encoder. A model that fails
    at a pair raises ModelAnswerInvalid.
    """

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder).expanduser()
        self._model = next((path for name in MODELS if (path := self._folder / name).is_file()), None)
        if self._model is None or not (self._folder / TOKENIZER).is_file():
            raise InvalidInput(
                f"there is no cross-encoder at {str(folder)!r}: rerank.path needs a folder with model.onnx and "
                "tokenizer.json; export one, for instance: optimum-cli export onnx --model NAME FOLDER"
            )
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None

    def __repr__(self) -> str:
        return f"CrossEncoder({str(self._folder)!r})"

    @property
    def fingerprint(self) -> str:
        """The folder's name and, once it is loaded, the beginning of the model file's SHA-256."""
        return f"cross-encoder/{self._folder.name}/{self._loaded.digest if self._loaded else ''}".rstrip("/")

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """The score of each text, in the order of the texts."""
        return [self._score(query, text) for text in texts]

    def close(self) -> None:
        """Lets go of the model; the next call reads it again."""
        with self._lock:
            self._loaded = None

    def _score(self, query: str, text: str) -> float:
        model = self._read()
        pair = model.tokenizer.encode(_readable(query), _readable(text))
        values = {"input_ids": pair.ids, "attention_mask": pair.attention_mask, "token_type_ids": pair.type_ids}
        feed = {name: np.array([values[name]], dtype=kind) for name, kind in model.inputs.items()}
        try:
            answer = model.session.run([model.output], feed)[0]
        except Exception as error:
            # onnxruntime's errors have no common base of their own.
            raise ModelAnswerInvalid(
                f"the cross-encoder {str(self._model)!r} failed at a pair of {len(pair.ids)} pieces: {error}; its "
                f"{TOKENIZER} or its limit may be another model's: export both together"
            ) from error
        return _unit(np.asarray(answer))

    def _read(self) -> _Loaded:
        with self._lock:
            if self._loaded is None:
                assert self._model is not None
                self._loaded = _load(self._model, self._folder)
            return self._loaded


def _load(model: Path, folder: Path) -> _Loaded:
    session = open_session(model, extra=EXTRA, named=f"the cross-encoder {str(model)!r}", remedy="export it again")
    kinds = {given.name: given.type for given in session.get_inputs()}
    if "input_ids" not in kinds or not INPUTS.issuperset(kinds) or not WHOLE.keys() >= set(kinds.values()):
        wanted = ", ".join(f"{name} as {kind}" for name, kind in kinds.items())
        raise ModelUnavailable(
            f"{str(model)!r} wants the inputs {wanted}; a cross-encoder has input_ids, and attention_mask and "
            "token_type_ids at most, of whole numbers: export it for text classification"
        )
    outputs = [told.name for told in session.get_outputs()]
    return _Loaded(
        tokenizer=_tokenizer(folder),
        session=session,
        inputs={name: WHOLE[kind] for name, kind in kinds.items()},
        output=OUTPUT if OUTPUT in outputs else outputs[0],
        digest=_digest(model),
    )


def _digest(model: Path) -> str:
    """The beginning of the SHA-256 of the model's file and of the weights beside it."""
    found = hashlib.sha256()
    for path in (model, *(model.with_name(model.name + ending) for ending in WEIGHTS)):
        if path.is_file():
            with path.open("rb") as file:
                while part := file.read(1 << 20):
                    found.update(part)
    return found.hexdigest()[:12]


def _readable(text: str) -> str:
    """The text's beginning without lone surrogates, which `tokenizers` refuses."""
    return text[:CHARACTERS].encode("utf-8", "replace").decode("utf-8")


def _tokenizer(folder: Path) -> Any:
    tokenizers = optional_module("tokenizers", EXTRA)
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(folder / TOKENIZER))
    except Exception as error:
        # tokenizers raises plain exceptions.
        raise ModelUnavailable(f"{str(folder / TOKENIZER)!r} is no tokenizer: {error}; export it again") from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length=_limit(folder / CONFIG), strategy="longest_first")
    return tokenizer


def _limit(config: Path) -> int:
    """The pieces that the model was made for, as far as the export says so; 512 at most."""
    try:
        stated = json.loads(config.read_text("utf-8")).get("model_max_length")
    except (OSError, ValueError, AttributeError):
        return TOKEN_LIMIT
    whole = isinstance(stated, int) and not isinstance(stated, bool)
    return min(stated, TOKEN_LIMIT) if whole and stated > 0 else TOKEN_LIMIT


def _unit(answer: Any) -> float:
    """The answer for one pair on [0, 1]."""
    logits = answer.astype(np.float64).reshape(-1) if answer.shape in ((1,), (1, 1), (1, 2)) else np.array([np.nan])
    if not np.isfinite(logits).all():
        raise ModelAnswerInvalid(
            f"the cross-encoder answered {np.array2string(answer, threshold=8)} of the shape {answer.shape} for one pair; "
            "it needs one finite number, or two: export it for text classification with one or two labels"
        )
    logit = float(logits[-1] - logits[0]) if len(logits) == 2 else float(logits[0])
    return 1 / (1 + math.exp(-min(max(logit, -60.0), 60.0)))
