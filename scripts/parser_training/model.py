"""The network: a small pretrained encoder with four heads (constituents, arcs, relations, tags)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from parser_training.tree_crf import tree_log_partition

IMPOSSIBLE = -1e9


@dataclass(frozen=True)
class Sizes:
    """Widths of everything; the encoder's are those of the pretrained weights."""

    vocabulary: int
    shapes: int
    styles: int
    labels: int  # with "no constituent" as number 0
    relations: int
    xpos: int
    upos: int
    layers: int = 6
    hidden: int = 384
    heads: int = 12
    inner: int = 1536
    positions: int = 512
    span: int = 256
    arc: int = 256
    relation: int = 256
    dropout: float = 0.1
    head_dropout: float = 0.3


class Dropout(nn.Module):
    """Dropout from random bytes: the rate is a 256th's multiple, and drawing takes a tenth of the time."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.dropped = round(256 * rate)

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or not self.dropped:
            return x
        words = torch.empty((x.numel() + 7) // 8, dtype=torch.int64)
        kept = words.random_(-(2**63), None).view(torch.uint8)[: x.numel()].view(x.shape) >= self.dropped
        return x * (kept.to(x.dtype) * (256 / (256 - self.dropped)))


class Layer(nn.Module):
    """A post-norm transformer layer (Vaswani et al. 2017; the parameters are BERT's)."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.heads = sizes.heads
        self.attention_in = nn.Linear(sizes.hidden, 3 * sizes.hidden)
        self.attention_out = nn.Linear(sizes.hidden, sizes.hidden)
        self.attention_norm = nn.LayerNorm(sizes.hidden, eps=1e-12)
        self.inner = nn.Linear(sizes.hidden, sizes.inner)
        self.outer = nn.Linear(sizes.inner, sizes.hidden)
        self.norm = nn.LayerNorm(sizes.hidden, eps=1e-12)
        self.dropout = Dropout(sizes.dropout)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        batch, length, width = x.shape
        queries, keys, values = (
            part.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
            for part in self.attention_in(x).split(width, dim=-1)
        )
        # Written out: the fused kernel's backward pass is seven times slower at these sizes.
        weights = ((queries * (width // self.heads) ** -0.5) @ keys.transpose(2, 3)).masked_fill(mask, -1e4).softmax(-1)
        attended = (weights.to(values.dtype) @ values).transpose(1, 2).reshape(batch, length, width)
        x = self.attention_norm(x + self.dropout(self.attention_out(attended)))
        return self.norm(x + self.dropout(self.outer(functional.gelu(self.inner(x)))))


class Encoder(nn.Module):
    """Piece, position and case-shape embeddings, then the layers."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.pieces = nn.Embedding(sizes.vocabulary, sizes.hidden)
        self.positions = nn.Embedding(sizes.positions, sizes.hidden)
        self.shapes = nn.Embedding(sizes.shapes, sizes.hidden)
        self.norm = nn.LayerNorm(sizes.hidden, eps=1e-12)
        self.dropout = Dropout(sizes.dropout)
        self.layers = nn.ModuleList(Layer(sizes) for _ in range(sizes.layers))
        nn.init.normal_(self.shapes.weight, std=0.02)

    def forward(self, pieces: Tensor, shapes: Tensor) -> Tensor:
        positions = torch.arange(pieces.shape[1])
        x = self.pieces(pieces) + self.positions(positions)[None] + self.shapes(shapes)
        x = self.dropout(self.norm(x))
        mask = (pieces == 0)[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask)
        return x


class Network(nn.Module):
    """Scores of spans, arcs, relations and tags.

    Treebanks differ in annotation style. The encoder does not know the style; each head adds a vector of the style
    (0: unknown) before its non-linearity, so that one pass of the encoder serves a Penn tree and a UD tree.
    """

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.sizes = sizes
        self.encoder = Encoder(sizes)
        self.post_left = nn.Linear(sizes.hidden, sizes.span)
        self.post_right = nn.Linear(sizes.hidden, sizes.span)
        self.span_norm = nn.LayerNorm(sizes.span)
        self.span_label = nn.Linear(sizes.span, sizes.labels)
        self.arc_dependent = nn.Linear(sizes.hidden, sizes.arc)
        self.arc_head = nn.Linear(sizes.hidden, sizes.arc)
        self.arc_weight = nn.Parameter(torch.zeros(sizes.arc, sizes.arc))
        self.arc_bias = nn.Linear(sizes.arc, 1, bias=False)
        self.relation_dependent = nn.Linear(sizes.hidden, sizes.relation)
        self.relation_head = nn.Linear(sizes.hidden, sizes.relation)
        self.relation_label = nn.Linear(sizes.relation, sizes.relations)
        self.xpos = nn.Linear(sizes.hidden, sizes.xpos)
        self.upos = nn.Linear(sizes.hidden, sizes.upos)
        self.style_span = nn.Embedding(sizes.styles, sizes.span)
        self.style_arc = nn.Embedding(sizes.styles, 2 * sizes.arc)
        self.style_relation = nn.Embedding(sizes.styles, sizes.relation)
        self.style_xpos = nn.Embedding(sizes.styles, sizes.xpos)
        self.style_upos = nn.Embedding(sizes.styles, sizes.upos)
        for name, module in self.named_modules():
            if name.startswith("style_"):
                nn.init.zeros_(module.weight)
        nn.init.normal_(self.arc_weight, std=0.02)
        self.dropout = Dropout(sizes.head_dropout)

    def words(self, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """Vectors of the first and of the last piece of [start], each word and [end]."""
        pieces = self.encoder(batch["pieces"], batch["shapes"])
        width = pieces.shape[-1]
        first = pieces.gather(1, batch["first"][..., None].expand(-1, -1, width))
        last = pieces.gather(1, batch["last"][..., None].expand(-1, -1, width))
        return first, last

    def span_scores(self, first: Tensor, last: Tensor, style: Tensor) -> Tensor:
        """Label scores of the spans start < end in the order of triu_indices over the fenceposts."""
        posts = self.post_left(self.dropout(last[:, :-1])) + self.post_right(self.dropout(first[:, 1:]))
        starts, ends = torch.triu_indices(posts.shape[1], posts.shape[1], 1)
        spans = posts[:, ends] - posts[:, starts] + self.style_span(style)[:, None]
        return self.span_label(self.dropout(functional.relu(self.span_norm(spans))))

    def arc_scores(self, words: Tensor, style: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Arc scores [dependent, head] (position 0 is the root), and the relation vectors of both ends."""
        style_dependent, style_head = self.style_arc(style)[:, None].chunk(2, dim=-1)
        dependent = self.dropout(functional.relu(self.arc_dependent(words) + style_dependent))
        head = self.dropout(functional.relu(self.arc_head(words) + style_head))
        arcs = (dependent @ self.arc_weight) @ head.transpose(1, 2) + self.arc_bias(head).transpose(1, 2)
        relation_dependent = self.relation_dependent(words) + self.style_relation(style)[:, None]
        return arcs, relation_dependent, self.relation_head(words)

    def relation_scores(self, dependent: Tensor, head: Tensor, heads: Tensor) -> Tensor:
        chosen = head.gather(1, heads[..., None].expand(-1, -1, head.shape[-1]))
        return self.relation_label(self.dropout(functional.relu(dependent + chosen)))

    def losses(self, batch: dict[str, Any], structured: float) -> dict[str, Tensor]:
        """Sums over the batch of the losses of each head, each to be divided by the number of words."""
        first, last = self.words(batch)
        style = batch["style"]
        found: dict[str, Tensor] = {}
        words = self.dropout((first[:, :-1] + last[:, :-1]) * 0.5)
        xpos = self.xpos(words[:, 1:]) + self.style_xpos(style)[:, None]
        upos = self.upos(words[:, 1:]) + self.style_upos(style)[:, None]
        found["xpos"] = _cross_entropy(xpos, batch["xpos"])
        found["upos"] = _cross_entropy(upos, batch["upos"])
        if batch["with_spans"].numel():
            rows = batch["with_spans"]
            scores = self.span_scores(first[rows], last[rows], style[rows]).float()
            gold, lengths = batch["span_labels"], batch["lengths"][rows]
            if structured < 1:
                found["span"] = (1 - structured) * _cross_entropy(scores, gold)
            if structured > 0:
                found["tree"] = structured * tree_loss(scores, gold, batch["crossing"], lengths, first.shape[1] - 1)
        if batch["with_arcs"].numel():
            rows = batch["with_arcs"]
            arcs, dependent, head = self.arc_scores(words[rows], style[rows])
            positions = torch.arange(words.shape[1])
            outside = positions[None, None] > batch["lengths"][rows][:, None, None]
            arcs = arcs.float().masked_fill(outside, IMPOSSIBLE)
            heads = batch["heads"]
            found["arc"] = _cross_entropy(arcs[:, 1:], heads)
            relations = self.relation_scores(dependent[:, 1:], head, heads.clamp(min=0))
            found["relation"] = _cross_entropy(relations, batch["relations"])
        return found


def tree_loss(scores: Tensor, gold: Tensor, crossing: Tensor, lengths: Tensor, posts: int) -> Tensor:
    """Negative log-likelihood of the gold trees under a span CRF.

    Binary trees whose unlabelled nodes vanish are latent: the numerator sums over all of them that give the gold
    tree (no node crosses a gold bracket, a node that is no gold bracket has no label).
    """
    scores = scores - scores[..., :1]
    starts, ends = torch.triu_indices(posts, posts, 1)
    whole = (starts[None] == 0) & (ends[None] == lengths[:, None])
    free = torch.where(whole, scores[..., 1:].logsumexp(-1), scores.logsumexp(-1))
    observed = scores.gather(-1, gold.clamp(min=0)[..., None])[..., 0].masked_fill(crossing, IMPOSSIBLE)
    chart = scores.new_zeros(2 * len(scores), posts, posts)
    chart[:, starts, ends] = torch.cat([free, observed])
    partition = tree_log_partition(chart, lengths.repeat(2))
    return partition[: len(scores)].sum() - partition[len(scores) :].sum()


def _cross_entropy(scores: Tensor, gold: Tensor) -> Tensor:
    return functional.cross_entropy(scores.flatten(0, -2).float(), gold.flatten(), ignore_index=-100, reduction="sum")


def load_encoder(network: Network, weights: dict[str, Tensor]) -> None:
    """Copy BERT's parameters into the encoder."""
    encoder = network.encoder
    with torch.no_grad():
        encoder.pieces.weight.copy_(weights["embeddings.word_embeddings.weight"])
        kind = weights["embeddings.token_type_embeddings.weight"][0]
        encoder.positions.weight.copy_(weights["embeddings.position_embeddings.weight"] + kind)
        _copy(encoder.norm, weights, "embeddings.LayerNorm")
        for number, layer in enumerate(encoder.layers):
            prefix = f"encoder.layer.{number}"
            parts = [f"{prefix}.attention.self.{part}" for part in ("query", "key", "value")]
            layer.attention_in.weight.copy_(torch.cat([weights[f"{part}.weight"] for part in parts]))
            layer.attention_in.bias.copy_(torch.cat([weights[f"{part}.bias"] for part in parts]))
            _copy(layer.attention_out, weights, f"{prefix}.attention.output.dense")
            _copy(layer.attention_norm, weights, f"{prefix}.attention.output.LayerNorm")
            _copy(layer.inner, weights, f"{prefix}.intermediate.dense")
            _copy(layer.outer, weights, f"{prefix}.output.dense")
            _copy(layer.norm, weights, f"{prefix}.output.LayerNorm")


def _copy(module: nn.Module, weights: dict[str, Tensor], name: str) -> None:
    module.weight.copy_(weights[f"{name}.weight"])
    module.bias.copy_(weights[f"{name}.bias"])
