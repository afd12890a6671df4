"""Why a segment scored as it did: the fragments that matched, that are missing, and that no reference licenses."""

from synteval.explain.explain import explain, explain_segment
from synteval.explain.explanation import Drawing, Explanation, Fragment

__all__ = ["Drawing", "Explanation", "Fragment", "explain", "explain_segment"]
