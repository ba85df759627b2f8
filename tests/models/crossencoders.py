"""A small but real cross-encoder on disk: it counts the words of the text that are in the query, as a graph in ONNX."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

MARKS = ("[UNK]", "[CLS]", "[SEP]")
WORDS = "the a dog cat rex is of afraid thunder storm likes fish tea what does who likes sleeps on sofa".split()
LAST_MARK = len(MARKS) - 1


def tokenizer(words: Sequence[str]) -> Tokenizer:
    """One piece a word; a query and a text become [CLS] query [SEP] text [SEP], the text as segment 1."""
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys([*MARKS, *words]))}
    made = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    made.normalizer, made.pre_tokenizer = Lowercase(), Whitespace()
    made.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )
    return made


def graph(inputs: Sequence[str], labels: int, kind: int = TensorProto.INT64) -> onnx.ModelProto:
    """logit = (words of segment 1 that are in segment 0, marks left out) − 1.5, and 0 before it for two labels."""
    given = [helper.make_tensor_value_info(name, kind, ["batch", "sequence"]) for name in inputs]
    fixed = [
        helper.make_tensor("mark", kind, [], [LAST_MARK]),
        helper.make_tensor("one", kind, [], [1]),
        helper.make_tensor("column", TensorProto.INT64, [1], [2]),
        helper.make_tensor("row", TensorProto.INT64, [1], [1]),
        helper.make_tensor("half", TensorProto.FLOAT, [], [1.5]),
        helper.make_tensor("pairs", TensorProto.INT64, [2], [1, 2]),
        helper.make_tensor("last", TensorProto.INT64, [1], [1]),
    ]
    nodes = [
        helper.make_node("Greater", ["input_ids", "mark"], ["word"]),
        helper.make_node("Equal", ["token_type_ids", "one"], ["second"]),
        helper.make_node("Not", ["second"], ["first"]),
        helper.make_node("And", ["word", "first"], ["asked"]),
        helper.make_node("And", ["word", "second"], ["told"]),
        helper.make_node("Unsqueeze", ["input_ids", "column"], ["down"]),
        helper.make_node("Unsqueeze", ["input_ids", "row"], ["across"]),
        helper.make_node("Equal", ["down", "across"], ["same"]),
        helper.make_node("Unsqueeze", ["asked", "column"], ["asked_down"]),
        helper.make_node("Unsqueeze", ["told", "row"], ["told_across"]),
        helper.make_node("And", ["same", "asked_down"], ["half_shared"]),
        helper.make_node("And", ["half_shared", "told_across"], ["shared"]),
        helper.make_node("Cast", ["shared"], ["numbers"], to=TensorProto.FLOAT),
        helper.make_node("ReduceSum", ["numbers", "pairs"], ["count"], keepdims=0),
        helper.make_node("Sub", ["count", "half"], ["flat"]),
        helper.make_node("Unsqueeze", ["flat", "last"], ["logit"]),
    ]
    if labels > 1:
        nodes += [helper.make_node("Sub", ["logit", "logit"], ["zero"])]
        nodes += [helper.make_node("Concat", ["zero"] * (labels - 1) + ["logit"], ["logits"], axis=1)]
    told = helper.make_tensor_value_info("logit" if labels == 1 else "logits", TensorProto.FLOAT, ["batch", labels])
    made = helper.make_graph(nodes, "overlap", given, [told], initializer=fixed)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def write(
    folder: Path,
    *,
    labels: int = 1,
    inputs: Sequence[str] = ("input_ids", "attention_mask", "token_type_ids"),
    place: str = "model.onnx",
    limit: object = None,
    bits: int = 64,
) -> Path:
    """An export of it in `folder`, as Hugging Face's tools lay it out."""
    (folder / place).parent.mkdir(parents=True, exist_ok=True)
    kind = TensorProto.INT64 if bits == 64 else TensorProto.INT32
    onnx.save(graph(inputs, labels, kind), str(folder / place))
    tokenizer(WORDS).save(str(folder / "tokenizer.json"))
    if limit is not None:
        (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": limit}), "utf-8")
    return folder


def add_table(folder: Path, *, rows: int, first: bool = False) -> None:
    """Gives the model its pieces' states from a table of `rows` pieces: as a first output, or in the score."""
    made = onnx.load(str(folder / "model.onnx"))
    made.graph.initializer.append(numpy_helper.from_array(np.zeros((rows, 4), np.float32), "table"))
    made.graph.node.append(helper.make_node("Gather", ["table", "input_ids"], ["states"]))
    if first:
        told = helper.make_tensor_value_info("states", TensorProto.FLOAT, ["batch", "sequence", 4])
        made.graph.output.insert(0, told)
    else:
        made.graph.node.append(helper.make_node("ReduceSum", ["states"], ["sum"], keepdims=0))
        made.graph.node.append(helper.make_node("Add", ["logit", "sum"], ["score"]))
        made.graph.output[0].name = "score"
    onnx.save(made, str(folder / "model.onnx"))


def retype(folder: Path, name: str) -> None:
    """Makes an input of the model one of fractions."""
    made = onnx.load(str(folder / "model.onnx"))
    for given in made.graph.input:
        if given.name == name:
            given.type.tensor_type.elem_type = TensorProto.FLOAT
    onnx.save(made, str(folder / "model.onnx"))
