"""Metrics on parses and on texts, one file each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from synteval.metrics.gram import TreeKernel

__all__ = ["TreeKernel"]


def __getattr__(name: str) -> Any:
    # scikit-learn is imported only where it is used.
    if name == "TreeKernel":
        from synteval.metrics.gram import TreeKernel

        return TreeKernel
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
