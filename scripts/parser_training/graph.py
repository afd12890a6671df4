"""The network as an ONNX graph, written node by node.

Every product with weights is int8: inputs are quantised with fixed ranges (measured on training text) or with the
range of their own row, weights per column. Integer sums are exact, so a row's result does not depend on the rows
beside it; that is what keeps a sentence's parse independent of its batch. What stays in floating point works within
one sentence at a time.

SmoothQuant (Xiao et al. 2023): the channels of an input are first scaled so that inputs and weights share the
difficulty of quantisation.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

FloatArray = NDArray[np.float32]
MICROSOFT = "com.microsoft"
# Seven bits: processors without VNNI add pairs of products in 16 bits, and 2 x 255 x 64 is the most that fits.
WEIGHT_STEPS = 64


class Quantised:
    """A quantised input: its name, the scaling of its channels, its scale and zero point, the scale of each row."""

    def __init__(
        self, name: str, smooth: FloatArray, scale: np.float32, zero: np.uint8, rows: str | None = None
    ) -> None:
        self.name, self.smooth, self.scale, self.zero, self.rows = name, smooth, scale, zero, rows


class Graph:
    """Nodes and constants; `quantised=False` gives the same graph in floating point, for comparison."""

    def __init__(self, ranges: dict[str, tuple[FloatArray, FloatArray]], quantised: bool = True) -> None:
        self.ranges = ranges
        self.quantised = quantised
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}
        self.count = 0

    def constant(self, name: str, value: NDArray[Any]) -> str:
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def add(self, operator: str, inputs: list[str], outputs: int = 1, domain: str = "", **attributes: Any) -> str:
        self.count += 1
        names = [f"{operator}_{self.count}"] + [f"{operator}_{self.count}_{i}" for i in range(1, outputs)]
        self.nodes.append(helper.make_node(operator, inputs, names, domain=domain, **attributes))
        return names[0]

    def smoothing(self, site: str, weight: FloatArray, rectified: bool = False) -> FloatArray:
        """What the channels of an input are divided by, and the rows of the weights [inputs, outputs] multiplied by."""
        low, high = self.ranges[site]
        largest = np.maximum(high if rectified else np.maximum(np.abs(low), np.abs(high)), 1e-5)
        strength = np.maximum(np.abs(weight).max(axis=1), 1e-5)
        smooth = np.sqrt(largest / strength)
        if not self.quantised:
            return np.ones_like(smooth)
        return (smooth / np.exp(np.log(smooth).mean())).astype(np.float32)

    def quantise(
        self, x: str, site: str, weight: FloatArray, rectified: bool = False, smoothed: bool = False
    ) -> Quantised:
        """The input of one or more products with the weights [inputs, outputs], as 8-bit integers."""
        smooth = self.smoothing(site, weight, rectified)
        low, high = (float((bound / smooth).min()) for bound in self.ranges[site])
        high = float((self.ranges[site][1] / smooth).max())
        low = 0.0 if rectified else min(low, 0.0)
        if -low < 0.3 * high:
            scale = np.float32((high - low) / 255)
            zero = np.uint8(np.clip(round(-low / scale), 0, 255))
        else:
            scale = np.float32(max(-low, high) / 127)
            zero = np.uint8(128)
        if not self.quantised:
            return Quantised(self.add("Relu", [x]) if rectified else x, smooth, scale, zero)
        if not smoothed:
            x = self.add("Mul", [x, self.constant(f"{site}.smooth", 1 / smooth)])
        scale_name = self.constant(f"{site}.scale", np.array(scale))
        zero_name = self.constant(f"{site}.zero", np.array(zero))
        # Values below zero are cut off by the range where the zero point is 0: the rectifier costs nothing.
        return Quantised(self.add("QuantizeLinear", [x, scale_name, zero_name]), smooth, scale, zero)

    def quantise_rows(self, x: str, site: str) -> Quantised:
        """As `quantise`, with a range for each row (each word piece) of its own, taken from the row itself.

        For the inner activations, where a few pieces have values a hundred times those of the others.
        """
        ones = np.ones_like(self.ranges[site][0])
        if not self.quantised:
            return Quantised(x, ones, np.float32(1), np.uint8(0))
        zero = 48
        least = float(-np.minimum(self.ranges[site][0], 0).min()) / zero  # so that negative values fit below zero
        largest = self.add("ReduceMax", [x], axes=[-1], keepdims=1)
        scale = self.add("Mul", [largest, self.constant("step", np.array(1 / (255 - zero), np.float32))])
        scale = self.add("Max", [scale, self.constant(f"{site}.least", np.array(least, np.float32))])
        scaled = self.add("Mul", [x, self.add("Div", [self.constant("one", np.array(1, np.float32)), scale])])
        whole = self.add("QuantizeLinear", [scaled, "one", self.constant("row zero", np.array(zero, np.uint8))])
        return Quantised(whole, ones, np.float32(1), np.uint8(zero), rows=scale)

    def product(self, x: Quantised, name: str, weight: FloatArray, bias: FloatArray | None) -> str:
        """x @ weight + bias, weight [inputs, outputs]."""
        if not self.quantised:
            product = self.add("MatMul", [x.name, self.constant(f"{name}.weight", weight)])
            return product if bias is None else self.add("Add", [product, self.constant(f"{name}.bias", bias)])
        smoothed = weight * x.smooth[:, None]
        scale = (np.maximum(np.abs(smoothed).max(axis=0), 1e-8) / WEIGHT_STEPS).astype(np.float32)
        whole = np.clip(np.rint(smoothed / scale), -WEIGHT_STEPS, WEIGHT_STEPS).astype(np.int8)
        inputs = [
            x.name,
            self.constant(f"{name}.weight", whole),
            self.constant(f"scale of {x.name}", np.array(x.scale)),
            self.constant(f"{name}.weight.scale", scale),
            self.constant(f"zero of {x.name}", np.array(x.zero)),
            "",
        ]
        if x.rows is not None:
            product = self.add("MatMulIntegerToFloat", inputs, domain=MICROSOFT)
            product = self.add("Mul", [product, x.rows])
            return product if bias is None else self.add("Add", [product, self.constant(f"{name}.bias", bias)])
        if bias is not None:
            inputs.append(self.constant(f"{name}.bias", bias))
        return self.add("MatMulIntegerToFloat", inputs, domain=MICROSOFT)

    def model(
        self, inputs: dict[str, tuple[int, list[Any]]], outputs: dict[str, tuple[str, int, list[Any]]]
    ) -> onnx.ModelProto:
        for name, (inner, _, _) in outputs.items():
            self.nodes.append(helper.make_node("Identity", [inner], [name]))
        graph = helper.make_graph(
            self.nodes,
            "parser",
            [helper.make_tensor_value_info(name, kind, shape) for name, (kind, shape) in inputs.items()],
            [helper.make_tensor_value_info(name, kind, shape) for name, (_, kind, shape) in outputs.items()],
            list(self.constants.values()),
        )
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def parser_graph(
    weights: dict[str, FloatArray],
    ranges: dict[str, tuple[FloatArray, FloatArray]],
    styles: dict[str, int],
    null_bias: float = 0.0,
    layers: int = 6,
    heads: int = 12,
    quantised: bool = True,
) -> onnx.ModelProto:
    """The whole network. `styles` names the annotation style of each head: trees, dependencies, tags.

    `null_bias` favours "no constituent". The CRF sums over the binary trees behind a flat one, the decoder takes one of
    them, and so prefers deep trees; the bias, found on dev text, makes up for that.
    """
    g = Graph(ranges, quantised)

    def linear(name: str) -> tuple[FloatArray, FloatArray]:
        return np.ascontiguousarray(weights[f"{name}.weight"].T), weights[f"{name}.bias"]

    def norm(x: str, skip: str, name: str) -> str:
        # Add and LayerNormalization: the operator that does both is ten times slower on CPU.
        gamma = g.constant(f"{name}.gamma", weights[f"{name}.weight"])
        beta = g.constant(f"{name}.beta", weights[f"{name}.bias"])
        return g.add("LayerNormalization", [g.add("Add", [x, skip]), gamma, beta], epsilon=1e-12, axis=-1)

    # Embeddings: piece vectors in int8, one scale a piece; positions and shapes in floating point.
    table = weights["encoder.pieces.weight"]
    if quantised:
        scale = (np.abs(table).max(axis=1, keepdims=True) / 127).astype(np.float32)
        whole = np.rint(table / scale).astype(np.int8)
        rows = g.add("Gather", [g.constant("pieces.table", whole), "pieces"])
        scales = g.add("Gather", [g.constant("pieces.scale", scale), "pieces"])
        pieces = g.add("Mul", [g.add("Cast", [rows], to=TensorProto.FLOAT), scales])
    else:
        pieces = g.add("Gather", [g.constant("pieces.table", table), "pieces"])
    shapes = g.add("Gather", [g.constant("shapes.table", weights["encoder.shapes.weight"]), "shapes"])
    positions = g.add("Gather", [g.constant("positions.table", weights["encoder.positions.weight"]), "positions"])
    x = norm(g.add("Add", [pieces, positions]), shapes, "encoder.norm")
    for number in range(layers):
        layer = f"encoder.layers.{number}"
        w_in, b_in = linear(f"{layer}.attention_in")
        quantised_x = g.quantise(x, f"{layer}.attention_in", w_in)
        parts = [
            g.product(quantised_x, f"{layer}.{part}", w_in[:, 384 * i : 384 * (i + 1)], b_in[384 * i : 384 * (i + 1)])
            for i, part in enumerate(("query", "key", "value"))
        ]
        attended = g.add("MultiHeadAttention", [*parts, "", "attended"], domain=MICROSOFT, num_heads=heads)
        w_out, b_out = linear(f"{layer}.attention_out")
        out = g.product(g.quantise(attended, f"{layer}.attention_out", w_out), f"{layer}.attention_out", w_out, b_out)
        x = norm(x, out, f"{layer}.attention_norm")
        w_inner, b_inner = linear(f"{layer}.inner")
        inner = g.product(g.quantise(x, f"{layer}.inner", w_inner), f"{layer}.inner", w_inner, b_inner)
        inner = g.add("Gelu", [inner], domain=MICROSOFT)
        w_outer, b_outer = linear(f"{layer}.outer")
        outer = g.product(g.quantise_rows(inner, f"{layer}.outer"), f"{layer}.outer", w_outer, b_outer)
        x = norm(x, outer, f"{layer}.norm")
    hidden = table.shape[1]
    flat = g.add("Reshape", [x, g.constant("flat", np.array([-1, hidden]))])
    first = g.add("Gather", [flat, "first"])  # [sentence, word, hidden]: [start], words
    last = g.add("Gather", [flat, "last"])
    following = g.add("Gather", [flat, "following"])  # the first pieces of the words and [end]
    # Fenceposts and spans.
    w_left, b_left = linear("post_left")
    w_right, b_right = linear("post_right")
    left = g.product(g.quantise(last, "post_left", w_left), "post_left", w_left, b_left + b_right)
    right = g.product(g.quantise(following, "post_right", w_right), "post_right", w_right, None)
    posts = g.add("Add", [left, right])
    style = g.constant("span.style", weights["style_span.weight"][styles["trees"]])
    ends = g.add("Gather", [g.add("Add", [posts, style]), "ends"], axis=1)
    starts = g.add("Gather", [posts, "starts"], axis=1)
    w_label, b_label = linear("span_label")
    b_label = b_label + np.float32(null_bias) * (np.arange(len(b_label)) == 0).astype(np.float32)
    gamma, beta = weights["span_norm.weight"], weights["span_norm.bias"]
    smooth = g.smoothing("span_label", w_label, rectified=True)
    gamma, beta = g.constant("span_norm.gamma", gamma / smooth), g.constant("span_norm.beta", beta / smooth)
    spans = g.add("LayerNormalization", [g.add("Sub", [ends, starts]), gamma, beta], epsilon=1e-5, axis=-1)
    quantised_spans = g.quantise(spans, "span_label", w_label, rectified=True, smoothed=True)
    labels = g.product(quantised_spans, "span_label", w_label, b_label)
    # Words: the mean of first and last piece; one product for all heads.
    both = g.add("Add", [first, last])
    names = ["arc_dependent", "arc_head", "relation_dependent", "relation_head", "xpos", "upos"]
    arc_style = np.split(weights["style_arc.weight"][styles["dependencies"]], 2)
    extra = {
        "arc_dependent": arc_style[0],
        "arc_head": arc_style[1],
        "relation_dependent": weights["style_relation.weight"][styles["dependencies"]],
        "xpos": weights["style_xpos.weight"][styles["tags"]],
        "upos": weights["style_upos.weight"][styles["dependencies"]],
    }
    matrices = [linear(name)[0] * 0.5 for name in names]
    biases = [linear(name)[1] + extra.get(name, 0) for name in names]
    everything = np.concatenate(matrices, axis=1)
    quantised_words = g.quantise(both, "words", everything)
    heads_out = {
        name: g.product(quantised_words, name, matrix, bias.astype(np.float32))
        for name, matrix, bias in zip(names, matrices, biases, strict=True)
    }
    dependent = g.add("Relu", [heads_out["arc_dependent"]])
    head = g.add("Relu", [heads_out["arc_head"]])
    # The bias of a head, head @ arc_bias, is one more dimension of the product with a constant 1; here it is folded
    # into the dependent's side: (dependent @ weight + bias) @ head.
    moved = g.add("MatMul", [dependent, g.constant("arc.weight", weights["arc_weight"])])
    moved = g.add("Add", [moved, g.constant("arc.bias", weights["arc_bias.weight"][0])])
    arcs = g.add("MatMul", [moved, g.add("Transpose", [head], perm=[0, 2, 1])])
    kind = TensorProto.INT32
    inputs = {
        "pieces": (kind, ["B", "T"]),
        "shapes": (kind, ["B", "T"]),
        "positions": (kind, ["T"]),
        "attended": (kind, ["B", "T"]),
        "first": (kind, ["B", "N"]),
        "last": (kind, ["B", "N"]),
        "following": (kind, ["B", "N"]),
        "starts": (kind, ["S"]),
        "ends": (kind, ["S"]),
    }
    outputs = {
        "labels": (labels, TensorProto.FLOAT, ["B", "S", "L"]),
        "arcs": (arcs, TensorProto.FLOAT, ["B", "N", "N"]),
        "relation_dependent": (heads_out["relation_dependent"], TensorProto.FLOAT, ["B", "N", "R"]),
        "relation_head": (heads_out["relation_head"], TensorProto.FLOAT, ["B", "N", "R"]),
        "xpos": (heads_out["xpos"], TensorProto.FLOAT, ["B", "N", "X"]),
        "upos": (heads_out["upos"], TensorProto.FLOAT, ["B", "N", "U"]),
    }
    return g.model(inputs, outputs)
