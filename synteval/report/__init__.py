"""A run as one self-contained page: scores, distributions, differences, and the trees of every segment."""

from synteval.report.page import render, write

__all__ = ["render", "write"]
