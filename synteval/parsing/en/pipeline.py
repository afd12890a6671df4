"""What the parser is made of: tokenizer, sentence splitter, network, decoder, lemmatizer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from synteval.model_files import ModelFiles
from synteval.parsing.en.decode import Parse, decode
from synteval.parsing.en.lemmatizer import Lemmatizer
from synteval.parsing.en.network import Network, Scores
from synteval.parsing.en.sentences import sentence_ends
from synteval.parsing.en.tokenizer import Knowledge, Tokenizer
from synteval.parsing.en.windows import parse_long, too_long

Span = tuple[int, int]


class Pipeline:
    """Everything loaded; names behind the numbers are tuples (`xpos`, `upos`, `relations`, `chains` of labels)."""

    def __init__(self, files: ModelFiles, threads: int = 1, keep_hyphens: bool = False) -> None:
        settings = files.read_json("settings.json")
        knowledge = files.read_json("tokenizer.json.gz")
        self.tokenizer = Tokenizer(
            Knowledge(
                {chunk: tuple(lengths) for chunk, lengths in knowledge["exceptions"].items()},
                frozenset(knowledge["abbreviations"]),
                frozenset(knowledge["prefixes"]),
            ),
            keep_hyphens,
        )
        self.lemmatizer = Lemmatizer(**files.read_json("lemmas.json.gz"))
        self.network = Network(files, threads)
        self.xpos: tuple[str, ...] = tuple(settings["xpos"])
        self.upos: tuple[str, ...] = tuple(settings["upos"])
        self.relations: tuple[str, ...] = tuple(settings["relations"])
        self.chains = tuple(tuple(label.split("+")) for label in settings["labels"])
        self._root = self.relations.index("root")
        self._joint = settings["labels"].index("S")

    def sentences(self, text: str) -> list[list[Span]]:
        """Token spans of every sentence of a segment; none for a blank text."""
        spans = self.tokenizer.spans(text)
        found = []
        begin = 0
        for end in sentence_ends(text, spans, self.tokenizer.is_abbreviation):
            sentence = spans[begin:end]
            start, stop = sentence[-1]
            # The period of an abbreviation ends the sentence too: it is a token there, as in UD.
            if text[stop - 1] == "." and stop - start > 2 and self.tokenizer.is_abbreviation(text[start:stop]):
                sentence[-1:] = [(start, stop - 1), (stop - 1, stop)]
            found.append(sentence)
            begin = end
        return found

    def parse(self, sentences: Sequence[Sequence[str]]) -> Iterator[Parse]:
        """Parses of tokenised sentences, in order."""
        parses: dict[int, Parse] = {}
        whole: list[int] = []
        for number, words in enumerate(sentences):
            if too_long([len(self.network.wordpiece.pieces(word)) for word in words]):
                parses[number] = parse_long(self.network, words, self._root, self._joint)
            else:
                whole.append(number)
        for scores in self.scores([sentences[number] for number in whole]):
            for member, parse in decode(self.network, scores, self._root):
                parses[whole[member]] = parse
        for number in range(len(sentences)):
            yield parses[number]

    def scores(self, sentences: Sequence[Sequence[str]]) -> Iterator[Scores]:
        """The scores behind the parses (labels of spans, arcs, tags): margins and entropies can be read from them."""
        return self.network.scores(sentences)
