"""Relations from correct parses: the paper's sentence in every scheme, constructions, options."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synteval.errors import MissingLayerError, OptionError
from synteval.relations.extract import Extractor
from synteval.structures import Sentence
from synteval.structures.brackets import parse_brackets

FORMS = ["the", "man", "that", "came", "ate", "bananas", "and", "apples", "with", "a", "fork", "without", "asking"]
LEMMAS = ["the", "man", "that", "come", "eat", "banana", "and", "apple", "with", "a", "fork", "without", "ask"]
TAGS = ["DT", "NN", "WDT", "VBD", "VBD", "NNS", "CC", "NNS", "IN", "DT", "NN", "IN", "VBG"]
# gr.extract.seed_sentence
SEED = {
    *("MOD(that, man, come)", "MOD(with, eat, fork)", "OBJ(eat, apple)", "OBJ(eat, banana)"),
    *("SUBJ(come, man, _)", "SUBJ(eat, man, _)", "XCOMP(without, eat, ask)"),
}
UD = Sentence.build(
    FORMS,
    lemmas=LEMMAS,
    xpos=TAGS,
    heads=[1, 4, 3, 1, -1, 4, 7, 5, 10, 10, 4, 12, 4],
    relations=[
        "det",
        "nsubj",
        "nsubj",
        "acl:relcl",
        "root",
        "obj",
        "cc",
        "conj",
        "case",
        "det",
        "obl",
        "mark",
        "advcl",
    ],
    scheme="ud",
)
CLEARNLP = Sentence.build(
    FORMS,
    lemmas=LEMMAS,
    xpos=TAGS,
    heads=[1, 4, 3, 1, -1, 4, 5, 5, 4, 10, 8, 4, 11],
    relations=["det", "nsubj", "nsubj", "relcl", "ROOT", "dobj", "cc", "conj", "prep", "det", "pobj", "prep", "pcomp"],
    scheme="clearnlp",
)
# The first linkage of Link Grammar 5.12, as a tree.
LINK = Sentence.build(
    FORMS,
    lemmas=LEMMAS,
    xpos=TAGS,
    heads=[1, 4, 3, 1, -1, 6, 4, 6, 4, 10, 8, 4, 11],
    relations=[
        "D:s**c",
        "S:s*s",
        "RS",
        "B:s",
        "root",
        "SJ:lp",
        "O:p",
        "SJ:rp",
        "MV:p",
        "D:s**c",
        "J:s",
        "MV:p",
        "M:gp",
    ],
    scheme="link",
)
TREE = (
    "(S (NP (NP (DT the) (NN man)) (SBAR (WHNP (WDT that)) (S (VP (VBD came))))) (VP (VBD ate) (NP (NNS bananas) "
    "(CC and) (NNS apples)) (PP (IN with) (NP (DT a) (NN fork))) (PP (IN without) (S (VP (VBG asking))))))"
)


def penn(text: str) -> Sentence:
    return parse_brackets(text)[0].sentence()


def relations(
    sentence: Sentence, preset: str = "briscoe2006", scheme: str | None = None, **options: object
) -> set[str]:
    return {str(gr) for gr in Extractor.of(preset, **options).sentence(sentence, scheme)}  # type: ignore[arg-type]


@pytest.mark.parametrize("sentence", [UD, CLEARNLP, LINK, penn(TREE)], ids=["ud", "clearnlp", "link", "headword"])
def test_the_sentence_of_the_paper(sentence: Sentence) -> None:
    scheme = None if sentence.scheme else "headword"
    assert {gr.call() for gr in Extractor.of("molla2003").sentence(sentence, scheme)} == SEED


@pytest.mark.parametrize("sentence", [UD, CLEARNLP, LINK, penn(TREE)], ids=["ud", "clearnlp", "link", "headword"])
def test_the_same_in_the_relations_of_depbank(sentence: Sentence) -> None:
    assert relations(sentence, scheme=None if sentence.scheme else "headword") >= {
        *("(ncsubj ate man _)", "(det man the)", "(cmod that man came)", "(ncsubj came man _)", "(dobj ate and)"),
        *("(conj and bananas)", "(conj and apples)", "(ncmod _ ate with)", "(dobj with fork)", "(det fork a)"),
        *("(xmod _ ate without)", "(xcomp _ without asking)", "(ncsubj asking man _)"),
    }


def test_and_in_those_of_1998() -> None:
    assert relations(UD, "carroll1998") == {
        *("(ncsubj eat man _)", "(ncsubj come man _)", "(cmod that man come)", "(dobj eat banana _)"),
        *("(dobj eat apple _)", "(ncmod with eat fork)", "(xmod without eat ask)"),
    }


def test_options_can_be_set_one_by_one() -> None:
    assert "(dobj ate apples)" in relations(UD, distribute_conj=True)
    assert "(ncsubj came that _)" in relations(UD, resolve_relatives=False)
    assert "(ncsubj asking man _)" not in relations(UD, share_control=False)
    assert "(ncmod with ate fork)" in relations(UD, collapse_prepositions=True)
    assert "(dobj eat and)" in relations(UD, args="lemma")
    assert "XCOMP(without, eat, ask)" not in {
        gr.call() for gr in Extractor.of("molla2003", adjunct_clause="xmod").sentence(UD)
    }
    with pytest.raises(OptionError, match="form, lemma"):
        Extractor.of(args="stem")


PASSIVE = {
    "ud": Sentence.build(
        ["The", "issues", "were", "filed", "with", "the", "commission"],
        lemmas=["the", "issue", "be", "file", "with", "the", "commission"],
        xpos=["DT", "NNS", "VBD", "VBN", "IN", "DT", "NN"],
        heads=[1, 3, 3, -1, 6, 6, 3],
        relations=["det", "nsubj:pass", "aux:pass", "root", "case", "det", "obl"],
        scheme="ud",
    ),
    "clearnlp": Sentence.build(
        ["The", "issues", "were", "filed", "with", "the", "commission"],
        lemmas=["the", "issue", "be", "file", "with", "the", "commission"],
        xpos=["DT", "NNS", "VBD", "VBN", "IN", "DT", "NN"],
        heads=[1, 3, 3, -1, 3, 6, 4],
        relations=["det", "nsubjpass", "auxpass", "ROOT", "prep", "det", "pobj"],
        scheme="clearnlp",
    ),
    "headword": penn(
        "(S (NP (DT The) (NNS issues)) (VP (VBD were) (VP (VBN filed) (PP (IN with) (NP (DT the) (NN commission))))))"
    ),
}


@pytest.mark.parametrize("scheme", PASSIVE)
def test_a_passive_marks_the_initial_relation(scheme: str) -> None:
    assert relations(PASSIVE[scheme], scheme=scheme) >= {
        *(
            "(ncsubj filed issues obj)",
            "(aux filed were)",
            "(passive filed)",
            "(det issues The)",
            "(dobj with commission)",
        ),
    }


def test_copulas_are_heads() -> None:
    sentence = Sentence.build(
        ["He", "is", "the", "parent"],
        lemmas=["he", "be", "the", "parent"],
        xpos=["PRP", "VBZ", "DT", "NN"],
        heads=[3, 3, 3, -1],
        relations=["nsubj", "cop", "det", "root"],
        scheme="ud",
    )
    assert relations(sentence) == {"(ncsubj is He _)", "(xcomp _ is parent)", "(det parent the)"}
    assert relations(penn("(S (NP (PRP He)) (VP (VBZ is) (NP (DT the) (NN parent))))"), scheme="headword") == {
        "(ncsubj is He _)",
        "(xcomp _ is parent)",
        "(det parent the)",
    }


def test_amounts_have_the_sign_as_head() -> None:
    ud = Sentence.build(
        ["pay", "$", "30.5", "million"],
        lemmas=["pay", "$", "30.5", "million"],
        xpos=["VB", "$", "CD", "CD"],
        heads=[-1, 0, 3, 1],
        relations=["root", "obj", "compound", "nummod"],
        scheme="ud",
    )
    clearnlp = Sentence.build(
        ["pay", "$", "30.5", "million"],
        lemmas=["pay", "$", "30.5", "million"],
        xpos=["VB", "$", "CD", "CD"],
        heads=[-1, 3, 3, 0],
        relations=["ROOT", "quantmod", "compound", "dobj"],
        scheme="clearnlp",
    )
    tree = penn("(S (VP (VB pay) (NP (QP ($ $) (CD 30.5) (CD million)))))")
    for sentence, scheme in ((ud, None), (clearnlp, None), (tree, "headword")):
        assert relations(sentence, scheme=scheme) == {
            *("(dobj pay $)", "(ncmod num $ 30.5)", "(ncmod num 30.5 million)"),
        }


@pytest.mark.parametrize("label", ["nmod:unmarked", "obl:unmarked", "appos", "conj"])
def test_a_unit_belongs_to_its_amount_wherever_it_hangs(label: str) -> None:
    sentence = Sentence.build(
        ["earn", "$", "3.92", "a", "share"],
        lemmas=["earn", "$", "3.92", "a", "share"],
        xpos=["VB", "$", "CD", "DT", "NN"],
        heads=[-1, 0, 1, 4, 0],
        relations=["root", "obj", "nummod", "det", label],
        scheme="ud",
    )
    assert relations(sentence) == {"(dobj earn $)", "(ncmod num $ 3.92)", "(ncmod _ $ a)", "(dobj a share)"}


def test_verbs_that_share_a_subject() -> None:
    sentence = Sentence.build(
        ["She", "came", "and", "left"],
        lemmas=["she", "come", "and", "leave"],
        xpos=["PRP", "VBD", "CC", "VBD"],
        heads=[1, -1, 3, 1],
        relations=["nsubj", "root", "cc", "conj"],
        scheme="ud",
    )
    assert relations(sentence) == {"(conj and came)", "(conj and left)", "(ncsubj and She _)"}
    assert relations(sentence, distribute_conj=True) == {"(ncsubj came She _)", "(ncsubj left She _)"}


def test_hyphenated_words_are_one_word_again() -> None:
    sentence = Sentence.build(
        ["the", "cable", "-", "TV", "operators"],
        text="the cable-TV operators",
        lemmas=["the", "cable", "-", "tv", "operator"],
        xpos=["DT", "NN", "HYPH", "NN", "NNS"],
        spans=[(0, 3), (4, 9), (9, 10), (10, 12), (13, 22)],
        heads=[4, 3, 3, 4, -1],
        relations=["det", "compound", "punct", "compound", "root"],
        scheme="ud",
    )
    assert relations(sentence) == {"(det operators the)", "(ncmod _ operators cable-TV)"}


def test_positions_run_on_through_a_segment() -> None:
    sentence = Sentence.build(
        ["Go", "home"], xpos=["VB", "RB"], heads=[-1, 0], relations=["root", "advmod"], scheme="ud"
    )
    found = Extractor.of().segment((sentence, sentence))
    assert [gr.located() for gr in found] == ["(ncmod _ Go:1 home:2)", "(ncmod _ Go:3 home:4)"]


def test_empty_input_and_missing_layers() -> None:
    assert Extractor.of().segment(()) == []
    with pytest.raises(MissingLayerError, match="dependencies"):
        Extractor.of().sentence(Sentence.build(["Hello"]))
    with pytest.raises(MissingLayerError, match="constituency"):
        Extractor.of().sentence(Sentence.build(["Hello"]), "headword")
    with pytest.raises(OptionError, match="no relation rules for the scheme 'prague'"):
        Extractor.of().sentence(Sentence.build(["Hello"], heads=[-1], relations=["root"], scheme="prague"))


def test_a_long_chain_does_not_recurse() -> None:
    count = 1500
    sentence = Sentence.build(
        ["a"] * count,
        xpos=["NN"] * count,
        heads=[-1, *range(count - 1)],
        relations=["root"] + ["nmod"] * (count - 1),
        scheme="ud",
    )
    assert len(Extractor.of().sentence(sentence)) == count - 1


LABELS = {
    "ud": "nsubj nsubj:pass obj iobj obl obl:agent nmod nmod:poss case cop mark aux aux:pass conj cc acl acl:relcl "
    "advcl ccomp xcomp csubj amod det nummod compound flat fixed appos punct parataxis advmod expl",
    "clearnlp": "nsubj nsubjpass dobj dative prep pobj pcomp conj cc relcl acl advcl ccomp xcomp amod det nummod "
    "compound quantmod appos punct advmod npadvmod poss case aux auxpass attr acomp mark",
    "link": "S:s O:p J:s MV:p M:f SJ:lp SJ:rp VJ:lpi VJ:rpi I PP P:v P:g D:s A AN G NM:wx NN B:s RS R CV TH TO CO:w cc "
    "WV:c null",
}
TAGS_OF_ALL_KINDS = "NN NNP VB VBN VBG IN TO CC CD DT $ , . JJ RB WDT WRB POS"
FORMS_THAT_RULES_NAME = "a the and of $ million , said that which 5 'X ago be"


@given(st.sampled_from(sorted(LABELS)), st.data())
@settings(max_examples=150)
def test_any_tree_gives_well_formed_relations(scheme: str, data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 9))
    order = data.draw(st.permutations(range(count)))
    heads = [-1] * count
    for place, word in enumerate(order[1:], 1):
        heads[word] = order[data.draw(st.integers(0, place - 1))]
    label = st.sampled_from(LABELS[scheme].split())
    tag = st.sampled_from(TAGS_OF_ALL_KINDS.split())
    form = st.sampled_from(FORMS_THAT_RULES_NAME.split())
    sentence = Sentence.build(
        [data.draw(form) for _ in range(count)],
        xpos=[data.draw(tag) for _ in range(count)],
        heads=heads,
        relations=["root" if head == -1 else data.draw(label) for head in heads],
        scheme=scheme,
    )
    for preset in ("briscoe2006", "carroll1998", "molla2003"):
        extractor = Extractor.of(preset)
        for gr in extractor.sentence(sentence):
            slots = extractor.hierarchy.slots[gr.relation]
            assert len(gr.values) == len(gr.positions) == len(slots)
            assert all(1 <= place <= count for place, slot in zip(gr.positions, slots, strict=True) if slot == "head")


def parsed(words: str, scheme: str) -> Sentence:
    """A sentence written as form/TAG/head/relation, heads from 1, and lemma where it is not the form."""
    rows = [word.split("/") for word in words.split()]
    return Sentence.build(
        [row[0] for row in rows],
        lemmas=[row[4] if len(row) > 4 else row[0].lower() for row in rows],
        xpos=[row[1] for row in rows],
        heads=[int(row[2]) - 1 for row in rows],
        relations=[row[3] for row in rows],
        scheme=scheme,
    )


CONSTRUCTIONS = {
    "extraposed clause": (
        "ud",
        "It/PRP/3/expl is/VBZ/3/cop/be likely/JJ/0/root that/IN/6/mark rates/NNS/6/nsubj fall/VBP/3/csubj",
        {"(ncsubj is It _)", "(xcomp _ is likely)", "(ccomp that likely fall)", "(ncsubj fall rates _)"},
    ),
    "subjectless subject": (
        "ud",
        "To/TO/2/mark win/VB/3/csubj requires/VBZ/0/root cash/NN/3/obj",
        {"(xsubj requires win _)", "(dobj requires cash)"},
    ),
    "fronted preposition": (
        "ud",
        "people/NNS/0/root to/IN/3/case whom/WP/5/obl we/PRP/5/nsubj spoke/VBD/1/acl:relcl",
        {"(cmod _ people spoke)", "(ncmod _ spoke to)", "(dobj to whom)", "(ncsubj spoke we _)"},
    ),
    "participle of an object": (
        "ud",
        "He/PRP/2/nsubj had/VBD/0/root/have cars/NNS/2/obj repaired/VBN/2/xcomp",
        {
            *("(ncsubj had He _)", "(dobj had cars)", "(xcomp _ had repaired)"),
            *("(passive repaired)", "(ncsubj repaired cars obj)"),
        },
    ),
    "how long": (
        "ud",
        "He/PRP/2/nsubj worked/VBD/0/root for/IN/4/case years/NNS/2/obl/year",
        {"(ncsubj worked He _)", "(ncmod _ worked for)", "(dobj for years)"},
    ),
    "name without a comma": (
        "ud",
        "friend/NN/3/nsubj John/NNP/1/appos left/VBD/0/root",
        {"(ncsubj left friend _)", "(ncmod _ friend John)"},
    ),
    "question without a subject": (
        "ud",
        "They/PRP/2/nsubj know/VBP/0/root what/WP/5/obj to/TO/5/mark do/VB/2/ccomp",
        {"(ncsubj know They _)", "(xcomp to know do)", "(dobj do what)", "(ncsubj do They _)"},
    ),
    "object with an infinitive": (
        "clearnlp",
        "They/PRP/2/nsubj want/VBP/0/ROOT us/PRP/5/nsubj to/TO/5/aux act/VB/2/ccomp",
        {"(ncsubj want They _)", "(dobj want us)", "(xcomp to want act)", "(ncsubj act us _)"},
    ),
    "object with a bare infinitive": (
        "clearnlp",
        "They/PRP/2/nsubj let/VBD/0/ROOT us/PRP/4/nsubj go/VB/2/ccomp",
        {"(ncsubj let They _)", "(dobj let us)", "(xcomp _ let go)", "(ncsubj go us _)"},
    ),
    "clause of a noun": (
        "clearnlp",
        "fact/NN/0/ROOT that/IN/4/mark he/PRP/4/nsubj lied/VBD/1/acl",
        {"(ccomp that fact lied)", "(ncsubj lied he _)"},
    ),
    "because of": (
        "clearnlp",
        "died/VBD/0/ROOT because/IN/1/prep of/IN/2/pcomp cold/NN/2/pobj",
        {"(cmod _ died because)", "(pcomp because of)", "(dobj of cold)"},
    ),
}


@pytest.mark.parametrize("name", CONSTRUCTIONS)
def test_constructions(name: str) -> None:
    scheme, words, expected = CONSTRUCTIONS[name]
    assert {str(gr) for gr in Extractor.of().sentence(parsed(words, scheme))} == expected


def test_the_stop_of_an_abbreviation_stays_with_it() -> None:
    sentence = Sentence.build(
        ["He", "left", "Time", "Inc", "."],
        text="He left Time Inc.",
        xpos=["PRP", "VBD", "NNP", "NNP", "."],
        spans=[(0, 2), (3, 7), (8, 12), (13, 16), (16, 17)],
        heads=[1, -1, 3, 1, 1],
        relations=["nsubj", "root", "compound", "obj", "punct"],
        scheme="ud",
    )
    assert "(dobj left Inc.)" in [str(gr) for gr in Extractor.of().sentence(sentence)]
