"""The hierarchies: their shape, the goldens of hierarchical credit, presets."""

from __future__ import annotations

import pytest

from synteval.errors import OptionError
from synteval.relations.hierarchy import load_hierarchy, presets


def agree_levels(preset: str, first: str, second: str) -> set[str]:
    hierarchy = load_hierarchy(preset)
    common = hierarchy.common(first, second)
    return {name for name in hierarchy.relations if hierarchy.subsumes(name, common)}


def test_credit_of_carroll_1998() -> None:
    """gr.hier.dobj_iobj.agree_levels, gr.hier.ncmod_iobj.agree_levels"""
    assert agree_levels("carroll1998", "dobj", "iobj") == {"obj", "comp", "arg", "dependent"}
    assert agree_levels("carroll1998", "ncmod", "iobj") == {"dependent"}


def test_credit_of_briscoe_2006() -> None:
    assert agree_levels("briscoe2006", "ncmod", "iobj") == {"arg_mod", "dependent"}
    assert agree_levels("briscoe2006", "ncsubj", "dobj") == {"subj_dobj", "arg", "arg_mod", "dependent"}
    assert agree_levels("briscoe2006", "det", "ncmod") == {"dependent"}
    assert agree_levels("briscoe2006", "dobj", "dobj") == {
        *("dobj", "obj", "comp", "subj_dobj", "arg", "arg_mod", "dependent")
    }


def test_rows_are_those_of_the_official_scorer() -> None:
    rows = (
        "dependent mod ncmod xmod cmod pmod det arg_mod arg subj ncsubj xsubj csubj subj_dobj comp obj dobj obj2 iobj "
        "clausal xcomp ccomp pcomp aux conj ta"
    )
    assert " ".join(load_hierarchy().relations) == rows


def test_twenty_relations_in_1998() -> None:
    assert len(load_hierarchy("carroll1998").relations) == 20


@pytest.mark.parametrize("preset", presets())
def test_every_relation_is_under_dependent(preset: str) -> None:
    hierarchy = load_hierarchy(preset)
    assert all("dependent" in hierarchy.above[name] for name in hierarchy.relations)
    assert all(
        hierarchy.common(a, b) == hierarchy.common(b, a) for a in hierarchy.relations for b in hierarchy.relations
    )
    for name, parents in hierarchy.parents.items():
        assert all(hierarchy.depth[parent] <= hierarchy.depth[name] for parent in parents)


def test_an_unknown_preset_lists_the_valid_ones() -> None:
    with pytest.raises(OptionError, match="briscoe2006"):
        load_hierarchy("briscoe2007")
