"""Make models/encoder/: word vectors for soft matching, from what `scripts/train_encoder.py` learnt.

    python scripts/build_encoder.py runs/encoder --data ../shared/data --out models/encoder --version 1.0.0

The encoder becomes an int8 ONNX graph (`parser_training.graph`), with the ranges that its products have on sentences of
UD EWT and GUM (training parts). The vector of a word is the sum of those of its first and last piece, projected. Only
the direction of a vector means anything. The vocabulary is the parser's, models/en/vocabulary.txt; the manifest holds
its hash too.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from pathlib import Path

import numpy as np
import torch
from onnx import ModelProto, TensorProto

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from parser_training.graph import MICROSOFT, FloatArray, Graph
from parser_training.model import Encoder
from parser_training.treebanks import read_conllu
from train_encoder import Student, batched, vocabulary, word_states
from train_parser import encoder_folder

TREEBANKS = ("ud_ewt/en_ewt-ud-train.conllu", "gum/dep/train.conllu")
SENTENCES = 1500  # of each treebank
Ranges = dict[str, tuple[FloatArray, FloatArray]]


@torch.no_grad()
def measure(encoder: Encoder, sentences: list[list[list[int]]]) -> Ranges:
    """The range of every product's input, channel by channel."""
    ranges: Ranges = {}

    def widen(site: str, values: FloatArray) -> None:
        low, high = values.min(axis=0), values.max(axis=0)
        if site in ranges:
            low, high = np.minimum(low, ranges[site][0]), np.maximum(high, ranges[site][1])
        ranges[site] = low, high

    def watch(site: str):
        return lambda _, inputs: widen(site, inputs[0].float().flatten(0, -2).numpy())

    for number, layer in enumerate(encoder.layers):
        for name in ("attention_in", "attention_out", "inner", "outer"):
            getattr(layer, name).register_forward_pre_hook(watch(f"layers.{number}.{name}"))
    wordpiece = vocabulary()
    for sentence in sentences:  # one at a time: no padding comes into the ranges
        (batch,) = batched([sentence], wordpiece, 1)
        widen("words", word_states(encoder, batch)[-1].numpy())
    return ranges


def encoder_graph(encoder: Encoder, ranges: Ranges, projection: FloatArray, quantised: bool) -> ModelProto:
    """Pieces in, projected word vectors out."""
    g = Graph(ranges, quantised)
    weights = {name: value.numpy() for name, value in encoder.state_dict().items()}

    def linear(name: str) -> tuple[FloatArray, FloatArray]:
        return np.ascontiguousarray(weights[f"{name}.weight"].T), weights[f"{name}.bias"]

    def product(x: str, name: str) -> str:
        weight, bias = linear(name)
        return g.product(g.quantise(x, name, weight), name, weight, bias)

    def norm(x: str, name: str) -> str:
        gamma = g.constant(f"{name}.gamma", weights[f"{name}.weight"])
        beta = g.constant(f"{name}.beta", weights[f"{name}.bias"])
        return g.add("LayerNormalization", [x, gamma, beta], epsilon=1e-12, axis=-1)

    table = weights["pieces.weight"]
    if quantised:
        scale = (np.abs(table).max(axis=1, keepdims=True) / 127).astype(np.float32)
        rows = g.add("Gather", [g.constant("pieces.table", np.rint(table / scale).astype(np.int8)), "pieces"])
        scales = g.add("Gather", [g.constant("pieces.scale", scale), "pieces"])
        pieces = g.add("Mul", [g.add("Cast", [rows], to=TensorProto.FLOAT), scales])
    else:
        pieces = g.add("Gather", [g.constant("pieces.table", table), "pieces"])
    positions = g.add("Gather", [g.constant("positions.table", weights["positions.weight"]), "positions"])
    x = norm(g.add("Add", [pieces, positions]), "norm")
    for number in range(len(encoder.layers)):
        layer = f"layers.{number}"
        w_in, b_in = linear(f"{layer}.attention_in")
        shared = g.quantise(x, f"{layer}.attention_in", w_in)
        parts = [
            g.product(shared, f"{layer}.{part}", w, b)
            for part, w, b in zip(("query", "key", "value"), np.split(w_in, 3, axis=1), np.split(b_in, 3), strict=True)
        ]
        # Passages of a batch have one length, so there is no padding to hide.
        attended = g.add("MultiHeadAttention", parts, domain=MICROSOFT, num_heads=12)
        out = product(attended, f"{layer}.attention_out")
        x = norm(g.add("Add", [x, out]), f"{layer}.attention_norm")
        inner = g.add("Gelu", [product(x, f"{layer}.inner")], domain=MICROSOFT)
        outer = product(inner, f"{layer}.outer")
        x = norm(g.add("Add", [x, outer]), f"{layer}.norm")
    flat = g.add("Reshape", [x, g.constant("flat", np.array([-1, table.shape[1]]))])
    words = g.add("Add", [g.add("Gather", [flat, "first"]), g.add("Gather", [flat, "last"])])
    projected = g.product(g.quantise(words, "words", projection), "projection", projection, None)
    inputs = {
        "pieces": (TensorProto.INT32, ["B", "T"]),
        "positions": (TensorProto.INT32, ["T"]),
        "first": (TensorProto.INT32, ["W"]),
        "last": (TensorProto.INT32, ["W"]),
    }
    return g.model(inputs, {"vectors": (projected, TensorProto.FLOAT, ["W", projection.shape[1]])})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="the folder of the training run")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, default=Path("models/encoder"))
    parser.add_argument("--version", default="1.0.0")
    parser.add_argument("--float", action="store_true", help="do not quantise (for comparison)")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    run = json.loads((arguments.run / "run.json").read_text())
    student = Student(*(run["config"][name] for name in ("layers", "inner", "dimensions"))).eval()
    student.load_state_dict(torch.load(arguments.run / "student.pt", weights_only=True)["student"])
    wordpiece = vocabulary()
    sentences = []
    for name in TREEBANKS:
        examples = read_conllu(arguments.data / name, "ud")
        random.Random(0).shuffle(examples)
        sentences += [[wordpiece.pieces(word) for word in e.words] for e in examples[:SENTENCES] if len(e.words) < 150]
    ranges = measure(student.encoder, sentences)
    projection = np.ascontiguousarray(student.projection.weight.detach().numpy().T)
    graph = encoder_graph(student.encoder, ranges, projection, not arguments.float)
    content = graph.SerializeToString()
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "encoder.onnx").write_bytes(content)
    manifest = {
        "version": arguments.version,
        "dimensions": run["config"]["dimensions"],
        "sha256": {
            "encoder.onnx": hashlib.sha256(content).hexdigest(),
            "vocabulary.txt": hashlib.sha256((encoder_folder() / "vocab.txt").read_bytes()).hexdigest(),
        },
        "training": run,
    }
    (arguments.out / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    print(f"{arguments.out}: {len(content):,} bytes, {len(sentences)} sentences measured")


if __name__ == "__main__":
    main()
