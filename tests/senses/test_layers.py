"""Senses on their way: kept with the parse, apart for each policy, refused for other languages."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from synteval import evaluate
from synteval.errors import OptionError
from synteval.metrics.esk import ESK, WSK
from synteval.parsing.protocol import Parser, ParserInfo
from synteval.structures import Segment, Sentence

RUN = """
import sys
from synteval import evaluate
systems, metrics = {"a": ["A cosmonaut dreams."]}, ["esk", "esk:senses=lexname"]
run = evaluate(systems, ["An astronaut dreams."], metrics, cache=sys.argv[1])
print(sorted(run.scores["a"].values()), "nltk" in sys.modules)
"""


def test_cached_senses_load_no_inventory(tmp_path: Path) -> None:
    def once() -> str:
        command = [sys.executable, "-c", RUN, str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
        return done.stdout

    cold, warm = once(), once()
    assert cold.endswith("True\n") and warm.endswith("False\n")
    assert cold.replace("True", "") == warm.replace("False", "")


class Spaces(Parser):
    """Words between spaces, all nouns, in French."""

    name = "spaces"
    layers = frozenset({"lemmas", "upos", "spans"})
    language = "fr"

    def __init__(self, argument: str | None = None) -> None:
        super().__init__(argument)

    @property
    def fingerprint(self) -> str:
        return "spaces@1"

    def parse(self, texts: Iterable[str]) -> Iterator[Segment]:
        for text in texts:
            words = text.split()
            yield (Sentence.build(words, text=text, lemmas=words, upos=["NOUN"] * len(words)),) if words else ()

    @classmethod
    def about(cls) -> list[ParserInfo]:
        return []


def test_other_languages_have_wsk() -> None:
    systems, references = {"a": ["le chat dort"]}, ["le chat mange"]
    with pytest.raises(OptionError, match=r"English WordNet.*'fr'.*use wsk"):
        evaluate(systems, references, [ESK()], parser=Spaces(), cache=False)
    run = evaluate(systems, references, [WSK(), ESK(senses="none")], parser=Spaces(), cache=False)
    assert run.scores["a"]["wsk"] == run.scores["a"]["esk"] > 0


def test_each_policy_has_its_own_layer() -> None:
    class English(Spaces):
        language = "en"

    metrics = [ESK(senses=policy) for policy in ("first", "all", "none")]
    run = evaluate({"a": ["dream"]}, ["ambition"], metrics, parser=English(), cache=False)
    first, every, none = run.scores["a"].values()
    assert first == none == 0 < every


def test_given_senses_win_over_first() -> None:
    one = (Sentence.build(["dream"], lemmas=["dream"], upos=["NOUN"], senses=[["mine"]]),)
    other = (Sentence.build(["ambition"], lemmas=["ambition"], upos=["NOUN"], senses=[["mine"]]),)
    # A sentence without senses beside them has none: it is not filled in from WordNet.
    bare = (Sentence.build(["ambition"], lemmas=["ambition"], upos=["NOUN"]),)
    run = evaluate({"a": [one, one]}, [other, bare], [ESK(d=1), ESK(d=1, senses="lexname")])
    assert run.segment_scores["a"]["esk"].tolist() == pytest.approx([0.5, 0.0])
    assert run.signatures["esk"].count("inventory=given") == 1
    assert run.segment_scores["a"]["esk-2"][0] == 0
