"""Fit models/blend/blend.json to human adequacy, and measure it on language pairs it has not seen.

    python scripts/train_blend.py --data ../shared/data --out models/blend

Trains on WMT17 (cs, de, ru, zh to English, 2,240 outputs) and WMT13 (cs, de, es, fr, ru to English, 1,120 outputs)
direct assessment. The weights are those of ridge regression on standardised scores; its penalty is chosen by leaving
out one language pair of WMT17 at a time (a pair's WMT13 outputs with it), and what is reached then is what the card
tells.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Hashable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from synteval.combine.features import LENGTH_FEATURES, MetricFeatures
from synteval.combine.linear import WeightedLinear
from synteval.combine.model import Model
from synteval.combine.splits import refuse_leaks
from synteval.meta.correlation import pearson
from synteval.meta.table import ScoreTable, read_scores
from synteval.metrics.registry import registered_metrics

MODES = ("precision", "recall")
# Metrics that weigh words by the references of the whole run (NIST, rarity weights) are not among them: the score of a
# segment must not depend on what else is scored.
FEATURES = (
    *(f"stm:depth={d},mode={m}" for d in (1, 2, 3, 5) for m in MODES),
    *(f"hwcm:length={n},mode={m},epsilon=0" for n in (1, 2, 4) for m in MODES),
    *(f"hwcm:length={n},mode={m},epsilon=0,form=lemma" for n in (1, 2, 3) for m in MODES),
    *(f"dstm:depth={d},mode={m}" for d in (2, 3) for m in MODES),
    *("stm:lexicalised=yes,mode=f1", "tkm", "tkm:decay=0.4", "dtkm:decay=0.4", "depf", "depf:labelled=no", "gramsim"),
    *("esk", "esk:d=3,units=lemma", "wsk", "wsk:units=lemma,d=3"),
    *(
        "chrf",
        "chrf:word_order=2",
        "chrf:char_order=3",
        "bleu",
        "bleu:max_ngram_order=2",
        "ter",
        "wer",
        "per",
        "meteor",
    ),
    *(
        "rouge1",
        "rouge1:measure=precision",
        "rouge1:measure=f,stem=yes",
        "rouge2:measure=f",
        "rouge3",
        "rougeL",
        "rougeSU",
    ),
    *(f"soft:mode={m}" for m in (*MODES, "f1")),
    *(f"soft:mode={m},assignment=optimal" for m in (*MODES, "f1")),
    *(f"hwcm:match=soft,length={n},mode={m},epsilon=0" for n in (1, 2, 3) for m in MODES),
    *("depf:match=soft", "depf:match=soft,labelled=no", "wellformed"),
    *LENGTH_FEATURES,
)
PENALTIES = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
TEST, EXTRA = "wmt17_da", "wmt13_da15"
Array = NDArray[np.float64]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--parser", default="en")
    options.add_argument(
        "--work", type=Path, help="keep the members' scores in this folder and use those that are there"
    )
    args = options.parse_args()
    known = {name.lower() for name in registered_metrics()}
    features = [f for f in FEATURES if f in LENGTH_FEATURES or f.partition(":")[0].lower() in known]
    tables = {name: read_scores(args.data / name / "segments.tsv") for name in (TEST, EXTRA)}
    scored = {name: score(name, table, features, args) for name, table in tables.items()}
    x = np.concatenate([scored[name][0] for name in tables])
    y = np.concatenate([table.column("human_adequacy_z") for table in tables.values()])
    langpair = np.array([value for table in tables.values() for value in table.values("langpair")])
    references: list[Hashable] = [ref for table in tables.values() for ref in table.table.references]
    source = np.repeat(list(tables), [len(table.table) for table in tables.values()])
    reached = {}
    for penalty in PENALTIES:
        reached[penalty] = held_out(WeightedLinear(penalty), x, y, langpair, source, references)
        print(
            penalty, *(f"{pair} {r:.4f}" for pair, r in reached[penalty].items()), f"mean {mean(reached[penalty]):.4f}"
        )
    best = max(PENALTIES, key=lambda penalty: mean(reached[penalty]))
    combiner = WeightedLinear(best).fit(x, y)
    notes = {
        "data": {name: len(table.table) for name, table in tables.items()},
        "human": "human_adequacy_z",
        "held_out_pearson": {pair: round(r, 4) for pair, r in reached[best].items()}
        | {"mean": round(mean(reached[best]), 4)},
    }
    args.out.mkdir(parents=True, exist_ok=True)
    model = Model(combiner, tuple(features), scored[TEST][1], notes)
    model.save(args.out / "blend.json")
    print(model.signature, json.dumps(notes["held_out_pearson"]))


def score(name: str, table: ScoreTable, features: list[str], args: argparse.Namespace) -> tuple[Array, dict[str, str]]:
    """The members' scores of a data set and their signatures, computed or found."""
    kept = args.work / f"blend-{name}.npz" if args.work is not None else None
    if kept is not None and kept.is_file():
        with np.load(kept, allow_pickle=False) as found:
            if [str(f) for f in found["features"]] == features:
                return found["x"], json.loads(str(found["signatures"]))
    pairs = list(zip(table.table.hypotheses, table.table.references, strict=True))
    x, signatures = MetricFeatures(features, args.parser).score(pairs)
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.savez(kept, x=x, features=np.array(features), signatures=np.array(json.dumps(signatures)))
    return x, signatures


def held_out(
    combiner: WeightedLinear,
    x: Array,
    y: Array,
    langpair: NDArray[np.str_],
    source: NDArray[np.str_],
    references: list[Hashable],
) -> dict[str, float]:
    """Pearson on each language pair of WMT17 with a model that has seen no output of that pair.

    The pairs of a year share some references, for half of their texts were English first; outputs with a reference that
    the test has are left out of training too.
    """
    reached = {}
    for pair in sorted(set(langpair[source == TEST])):
        tested = (langpair == pair) & (source == TEST)
        seen = {ref for ref, mine in zip(references, tested, strict=True) if mine}
        other = (langpair != pair) & np.array([ref not in seen for ref in references])
        train, test = np.flatnonzero(other), np.flatnonzero(tested)
        refuse_leaks([(train, test)], {"language pair": list(langpair), "reference": references})
        reached[str(pair)] = pearson(combiner.fit(x[train], y[train]).predict(x[test]), y[test])
    return reached


def mean(values: dict[str, float]) -> float:
    return float(np.mean(list(values.values())))


if __name__ == "__main__":
    main()
