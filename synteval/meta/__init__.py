"""Meta-evaluation: which metrics, and which sets of metrics, to trust."""

from synteval.meta.agreement import accuracy_with_ties, calibrate_ties, system_accuracy
from synteval.meta.correlation import Correlation, correlate
from synteval.meta.gain import gain
from synteval.meta.heterogeneity import heterogeneity
from synteval.meta.humans import average_judgements, length_weighted, normalise_evaluators
from synteval.meta.kappa import cohen_kappa, kappa
from synteval.meta.pairs import Pairs, compare
from synteval.meta.qarla import jack, king, queen
from synteval.meta.reliability import reliability, thresholded
from synteval.meta.resampling import bootstrap, permutation_test, statistic
from synteval.meta.significance_agreement import significance_agreement
from synteval.meta.williams import williams_test

__all__ = [
    "Correlation",
    "Pairs",
    "accuracy_with_ties",
    "average_judgements",
    "bootstrap",
    "calibrate_ties",
    "cohen_kappa",
    "compare",
    "correlate",
    "gain",
    "heterogeneity",
    "jack",
    "kappa",
    "king",
    "length_weighted",
    "normalise_evaluators",
    "permutation_test",
    "queen",
    "reliability",
    "significance_agreement",
    "statistic",
    "system_accuracy",
    "thresholded",
    "williams_test",
]
