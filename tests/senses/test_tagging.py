"""The policies, entries of several words, and the accuracy of first senses."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synteval.errors import MissingLayerError, OptionError
from synteval.senses import SenseTagger, check_policy, load_inventory
from synteval.structures import Sentence

SPACEMAN = "wn30-09818022-n"
AMBITION = "wn30-07484547-n"


def sentence(tagged: str, relations: str | None = None) -> Sentence:
    """From `form/lemma/TAG` items."""
    forms, lemmas, tags = zip(*(item.split("/") for item in tagged.split()), strict=True)
    heads = None if relations is None else [-1] + [0] * (len(forms) - 1)
    return Sentence.build(
        forms, lemmas=lemmas, upos=tags, heads=heads, relations=None if relations is None else relations.split()
    )


def senses(tagged: str, policy: str = "first", relations: str | None = None) -> list[tuple[str, ...]]:
    (result,) = SenseTagger(policy).tag((sentence(tagged, relations),))
    return list(result.senses or ())


def names(tagged: str, relations: str | None = None) -> list[str]:
    """The synsets as NLTK names them, which people can read."""
    inventory = load_inventory()
    found = []
    for keys in senses(tagged, relations=relations):
        synsets = [inventory._reader.synset_from_pos_and_offset(k[-1], int(k[5:13])).name() for k in keys]
        found.append("+".join(synsets))
    return found


def test_each_policy() -> None:
    dream = "dreams/dream/NOUN"
    assert senses(dream) == [("wn30-05768553-n",)]
    assert AMBITION in senses(dream, "all")[0] and len(senses(dream, "all")[0]) == 6
    assert senses(dream, "lexname") == [("noun.cognition",)]
    assert senses(dream, "hypernym=0") == senses(dream)
    assert senses(dream, "hypernym=2") == [("wn30-05768553-n", "wn30-05767733-n", "wn30-05765159-n")]
    assert senses(dream, "none") == [()]


def test_the_papers_pairs_share_a_sense() -> None:
    assert senses("cosmonaut/cosmonaut/NOUN") == senses("astronauts/astronaut/NOUN") == [(SPACEMAN,)]
    # The sense that the two share is the third of "dream", so it takes all senses.
    assert AMBITION in set(senses("dream/dream/NOUN", "all")[0]) & set(senses("ambition/ambition/NOUN", "all")[0])


def test_the_part_of_speech_decides() -> None:
    assert names("can/can/NOUN") == ["can.n.01"]
    assert names("can/can/AUX was/be/AUX") == ["", "be.v.01"]
    assert names("to/to/PART the/the/DET ,/,/PUNCT he/he/PRON") == ["", "", "", ""]
    # A tag that WordNet has no such word for is a mistake of the tagger.
    assert names("latent/latent/NOUN") == ["latent.s.01"]


def test_several_words_come_before_single_ones() -> None:
    assert names("take/take/VERB place/place/NOUN") == ["happen.v.01", ""]
    assert names("took/take/VERB place/place/NOUN in/in/ADP New/New/PROPN York/York/PROPN") == [
        "happen.v.01", "", "", "new_york.n.01", "",
    ]  # fmt: skip
    assert names("hot/hot/ADJ dogs/dog/NOUN")[1] == ""


def test_a_compound_leaves_its_words_their_senses() -> None:
    assert names("lung/lung/NOUN cancers/cancer/NOUN") == ["lung_cancer.n.01+lung.n.01", "cancer.n.01"]


def test_hyphens_hide_no_entry() -> None:
    assert names("dust/dust/NOUN -/-/PUNCT up/up/ADP")[0].startswith("quarrel.n.01")
    assert names("well/well/ADV -/-/PUNCT known/know/VERB")[1:] == ["", ""]


def test_prepositions_and_determiners_fake_none() -> None:
    assert names("looked/look/VERB up/up/ADP", "root compound:prt")[1] == ""
    assert names("look/look/VERB at/at/ADP", "root case") == ["look.v.01", ""]
    assert names("kind/kind/NOUN of/of/ADP") == ["kind.n.01", ""]
    assert names("got/get/VERB its/its/PRON") == ["get.v.01", ""]


def test_unknown_words_carry_none() -> None:
    assert senses("blorfing/blorf/VERB Xyzzyq/Xyzzyq/PROPN") == [(), ()]


def test_given_senses_stay() -> None:
    given_senses = Sentence.build(["a", "b"], senses=[["x"], []])
    bare = Sentence.build(["c"])
    tagged = SenseTagger("given").tag((given_senses, bare))
    assert [item.senses for item in tagged] == [(("x",), ()), ((),)]


def test_the_rest_of_the_record_stays() -> None:
    before = sentence("dreams/dream/NOUN")
    (after,) = SenseTagger("first").tag((before,))
    assert (after.text, after.forms, after.lemmas, after.upos) == (
        before.text,
        before.forms,
        before.lemmas,
        before.upos,
    )
    assert SenseTagger("first").tag(()) == ()
    assert SenseTagger("first").tag((Sentence.build([]),))[0].senses == ()


@pytest.mark.parametrize(
    "policy", ["", "last", "hypernym", "hypernym=", "hypernym=-1", "hypernym=x", "none@nltk", "first@"]
)
def test_no_other_policy_exists(policy: str) -> None:
    with pytest.raises(OptionError, match="valid: first, all, lexname, hypernym=k, none, given"):
        check_policy(policy)


def test_lemmas_and_tags_are_needed() -> None:
    with pytest.raises(MissingLayerError, match=r"has no lemmas.*use wsk"):
        SenseTagger("first").tag((Sentence.build(["dream"]),))
    with pytest.raises(MissingLayerError, match="universal part-of-speech"):
        SenseTagger("all").tag((Sentence.build(["dream"], lemmas=["dream"]),))


def test_english_alone() -> None:
    SenseTagger("first").check_language("en")
    SenseTagger("first").check_language(None)
    SenseTagger("given").check_language("fr")
    with pytest.raises(OptionError, match=r"English WordNet.*'fr'.*use wsk"):
        SenseTagger("lexname").check_language("fr")


TAGS = st.sampled_from(["NOUN", "VERB", "ADJ", "ADV", "ADP", "PROPN", "DET", "AUX", "X", ""])
WORDS = st.sampled_from(
    ["take", "place", "new", "york", "in", "a", "bit", "of", "-", "look", "up", "dogs", "hot", "be"]
)


@settings(max_examples=60)
@given(st.lists(st.tuples(WORDS | st.text(max_size=5), TAGS), max_size=8))
def test_any_sentence_can_be_tagged(words: list[tuple[str, str]]) -> None:
    forms, tags = [form for form, _ in words], [tag for _, tag in words]
    made = Sentence.build(forms, lemmas=forms, upos=tags)
    sizes = {}
    for policy in ("first", "all", "lexname", "hypernym=1"):
        (tagged,) = SenseTagger(policy).tag((made,))
        assert tagged.senses is not None and len(tagged.senses) == len(made)
        sizes[policy] = [bool(keys) for keys in tagged.senses]
    assert sizes["first"] == sizes["all"] == sizes["lexname"] == sizes["hypernym=1"]


def _script() -> ModuleType:
    path = Path(__file__).parents[2] / "scripts" / "evaluate_senses.py"
    spec = importlib.util.spec_from_file_location("evaluate_senses", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["evaluate_senses"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("name", "known"), [("senseval2", 66.8), ("semeval2007", 55.2)])
def test_the_known_accuracy_of_first_senses(shared_data: Path, name: str, known: float) -> None:
    script = _script()
    items = list(script.read(shared_data / "wsd" / "raganato" / name))
    tagger = SenseTagger("first")
    right = sum(script.right_with_gold_tags(item, tagger) for item in items)
    assert round(100 * right / sum(len(item.gold) for item in items), 1) == known


@pytest.mark.parametrize(("name", "known"), [("senseval2", 66.8), ("semeval2007", 55.2)])
def test_from_plain_text_it_is_within_three_points(shared_data: Path, name: str, known: float) -> None:
    from synteval.parsing.registry import load_parser

    script = _script()
    items = list(script.read(shared_data / "wsd" / "raganato" / name))
    segments = load_parser("en").parse([item.text for item in items])
    right = sum(script.right_from_text(item, segment) for item, segment in zip(items, segments, strict=True))
    assert 100 * right / sum(len(item.gold) for item in items) >= known - 3
