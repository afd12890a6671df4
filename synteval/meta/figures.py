"""The figures of Amigo et al. 2011, from `experiments`: 1 additive reliability, 2/3 heterogeneity against reliability,
4 lexical against mixed sets, 5/6 heterogeneity against gain. Needs matplotlib.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from synteval.errors import InputError, NotInstalledError
from synteval.meta.experiments import SetResult


def additive_reliability(results: Sequence[SetResult], path: str | Path, *, title: str = "") -> None:
    """Figure 1: how R(X) - max R(x) is distributed over pairs of metrics."""
    axes = _axes()
    axes.hist([r.additive for r in results if not math.isnan(r.additive)], bins=40, color="#4477aa")
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_xlabel("R(X) - max R(x)")
    axes.set_ylabel("pairs of metrics")
    _save(axes, path, title)


def against_heterogeneity(
    results: Sequence[SetResult], path: str | Path, *, what: str = "reliability", title: str = ""
) -> None:
    """Figures 2 and 3 (`what="reliability"`), 5 and 6 (`what="gain"`): one dot a set, coloured by its size."""
    axes = _axes()
    sizes = sorted({len(r.metrics) for r in results})
    colours = _plots().get_cmap("viridis")(np.linspace(0, 0.9, len(sizes)))
    for size, colour in zip(sizes, colours, strict=True):
        mine = [r for r in results if len(r.metrics) == size]
        axes.scatter(
            [r.heterogeneity for r in mine], [getattr(r, what) for r in mine], s=9, color=colour, label=f"{size}"
        )
    if what == "gain":
        axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xlabel("heterogeneity H(X)")
    axes.set_ylabel({"reliability": "reliability R(X)", "gain": "reliability gain"}.get(what, what))
    axes.legend(title="metrics", fontsize=8, title_fontsize=8)
    _save(axes, path, title)


def lexical_against_mixed(
    lexical: Sequence[SetResult], mixed: Sequence[SetResult], path: str | Path, *, title: str = ""
) -> None:
    """Figure 4: mean heterogeneity by size of set."""
    axes = _axes()
    for results, label, marker in ((lexical, "lexical", "o"), (mixed, "lexical and linguistic", "s")):
        sizes = sorted({len(r.metrics) for r in results})
        means = [np.mean([r.heterogeneity for r in results if len(r.metrics) == size]) for size in sizes]
        axes.plot(sizes, means, marker=marker, label=label)
    axes.set_xlabel("metrics in the set")
    axes.set_ylabel("mean heterogeneity H(X)")
    axes.legend()
    _save(axes, path, title)


def _plots() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise NotInstalledError("matplotlib is not installed; install it: pip install 'synteval[report]'") from None
    matplotlib.use("Agg")
    import matplotlib.pyplot as plots

    return plots


def _axes() -> Any:
    return _plots().subplots(figsize=(5.2, 3.6), layout="constrained")[1]


def _save(axes: Any, path: str | Path, title: str) -> None:
    if title:
        axes.set_title(title, fontsize=10)
    try:
        axes.figure.savefig(path, dpi=150)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: the figure cannot be written ({error}); name a .png, .svg or .pdf file") from None
    finally:
        _plots().close(axes.figure)
