"""Parsers side by side on grammatical relations: accuracy by relation, speed, coverage, and whether they differ.

Every parser reads the raw text of the gold sentences; its parses become relations by the rules of its scheme
(relations/extract.py) and are scored against the gold (relations/score.py). As in Molla & Hutchinson (2003), Tables 1
and 3, speed stands beside accuracy: sentences a second of parsing alone, the model loaded. A text that a parser gives
no dependencies for is not covered; its gold relations count as missed. Two parsers are compared by approximate
randomization over sentences on (match, test, gold), the statistic being the micro-averaged F; p-values of all pairs are
adjusted by Holm's method.

`NAME@headword` reads the constituency trees of a parser instead of its dependencies.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from synteval.errors import InputError, MissingLayerError, unknown
from synteval.parsing import load_parser
from synteval.parsing.protocol import Parser
from synteval.relations.extract import SCHEMES, Extractor
from synteval.relations.grs import GR, GRSentence
from synteval.relations.match import Matcher
from synteval.relations.score import RelationScores, score_relations
from synteval.results.significance import TRIALS, PairedTest, compare
from synteval.structures import Segment

WARM_UP = "This is a sentence."


@dataclass(frozen=True)
class ParserResult:
    """What one parser achieved."""

    name: str
    fingerprint: str
    scores: RelationScores
    relations: tuple[tuple[GR, ...], ...]
    seconds: float
    covered: int

    @property
    def sentences(self) -> int:
        return len(self.relations)

    @property
    def coverage(self) -> float:
        """The share of the texts that were parsed."""
        return self.covered / self.sentences if self.sentences else 0.0

    @property
    def speed(self) -> float:
        """Sentences a second."""
        return self.sentences / self.seconds if self.seconds else float("inf")

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "name": self.name,
            "fingerprint": self.fingerprint,
            **self.scores.as_dict(),
            "sentences": self.sentences,
            "covered": self.covered,
            "coverage": self.coverage,
            "seconds": self.seconds,
            "sentences_per_second": self.speed,
        }


@dataclass(frozen=True)
class ParserComparison:
    """The results of all parsers, in the order given, and the paired tests of every two."""

    matcher: Matcher
    results: tuple[ParserResult, ...]
    paired: dict[tuple[str, str], PairedTest]

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "preset": self.matcher.hierarchy.name,
            "match": self.matcher.match,
            "parsers": [result.as_dict() for result in self.results],
            "paired": [
                {
                    "parsers": list(pair),
                    "difference": test.difference,
                    "p": test.p,
                    "p_holm": test.p_holm,
                    "test": "ar",
                    "trials": test.trials,
                }
                for pair, test in self.paired.items()
            ],
        }


def compare_parsers(
    gold: Sequence[GRSentence],
    parsers: Sequence[str],
    extractor: Extractor,
    matcher: Matcher,
    *,
    trials: int = TRIALS,
    seed: int | None = 12345,
) -> ParserComparison:
    """Parse the texts of the gold sentences with every parser, extract, score, test."""
    texts = [plain_text(sentence, number) for number, sentence in enumerate(gold, 1)]
    names = list(dict.fromkeys(parsers))
    # All are loaded before the first one parses: what is missing is said at once.
    loaded = [_load(name) for name in names]
    results = tuple(
        _run(name, parser, texts, gold, extractor, matcher) for name, parser in zip(names, loaded, strict=True)
    )
    statistics = {result.name: {"micro": result.scores.sentence_counts().astype(float)} for result in results}
    tests = compare(statistics, {"micro": micro_f}, trials=trials, rng=seed) if len(results) > 1 else {}
    return ParserComparison(matcher, results, {pair: found["micro"] for pair, found in tests.items()})


def plain_text(sentence: GRSentence, number: int = 1) -> str:
    """The text as a parser expects it: the quotation marks of the Penn Treebank are plain ones."""
    if not sentence.text.strip():
        raise InputError(f'gold sentence {number} has no text to parse; the gold must be JSONL with a field "text"')
    return sentence.text.replace("``", '"').replace("''", '"')


def micro_f(totals: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """F of rows of summed (match, test, gold)."""
    whole = totals[:, 1] + totals[:, 2]
    scores: npt.NDArray[np.float64] = np.divide(2 * totals[:, 0], whole, out=np.zeros(len(totals)), where=whole > 0)
    return scores


def _load(name: str) -> Parser:
    base, _, scheme = name.partition("@")
    if scheme and scheme not in SCHEMES:
        raise unknown("scheme", scheme, SCHEMES)
    parser = load_parser(base)
    if _layer(scheme) not in parser.layers:
        made = "constituency trees" if _layer(scheme) == "tree" else "dependencies"
        raise MissingLayerError(f"{base} makes no {made}, which the relations of {name} are read from")
    return parser


def _run(
    name: str,
    parser: Parser,
    texts: Sequence[str],
    gold: Sequence[GRSentence],
    extractor: Extractor,
    matcher: Matcher,
) -> ParserResult:
    _, _, scheme = name.partition("@")
    list(parser.parse([WARM_UP]))
    start = time.perf_counter()
    segments = list(parser.parse(texts))
    seconds = time.perf_counter() - start
    covered = [_is_covered(segment, scheme) for segment in segments]
    relations = tuple(
        tuple(extractor.segment(segment, scheme or None)) if parsed else ()
        for segment, parsed in zip(segments, covered, strict=True)
    )
    # DepBank has no positions; those of a parser's own tokens would only fit by chance.
    bare = [[GR(gr.relation, gr.values) for gr in grs] for grs in relations]
    scores = score_relations(gold, bare, matcher)
    return ParserResult(name, parser.fingerprint, scores, relations, seconds, sum(covered))


def _is_covered(segment: Segment, scheme: str) -> bool:
    return bool(segment) and all(sentence.has(_layer(scheme)) for sentence in segment)


def _layer(scheme: str) -> str:
    return "tree" if scheme == "headword" else "heads"
