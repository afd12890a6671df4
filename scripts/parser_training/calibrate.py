"""The range of every quantised input, channel by channel, on training text."""

from __future__ import annotations

import numpy as np
import torch

from parser_training.batches import Inventory, batches
from parser_training.graph import FloatArray
from parser_training.model import Network
from parser_training.treebanks import Example
from synteval.parsing.en.wordpiece import WordPiece

HEADS = ("arc_dependent",)


@torch.no_grad()
def measure_ranges(
    network: Network, examples: list[tuple[Example, str]], wordpiece: WordPiece, inventory: Inventory
) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Smallest and largest value of each input channel of the products, padding left out."""
    network.eval()
    found: dict[str, tuple[FloatArray, FloatArray]] = {}
    mask: dict[str, torch.Tensor] = {}

    def watch(site: str, factor: float, where: str):
        def hook(_: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> None:
            values = (inputs[0] * factor)[mask[where]].numpy()
            low, high = values.min(axis=0), values.max(axis=0)
            if site in found:
                low, high = np.minimum(low, found[site][0]), np.maximum(high, found[site][1])
            found[site] = low, high

        return hook

    handles = []
    for number, layer in enumerate(network.encoder.layers):
        for name in ("attention_in", "attention_out", "inner", "outer"):
            hook = watch(f"encoder.layers.{number}.{name}", 1.0, "pieces")
            handles.append(getattr(layer, name).register_forward_pre_hook(hook))
    for name, site, factor, where in (
        ("post_left", "post_left", 1.0, "words"),
        ("post_right", "post_right", 1.0, "words"),
        ("span_label", "span_label", 1.0, "spans"),
        ("arc_dependent", "words", 2.0, "words"),
    ):
        handles.append(getattr(network, name).register_forward_pre_hook(watch(site, factor, where)))
    for batch in batches(examples, wordpiece, inventory, 2000, 0):
        lengths = batch["lengths"]
        posts = batch["first"].shape[1] - 1
        mask["pieces"] = batch["pieces"] != 0
        mask["words"] = torch.arange(posts)[None] <= lengths[:, None]
        _, ends = torch.triu_indices(posts, posts, 1)
        mask["spans"] = ends[None] <= lengths[:, None]
        first, last = network.words(batch)
        network.span_scores(first, last, batch["style"])
        network.arc_scores((first[:, :-1] + last[:, :-1]) * 0.5, batch["style"])
    for handle in handles:
        handle.remove()
    return found
