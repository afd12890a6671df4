"""How a run reads its input: strings are parsed through the cache, given parses are taken as they are.

Metrics that ask for it see headword dependencies, a layer of senses, or layers made after parsing (`parsing.added`).

Metrics that ask for the same see the same chunk, so what they share is made once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from synteval.engines import Engine
from synteval.engines.local import LocalEngine
from synteval.errors import MissingLayerError, OptionError
from synteval.metrics.base import Chunk, Metric
from synteval.metrics.inputs import Reference, text_of
from synteval.parsing.added import ADDED, LayerMaker, WithLayer, layer_maker
from synteval.parsing.cache import Store
from synteval.parsing.cached import ParsedTexts, Progress, open_store
from synteval.parsing.heads import headword_dependencies
from synteval.parsing.protocol import Parser, ParserInfo
from synteval.parsing.record import encode
from synteval.parsing.registry import load_parser
from synteval.senses.tagging import SenseTagger
from synteval.structures import LAYER_NAMES, Segment, Sentence

DEPENDENCIES = ("native", "heads")
# What becomes of a segment that has no parse: an error, left out of the scores that need it, or a flat parse.
ON_FAILURE = ("raise", "skip", "flat")


@dataclass(frozen=True)
class View:
    """What a metric sees beyond the bare parse."""

    heads: bool
    senses: str | None
    added: tuple[str, ...] = ()


@dataclass(frozen=True)
class Dependencies:
    """Which dependencies metrics see: a sentence's own, or those that a head table gives."""

    always: bool
    table: str

    def apply(self, segment: Segment) -> Segment:
        """The segment with headword dependencies where they are asked for, or where it has only a tree.

        Where they are asked for and there is no tree, it has no dependencies, and the metrics that need them say so.
        """
        if not any(map(self._lacks, segment)):
            return segment
        return tuple(self._converted(sentence) if self._lacks(sentence) else sentence for sentence in segment)

    def _converted(self, sentence: Sentence) -> Sentence:
        if sentence.tree is None:
            return replace(sentence, heads=None, relations=None, scheme=None)
        return headword_dependencies(sentence, self.table)

    def _lacks(self, sentence: Sentence) -> bool:
        if self.always:
            return sentence.scheme != self.table
        return sentence.heads is None and sentence.tree is not None

    def made(self, segment: Segment) -> bool:
        """Whether the segment has dependencies of the head table."""
        return any(sentence.scheme == self.table for sentence in segment)


