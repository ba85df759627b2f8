"""What a cross-encoder of MiniLM-L6's shape costs: 6 layers, 384 wide, 12 heads, float32, RANDOM weights.

No package carries trained weights, so nothing here speaks of quality: the processor time alone, one line a length.

    python bench/retrieval/rerank_cost.py
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from siltstone.models.crossencoder import CrossEncoder

LAYERS, WIDTH, HEADS, BETWEEN, PIECES, PLACES = 6, 384, 12, 1_536, 30_522, 512
PAIRS, RUNS = 30, 7
QUERY = "w1 w2 w3 w4 w5 w6"
WORDS = (10, 25, 50, 100, 500)
"""Words of a text, a piece each; the query's six and three marks come on top, and 512 are read."""
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


class Graph:
    """Collects the nodes and constants of a BERT for sequence classification."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._random = np.random.default_rng(0)

    def constant(self, value: Any) -> str:
        """The name of a constant."""
        name = f"constant{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def whole(self, *values: int) -> str:
        """The name of a row of whole numbers."""
        return self.constant(np.array(values, np.int64))

    def number(self, value: float) -> str:
        """The name of one float."""
        return self.constant(np.float32(value))

    def weights(self, *shape: int) -> str:
        """The name of random weights."""
        return self.constant(self._random.normal(0, 0.02, shape).astype(np.float32))

    def node(self, kind: str, *inputs: str, **attributes: Any) -> str:
        """The name of a node's output."""
        name = f"node{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def linear(self, given: str, width: int, out: int) -> str:
        """given · weights + bias."""
        return self.node("Add", self.node("MatMul", given, self.weights(width, out)), self.weights(out))

    def normed(self, given: str) -> str:
        """Layer normalization."""
        one, none = self.constant(np.ones(WIDTH, np.float32)), self.constant(np.zeros(WIDTH, np.float32))
        return self.node("LayerNormalization", given, one, none, axis=-1)

    def embedded(self) -> str:
        """Pieces, segments and places, added up."""
        length = self.node(
            "Squeeze", self.node("Gather", self.node("Shape", "input_ids"), self.whole(1)), self.whole(0)
        )
        places = self.node("Range", self.constant(np.int64(0)), length, self.constant(np.int64(1)))
        pieces = self.node("Gather", self.weights(PIECES, WIDTH), "input_ids")
        segments = self.node("Gather", self.weights(2, WIDTH), "token_type_ids")
        placed = self.node("Gather", self.weights(PLACES, WIDTH), places)
        return self.normed(self.node("Add", self.node("Add", pieces, segments), placed))

    def mask(self) -> str:
        """0 where a piece counts, −10⁴ where none is."""
        absent = self.node("Sub", self.number(1), self.node("Cast", "attention_mask", to=TensorProto.FLOAT))
        return self.node("Unsqueeze", self.node("Mul", absent, self.number(-1e4)), self.whole(1, 2))

    def attended(self, given: str, mask: str) -> str:
        """Attention of all heads and what follows it."""
        apart = self.whole(0, 0, HEADS, WIDTH // HEADS)
        rows = [self.node("Reshape", self.linear(given, WIDTH, WIDTH), apart) for _ in range(3)]
        asked, known, told = (self.node("Transpose", row, perm=[0, 2, 1, 3]) for row in rows)
        likeness = self.node("MatMul", asked, self.node("Transpose", known, perm=[0, 1, 3, 2]))
        scaled = self.node("Add", self.node("Mul", likeness, self.number((WIDTH / HEADS) ** -0.5)), mask)
        mixed = self.node(
            "Transpose", self.node("MatMul", self.node("Softmax", scaled, axis=-1), told), perm=[0, 2, 1, 3]
        )
        whole = self.linear(self.node("Reshape", mixed, self.whole(0, 0, WIDTH)), WIDTH, WIDTH)
        return self.normed(self.node("Add", given, whole))

    def forward(self, given: str) -> str:
        """The two dense steps with a GELU between them."""
        wide = self.linear(given, WIDTH, BETWEEN)
        bent = self.node("Add", self.node("Erf", self.node("Mul", wide, self.number(2**-0.5))), self.number(1))
        bent = self.node("Mul", self.node("Mul", wide, self.number(0.5)), bent)
        return self.normed(self.node("Add", given, self.linear(bent, BETWEEN, WIDTH)))


def write(folder: Path) -> None:
    """An export with random weights and a tokenizer that makes a word one piece."""
    graph = Graph()
    states, mask = graph.embedded(), graph.mask()
    for _ in range(LAYERS):
        states = graph.forward(graph.attended(states, mask))
    first = graph.node("Gather", states, graph.constant(np.int64(0)), axis=1)
    pooled = graph.node("Tanh", graph.linear(first, WIDTH, WIDTH))
    logits = graph.linear(pooled, WIDTH, 1)
    given = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"]) for name in INPUTS]
    told = [helper.make_tensor_value_info(logits, TensorProto.FLOAT, ["batch", 1])]
    made = helper.make_graph(graph.nodes, "bert", given, told, initializer=graph.constants)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(folder / "model.onnx"))
    vocabulary = {piece: at for at, piece in enumerate(["[UNK]", "[CLS]", "[SEP]", *(f"w{n}" for n in range(1_000))])}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))


def main() -> None:
    """Prints the processor time of a first pair, and of 30 pairs by length."""
    with tempfile.TemporaryDirectory() as name:
        write(Path(name))
        model = CrossEncoder(name)
        began = time.process_time()
        model.rerank(QUERY, ["w7"])
        print(f"random weights; loading and one pair: {1000 * (time.process_time() - began):.0f} ms of processor time")
        for words in WORDS:
            text = " ".join(f"w{at}" for at in range(words))
            took = []
            for _ in range(RUNS):
                began = time.process_time()
                model.rerank(QUERY, [text] * PAIRS)
                took.append(1000 * (time.process_time() - began))
            middle = statistics.median(took)
            print(
                f"{words:4d} words: {PAIRS} pairs {middle:6.0f} ms ({min(took):.0f}–{max(took):.0f}), {middle / PAIRS:.1f} a pair"
            )


if __name__ == "__main__":
    main()
