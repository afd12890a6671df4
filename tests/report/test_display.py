"""What notebooks show: well-formed markup, with all text escaped."""

from __future__ import annotations

from html.parser import HTMLParser

from flat_parser import Flat
from generated import sentences
from hypothesis import given, settings

from synteval import evaluate
from synteval.metrics.dstm import DSTM
from synteval.metrics.esk import WSK
from synteval.metrics.stm import STM
from synteval.structures import Sentence

EVIL = "<script>x</script>&\x00"


class Checker(HTMLParser):
    """Keeps the tags that are open and the text; an element that is closed must be the last one opened."""

    def __init__(self) -> None:
        super().__init__()
        self.path: list[str] = []
        self.tags: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.path.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.path.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def checked(markup: str) -> Checker:
    checker = Checker()
    checker.feed(markup)
    checker.close()
    assert not checker.path and "script" not in checker.tags
    return checker


@settings(max_examples=60)
@given(sentence=sentences())
def test_sentences_and_trees(sentence: Sentence) -> None:
    shown = checked(sentence._repr_html_())
    if sentence.heads is not None or sentence.tree is not None:
        assert "svg" in shown.tags
    if sentence.tree is not None:
        checked(sentence.tree._repr_html_())


def test_runs_scores_and_explanations() -> None:
    run = evaluate({EVIL: ["a b c"], "good": [EVIL]}, [EVIL], ["stm", "bleu"], Flat(), cache=False)
    shown = checked(run._repr_html_())
    assert "<script>x</script>&" in shown.text and "STM|" in shown.text
    for metric in (STM(), DSTM(), WSK()):
        score = metric.sentence_score(f"the {EVIL}", [f"a {EVIL}"], parser=Flat(), cache=False)
        assert metric.name in checked(score._repr_html_()).text
        explained = checked(score.explain()._repr_html_())
        assert "matched" in explained.text and "svg" in explained.tags
