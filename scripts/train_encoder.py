"""Distil the encoder of word vectors: three layers learn what six know about the likeness of words.

    python scripts/train_encoder.py --data ../shared/data --out runs/encoder

The teacher is the published all-MiniLM-L6-v2. Its vector of a word is made of its fourth and sixth layers, each of
length 1, projected on their principal directions. The student starts as the teacher's first layers with the half of
their inner units that is used most; it learns the directions of these vectors and the similarities between the words of
a batch. Embeddings stay as they are.

Needs the extra `train`. The run folder holds the SHA-256 of every text, a log and a checkpoint; the same command
continues a broken run. `scripts/build_encoder.py` makes models/encoder/ from it.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from parser_training.mix import file_hashes, read_source
from parser_training.model import Encoder, Layer, Network, Sizes, load_encoder
from safetensors.torch import load_file
from train_parser import encoder_folder, log

from synteval.parsing.en.wordpiece import WordPiece

CONFIG = Path(__file__).resolve().parent / "parser_training" / "encoder.json"


@dataclass(frozen=True)
class Batch:
    """Passages of similar length: pieces [passage, piece], and where the words begin and end in their flat order."""

    pieces: Tensor
    first: Tensor
    last: Tensor


def pretrained(layers: int) -> Encoder:
    """The first layers of the published encoder; its embeddings of case shapes are 0."""
    sizes = Sizes(vocabulary=30522, shapes=1, styles=1, labels=1, relations=1, xpos=1, upos=1, dropout=0.0)
    network = Network(sizes)
    load_encoder(network, load_file(encoder_folder() / "model.safetensors"))
    nn.init.zeros_(network.encoder.shapes.weight)
    del network.encoder.layers[layers:]
    return network.encoder


def vocabulary() -> WordPiece:
    return WordPiece((encoder_folder() / "vocab.txt").read_text("utf8").splitlines())


def word_states(encoder: Encoder, batch: Batch) -> list[Tensor]:
    """Of every layer: the sum of the states of each word's first and last piece."""
    x = encoder.norm(encoder.pieces(batch.pieces) + encoder.positions(torch.arange(batch.pieces.shape[1])))
    mask = (batch.pieces == 0)[:, None, None, :]
    found = []
    for layer in encoder.layers:
        with torch.autocast("cpu", torch.bfloat16):
            x = layer(x, mask)
        flat = x.flatten(0, 1).float()
        found.append(flat[batch.first] + flat[batch.last])
    return found


def unit(x: Tensor) -> Tensor:
    return x / x.norm(dim=1, keepdim=True).clamp_min(1e-6)


class Teacher:
    """Word vectors of the whole encoder: some of its layers side by side, projected."""

    def __init__(self, layers: list[int], batches: list[Batch], dimensions: int) -> None:
        self.encoder = pretrained(max(layers)).eval()
        self.layers = layers
        moments = torch.zeros(384 * len(layers), 384 * len(layers), dtype=torch.float64)
        for batch in batches:
            vectors = self._joined(batch).double()
            moments += vectors.T @ vectors
        self.projection = torch.from_numpy(principal_directions(moments.numpy(), dimensions))

    @torch.no_grad()
    def _joined(self, batch: Batch) -> Tensor:
        states = word_states(self.encoder, batch)
        return torch.cat([unit(states[number - 1]) for number in self.layers], dim=1)

    def vectors(self, batch: Batch) -> Tensor:
        return unit(self._joined(batch) @ self.projection)


def principal_directions(moments: np.ndarray, dimensions: int) -> np.ndarray:
    """[hidden, dimensions], the directions of the largest second moments, signs fixed."""
    _, directions = np.linalg.eigh(moments)
    chosen = directions[:, ::-1][:, :dimensions]
    chosen = chosen * np.sign(chosen[np.abs(chosen).argmax(axis=0), np.arange(dimensions)])
    return chosen.astype(np.float32)


class Student(nn.Module):
    """The first layers of the encoder, narrowed, and a projection to the teacher's vectors."""

    def __init__(self, layers: int, inner: int, dimensions: int) -> None:
        super().__init__()
        self.encoder = pretrained(layers)
        for layer in self.encoder.layers:
            keep_units(layer, torch.arange(inner))
        self.projection = nn.Linear(384, dimensions, bias=False)
        for embedding in (self.encoder.pieces, self.encoder.positions, self.encoder.shapes):
            embedding.weight.requires_grad_(False)

    def forward(self, batch: Batch) -> Tensor:
        return unit(self.projection(word_states(self.encoder, batch)[-1]))

    @torch.no_grad()
    def keep_most_used(self, batches: list[Batch], inner: int) -> None:
        """The pretrained layers with those inner units that move their layer's output most on the batches."""
        self.encoder.layers = pretrained(len(self.encoder.layers)).layers
        used = [torch.zeros(layer.inner.out_features) for layer in self.encoder.layers]

        def watch(total: Tensor) -> Any:
            return lambda _, inputs: total.add_(inputs[0].float().abs().sum((0, 1)))

        watches = [
            layer.outer.register_forward_pre_hook(watch(total))
            for layer, total in zip(self.encoder.layers, used, strict=True)
        ]
        for batch in batches:
            word_states(self.encoder, batch)
        for layer, total, watched in zip(self.encoder.layers, used, watches, strict=True):
            watched.remove()
            keep_units(layer, (total * layer.outer.weight.norm(dim=0)).topk(inner).indices.sort().values)

    @torch.no_grad()
    def fit_projection(self, teacher: Teacher, batches: list[Batch]) -> None:
        states = torch.cat([word_states(self.encoder, batch)[-1] for batch in batches]).double()
        wanted = torch.cat([teacher.vectors(batch) for batch in batches]).double()
        # The best linear guess.
        squares = states.T @ states + torch.eye(states.shape[1], dtype=torch.float64)
        self.projection.weight.copy_(torch.linalg.solve(squares, states.T @ wanted).T)


