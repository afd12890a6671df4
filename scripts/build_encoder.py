"""Make models/encoder/: word vectors for soft matching, from the pretrained all-MiniLM-L6-v2 as it is.

    python scripts/build_encoder.py --data ../shared/data --out models/encoder --version 1.0.0

The first layers of the encoder become an int8 ONNX graph (`parser_training.graph`). The vector of a word is the sum of
those of its first and last piece, projected on the directions that carry most of the words of UD EWT and GUM
(training parts): a principal component analysis without centring, of vectors of length 1. Only the direction of a
vector means anything. The vocabulary is the parser's, models/en/vocabulary.txt; the manifest holds its hash too.
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
from safetensors.torch import load_file

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from parser_training.graph import MICROSOFT, FloatArray, Graph
from parser_training.model import Encoder, Network, Sizes, load_encoder
from parser_training.treebanks import read_conllu
from train_parser import encoder_folder

from synteval.parsing.en.wordpiece import WordPiece

TREEBANKS = ("ud_ewt/en_ewt-ud-train.conllu", "gum/dep/train.conllu")
SENTENCES = 1500  # of each treebank
Ranges = dict[str, tuple[FloatArray, FloatArray]]


def pretrained(layers: int) -> Encoder:
    """The encoder with the published weights; its embeddings of case shapes are 0."""
    sizes = Sizes(vocabulary=30522, shapes=1, styles=1, labels=1, relations=1, xpos=1, upos=1)
    network = Network(sizes)
    load_encoder(network, load_file(encoder_folder() / "model.safetensors"))
    torch.nn.init.zeros_(network.encoder.shapes.weight)
    del network.encoder.layers[layers:]
    return network.encoder.eval()


@torch.no_grad()
def measure(encoder: Encoder, sentences: list[list[list[int]]], wordpiece: WordPiece) -> tuple[Ranges, FloatArray]:
    """The range of every product's input, channel by channel, and the vectors of all words."""
    ranges: Ranges = {}

    def widen(site: str, values: FloatArray) -> None:
        low, high = values.min(axis=0), values.max(axis=0)
        if site in ranges:
            low, high = np.minimum(low, ranges[site][0]), np.maximum(high, ranges[site][1])
        ranges[site] = low, high

    def watch(site: str):
        return lambda _, inputs: widen(site, inputs[0].flatten(0, -2).numpy())

    for number, layer in enumerate(encoder.layers):
        for name in ("attention_in", "attention_out", "inner", "outer"):
            getattr(layer, name).register_forward_pre_hook(watch(f"layers.{number}.{name}"))
    words = []
    for sentence in sentences:  # one at a time: no padding comes into the ranges
        pieces = torch.tensor([[wordpiece.start, *(piece for word in sentence for piece in word), wordpiece.end]])
        states = encoder(pieces, torch.zeros_like(pieces))[0].numpy()
        ends = np.cumsum([len(word) for word in sentence])
        starts = ends - [len(word) for word in sentence] + 1
        words.append(states[starts] + states[ends])
    vectors = np.concatenate(words)
    widen("words", vectors)
    return ranges, vectors


def principal_directions(vectors: FloatArray, dimensions: int) -> FloatArray:
    """[hidden, dimensions], the directions of the largest second moments, signs fixed."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    _, directions = np.linalg.eigh(unit.T.astype(np.float64) @ unit)
    chosen = directions[:, ::-1][:, :dimensions]
    chosen = chosen * np.sign(chosen[np.abs(chosen).argmax(axis=0), np.arange(dimensions)])
    return chosen.astype(np.float32)


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
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, default=Path("models/encoder"))
    parser.add_argument("--version", default="1.0.0")
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--dimensions", type=int, default=96)
    parser.add_argument("--float", action="store_true", help="do not quantise (for comparison)")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    vocabulary = (encoder_folder() / "vocab.txt").read_bytes()
    wordpiece = WordPiece(vocabulary.decode("utf8").splitlines())
    sentences = []
    for name in TREEBANKS:
        examples = read_conllu(arguments.data / name, "ud")
        random.Random(0).shuffle(examples)
        sentences += [[wordpiece.pieces(word) for word in e.words] for e in examples[:SENTENCES] if len(e.words) < 150]
    encoder = pretrained(arguments.layers)
    ranges, vectors = measure(encoder, sentences, wordpiece)
    graph = encoder_graph(encoder, ranges, principal_directions(vectors, arguments.dimensions), not arguments.float)
    content = graph.SerializeToString()
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "encoder.onnx").write_bytes(content)
    manifest = {
        "version": arguments.version,
        "layers": arguments.layers,
        "dimensions": arguments.dimensions,
        "sha256": {
            "encoder.onnx": hashlib.sha256(content).hexdigest(),
            "vocabulary.txt": hashlib.sha256(vocabulary).hexdigest(),
        },
    }
    (arguments.out / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    print(f"{arguments.out}: {len(content):,} bytes, {len(sentences)} sentences measured")


if __name__ == "__main__":
    main()
