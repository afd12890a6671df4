"""QARLA's test cases from a table: each segment with its references as models and its outputs as peers.

Metrics compare two texts here, each of the models in turn being the reference, so every pair of texts of a segment is
scored once. Models with the same text count once; a segment with fewer models than `least` is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from synteval.errors import InputError
from synteval.meta.axioms import Scorer
from synteval.meta.qarla import TestCase
from synteval.meta.table import ScoreTable


def test_cases(table: ScoreTable, scorers: Mapping[str, Scorer], *, least: int = 4) -> list[TestCase]:
    """One test case a segment; metrics in the order of `scorers`."""
    cases: list[tuple[list[str], dict[str, str]]] = []
    outputs = table.hypotheses()
    for k, references in enumerate(table.references()):
        models = list(dict.fromkeys(references))
        peers = {name: row[k] for name, row in zip(table.systems, outputs, strict=True) if row[k].strip()}
        if len(models) >= least and peers:
            cases.append((models, peers))
    if not cases:
        raise InputError(
            f"{table.table.path}: no segment has {least} different references; QARLA needs at least "
            f"{least} models a test case"
        )
    wanted: dict[tuple[str, str], int] = {}
    for models, peers in cases:
        for first in (*models, *peers.values()):
            for second in (*models, *peers.values()):
                wanted.setdefault((first, second), len(wanted))
    firsts, seconds = [pair[0] for pair in wanted], [pair[1] for pair in wanted]
    scores = np.stack([np.asarray(score(firsts, seconds), dtype=np.float64) for score in scorers.values()])

    def similarities(first: Sequence[str], second: Sequence[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        rows = np.array([[wanted[a, b] for b in second] for a in first])
        return np.asarray(scores[:, rows])

    return [
        TestCase(similarities(models, models), similarities(said, models), similarities(said, said), tuple(peers))
        for models, peers, said in ((models, peers, list(peers.values())) for models, peers in cases)
    ]


test_cases.__test__ = False  # type: ignore[attr-defined]  # not a test, whatever its name
