"""Make models/en/ from a run of scripts/train_parser.py.

    python scripts/export_parser.py runs/research --data ../shared/data --out models/en --version 1.0.0

The network becomes an int8 ONNX graph, lemma tables and tokenizer knowledge are learnt from the run's UD treebanks,
and manifest.json names every file with its SHA-256; training.json tells how the run was made.
"""

# ruff: noqa: E402 (the scripts find their own package first)

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]

from parser_training.batches import Inventory
from parser_training.calibrate import measure_ranges
from parser_training.graph import parser_graph
from parser_training.mix import epoch, read_source
from parser_training.model import Network, Sizes
from parser_training.words import learn_lemmas, learn_tokenizer
from train_parser import encoder_folder

from synteval.parsing.en.shape import SHAPES
from synteval.parsing.en.wordpiece import WordPiece

CALIBRATION_SENTENCES = 1200


def load_run(run: Path) -> tuple[dict[str, Any], Inventory, Network]:
    record = json.loads((run / "run.json").read_text())
    inventory = Inventory(**record["inventory"])
    state = torch.load(run / "checkpoint.pt", weights_only=True)["network"]
    sizes = Sizes(
        vocabulary=len(state["encoder.pieces.weight"]),
        shapes=len(SHAPES),
        styles=len(inventory.styles),
        labels=len(inventory.labels),
        relations=len(inventory.relations),
        xpos=len(inventory.xpos),
        upos=len(inventory.upos),
    )
    network = Network(sizes)
    network.load_state_dict(state)
    return record, inventory, network


def export(
    run: Path, data: Path, out: Path, version: str, styles: dict[str, str], null_bias: float, quantised: bool
) -> None:
    record, inventory, network = load_run(run)
    config = record["config"]
    vocabulary = (encoder_folder() / "vocab.txt").read_text("utf8")
    wordpiece = WordPiece(vocabulary.splitlines())
    sources = [read_source(source, data) for source in config["train"]]
    sample = epoch(config, sources, config["seed"])[:CALIBRATION_SENTENCES]
    ranges = measure_ranges(network, sample, wordpiece, inventory)
    weights = {name: value.numpy() for name, value in network.state_dict().items()}
    numbers = {head: inventory.styles.index(style) for head, style in styles.items()}
    model = parser_graph(weights, ranges, numbers, null_bias, quantised=quantised)
    ud = [
        e for source, es in zip(config["train"], sources, strict=True) if source["style"] in {"ewt", "gum"} for e in es
    ]
    settings = {
        "name": "en",
        "version": version,
        "mix": config["name"],
        "styles": styles,
        "null_bias": null_bias,
        "labels": inventory.labels,
        "relations": inventory.relations,
        "xpos": inventory.xpos,
        "upos": inventory.upos,
    }
    out.mkdir(parents=True, exist_ok=True)
    relation = {
        "relation_weight": weights["relation_label.weight"].T.astype(np.float32),
        "relation_bias": weights["relation_label.bias"].astype(np.float32),
    }
    files = {
        "parser.onnx": model.SerializeToString(),
        "relations.npy": _npy(np.vstack([relation["relation_weight"], relation["relation_bias"]])),
        "vocabulary.txt": vocabulary.encode("utf8"),
        "settings.json": (json.dumps(settings, indent=1, ensure_ascii=False) + "\n").encode("utf8"),
        "lemmas.json.gz": _packed(learn_lemmas(ud)),
        "tokenizer.json.gz": _packed(learn_tokenizer(ud)),
    }
    for name, content in files.items():
        (out / name).write_bytes(content)
    manifest = {
        "version": version,
        "sha256": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
    }
    (out / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    (out / "training.json").write_text(json.dumps(training_record(run, record), indent=1) + "\n")
    print(json.dumps({name: len(content) for name, content in files.items()}))


def training_record(run: Path, record: dict[str, Any]) -> dict[str, Any]:
    """How the model was trained: configuration, hashes of the treebank files, dev scores of each epoch."""
    log = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    dev = [{"epoch": entry["epoch"], "step": entry["step"]} | entry["dev"] for entry in log if "dev" in entry]
    return {"torch": record["torch"], "config": record["config"], "sha256": record["sha256"], "dev": dev}


def _packed(value: Any) -> bytes:
    return gzip.compress(json.dumps(value, ensure_ascii=False, sort_keys=True).encode("utf8"), mtime=0)


def _npy(array: np.ndarray[Any, Any]) -> bytes:
    import io

    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, default=Path("models/en"))
    parser.add_argument("--version", default="1.0.0")
    parser.add_argument("--trees", default="unknown", help="annotation style of the constituency trees")
    parser.add_argument("--dependencies", default="unknown", help="annotation style of the dependencies")
    parser.add_argument("--tags", default="unknown", help="annotation style of the XPOS tags")
    parser.add_argument("--null-bias", type=float, default=0.7, help="bias towards no constituent")
    parser.add_argument("--float", action="store_true", help="do not quantise (for comparison)")
    arguments = parser.parse_args()
    styles = {"trees": arguments.trees, "dependencies": arguments.dependencies, "tags": arguments.tags}
    export(
        arguments.run,
        arguments.data,
        arguments.out,
        arguments.version,
        styles,
        arguments.null_bias,
        not arguments.float,
    )


if __name__ == "__main__":
    main()
