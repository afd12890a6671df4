"""Senses as a layer of the record: which synsets, or classes, a token stands for.

| policy | senses of a token |
|---|---|
| `first` | the most frequent sense of its lemma and part of speech (the default) |
| `all` | every sense of its lemma and part of speech |
| `lexname` | the lexicographer's class of the first sense, one of 45: `noun.person` |
| `hypernym=k` | the first sense and its hypernyms up to k steps: near senses share some, the same sense shares all |
| `none` | none |
| `given` | those of the input (`Sense=` in the MISC column of CoNLL-U) |

After an @ stands another WordNet than the shipped one: `first@nltk` (the user's own NLTK data), `first@PATH`.

Nothing is disambiguated: `first` is the first-sense baseline. Entries of several words are tried before single words,
the longest first. The sense of such an entry stands on its first token, once, so that "New York" and "NYC" share one
sense. The words of a compound have their own senses beside it (lung cancer is a cancer), those of an idiom have not
(take place). Words that WordNet does not know carry none.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from synteval.errors import MissingLayerError, OptionError
from synteval.senses.inventory import PARTS_OF_SPEECH, SHIPPED, Inventory, PartOfSpeech, fingerprint, load_inventory
from synteval.structures import LAYER_NAMES, Segment, Sentence

POLICIES = ("first", "all", "lexname", "hypernym=k", "none", "given")
# The number of these rules: whoever changes what a sentence is tagged with adds 1, or cached senses are out of date.
_RULES = 1
_LOOKED_UP = ("first", "all", "lexname")
_HYPERNYM = re.compile(r"hypernym=(\d{1,2})")
_PARTS: dict[str, PartOfSpeech] = {"NOUN": "n", "PROPN": "n", "VERB": "v", "AUX": "v", "ADJ": "a", "ADV": "r"}
# The auxiliaries that WordNet describes as verbs; its "can" and "will" are other words than the modals.
_AUXILIARIES = frozenset({"be", "have", "do"})
_PREPOSITIONS = ("ADP", "SCONJ")
# The relation of a particle to its verb, in UD, in ClearNLP's scheme, and where there are no dependencies.
_PARTICLES = frozenset({"compound:prt", "prt", ""})


def check_policy(policy: str) -> None:
    """Raise OptionError unless `policy` is one, with or without the name of a WordNet."""
    name, at, wordnet = policy.partition("@")
    looked_up = name in _LOOKED_UP or _HYPERNYM.fullmatch(name)
    if not (looked_up or (not at and name in ("none", "given"))) or (at and not wordnet):
        raise OptionError(
            f"senses={policy} is not possible; valid: {', '.join(POLICIES)}; "
            "another WordNet than the shipped one is named as in first@nltk or first@PATH"
        )


@dataclass(frozen=True)
class SenseTagger:
    """Adds the layer `senses` by one policy. Made cheaply: the inventory is loaded at the first `tag`."""

    policy: str = "first"

    def __post_init__(self) -> None:
        check_policy(self.policy)

    @property
    def name(self) -> str:
        """The policy without the name of a WordNet."""
        return self.policy.partition("@")[0]

    @property
    def wordnet(self) -> str:
        """The WordNet to look up, as `load_inventory` takes it."""
        return self.policy.partition("@")[2] or SHIPPED

    @property
    def fingerprint(self) -> str:
        """What identifies this layer, such as `first@wordnet-19942a23-1`; reading it loads no inventory."""
        return self.name if self.name in ("none", "given") else f"{self.name}@{fingerprint(self.wordnet)}-{_RULES}"

    def check_language(self, language: str | None) -> None:
        """Raise where senses would be looked up for a language that WordNet does not describe."""
        if self.name not in ("none", "given") and language is not None and language.split("-")[0] != "en":
            raise OptionError(
                f"word senses are those of the English WordNet, and the language is {language!r}; "
                "use wsk, or senses=none, or give senses with the input and senses=given"
            )

    def tag(self, segment: Segment) -> Segment:
        """The segment with the senses of this policy; `given` keeps those it has."""
        if self.name == "given":
            return tuple(_completed(sentence) for sentence in segment)
        if self.name == "none":
            return tuple(dataclasses.replace(sentence, senses=((),) * len(sentence)) for sentence in segment)
        return tuple(self._tagged(sentence) for sentence in segment)

    def _tagged(self, sentence: Sentence) -> Sentence:
        for layer in ("lemmas", "upos"):
            if len(sentence) and not sentence.has(layer):
                raise MissingLayerError(
                    f"word senses are looked up by {LAYER_NAMES['lemmas']} and {LAYER_NAMES['upos']}, and "
                    f"{sentence.text[:60]!r} has no {LAYER_NAMES[layer]}; "
                    "choose a parser that makes them (see `synteval parsers`), or use wsk"
                )
        senses: list[tuple[str, ...]] = [()] * len(sentence)
        if len(sentence):
            inventory = load_inventory(self.wordnet)
            for token, _, lemmas in entries(sentence, inventory):
                senses[token] += self._attributes(inventory, lemmas)
        return dataclasses.replace(sentence, senses=tuple(senses))

    def _attributes(self, inventory: Inventory, lemmas: Sequence[Any]) -> tuple[str, ...]:
        first = lemmas[0].synset()
        if self.name == "first":
            return (inventory.name(first),)
        if self.name == "all":
            return tuple(dict.fromkeys(inventory.name(lemma.synset()) for lemma in lemmas))
        if self.name == "lexname":
            return (first.lexname(),)
        steps = int(self.name.removeprefix("hypernym="))
        return tuple(inventory.name(synset) for synset in inventory.with_hypernyms(first, steps))


def entries(sentence: Sentence, inventory: Inventory) -> Iterator[tuple[int, int, Sequence[Any]]]:
    """The entries of WordNet in a sentence: first token, one past the last token, NLTK's lemmas.

    The words of a compound (lung cancer is a cancer) are entries beside it; those of an idiom (take place) are not.
    """
    words = _words(sentence)
    token = 0
    while token < len(words):
        end, found = _longest_match(token, words, inventory)
        if found:
            yield token, end, found
        if not found or inventory.is_compound(found[0], words[end - 1].lemma):
            for place in range(token, end):
                single = _single(words[place], inventory)
                if single:
                    yield place, place + 1, single
        token = end


class _Word(NamedTuple):
    form: str
    lemma: str
    tag: str
    part: PartOfSpeech | None
    relation: str


def _words(sentence: Sentence) -> list[_Word]:
    forms = [form.lower() for form in sentence.forms.list()]
    lemmas = [lemma.lower() for lemma in (sentence.lemmas or sentence.forms).list()]
    tags = list(sentence.upos or ())
    relations = sentence.relations.list() if sentence.relations is not None else [""] * len(forms)
    parts = [
        None if tag == "AUX" and lemma not in _AUXILIARIES else _PARTS.get(tag)
        for tag, lemma in zip(tags, lemmas, strict=True)
    ]
    return [_Word(*word) for word in zip(forms, lemmas, tags, parts, relations, strict=True)]


def _single(word: _Word, inventory: Inventory) -> Sequence[Any]:
    """The senses of a word by itself; where its part of speech has none, of the first that has."""
    if word.part is None:
        return ()
    # Degrees of comparison that are entries have senses of their own ("best", "lower"); a plural rarely has, unless
    # WordNet does not take it for one ("people").
    by_form = word.part in ("a", "r") or not inventory.derives(word.form, word.lemma, word.part)
    keys = (word.form, word.lemma) if by_form else (word.lemma, word.form)
    if word.part == "v" and word.relation == "amod":
        # An attributive participle is an adjective where WordNet knows it as one: "a damaged gene".
        found = inventory.lemmas(word.form, "a")
        if found:
            return found
    for part in dict.fromkeys((word.part, *PARTS_OF_SPEECH)):
        for key in keys:
            found = inventory.lemmas(key, part)
            if found:
                return found
    return ()


def _longest_match(start: int, words: Sequence[_Word], inventory: Inventory) -> tuple[int, Sequence[Any]]:
    """The longest entry of several words that begins at `start`; else the end of the single word and nothing."""
    first = words[start]
    longest = max(inventory.longest_entry(first.form), inventory.longest_entry(first.lemma))
    for end in range(min(start + longest, len(words)), start + 1, -1):
        for part, entry in _candidates(words[start:end]):
            found = inventory.lemmas(entry, part)
            # Of an entry of several words only the last word of a noun is looked up by its base form.
            if found and (part == "n" or "_" not in entry or found[0].name().lower() == entry):
                return end, found
    return start + 1, ()


def _candidates(words: Sequence[_Word]) -> Iterator[tuple[PartOfSpeech, str]]:
    """What several words can be as one entry, each with the word that inflects in its base form."""
    forms = [word.form for word in words]
    first, last = words[0], words[-1]
    if len(words) == 3 and forms[1] == "-":
        # Tokenizers part "dust-up", and taggers then see two words where WordNet has one.
        yield from ((part, "".join(forms)) for part in PARTS_OF_SPEECH)
    if last.part == "n" and first.tag not in ("ADP", "DET"):
        yield "n", _joined([*forms[:-1], last.lemma])
        yield "n", _joined(forms)
    # A verb with a preposition, "look at", is the verb; with a particle, "look up", an entry.
    if first.part == "v" and (last.tag not in _PREPOSITIONS or last.relation in _PARTICLES):
        yield "v", _joined([first.lemma, *forms[1:]])
    # "A bit", "kind of", "close to": the words after a determiner or before a preposition stand for themselves.
    if first.tag != "DET" and last.tag not in (*_PREPOSITIONS, "DET"):
        # A prepositional phrase is an adverb before it is an adjective: "in effect".
        yield from ((part, _joined(forms)) for part in (("r", "a") if first.tag == "ADP" else ("a", "r")))


def _joined(words: Sequence[str]) -> str:
    return "_".join(words).replace("_-_", "-")


def _completed(sentence: Sentence) -> Sentence:
    if sentence.senses is not None:
        return sentence
    return dataclasses.replace(sentence, senses=((),) * len(sentence))