def keep_units(layer: Layer, units: Tensor) -> None:
    """Make a layer narrower: of its inner units only these."""
    wide, layer.inner = layer.inner, nn.Linear(layer.inner.in_features, len(units))
    layer.inner.weight.data, layer.inner.bias.data = wide.weight.data[units], wide.bias.data[units]
    layer.outer.weight.data = layer.outer.weight.data[:, units]


def passages(config: dict[str, Any], data: Path, wordpiece: WordPiece) -> list[list[list[int]]]:
    """The texts as passages of one or some sentences, each a list of words, each a list of pieces; shuffled."""
    rng = random.Random(config["seed"])
    found = []
    for source in config["train"]:
        sentences = [[wordpiece.pieces(word) for word in example.words] for example in read_source(source, data)]
        while sentences:
            wanted = 1 if rng.random() < config["single"] else rng.randint(2, config["most_sentences"])
            words = [word for sentence in sentences[:wanted] for word in sentence]
            del sentences[:wanted]
            if sum(map(len, words)) <= 252:
                found.append(words)
    rng.shuffle(found)
    return found


def batched(texts: list[list[list[int]]], wordpiece: WordPiece, size: int) -> list[Batch]:
    """Batches of about `size` pieces, the shortest passages first."""
    groups: list[list[list[list[int]]]] = [[]]
    for words in sorted(texts, key=lambda words: sum(map(len, words))):
        if groups[-1] and (len(groups[-1]) + 1) * (sum(map(len, words)) + 2) > size:
            groups.append([])
        groups[-1].append(words)
    return [_batch(group, wordpiece) for group in groups]


def _batch(group: list[list[list[int]]], wordpiece: WordPiece) -> Batch:
    width = max(sum(map(len, words)) for words in group) + 2
    pieces = np.zeros((len(group), width), np.int64)
    first, last = [], []
    for row, words in enumerate(group):
        flat = [wordpiece.start, *(piece for word in words for piece in word), wordpiece.end]
        pieces[row, : len(flat)] = flat
        counts = np.array([len(word) for word in words])
        ends = np.cumsum(counts) + row * width
        first.append(ends - counts + 1)
        last.append(ends)
    return Batch(*(torch.from_numpy(array) for array in (pieces, np.concatenate(first), np.concatenate(last))))


def rate(step: int, config: dict[str, Any]) -> float:
    """Warm up, then fall to 0 in a straight line."""
    falling = 1 - step / config["steps"]
    return float(config["rate"] * min((step + 1) / config["warm_up"], 1) * falling)


def train(config: dict[str, Any], data: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(config["seed"])
    run = {"config": config, "sha256": file_hashes({**config, "dev": []}, data), "torch": torch.__version__}
    (out / "run.json").write_text(json.dumps(run, indent=1))
    wordpiece = vocabulary()
    texts = passages(config, data, wordpiece)
    held, texts = texts[: config["held_out"]], texts[config["held_out"] :]
    dev, batches = (batched(part, wordpiece, config["pieces_a_batch"]) for part in (held, texts))
    sample = batched(texts[: config["sample"]], wordpiece, config["pieces_a_batch"])
    teacher = Teacher(config["teacher_layers"], sample, config["dimensions"])
    student = Student(config["layers"], config["inner"], config["dimensions"])
    student.keep_most_used(sample, config["inner"])
    student.fit_projection(teacher, sample)
    learnt = [parameter for parameter in student.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(learnt, lr=config["rate"], betas=(0.9, 0.98), weight_decay=0.0)
    begin, checkpoint = 0, out / "student.pt"
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        student.load_state_dict(state["student"])
        optimizer.load_state_dict(state["optimizer"])
        begin = state["step"]

    @torch.no_grad()
    def agreement() -> float:
        cosines = torch.cat([(student(batch) * teacher.vectors(batch)).sum(1) for batch in dev])
        return round(float(cosines.mean()), 4)

    log(out, {"passages": len(texts), "batches": len(batches), "words": sum(map(len, texts)), "cosine": agreement()})
    targets: dict[int, Tensor] = {}  # the teacher reads a batch once
    order: list[int] = []
    for step in range(config["steps"]):
        if not order:
            order = list(range(len(batches)))
            random.Random(config["seed"] + step).shuffle(order)
        number = order.pop()
        if step < begin:
            continue
        if number not in targets:
            targets[number] = teacher.vectors(batches[number]).half()
        wanted = unit(targets[number].float())
        for group in optimizer.param_groups:
            group["lr"] = rate(step, config)
        vectors = student(batches[number])
        some = torch.from_numpy(np.random.default_rng(step).permutation(len(wanted))[:512])
        apart = (vectors[some] @ vectors[some].T - wanted[some] @ wanted[some].T).square().mean()
        loss = 1 - (vectors * wanted).sum(1).mean() + config["similarities"] * apart
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(learnt, 1.0)
        optimizer.step()
        if (step + 1) % 100 == 0:
            log(out, {"step": step + 1, "loss": round(loss.item(), 4)})
        if (step + 1) % 1000 == 0 or step + 1 == config["steps"]:
            log(out, {"step": step + 1, "cosine": agreement()})
            state = {"student": student.state_dict(), "optimizer": optimizer.state_dict(), "step": step + 1}
            torch.save(state, out / "student.new")
            (out / "student.new").replace(checkpoint)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", type=Path, nargs="?", default=CONFIG)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    train(json.loads(arguments.config.read_text()), arguments.data, arguments.out)


if __name__ == "__main__":
    main()
