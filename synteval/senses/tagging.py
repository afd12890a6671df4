"""Senses as a layer of the record: which synsets, or classes, a token stands for.

| policy | senses of a token |
|---|---|
| `first` | the most frequent sense of its lemma and part of speech (the default) |
| `all` | every sense of its lemma and part of speech |
| `lexname` | the lexicographer's class of the first sense, one of 45: `noun.person` |
| `hypernym=k` | the first sense and its hypernyms up to k steps: near senses share some, the same sense shares all |
| `none` | none |
| `given` | those of the input (`Sense=` in the MISC column of CoNLL-U) |

Nothing is disambiguated: `first` is the first-sense baseline. Entries of several words are tried before single words,
the longest first; the sense of such an entry stands on its first token, once, and its other tokens carry none, so that
"New York" and "NYC" share one sense. Words that WordNet does not know carry none.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from synteval.errors import MissingLayerError, OptionError
from synteval.senses.inventory import PARTS_OF_SPEECH, SHIPPED, Inventory, PartOfSpeech, fingerprint, load_inventory
from synteval.structures import LAYER_NAMES, Segment, Sentence

POLICIES = ("first", "all", "lexname", "hypernym=k", "none", "given")
_HYPERNYM = re.compile(r"hypernym=(\d{1,2})")
_PARTS: dict[str, PartOfSpeech] = {"NOUN": "n", "PROPN": "n", "VERB": "v", "AUX": "v", "ADJ": "a", "ADV": "r"}
# The auxiliaries that WordNet describes as verbs; its "can" and "will" are other words than the modals.
_AUXILIARIES = frozenset({"be", "have", "do"})


def check_policy(policy: str) -> None:
    """Raise OptionError unless `policy` is one."""
    if policy not in POLICIES[:3] + POLICIES[4:] and not _HYPERNYM.fullmatch(policy):
        raise OptionError(f"senses={policy} is not possible; valid: {', '.join(POLICIES)}")


@dataclass(frozen=True)
class SenseTagger:
    """Adds the layer `senses` by one policy. Made cheaply: the inventory is loaded at the first `tag`."""

    policy: str = "first"
    wordnet: str = SHIPPED

    def __post_init__(self) -> None:
        check_policy(self.policy)

    @property
    def fingerprint(self) -> str:
        """What identifies this layer, such as `first@wordnet-19942a23`; reading it loads no inventory."""
        return self.policy if self.policy in ("none", "given") else f"{self.policy}@{fingerprint(self.wordnet)}"

    def check_language(self, language: str | None) -> None:
        """Raise where senses would be looked up for a language that WordNet does not describe."""
        if self.policy not in ("none", "given") and language is not None and language.split("-")[0] != "en":
            raise OptionError(
                f"word senses are those of the English WordNet, and the language is {language!r}; "
                "use wsk, or senses=none, or give senses with the input and senses=given"
            )

    def tag(self, segment: Segment) -> Segment:
        """The segment with the senses of this policy; `given` keeps those it has."""
        if self.policy == "given":
            return tuple(_completed(sentence) for sentence in segment)
        if self.policy == "none":
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
                senses[token] = self._attributes(inventory, lemmas)
        return dataclasses.replace(sentence, senses=tuple(senses))

    def _attributes(self, inventory: Inventory, lemmas: Sequence[Any]) -> tuple[str, ...]:
        first = lemmas[0].synset()
        if self.policy == "first":
            return (inventory.name(first),)
        if self.policy == "all":
            return tuple(dict.fromkeys(inventory.name(lemma.synset()) for lemma in lemmas))
        if self.policy == "lexname":
            return (first.lexname(),)
        steps = int(self.policy.removeprefix("hypernym="))
        return tuple(inventory.name(synset) for synset in inventory.with_hypernyms(first, steps))


def with_senses(tagger: SenseTagger, segments: Sequence[Segment]) -> list[Segment]:
    """All segments of an input with senses by `tagger`. Senses that came with the input win over the policy `first`.

    Where any sentence of the input carries senses, a sentence without has none: it is never filled in from WordNet.
    """
    if tagger.policy == "first" and carries_senses(segments):
        tagger = SenseTagger("given")
    if tagger.policy == "given" and not carries_senses(segments):
        raise MissingLayerError(
            "senses=given, and no sentence of the input has any; give CoNLL-U with Sense= in its MISC column"
        )
    return [tagger.tag(segment) for segment in segments]


def carries_senses(segments: Sequence[Segment]) -> bool:
    """Whether any sentence has the layer `senses`."""
    return any(sentence.has("senses") for segment in segments for sentence in segment)


def entries(sentence: Sentence, inventory: Inventory) -> Iterator[tuple[int, int, Sequence[Any]]]:
    """The entries of WordNet in a sentence: first token, one past the last token, NLTK's lemmas."""
    forms = [form.lower() for form in sentence.forms.list()]
    lemmas = [lemma.lower() for lemma in (sentence.lemmas or sentence.forms).list()]
    parts = [_part_of_speech(tag, lemma) for tag, lemma in zip(sentence.upos or (), lemmas, strict=True)]
    token = 0
    while token < len(forms):
        end, found = _longest_match(token, forms, lemmas, parts, inventory)
        part = parts[token]
        if not found and part is not None:
            found = inventory.lemmas(lemmas[token], part) or inventory.lemmas(forms[token], part)
        if found:
            yield token, end, found
        token = end


def _part_of_speech(tag: str, lemma: str) -> PartOfSpeech | None:
    return None if tag == "AUX" and lemma not in _AUXILIARIES else _PARTS.get(tag)


def _longest_match(
    start: int,
    forms: list[str],
    lemmas: list[str],
    parts: list[PartOfSpeech | None],
    inventory: Inventory,
) -> tuple[int, Sequence[Any]]:
    """The longest entry of several words that begins at `start`; else the end of the single word and nothing."""
    longest = max(inventory.longest_entry(forms[start]), inventory.longest_entry(lemmas[start]))
    for end in range(min(start + longest, len(forms)), start + 1, -1):
        for words in (lemmas[start:end], forms[start:end]):
            # Tokenizers part "well-known" into three tokens.
            entry = "_".join(words).replace("_-_", "-")
            for part in _possible_parts(parts[start:end]):
                found = inventory.lemmas(entry, part)
                if found:
                    return end, found
    return start + 1, ()


def _possible_parts(parts: Sequence[PartOfSpeech | None]) -> list[PartOfSpeech]:
    """What an entry of several words can be: a verb begins with its verb, a noun ends in its noun."""
    first, last = parts[0], parts[-1]
    return [
        part
        for part in PARTS_OF_SPEECH
        if part in ("a", "r") or (part == "v" and first == "v") or (part == "n" and last == "n")
    ]


def _completed(sentence: Sentence) -> Sentence:
    if sentence.senses is not None:
        return sentence
    return dataclasses.replace(sentence, senses=((),) * len(sentence))
