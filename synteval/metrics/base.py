"""What every metric is: a frozen dataclass of its options that turns segments into additive statistics.

A metric gives one row of statistics a segment. Rows add up over segments, and a score is a function of the summed row,
so corpus scores, bootstrap samples and shuffles are one matrix operation for every metric. The signature is generated
from the dataclass fields: what can change a score cannot be missing from it.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, cast

import numpy as np
import numpy.typing as npt

from synteval.errors import MissingLayerError, OptionError
from synteval.metrics.options import check_types, short_value
from synteval.structures import LAYER_NAMES, Segment
from synteval.version import __version__

if TYPE_CHECKING:
    from synteval.explain import Explanation

FloatArray = npt.NDArray[np.float64]
T = TypeVar("T")

# Pairs a chunk: large enough that NumPy works on long arrays, small enough that memory stays bounded.
CHUNK = 1000


@dataclass(frozen=True, eq=False)
class Chunk:
    """Hypotheses and their references, as parses, as texts, or both; `references[i]` are those of hypothesis `i`.

    What several metrics derive from the same segments is kept here by `shared`, so that it is made once.
    """

    hypotheses: Sequence[Segment] = ()
    references: Sequence[Sequence[Segment]] = ()
    hypothesis_texts: Sequence[str] = ()
    reference_texts: Sequence[Sequence[str]] = ()
    _memo: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return max(len(self.hypotheses), len(self.hypothesis_texts))

    def shared(self, key: Hashable, build: Callable[[], T]) -> T:
        """The value of `build()`, made at the first call with `key`."""
        if key not in self._memo:
            self._memo[key] = build()
        return cast(T, self._memo[key])

    def selected(self, pairs: Sequence[int]) -> Chunk:
        """These pairs."""

        def of(column: Sequence[T]) -> list[T]:
            return [column[pair] for pair in pairs] if column else []

        return Chunk(of(self.hypotheses), of(self.references), of(self.hypothesis_texts), of(self.reference_texts))

    def part(self, start: int, stop: int) -> Chunk:
        """Pairs `start` to `stop`."""
        return Chunk(
            self.hypotheses[start:stop],
            self.references[start:stop],
            self.hypothesis_texts[start:stop],
            self.reference_texts[start:stop],
        )


@dataclass(frozen=True)
class Score:
    """A score with what is needed to report it and to recompute it by hand."""

    name: str
    score: float
    signature: str
    counts: Mapping[str, Any]
    segments: int
    # Gives the chunk of one segment's pair, for `explain`, and the metric; not carried over to other processes.
    source: tuple[Metric, Callable[[int], Chunk]] | None = field(default=None, repr=False, compare=False)

    def explain(self, segment: int = 1) -> Explanation:
        """What matched and what is missing in a segment, counted from 1."""
        from synteval.explain import explain

        if self.source is None or not 1 <= segment <= self.segments:
            raise OptionError(
                f"segment {segment} cannot be explained: this score is of {self.segments} segments"
                + ("" if self.source else ", and came without them from another process")
            )
        metric, pair = self.source
        return explain(metric, pair(segment - 1))

    def _repr_html_(self) -> str:
        from synteval.report.display import score_html

        return score_html(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return Score, (self.name, self.score, self.signature, self.counts, self.segments)

    def __float__(self) -> float:
        return self.score

    def __str__(self) -> str:
        return f"{self.name} = {self.score:.4f}"


@dataclass(frozen=True)
class Metric:
    """Base of all metrics. A subclass is a frozen dataclass whose fields are its options, each with a default."""

    name: ClassVar[str]
    # Whether `statistics` reads the chunk's parses or its raw texts.
    reads: ClassVar[Literal["parses", "texts"]] = "parses"
    higher_is_better: ClassVar[bool] = True
    # Whether a score says something of a hypothesis and its references, or of the hypothesis alone.
    needs_references: ClassVar[bool] = True
    # Fields that take no part in the score and so stay out of the signature.
    unsigned: ClassVar[frozenset[str]] = frozenset()
    # Other names of options on the command line.
    synonyms: ClassVar[Mapping[str, str]] = {}

    def __post_init__(self) -> None:
        check_types(self)

    @property
    def needs(self) -> frozenset[str]:
        """The layers of the record (names of `structures.LAYERS`) that these options read."""
        return frozenset()

    @property
    def sense_policy(self) -> str | None:
        """How the layer `senses` is to be made (a name of `senses.POLICIES`), where this metric reads it."""
        return None

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the statistics."""
        raise NotImplementedError

    def prepared(self, references: Sequence[Sequence[str]]) -> Metric:
        """This metric with what it derives from all references of a corpus, before they are cut into chunks.

        Most derive nothing. What is derived follows from options and references, so it stays out of the signature.
        """
        return self

    def statistics(self, chunk: Chunk) -> FloatArray:
        """One row of statistics a pair of the chunk; a row never depends on the other pairs."""
        raise NotImplementedError

    def score_rows(self, sums: FloatArray, *, segment: bool = False) -> FloatArray:
        """The score of each row of summed statistics; `segment` where a row is a single segment."""
        raise NotImplementedError

    def stats(self, hyp: Segment, refs: Sequence[Segment]) -> FloatArray:
        """The statistics of one pair."""
        return cast(FloatArray, self.statistics(Chunk([hyp], [list(refs)]))[0])

    def score(self, summed: FloatArray, *, segment: bool = False) -> float:
        """The score of one summed row."""
        return float(self.score_rows(np.asarray(summed, dtype=np.float64)[None, :], segment=segment)[0])

    def counts(self, summed: FloatArray) -> dict[str, Any]:
        """The statistics by name, as `Score.counts` shows them."""
        return {name: _plain(value) for name, value in zip(self.columns, summed.tolist(), strict=True)}

    def corpus(self, chunk: Chunk) -> FloatArray:
        """The statistics of all pairs, computed chunk by chunk."""
        metric = self.prepared(chunk.reference_texts)
        rows = [metric.statistics(chunk.part(i, i + CHUNK)) for i in range(0, len(chunk), CHUNK)]
        return np.concatenate(rows) if rows else np.zeros((0, len(self.columns)))

    def signature(self, refs: int | str = 1, parser: str | None = None, **more: Any) -> str:
        """All that can change the score, in one line; `more` are settings of the run."""
        parts = [self.name.upper(), f"refs={refs}"]
        parts += [f"{f.name}={short_value(getattr(self, f.name))}" for f in self._signed()]
        parts += [f"{key}={short_value(value)}" for key, value in more.items()]
        if self.reads == "parses" and parser is not None:
            parts.append(f"parser={parser}")
        return "|".join([*parts, f"synteval={__version__}"])

    def _signed(self) -> list[dataclasses.Field[Any]]:
        return [f for f in dataclasses.fields(self) if f.name not in self.unsigned]

    def corpus_score(self, hyps: Sequence[Any], refs: Sequence[Any] | None = None, **reading: Any) -> Score:
        """Score a corpus: `hyps[i]` is a string or a parsed segment, `refs[i]` one of them or a list of them.

        Only a metric that needs no references does without.

        `reading` says how strings are parsed, as `metrics.views.Parses` takes it: parser, dependencies, cache, jobs.
        """
        return self._scored(hyps, refs, reading, segment=False)

    def sentence_score(self, hyp: Any, refs: Any = None, **reading: Any) -> Score:
        """Score one segment against its reference or references."""
        without = refs is None and not self.needs_references
        return self._scored([hyp], None if without else [refs], reading, segment=True)

    def _scored(self, hyps: Any, refs: Any, reading: Mapping[str, Any], *, segment: bool) -> Score:
        from synteval.metrics.inputs import check_pairs, reference_count
        from synteval.metrics.views import Parses

        hypotheses, references = check_pairs(hyps, refs, self.needs_references)
        parses = Parses(**reading)
        chunk = parses.chunk([self], hypotheses, references)
        ready = self.prepared(chunk.reference_texts)
        rows = ready.corpus(chunk)
        summed = column_sums(rows)
        signature = self.signature(reference_count(references), **parses.signed(self))

        def pair(number: int) -> Chunk:
            return parses.chunk([self], [hypotheses[number]], [references[number]])

        score, counts = self.score(summed, segment=segment), self.counts(summed)
        return Score(self.name, score, signature, counts, len(rows), (ready, pair))

    def require(self, segment: Segment, what: str = "a sentence") -> None:
        """Raise where a sentence of the segment lacks a layer that this metric reads; `what` names it."""
        for layer in sorted(self.needs):
            if not all(sentence.has(layer) for sentence in segment):
                raise MissingLayerError(
                    f"{self.name} needs {LAYER_NAMES[layer]}, which {what} lacks; "
                    "give input that has them, or text and a parser that makes them (see `synteval parsers`)"
                )

    def lacking(self, chunk: Chunk) -> list[int]:
        """The pairs of which the hypothesis or a reference lacks a layer that this metric reads."""

        found: set[int] = set()
        for layer in self.needs:
            found.update(chunk.shared(("lacking", layer), functools.partial(_lacking, chunk, layer)))
        return sorted(found)

    def require_pairs(self, chunk: Chunk, first: int = 0, files: Sequence[str] = ()) -> None:
        """The same for all segments of a chunk that begins at segment `first`.

        `files` are those of the hypotheses and of each set of references, where they came from files.
        """
        place, *places = [f" in {file}" for file in files] or [""]
        for number, hypothesis in enumerate(chunk.hypotheses, start=first + 1):
            self.require(hypothesis, f"the hypothesis of segment {number}{place}")
        for number, references in enumerate(chunk.references, start=first + 1):
            for reference, place in zip(references, chain(places, repeat("")), strict=False):
                self.require(reference, f"the reference of segment {number}{place}")


def _lacking(chunk: Chunk, layer: str) -> list[int]:
    def lacks(segment: Segment) -> bool:
        return any(getattr(sentence, layer) is None for sentence in segment)

    pairs = zip(chunk.hypotheses, chunk.references, strict=True)
    return [number for number, (hyp, refs) in enumerate(pairs) if lacks(hyp) or any(map(lacks, refs))]


def column_sums(rows: FloatArray) -> FloatArray:
    """The sum of each column, rounded once: the same whatever the order of the rows."""
    return np.array([math.fsum(column) for column in rows.T.tolist()], dtype=np.float64)


def _plain(value: float) -> int | float:
    return int(value) if value.is_integer() else value
