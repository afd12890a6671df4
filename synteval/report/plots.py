"""Pictures for papers, with matplotlib: the ranking of systems, distributions of segment scores, metrics compared."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from synteval.errors import InputError, NotInstalledError, OptionError, unknown

if TYPE_CHECKING:
    import matplotlib.figure

    from synteval.results.run import Run

KINDS = ("ranking", "distributions", "correlation")
ENDINGS = (".png", ".svg", ".pdf")


def plot(run: Run, kind: str = "ranking", path: str | Path | None = None, **options: Any) -> matplotlib.figure.Figure:
    """Draw a picture of a run and save it where `path` says, as PNG, SVG or PDF by its ending.

    ranking        each metric's systems, best first, with 95% bootstrap intervals; options trials, seed
    distributions  segment scores of each system, a panel a metric
    correlation    Pearson's r between the segment scores of the metrics, over all systems
    """
    draw = {"ranking": _ranking, "distributions": _distributions, "correlation": _correlation}.get(kind)
    if draw is None:
        raise unknown("picture", kind, KINDS)
    if path is not None:
        check_picture(path)
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise NotInstalledError("matplotlib is not installed; install it: pip install 'synteval[report]'") from None
    figure = Figure(layout="constrained")
    draw(run, figure, **options)
    if path is not None:
        try:
            # Without a date, so that the same run gives the same file.
            suffix = Path(path).suffix.lower()
            nameless = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}[suffix]
            figure.savefig(path, dpi=200, metadata=nameless)
        except OSError as error:
            raise InputError(f"{path}: cannot be written ({error.strerror})") from None
    return figure


def check_picture(path: str | Path) -> None:
    """See that the file is of a kind that can be written."""
    if Path(path).suffix.lower() not in ENDINGS:
        raise OptionError(f"{path}: not a kind of picture that can be written; end its name in {', '.join(ENDINGS)}")


def _panels(figure: matplotlib.figure.Figure, count: int, width: float, height: float) -> list[Any]:
    columns = min(count, 3)
    rows = -(-count // columns)
    figure.set_size_inches(width * columns, height * rows)
    axes = figure.subplots(rows, columns, squeeze=False).ravel().tolist()
    for spare in axes[count:]:
        spare.remove()
    return axes[:count]


def _ranking(run: Run, figure: matplotlib.figure.Figure, *, trials: int = 10_000, seed: int = 12345) -> None:
    intervals = run.confidence(trials=trials, seed=seed)
    panels = _panels(figure, len(run.metrics), 3.2, 0.9 + 0.28 * len(run.systems))
    for axis, (metric, kind) in zip(panels, run.metrics.items(), strict=True):
        # The best is drawn last, and so highest.
        names = sorted(run.scores, key=lambda name: run.scores[name][metric], reverse=not kind.higher_is_better)
        scores = np.array([run.scores[name][metric] for name in names])
        bounds = np.array([intervals[name][metric] for name in names])
        spread = np.abs(np.stack([scores - bounds[:, 0], bounds[:, 1] - scores]))
        axis.errorbar(scores, range(len(names)), xerr=spread, fmt="o", capsize=3, color="#0072b2")
        axis.set_yticks(range(len(names)), names, parse_math=False)
        axis.set_ylim(-0.6, len(names) - 0.4)
        axis.set_title(metric, parse_math=False)
        axis.grid(axis="x", alpha=0.3)


def _distributions(run: Run, figure: matplotlib.figure.Figure) -> None:
    panels = _panels(figure, len(run.metrics), 1.2 + 0.6 * len(run.systems), 3.0)
    for axis, metric in zip(panels, run.metrics, strict=True):
        values = [run.segment_scores[system.name][metric] for system in run.systems]
        values = [one[np.isfinite(one)] for one in values]
        drawn = axis.violinplot([one if len(one) else [0.0] for one in values], showmedians=True)
        for body in drawn["bodies"]:
            body.set_facecolor("#0072b2")
        turn = 0 if len(run.systems) <= 3 else 60
        names = [system.name for system in run.systems]
        side = "right" if turn else "center"
        axis.set_xticks(range(1, len(names) + 1), names, rotation=turn, ha=side, parse_math=False)
        axis.set_title(metric, parse_math=False)
        axis.grid(axis="y", alpha=0.3)


def _correlation(run: Run, figure: matplotlib.figure.Figure) -> None:
    names = list(run.metrics)
    rows = np.stack([np.concatenate([run.segment_scores[s.name][metric] for s in run.systems]) for metric in names])
    rows = rows[:, np.isfinite(rows).all(axis=0)]
    if rows.shape[1] < 2:
        raise InputError(f"a correlation needs at least 2 segments; this run has {rows.shape[1]}")
    with np.errstate(invalid="ignore", divide="ignore"):
        table = np.atleast_2d(np.corrcoef(rows))
    size = 1.6 + 0.55 * len(names)
    figure.set_size_inches(size + 0.8, size)
    axis = figure.subplots()
    image = axis.imshow(table, vmin=-1, vmax=1, cmap="RdBu_r")
    axis.set_xticks(range(len(names)), names, rotation=45, ha="right", parse_math=False)
    axis.set_yticks(range(len(names)), names, parse_math=False)
    for row in range(len(names)):
        for column in range(len(names)):
            value = table[row, column]
            shown = "–" if np.isnan(value) else f"{value:.2f}"
            dark = abs(value) > 0.6
            axis.text(column, row, shown, ha="center", va="center", fontsize=8, color="white" if dark else "black")
    figure.colorbar(image, ax=axis, label="Pearson's r", shrink=0.8)
