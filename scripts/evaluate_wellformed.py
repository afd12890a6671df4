"""What `wellformed` is worth, beside a 3-gram model of characters as a trivial baseline.

    python scripts/evaluate_wellformed.py --data ../shared/data [--by-paradigm]

- mt_ted (Arabic and Persian to English) and webnlg2020: Pearson correlation with human fluency, plain and with length
  removed (partial correlation, given the logarithm of the number of words).
- blimp: the share of minimal pairs whose grammatical sentence scores higher, ties counting half.
- jfleg: the share of corrections that score above their source.

The baseline is trained on the training parts of UD EWT and GUM, lower-cased; its score is the mean log probability of
a character, with Witten-Bell smoothing.
"""

from __future__ import annotations

import argparse
import csv
import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from synteval.metrics.base import Chunk
from synteval.metrics.wellformed import WellFormed

Scores = dict[str, np.ndarray]
TREEBANKS = ("ud_ewt/en_ewt-ud-train.conllu", "gum/dep/train.conllu")


class Characters:
    """A model of character 3-grams."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.counts: Counter[str] = Counter()
        self.followers: defaultdict[str, set[str]] = defaultdict(set)
        for text in texts:
            padded = f"\2\2{text.lower()}\3"
            for end in range(3, len(padded) + 1):
                for start in range(end - 3, end):
                    gram = padded[start:end]
                    self.counts[gram] += 1
                    self.followers[gram[:-1]].add(gram[-1])
        self.contexts: Counter[str] = Counter()
        for gram, count in self.counts.items():
            self.contexts[gram[:-1]] += count

    def probability(self, gram: str) -> float:
        shorter = self.probability(gram[1:]) if len(gram) > 1 else 1 / 256
        context = gram[:-1]
        kinds, total = len(self.followers.get(context, ())), self.contexts[context]
        return (self.counts[gram] + kinds * shorter) / (total + kinds) if total else shorter

    def score(self, text: str) -> float:
        padded = f"\2\2{text.lower()}\3"
        logs = [math.log(self.probability(padded[end - 3 : end])) for end in range(3, len(padded) + 1)]
        return sum(logs) / len(logs)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def scored(texts: list[str], characters: Characters) -> Scores:
    metric = WellFormed()
    distinct = list(dict.fromkeys(texts))
    values = metric.score_rows(metric.corpus(Chunk(hypothesis_texts=distinct)), segment=True)
    found = dict(zip(distinct, values.tolist(), strict=True))
    return {
        "wellformed": np.array([found[text] for text in texts]),
        "characters": np.array([characters.score(text) for text in texts]),
    }


def correlations(texts: list[str], human: np.ndarray, characters: Characters) -> dict[str, tuple[float, float]]:
    lengths = np.log([max(1, len(text.split())) for text in texts])
    design = np.stack([np.ones(len(texts)), lengths], axis=1)

    def rest(values: np.ndarray) -> np.ndarray:
        return values - design @ np.linalg.lstsq(design, values, rcond=None)[0]

    return {
        name: (np.corrcoef(values, human)[0, 1], np.corrcoef(rest(values), rest(human))[0, 1])
        for name, values in scored(texts, characters).items()
    }


def fluency(data: Path, characters: Characters) -> None:
    print("correlation with human fluency       plain          length removed")
    rows = rows_of(data / "mt_ted_fluency_adequacy/segments.tsv")
    sets = {pair: [row for row in rows if row["langpair"] == pair] for pair in ("ar-en", "fa-en")}
    named = {f"mt_ted {pair}": (found, "human_fluency_z") for pair, found in sets.items()}
    named["webnlg2020"] = (rows_of(data / "webnlg2020/segments.tsv"), "human_fluency")
    for name, (found, column) in named.items():
        found = [row for row in found if row[column]]
        human = np.array([float(row[column]) for row in found])
        for metric, (plain, partial) in correlations([row["hypothesis"] for row in found], human, characters).items():
            print(f"{name:14s} {metric:12s} n={len(found):5d}   {plain:6.3f}          {partial:6.3f}")


def preferred(better: np.ndarray, worse: np.ndarray) -> np.ndarray:
    return np.where(better == worse, 0.5, (better > worse).astype(float))


def minimal_pairs(data: Path, characters: Characters, by_paradigm: bool) -> None:
    rows = rows_of(data / "blimp/pairs_200_per_paradigm.tsv")
    texts = [row["good"] for row in rows] + [row["bad"] for row in rows]
    won = {
        name: preferred(values[: len(rows)], values[len(rows) :]) for name, values in scored(texts, characters).items()
    }
    print(f"\nblimp, {len(rows)} pairs: " + ", ".join(f"{name} {values.mean():.3f}" for name, values in won.items()))
    for column in ("field", "term", *(["paradigm"] if by_paradigm else [])):
        kinds = np.array([row[column] for row in rows])
        for kind in sorted(set(kinds.tolist())):
            chosen = kinds == kind
            line = "  ".join(f"{name} {values[chosen].mean():.3f}" for name, values in won.items())
            print(f"  {column:9s} {kind:52s} {line}")


def corrections(data: Path, characters: Characters) -> None:
    for part in ("dev", "test"):
        rows = rows_of(data / f"jfleg/{part}.tsv")
        pairs = [
            (row[f"reference_{k}"], row["source"])
            for row in rows
            for k in range(1, 5)
            if row[f"reference_{k}"] and row[f"reference_{k}"] != row["source"]
        ]
        results = scored([text for pair in pairs for text in pair], characters)
        line = ", ".join(f"{name} {preferred(v[::2], v[1::2]).mean():.3f}" for name, v in results.items())
        print(f"jfleg {part}, {len(pairs)} changed corrections: {line}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--by-paradigm", action="store_true")
    arguments = parser.parse_args()
    texts = []
    for name in TREEBANKS:
        lines = (arguments.data / name).read_text("utf8").splitlines()
        texts += [line.removeprefix("# text = ") for line in lines if line.startswith("# text = ")]
    characters = Characters(texts)
    print(WellFormed().signature())
    fluency(arguments.data, characters)
    corrections(arguments.data, characters)
    minimal_pairs(arguments.data, characters, arguments.by_paradigm)


if __name__ == "__main__":
    main()
