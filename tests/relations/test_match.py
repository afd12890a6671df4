"""When relations match and how they are paired: goldens, the official procedure written a second time, brute force."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synteval.errors import OptionError
from synteval.relations.grs import GR, parse_gr
from synteval.relations.hierarchy import load_hierarchy
from synteval.relations.match import Matcher, values_match, without_passives
from synteval.relations.score import score_relations

HIERARCHY = load_hierarchy()
CARROLL = load_hierarchy("carroll1998")
MOLLA = load_hierarchy("molla2003")


def grs(*lines: str, hierarchy: object = HIERARCHY) -> list[GR]:
    return [parse_gr(line, hierarchy) for line in lines]  # type: ignore[arg-type]


def matches(gold: list[GR], test: list[GR], match: str, **options: object) -> int:
    return len(Matcher(HIERARCHY, match, **options).pairs(gold, test))  # type: ignore[arg-type]


OBJECTS = grs("(dobj eat banana)", "(dobj eat apple)")
GENERAL = grs("(obj eat banana)", "(obj eat apple)")
MORE_GENERAL = grs("(comp eat banana)", "(comp eat apple)")


def test_carroll_accepts_one_level_up_and_any_level_down() -> None:
    """gr.carroll.obj_vs_dobj, gr.carroll.dobj_vs_obj, gr.carroll.comp_vs_dobj"""
    assert matches(OBJECTS, GENERAL, "carroll") == 2
    assert matches(GENERAL, OBJECTS, "carroll") == 2
    assert matches(OBJECTS, MORE_GENERAL, "carroll") == 0
    assert matches(MORE_GENERAL, OBJECTS, "carroll") == 2


def test_subsumption_goes_one_way() -> None:
    """gr.subsume.equal, gr.subsume.subsume, gr.subsume.reverse"""
    assert matches(OBJECTS, GENERAL, "equal") == 0
    assert matches(OBJECTS, GENERAL, "subsume") == 2
    assert matches(GENERAL, OBJECTS, "subsume") == 0


def test_unfilled_slots() -> None:
    """gr.wild.strict, gr.wild.type, gr.igr.type_only, gr.igr.wild"""
    gold, test = grs("(ncmod num $ 30)"), grs("(ncmod _ $ 30)")
    assert matches(gold, test, "equal", wild=frozenset()) == 0
    assert matches(gold, test, "equal") == 1
    assert matches(gold, grs("(ncmod poss $ 30)"), "equal") == 0
    gold, test = grs("(ncsubj filed issues obj)"), grs("(ncsubj filed issues _)")
    assert matches(gold, test, "equal") == 0
    assert matches(gold, test, "equal", wild=frozenset({"type", "initial"})) == 1


def test_slots_that_are_compared() -> None:
    gold, test = grs("(ncsubj filed issues obj)"), grs("(ncsubj filed issues _)")
    assert matches(gold, test, "equal", slots="head-dependent") == 1
    assert matches(gold, test, "equal", slots="ncsubj") == 0
    gold, test = grs("(ncsubj said trader inv)"), grs("(ncsubj said trader _)")
    assert matches(gold, test, "equal", slots="ncsubj") == 1
    assert matches(gold, test, "equal") == 0


def test_slots_of_different_relations() -> None:
    """Only slots that both have are compared: an iobj has no type."""
    assert matches(grs("(ncmod num eat with)"), grs("(iobj eat with)"), "hier") == 1
    assert matches(grs("(ncsubj eat man obj)"), grs("(dobj eat man)"), "hier") == 1


@pytest.mark.parametrize(
    ("first", "second", "match"),
    [
        ("Commission", "Commission", True),
        ("Commission", "commission", False),
        ("Commission", "Securities_and_Exchange_Commission", True),
        ("Securities_and_Exchange_Commission", "Commission", True),
        ("ellip", "store", True),
        ("ellip", "_", False),
        ("_", "_", True),
        ("_", "word", False),
    ],
)
def test_values(first: str, second: str, match: bool) -> None:
    assert values_match(first, second) is match


def test_positions_count_where_both_have_them() -> None:
    assert matches(grs("(det man:2 the:1)"), grs("(det man:2 the:1)"), "equal") == 1
    assert matches(grs("(det man:2 the:1)"), grs("(det man:5 the:4)"), "equal") == 0
    assert matches(grs("(det man the)"), grs("(det man:5 the:4)"), "equal") == 1


def test_passives_mark_subjects_and_go() -> None:
    given_ = grs("(passive filed)", "(ncsubj filed issues _)", "(ncsubj said trader _)", "(passive kept)")
    assert [str(gr) for gr in without_passives(given_, HIERARCHY)] == [
        "(ncsubj filed issues obj)",
        "(ncsubj said trader _)",
    ]


def test_relations_of_lost_words_are_passed_over() -> None:
    """As in the official scorer: RASP writes NIL for a word it has lost."""
    assert without_passives(grs("(conj and NIL)", "(conj and eat)"), HIERARCHY) == grs("(conj and eat)")


SEED = [
    *("SUBJ(eat, man, _)", "OBJ(eat, banana)", "OBJ(eat, apple)", "MOD(with, eat, fork)"),
    *("SUBJ(come, man, _)", "MOD(that, man, come)", "XCOMP(without, eat, ask)"),
]


def molla(gold: list[str], test: list[str], match: str = "equal") -> tuple[int, int, int]:
    scores = score_relations([grs(*gold, hierarchy=MOLLA)], [grs(*test, hierarchy=MOLLA)], Matcher(MOLLA, match))
    return int(scores.own[..., 0].sum()), int(scores.own[..., 1].sum()), int(scores.own[..., 2].sum())


def test_the_example_of_the_paper() -> None:
    """gr.example.n, gr.example.self, gr.example.printed_vs_fixed.PR: its MOD has its slots reversed."""
    assert molla(SEED, SEED) == (7, 7, 7)
    printed = [gr.replace("MOD(with, eat, fork)", "MOD(fork, eat, with)") for gr in SEED]
    match, test, gold = molla(SEED, printed)
    assert (match / test, match / gold) == pytest.approx((0.8571428571428571, 0.8571428571428571))


def test_adjunct_clauses_as_modifiers() -> None:
    """gr.extract.xmod_variant.equal, gr.extract.xmod_variant.dependent"""
    variant = [gr.replace("XCOMP", "MOD") for gr in SEED]
    assert molla(SEED, variant)[0] == 6
    assert molla(SEED, variant, "dependent")[0] == 7


def test_a_toy_parser() -> None:
    """As gr.toy.*: six relations against seven; a duplicate takes gold once, a looser match finds one more."""
    gold = grs("(dobj a b)", "(dobj a c)", "(ncsubj a d _)", "(ncmod _ a e)", "(det b f)", "(det c g)", "(aux a h)")
    test = grs("(dobj a b)", "(dobj a b)", "(ncsubj a d _)", "(ncmod _ a e)", "(det b f)", "(obj a c)")
    found = {match: matches(gold, test, match) for match in ("equal", "carroll", "dependent")}
    assert found == {"equal": 4, "carroll": 5, "dependent": 5}


def test_unknown_options_list_the_valid_ones() -> None:
    with pytest.raises(OptionError, match="hier"):
        Matcher(HIERARCHY, "hierarchy")
    with pytest.raises(OptionError, match="greedy"):
        Matcher(HIERARCHY, matching="greed")


WORDS = st.sampled_from(["a", "b", "x_a"])
RELATIONS = ["ncmod", "xmod", "iobj", "dobj", "ncsubj", "det", "obj", "ta", "conj"]


@st.composite
def relation_sets(draw: st.DrawFn, size: int = 5) -> list[GR]:
    found = []
    for relation in draw(st.lists(st.sampled_from(RELATIONS), max_size=size)):
        slots = HIERARCHY.slots[relation]
        values = {
            "type": draw(st.sampled_from(["_", "num"])),
            "head": draw(WORDS),
            "dependent": draw(WORDS),
            "initial": draw(st.sampled_from(["_", "obj"])),
        }
        found.append(GR(relation, tuple(values[slot] for slot in slots)))
    return found


@given(relation_sets(4), relation_sets(4), st.sampled_from(["equal", "carroll", "dependent", "subsume"]))
@settings(max_examples=60)
def test_the_matching_is_maximal_and_free_of_order(gold: list[GR], test: list[GR], match: str) -> None:
    matcher = Matcher(HIERARCHY, match)
    found = len(matcher.pairs(gold, test))
    longer, shorter = (gold, test) if len(gold) >= len(test) else (test, gold)
    best = 0
    for order in permutations(range(len(longer)), len(shorter)):
        pairs = ((longer[i], shorter[j]) if longer is gold else (shorter[j], longer[i]) for j, i in enumerate(order))
        best = max(best, sum(matcher.agreement(mine, theirs) is not None for mine, theirs in pairs))
    assert found == best
    assert len(matcher.pairs(gold[::-1], test[::-1])) == found


ABOVE = {
    "ncmod": "mod arg_mod dependent",
    "xmod": "mod arg_mod dependent",
    "iobj": "obj comp arg arg_mod dependent",
    "dobj": "obj comp subj_dobj arg arg_mod dependent",
    "obj": "comp arg arg_mod dependent",
    "ncsubj": "subj subj_dobj arg arg_mod dependent",
    "det": "dependent",
    "ta": "dependent",
    "conj": "dependent",
}
DEPTH = {"dependent": 0, "arg_mod": 1, "mod": 2, "arg": 2, "subj": 3, "subj_dobj": 3, "comp": 3, "obj": 4}


def official(gold: list[GR], test: list[GR]) -> dict[str, list[int]]:
    """The procedure of the RASP evaluation in its own words: lists are worked from their ends; of the test relations
    whose slots match, one that agrees deeper, or as deep, takes the place of the one found before."""

    def up(relation: str) -> list[str]:
        return [relation, *ABOVE[relation].split()]

    def level(first: str, second: str) -> str:
        shared = [name for name in up(first) if name in up(second)]
        return max(shared, key=lambda name: DEPTH.get(name, 9))

    def same(mine: str, theirs: str) -> bool:
        if mine == theirs:
            return True
        if "_" in (mine, theirs):
            return False
        return mine in theirs if "_" in theirs else "_" in mine and theirs in mine

    def fits(mine: GR, theirs: GR) -> bool:
        other = dict(zip(HIERARCHY.slots[theirs.relation], theirs.values, strict=True))
        for slot, value in zip(HIERARCHY.slots[mine.relation], mine.values, strict=True):
            if slot in other and not same(value, other[slot]):
                wild = slot == "type" and theirs.relation in ("ncmod", "xmod", "ta") and "_" in (value, other[slot])
                if not wild:
                    return False
        return True

    counts: dict[str, list[int]] = {name: [0, 0, 0] for name in HIERARCHY.relations}
    left = test[::-1]
    for mine in gold[::-1]:
        best: GR | None = None
        agreed = ""
        for theirs in left:
            if fits(mine, theirs):
                at = level(mine.relation, theirs.relation)
                if best is None or agreed == at or (agreed in ABOVE.get(at, "").split() or agreed in UPPER.get(at, "")):
                    best, agreed = theirs, at
        for name in up(mine.relation):
            counts[name][2] += 1
        if best is not None:
            left = [gr for gr in left if gr is not best]
            for name in up(best.relation):
                counts[name][1] += 1
            for name in [agreed, *(ABOVE[agreed].split() if agreed in ABOVE else UPPER[agreed].split())]:
                counts[name][0] += 1
    for theirs in left:
        for name in up(theirs.relation):
            counts[name][1] += 1
    return counts


UPPER = {
    "dependent": "",
    "arg_mod": "dependent",
    "mod": "arg_mod dependent",
    "arg": "arg_mod dependent",
    "subj": "subj_dobj arg arg_mod dependent",
    "subj_dobj": "arg arg_mod dependent",
    "comp": "arg arg_mod dependent",
    "obj": "comp arg arg_mod dependent",
}


@given(relation_sets(6), relation_sets(6))
@settings(max_examples=200)
def test_the_hierarchical_score_is_the_official_one(gold: list[GR], test: list[GR]) -> None:
    test = [GR(gr.relation, gr.values) for gr in test]
    scores = score_relations([gold], [test], Matcher(HIERARCHY, "hier"))
    expected = official(gold, test)
    for name, row in zip(HIERARCHY.relations, scores.percolated().tolist(), strict=True):
        assert row == expected[name], name
