"""Is a metric a similarity measure? The axioms of Amigo et al. 2011, section 3, and M. King's coherence, on real data.

With f a decomposition of texts into elements (here: words), g a reference and x the metric:

    identity  f(s) = f(g) gives the highest score: x(g, g) >= x(s, g), and 1 where the metric's range ends at 1
    only      nothing else reaches it: x(s, g) = x(g, g) only where f(s) = f(g)
    growing   adding an element that overlaps raises x: s = s' + {e in f(g) - f(s')}  ->  x(s, g) > x(s', g)
    shrinking removing one that does not overlap raises x: s = s' - {e in f(s') - f(g)}  ->  x(s, g) > x(s', g)

The paper asks that some decomposition exists, so a metric that fails on words may still be a similarity by another
decomposition. The checker makes one changed text of each kind for each pair of data, scores all, and gives for each
axiom how often it held, and counter-examples. It reports; it does not judge: precision alone fails `only`, recall
alone fails `shrinking`, METEOR's identity is below 1, and F with no overlap at all fails `shrinking` (footnote 1 of
the paper).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from synteval.errors import InputError
from synteval.meta.matrix import FloatArray

# Scores of hypotheses, each against one reference.
Scorer: TypeAlias = Callable[[Sequence[str], Sequence[str]], FloatArray]
AXIOMS = ("identity", "only", "growing", "shrinking")
TOLERANCE = 1e-9


@dataclass(frozen=True)
class CounterExample:
    """Two texts whose scores are the wrong way round (or equal where one must be higher)."""

    reference: str
    better: str
    worse: str
    better_score: float
    worse_score: float


@dataclass(frozen=True)
class AxiomResult:
    """How often an axiom was tried and held."""

    axiom: str
    tried: int
    held: int
    counter_examples: tuple[CounterExample, ...]

    @property
    def holds(self) -> bool:
        """No counter-example was found."""
        return self.held == self.tried


def check_axioms(
    score: Scorer,
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    higher_is_better: bool = True,
    examples: int = 3,
    rng: np.random.Generator | int | None = 0,
) -> dict[str, AxiomResult]:
    """Check all axioms on pairs of an output and a reference."""
    if len(hypotheses) != len(references) or not hypotheses:
        raise InputError(f"{len(hypotheses)} hypotheses and {len(references)} references; give pairs")
    generator = np.random.default_rng(rng)
    # Each trial: axiom, reference, the text that must score higher, the other one.
    trials: list[tuple[str, str, str, str]] = []
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        trials += _trials(hypothesis, reference, generator)
    better = np.asarray(score([t[2] for t in trials], [t[1] for t in trials]), dtype=np.float64)
    worse = np.asarray(score([t[3] for t in trials], [t[1] for t in trials]), dtype=np.float64)
    sign = 1.0 if higher_is_better else -1.0
    # Identity asks for at least as much, the others for more.
    margin = np.array([-TOLERANCE if axiom == "identity" else TOLERANCE for axiom, *_ in trials])
    held = sign * (better - worse) >= margin
    results = {}
    for axiom in AXIOMS:
        mine = [k for k, trial in enumerate(trials) if trial[0] == axiom]
        failed = [k for k in mine if not held[k]]
        shown = tuple(CounterExample(*trials[k][1:], float(better[k]), float(worse[k])) for k in failed[:examples])
        results[axiom] = AxiomResult(axiom, len(mine), len(mine) - len(failed), shown)
    return results


def _trials(hypothesis: str, reference: str, generator: np.random.Generator) -> list[tuple[str, str, str, str]]:
    words, wanted = hypothesis.split(), reference.split()
    if not words or not wanted:
        return []
    trials = [("identity", reference, reference, hypothesis)]
    if Counter(words) != Counter(wanted):
        trials.append(("only", reference, reference, hypothesis))
    # A fragment of the reference: full precision, little recall.
    if len(wanted) > 1:
        trials.append(("only", reference, reference, " ".join(wanted[: max(1, len(wanted) // 2)])))
    # The reference and more: full recall, less precision.
    trials.append(("only", reference, reference, f"{reference} {hypothesis}"))
    missing = list((Counter(wanted) - Counter(words)).elements())
    if missing:
        element = missing[int(generator.integers(len(missing)))]
        # Where the reference has it, as far as the output is long, so that word order does not speak against it.
        place = min(wanted.index(element), len(words))
        grown = [*words[:place], element, *words[place:]]
        trials.append(("growing", reference, " ".join(grown), hypothesis))
    surplus = Counter(words) - Counter(wanted)
    places = [k for k, word in enumerate(words) if surplus[word]]
    if places and len(words) > 1:
        place = places[int(generator.integers(len(places)))]
        trials.append(("shrinking", reference, " ".join(words[:place] + words[place + 1 :]), hypothesis))
    return trials
