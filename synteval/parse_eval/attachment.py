"""UAS and LAS: how many words have the right head, and the right head with the right relation.

    precision = right / words of the test,  recall = right / words of the gold,  F = 2PR / (P + R)

Words are aligned as in the CoNLL 2018 shared task (Zeman et al. 2018): the two files must have the same characters,
blanks aside, and may cut them into tokens differently; words with the same characters are aligned, and words inside a
multiword token by the longest common subsequence of their forms. A head is right when the words are aligned and their
heads are aligned, or both are roots. With the same tokens on both sides precision, recall and F are one number, the
accuracy.

Punctuation counts (`punctuation="keep"`), as in UD evaluation; "drop" leaves out the words that the gold tags PUNCT,
in the older tradition. Relations are compared without subtypes (`nsubj:pass` as `nsubj`) unless subtypes=True. With
the defaults the figures are those of `udtools eval`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from synteval.errors import InputError, MissingLayerError, unknown
from synteval.structures import ROOT, Sentence

PUNCTUATION = ("keep", "drop")


@dataclass(frozen=True, slots=True)
class Ratio:
    """Right answers of so many in the test and in the gold."""

    right: int
    test: int
    gold: int

    @property
    def precision(self) -> float:
        return self.right / self.test if self.test else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.gold if self.gold else 0.0

    @property
    def f(self) -> float:
        return 2 * self.right / (self.test + self.gold) if self.test + self.gold else 0.0

    def as_dict(self) -> dict[str, float | int]:
        """For JSON."""
        counts = {"right": self.right, "test": self.test, "gold": self.gold}
        return {"precision": self.precision, "recall": self.recall, "f": self.f, **counts}


@dataclass(frozen=True, slots=True)
class Attachment:
    """The scores of a test file; `words` is the alignment itself."""

    uas: Ratio
    las: Ratio
    words: Ratio
    punctuation: str
    subtypes: bool


@dataclass(frozen=True, slots=True)
class Word:
    """A word with the characters it covers in the whole file, and its head as an index into the words of the file."""

    form: str
    start: int
    end: int
    head: int
    relation: str
    upos: str
    in_multiword: bool


def attachment(
    gold: Iterable[Sentence], test: Iterable[Sentence], *, punctuation: str = "keep", subtypes: bool = False
) -> Attachment:
    """Score the dependencies of the test sentences."""
    if punctuation not in PUNCTUATION:
        raise unknown("punctuation policy", punctuation, PUNCTUATION)
    gold_text, gold_words = _words(gold, "gold")
    test_text, test_words = _words(test, "test")
    if gold_text != test_text:
        at = next((i for i, (a, b) in enumerate(zip(gold_text, test_text, strict=False)) if a != b), None)
        at = min(len(gold_text), len(test_text)) if at is None else at
        raise InputError(
            f"the gold and the test differ in their text, the gold having {gold_text[at : at + 20]!r} where the test "
            f"has {test_text[at : at + 20]!r}; both must be parses of the same text"
        )
    pairs = align(gold_words, test_words)
    gold_of = {theirs: mine for mine, theirs in pairs}
    kept = [(mine, theirs) for mine, theirs in pairs if punctuation == "keep" or gold_words[mine].upos != "PUNCT"]
    heads = labels = 0
    for mine, theirs in kept:
        head = test_words[theirs].head
        expected = gold_words[mine].head
        if (head == ROOT and expected == ROOT) or (head != ROOT and gold_of.get(head) == expected):
            heads += 1
            labels += _same(gold_words[mine].relation, test_words[theirs].relation, subtypes)
    if punctuation == "keep":
        totals = len(test_words), len(gold_words)
    else:
        # A word of the test is punctuation when the word it is aligned with is; unaligned ones count.
        dropped = len(pairs) - len(kept)
        totals = len(test_words) - dropped, sum(word.upos != "PUNCT" for word in gold_words)
    return Attachment(Ratio(heads, *totals), Ratio(labels, *totals), Ratio(len(kept), *totals), punctuation, subtypes)


def _same(first: str, second: str, subtypes: bool) -> bool:
    return first == second if subtypes else first.partition(":")[0] == second.partition(":")[0]


def _words(sentences: Iterable[Sentence], name: str) -> tuple[str, list[Word]]:
    """All characters of a file without blanks, and its words."""
    characters: list[str] = []
    length = 0
    words: list[Word] = []
    for number, sentence in enumerate(sentences, 1):
        if sentence.heads is None or sentence.relations is None:
            raise MissingLayerError(f"sentence {number} of the {name} has no dependencies")
        first = len(words)
        forms = sentence.forms.list()
        upos = [""] * len(forms) if sentence.upos is None else sentence.upos.list()
        spans: list[tuple[int, int, bool]] = []
        multiwords = _multiwords(sentence)
        while len(spans) < len(forms):
            last, surface = multiwords.get(len(spans), (len(spans), forms[len(spans)]))
            text = "".join(surface.split())
            count = last - len(spans) + 1
            spans += [(length, length + len(text), count > 1 or len(spans) in multiwords)] * count
            characters.append(text)
            length += len(text)
        for index, head in enumerate(sentence.heads.tolist()):
            start, end, inside = spans[index]
            words.append(
                Word(
                    forms[index],
                    start,
                    end,
                    ROOT if head == ROOT else first + head,
                    sentence.relations[index],
                    upos[index],
                    inside,
                )
            )
    return "".join(characters), words


def _multiwords(sentence: Sentence) -> dict[int, tuple[int, str]]:
    """First word: (last word, surface form) of every multiword token."""
    found = {}
    for _, line in sentence.annotations.lines if sentence.annotations else ():
        columns = line.split("\t")
        first, dash, last = columns[0].partition("-")
        if dash:
            found[int(first) - 1] = int(last) - 1, columns[1]
    return found


def align(gold: Sequence[Word], test: Sequence[Word]) -> list[tuple[int, int]]:
    """Pairs of aligned words."""
    pairs = []
    i = j = 0
    while i < len(gold) and j < len(test):
        if gold[i].in_multiword or test[j].in_multiword:
            next_i, next_j = _multiword_stretch(gold, i, test, j)
            pairs += [(i + a, j + b) for a, b in _common(gold[i:next_i], test[j:next_j])]
            i, j = next_i, next_j
        elif (gold[i].start, gold[i].end) == (test[j].start, test[j].end):
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif gold[i].start <= test[j].start:
            i += 1
        else:
            j += 1
    return pairs


def _multiword_stretch(gold: Sequence[Word], i: int, test: Sequence[Word], j: int) -> tuple[int, int]:
    """Where the words end that touch the multiword tokens beginning here."""
    end = gold[i].end if gold[i].in_multiword else test[j].end
    if gold[i].in_multiword and not test[j].in_multiword and test[j].start < gold[i].start:
        return i, j + 1
    if test[j].in_multiword and not gold[i].in_multiword and gold[i].start < test[j].start:
        return i + 1, j
    next_i, next_j = i, j
    while (next_i < len(gold) and gold[next_i].start < end) or (next_j < len(test) and test[next_j].start < end):
        if next_i < len(gold) and (next_j >= len(test) or gold[next_i].start <= test[next_j].start):
            if gold[next_i].in_multiword:
                end = max(end, gold[next_i].end)
            next_i += 1
        else:
            if test[next_j].in_multiword:
                end = max(end, test[next_j].end)
            next_j += 1
    return next_i, next_j


def _common(gold: Sequence[Word], test: Sequence[Word]) -> list[tuple[int, int]]:
    """The longest common subsequence of forms, case aside."""
    mine = [word.form.lower() for word in gold]
    theirs = [word.form.lower() for word in test]
    lengths = [[0] * (len(theirs) + 1) for _ in range(len(mine) + 1)]
    for a in range(len(mine) - 1, -1, -1):
        for b in range(len(theirs) - 1, -1, -1):
            equal = mine[a] == theirs[b]
            lengths[a][b] = 1 + lengths[a + 1][b + 1] if equal else max(lengths[a + 1][b], lengths[a][b + 1])
    pairs = []
    a = b = 0
    while a < len(mine) and b < len(theirs):
        if mine[a] == theirs[b]:
            pairs.append((a, b))
            a, b = a + 1, b + 1
        elif lengths[a][b] == lengths[a + 1][b]:
            a += 1
        else:
            b += 1
    assert all(x < y for (x, _), (y, _) in pairwise(pairs))
    return pairs
