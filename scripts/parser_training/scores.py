"""Scores of parses against gold: brackets, attachments, tags, all over characters.

Words of gold and guess may differ, so everything is placed by the characters of the text without its white space.
On equal words that is the same as counting words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

Bracket = tuple[int, int, str]

# The tags that evalb's COLLINS.prm deletes.
DELETED = frozenset({",", ".", ":", "``", "''"})


@dataclass
class Agreement:
    """Precision and recall of things that can be counted."""

    matched: int = 0
    gold: int = 0
    guessed: int = 0

    def add(self, matched: int, gold: int, guessed: int) -> None:
        self.matched += matched
        self.gold += gold
        self.guessed += guessed

    @property
    def precision(self) -> float:
        return 100 * self.matched / max(self.guessed, 1)

    @property
    def recall(self) -> float:
        return 100 * self.matched / max(self.gold, 1)

    @property
    def f1(self) -> float:
        return 200 * self.matched / max(self.gold + self.guessed, 1)


@dataclass(frozen=True)
class Words:
    """Words of a sentence (or of several) with what is known of them; heads are positions, -1 for a root."""

    forms: Sequence[str]
    xpos: Sequence[str] = ()
    upos: Sequence[str] = ()
    heads: Sequence[int] = ()
    relations: Sequence[str] = ()
    brackets: Sequence[Bracket] = ()  # over words, unary chains as "S+VP"
    posts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.posts.extend(accumulate(map(len, self.forms), initial=0))


def labelled_brackets(words: Words, kept: Sequence[bool]) -> Counter[Bracket]:
    """Brackets over the kept characters; PRT counts as ADVP, as in COLLINS.prm."""
    before = list(accumulate(kept, initial=0))
    found: Counter[Bracket] = Counter()
    for start, end, chain in words.brackets:
        first, last = before[words.posts[start]], before[words.posts[end]]
        if first < last:
            for label in chain.split("+"):
                found[first, last, "ADVP" if label == "PRT" else label] += 1
    return found


def bracketing(gold: Words, guess: Words, total: Agreement) -> None:
    """Evalb: characters of words with a deleted gold tag do not count."""
    assert gold.posts[-1] == guess.posts[-1], (gold.forms, guess.forms)
    kept = [tag not in DELETED for form, tag in zip(gold.forms, gold.xpos, strict=True) for _ in form]
    gold_brackets, guess_brackets = labelled_brackets(gold, kept), labelled_brackets(guess, kept)
    matched = sum((gold_brackets & guess_brackets).values())
    total.add(matched, sum(gold_brackets.values()), sum(guess_brackets.values()))


@dataclass
class Attachment:
    """CoNLL 2018: words are aligned when they have the same characters; LAS ignores subtypes of relations."""

    words: Agreement = field(default_factory=Agreement)
    uas: Agreement = field(default_factory=Agreement)
    las: Agreement = field(default_factory=Agreement)
    las_subtypes: Agreement = field(default_factory=Agreement)
    xpos: Agreement = field(default_factory=Agreement)
    upos: Agreement = field(default_factory=Agreement)

    def add(self, gold: Words, guess: Words) -> None:
        places = {span: number for number, span in enumerate(_spans(gold))}
        aligned = [places.get(span, -2) for span in _spans(guess)]
        counts = Counter(words=0)
        for number, place in enumerate(aligned):
            if place < 0:
                continue
            counts["words"] += 1
            counts["xpos"] += bool(gold.xpos) and gold.xpos[place] == guess.xpos[number]
            counts["upos"] += bool(gold.upos) and gold.upos[place] == guess.upos[number]
            if gold.heads:
                head = guess.heads[number]
                if (-1 if head < 0 else aligned[head]) == gold.heads[place]:
                    mine, theirs = guess.relations[number], gold.relations[place]
                    counts["uas"] += 1
                    counts["las"] += mine.split(":")[0] == theirs.split(":")[0]
                    counts["las_subtypes"] += mine == theirs
        for name in ("words", "uas", "las", "las_subtypes", "xpos", "upos"):
            getattr(self, name).add(counts[name], len(gold.forms), len(guess.forms))

    def figures(self) -> dict[str, float]:
        names = ("words", "uas", "las", "las_subtypes", "xpos", "upos")
        return {name: round(getattr(self, name).f1, 2) for name in names}


def _spans(words: Words) -> Iterable[tuple[int, int]]:
    return zip(words.posts, words.posts[1:], strict=False)
