"""Gram matrices: against a plain recursion, symmetric, positive semi-definite, and fit for a support vector machine."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import syntactic_twins as twins
import worked_examples as examples
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.svm import SVC

from synteval.errors import InputError, OptionError
from synteval.metrics import gram
from synteval.metrics.gram import TreeKernel
from synteval.structures.brackets import parse_brackets


@settings(max_examples=40, deadline=None)
@given(
    rows=st.lists(twins.TREES, min_size=1, max_size=6),
    columns=st.lists(twins.TREES, min_size=1, max_size=4),
    decay=st.sampled_from([1.0, 0.5]),
    normalise=st.booleans(),
)
def test_values(rows, columns, decay, normalise):
    kernel = TreeKernel(decay=decay, normalise=normalise, normalise_tree=False)

    def expected(one, other):
        if normalise:
            return twins.cosine([one], [other], Fraction(decay))
        return float(twins.kernel([one], [other], Fraction(decay)))

    square = kernel.fit_transform([twins.flat(tree) for tree in rows])
    assert square == pytest.approx(np.array([[expected(a, b) for b in rows] for a in rows]), abs=1e-9)
    assert np.array_equal(square, square.T)
    assert np.linalg.eigvalsh(square).min() > -1e-9 * max(1.0, square.max())
    wide = kernel.transform([twins.flat(tree) for tree in columns])
    assert wide == pytest.approx(np.array([[expected(a, b) for b in rows] for a in columns]), abs=1e-9)


def test_blocks_give_the_same_matrix(monkeypatch):
    trees = [examples.DOG_REFERENCE, examples.DOG_HYPOTHESIS_1, examples.DOG_HYPOTHESIS_2, examples.FOUR_NODES, "(N)"]
    whole = TreeKernel()(trees)
    monkeypatch.setattr(gram, "_BLOCK", 2)
    assert np.array_equal(TreeKernel()(trees), whole)
    assert np.array_equal(TreeKernel()(trees, trees), whole)
    assert whole[0].tolist() == pytest.approx([1, 1, 1 / math.sqrt(15), whole[0, 3], 0])
    assert whole[4].tolist() == [0, 0, 0, 0, 1]


def test_inputs():
    text = examples.DOG_REFERENCE
    (found,) = parse_brackets(text)
    kernel = TreeKernel(lexicalised=True, normalise=False)
    assert kernel([text, found.tree, found.sentence(), (found.sentence(),)]).tolist() == [[53.0] * 4] * 4
    with pytest.raises(InputError, match="int is no tree"):
        kernel([3])
    with pytest.raises(OptionError, match="decay"):
        TreeKernel(decay=2.0).fit([text])
    with pytest.raises(NotFittedError):
        TreeKernel().transform([text])


def test_it_is_an_estimator():
    kernel = clone(TreeKernel(decay=0.4, lexicalised=True))
    assert kernel.get_params()["decay"] == 0.4
    assert "decay=0.4" in repr(kernel)
    noun_phrases = ["(NP (DT a) (NN dog))", "(NP (DT the) (JJ red) (NN pen))", "(NP (NN time))"]
    clauses = ["(S (NP (PRP I)) (VP (VBD saw)))", "(S (NP (NN time)) (VP (VBZ flies)))", "(S (VP (VB go)))"]
    kernel = TreeKernel(decay=0.4, count_single_nodes=True)
    train = kernel.fit_transform(noun_phrases + clauses)
    machine = SVC(kernel="precomputed", C=10).fit(train, [0, 0, 0, 1, 1, 1])
    assert machine.predict(kernel.transform(["(NP (DT the) (NN pen))", "(S (NP (DT a)) (VP (VBZ is)))"])).tolist() == [
        0,
        1,
    ]