class Parses:
    """The parses of a run's hypotheses and references, given or made.

    `dependencies="native"` keeps those of the parser or the file and falls back to head rules where there is only a
    constituency tree; `"heads"` always uses the head rules.
    """

    def __init__(
        self,
        parser: str | Parser = "en",
        *,
        dependencies: str = "native",
        head_rules: str = "collins",
        cache: bool | str | Path | Store = True,
        jobs: int = 1,
        engine: Engine | None = None,
        on_failure: str = "raise",
    ) -> None:
        if dependencies not in DEPENDENCIES:
            raise OptionError(f"dependencies={dependencies} is not possible; valid: {', '.join(DEPENDENCIES)}")
        if on_failure not in ON_FAILURE:
            raise OptionError(f"on_failure={on_failure} is not possible; valid: {', '.join(ON_FAILURE)}")
        self._parser = parser
        self.on_failure = on_failure
        self.dependencies = dependencies
        self.head_rules = head_rules
        self.dependency_choice = Dependencies(dependencies == "heads", head_rules)
        self._cache = cache
        self.engine = engine or LocalEngine(jobs)
        self._texts: dict[tuple[str | None, tuple[str, ...]], ParsedTexts] = {}
        self._makers: dict[str, LayerMaker] = {}
        self._given_senses = False
        self._heads_read = False
        self._parsed = False
        # Whether any dependencies came from the head table.
        self.converted = False

    @cached_property
    def parser(self) -> Parser:
        """The parser, made when the first string comes."""
        return load_parser(self._parser) if isinstance(self._parser, str) else self._parser

    @cached_property
    def store(self) -> Store:
        """Where parses are kept."""
        return open_store(self._cache) if isinstance(self._cache, (bool, str, Path)) else self._cache

    @property
    def fingerprint(self) -> str:
        """Of the parser, or `given` where nothing had to be parsed."""
        return self.parser.fingerprint if self._parsed else "given"

    def view(self, metric: Metric) -> View:
        """What this metric sees; where any metric of the run reads dependencies, all share the parses with them."""
        return View(
            self._heads_read or "heads" in metric.needs, metric.sense_policy, tuple(sorted(ADDED & metric.needs))
        )

    def signed(self, metric: Metric) -> dict[str, Any]:
        """The settings of this run that can change this metric's score."""
        if metric.reads == "texts":
            return {}
        settings: dict[str, Any] = {}
        if "heads" in metric.needs:
            settings["dependencies"] = self.head_rules if self.converted else "native"
        if metric.sense_policy is not None:
            settings["inventory"] = self._tagger(metric.sense_policy).fingerprint
        for layer in sorted(ADDED & metric.needs):
            settings[layer] = self._maker(layer).fingerprint
        if self.on_failure != "raise":
            settings["on_failure"] = self.on_failure
        settings["parser"] = self.fingerprint
        return settings

    def announce(self, items: Iterable[Reference], metrics: Iterable[Metric]) -> list[str]:
        """Refuse what cannot work before anything is parsed; the distinct strings of all input."""
        readers = [metric for metric in metrics if metric.reads == "parses"]
        if not readers:
            return []
        self._heads_read = any("heads" in metric.needs for metric in readers)
        texts: dict[str, None] = {}
        for item in items:
            if isinstance(item, str):
                texts[item] = None
            elif any(sentence.has("senses") for sentence in item):
                self._given_senses = True
        if texts:
            self._parsed = True
            for metric in readers:
                self._check_layers(metric)
                if metric.sense_policy is not None:
                    self._tagger(metric.sense_policy).check_language(self.parser.language)
                for layer in ADDED & metric.needs:
                    self._maker(layer).check_language(self.parser.language)
        return list(texts)

    def _check_layers(self, metric: Metric) -> None:
        made = set(self.parser.layers)
        if "tree" in made:
            made.add("heads")
        if self.dependencies == "heads" and "tree" not in made:
            made.discard("heads")
        for layer in sorted(metric.needs - made - {"senses"} - ADDED):
            wanted = "headword dependencies" if layer == "heads" else LAYER_NAMES[layer]
            raise MissingLayerError(
                f"{metric.name} needs {wanted}, which parser {self._name()} does not make; "
                "use --parser en, or give trees"
            )

    def _name(self) -> str:
        return self._parser if isinstance(self._parser, str) else self._parser.name

    def fill(self, texts: Sequence[str], metrics: Iterable[Metric], progress: Progress | None = None) -> int:
        """Parse what the store lacks. Returns how many texts were parsed."""
        parsed = self._source(None).fill(texts, progress)
        for view in {self.view(metric) for metric in metrics if metric.reads == "parses"}:
            if view.senses is not None or view.added:
                self._source(view.senses, view.added).fill(texts)
        return parsed

    def missing(self, texts: Sequence[str]) -> int:
        """How many of the texts are still to be parsed."""
        return len(self._source(None).missing(texts))

    def _source(self, policy: str | None, added: tuple[str, ...] = ()) -> ParsedTexts:
        """The parsed texts, with senses by a policy where one is named, and with the layers added."""
        key = (policy, added)
        if key not in self._texts:
            if added:
                source = self._source(policy, added[:-1])
                self._texts[key] = ParsedTexts(WithLayer(source, added[-1], self._maker(added[-1])), self.store)
            elif policy is None:
                self._texts[key] = ParsedTexts(self.parser, self.store, self.engine)
            else:
                tagged = _SenseTagged(self._source(None), self._tagger(policy))
                self._texts[key] = ParsedTexts(tagged, self.store)
        return self._texts[key]

    def _maker(self, layer: str) -> LayerMaker:
        if layer not in self._makers:
            self._makers[layer] = layer_maker(layer)
        return self._makers[layer]

    def _tagger(self, policy: str) -> SenseTagger:
        # Senses that came with the input win over WordNet's first.
        return SenseTagger("given" if policy == "first" and self._given_senses else policy)

    def segments(self, items: Sequence[Reference], view: View) -> list[Segment]:
        """The parses of strings and of given segments, as a view shows them."""
        texts = [item for item in items if isinstance(item, str)]
        made = iter(self._source(view.senses, view.added).segments(texts)) if texts else iter(())
        given = iter(self._given([item for item in items if not isinstance(item, str)], view))
        segments = [next(made) if isinstance(item, str) else next(given) for item in items]
        if not view.heads:
            return segments
        segments = [self.dependency_choice.apply(segment) for segment in segments]
        self.converted = self.converted or any(map(self.dependency_choice.made, segments))
        return segments

    def records(self, items: Sequence[Reference], view: View) -> list[bytes]:
        """The same encoded, for a worker to decode; headword dependencies are left to the worker."""
        texts = [item for item in items if isinstance(item, str)]
        made = iter(self._source(view.senses, view.added).records(texts)) if texts else iter(())
        given = iter(self._given([item for item in items if not isinstance(item, str)], view))
        return [next(made) if isinstance(item, str) else encode(next(given)) for item in items]

    def _given(self, segments: list[Segment], view: View) -> list[Segment]:
        if view.senses is not None:
            segments = [self._tagger(view.senses).tag(segment) for segment in segments]
        for layer in view.added if segments else ():
            segments = self._maker(layer).add(segments)
        return segments

    def chunk(self, metrics: Sequence[Metric], hyps: Sequence[Reference], refs: Sequence[Sequence[Reference]]) -> Chunk:
        """One chunk for metrics of one view (or for one metric), everything announced, parsed and checked."""
        every = [*hyps, *(ref for item in refs for ref in item)]
        self.announce(every, metrics)
        readers = [metric for metric in metrics if metric.reads == "parses"]
        hyp_texts = [text_of(hyp) for hyp in hyps]
        ref_texts = [[text_of(ref) for ref in item] for item in refs]
        if not readers:
            return Chunk((), (), hyp_texts, ref_texts)
        (view,) = {self.view(metric) for metric in readers}
        flat = iter(self.segments([ref for item in refs for ref in item], view))
        chunk = Chunk(self.segments(hyps, view), [[next(flat) for _ in item] for item in refs], hyp_texts, ref_texts)
        for metric in readers:
            metric.require_pairs(chunk)
        return chunk


class _SenseTagged(Parser):
    """A parser's parses with senses added: what the cache keeps under the policy's name."""

    name = "senses"
    portable = False

    def __init__(self, source: ParsedTexts, tagger: SenseTagger) -> None:
        super().__init__(None)
        self._source = source
        self._tagger = tagger
        self.layers = source.parser.layers | {"senses"}

    @property
    def fingerprint(self) -> str:
        return f"{self._source.parser.fingerprint}+{self._tagger.fingerprint}"

    def parse(self, texts: Iterable[str]) -> Iterator[Segment]:
        for segment in self._source.segments(list(texts)):
            yield self._tagger.tag(segment)

    @classmethod
    def about(cls) -> list[ParserInfo]:
        return []
