"""Dependency F: against a plain twin, with one and with several references."""

from __future__ import annotations

import numpy as np
import pytest
import syntactic_twins as twins
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synteval.errors import MissingLayerError, OptionError
from synteval.metrics import layout
from synteval.metrics.base import Chunk
from synteval.metrics.depf import DependencyF
from synteval.structures import Sentence


def f_score(matched, system, reference):
    return 2 * matched / (system + reference) if system + reference else 0.0


@pytest.mark.parametrize("direct_pairs", [-1, 10**6], ids=["arrays", "direct"])
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pairs=twins.pairs(twins.DEPENDENCIES), labelled=st.booleans(), multi_ref=st.sampled_from(["best", "mean"]))
def test_it_is_its_definition(pairs, labelled, multi_ref, direct_pairs, monkeypatch):
    monkeypatch.setattr(layout, "DIRECT_PAIRS", direct_pairs)
    metric = DependencyF(labelled=labelled, multi_ref=multi_ref)
    scores, sums = [], np.zeros(3)
    for hyp, refs in pairs:
        own = twins.arcs(hyp, labelled)
        tuples = []
        for ref in refs:
            other = twins.arcs(ref, labelled)
            tuples.append(((own & other).total(), own.total(), other.total()))
        values = [f_score(*counts) for counts in tuples]
        if not own:
            words = [[form.lower() for s in segment for form in s.forms] for segment in (hyp, *refs)]
            for place, counts in enumerate(tuples):
                if counts[2] == 0:
                    values[place] = float(words[0] == words[place + 1] != [])
        if multi_ref == "mean":
            scores.append(sum(values) / len(values))
            sums += np.mean(tuples, axis=0)
        else:
            best = max(zip(values, tuples, strict=True), key=lambda item: (item[0], item[1][0], -item[1][2]))
            scores.append(best[0])
            sums += best[1]
    expected = f_score(*sums) if sums[1] + sums[2] else np.mean(scores)
    chunk = Chunk([tuple(h) for h, _ in pairs], [[tuple(r) for r in refs] for _, refs in pairs])
    for size in (1, 7, 1000):
        stats = np.concatenate([metric.statistics(chunk.part(i, i + size)) for i in range(0, len(chunk), size)])
        assert metric.score_rows(stats, segment=True) == pytest.approx(scores, abs=1e-9)
        assert metric.score(stats.sum(axis=0)) == pytest.approx(expected, abs=1e-9)
        assert ((stats[:, 3] >= 0) & (stats[:, 3] <= 1)).all()


def test_lemmas_stand_for_words_and_forms_for_missing_lemmas():
    one = Sentence.build(["Dogs", "bark"], lemmas=["dog", "bark"], heads=[1, -1], relations=["nsubj", "root"])
    two = Sentence.build(["dog", "barks"], lemmas=["_", "bark"], heads=[1, -1], relations=["nsubj", "root"])
    bare = Sentence.build(["Dog", "BARK"], heads=[1, -1], relations=["nsubj", "root"])
    metric, surface = DependencyF(), DependencyF(form="surface")
    for size in (1, 10):
        for other in (two, bare):
            chunk = Chunk([(one,)] * size, [[(other,)]] * size)
            assert metric.score_rows(metric.statistics(chunk)).tolist() == [1.0] * size
            assert surface.score_rows(surface.statistics(chunk)).tolist() == [0.0] * size


def test_what_is_missing_is_named():
    bare = (Sentence.build(["a", "b"]),)
    with pytest.raises(MissingLayerError, match="no dependencies"):
        DependencyF().statistics(Chunk([bare] * 10, [[bare]] * 10))
    unlabelled = (Sentence.build(["a", "b"], heads=[1, -1]),)
    with pytest.raises(MissingLayerError, match="no dependency relations"):
        DependencyF().stats(unlabelled, [unlabelled])
    metric = DependencyF(labelled=False)
    for size in (1, 10):
        rows = metric.statistics(Chunk([unlabelled] * size, [[unlabelled]] * size))
        assert rows[0].tolist() == [1, 1, 1, 1, 1]
    with pytest.raises(OptionError, match="valid: best, mean"):
        DependencyF(multi_ref="first")
