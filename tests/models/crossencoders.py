"""A small but real cross-encoder on disk: it counts the words of the text that are in the query, as a graph in ONNX."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import onnx
from onnx import TensorProto, helper
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


def graph(inputs: Sequence[str], labels: int) -> onnx.ModelProto:
    """logit = (words of segment 1 that are in segment 0, marks left out) − 1.5, and 0 before it for two labels."""
    given = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"]) for name in inputs]
    fixed = [
        helper.make_tensor("mark", TensorProto.INT64, [], [LAST_MARK]),
        helper.make_tensor("one", TensorProto.INT64, [], [1]),
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
    words: Sequence[str] = WORDS,
) -> Path:
    """An export of it in `folder`, as Hugging Face's tools lay it out."""
    (folder / place).parent.mkdir(parents=True, exist_ok=True)
    onnx.save(graph(inputs, labels), str(folder / place))
    tokenizer(words).save(str(folder / "tokenizer.json"))
    if limit is not None:
        (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": limit}), "utf-8")
    return folder
