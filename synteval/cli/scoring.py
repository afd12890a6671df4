"""A scoring run as the command line describes it: what `score`, `report`, `plot`, `explain` and `robustness` share."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synteval.cli.options import reading
from synteval.cli.progress import reporter
from synteval.errors import OptionError, unknown

if TYPE_CHECKING:
    from synteval.io import Table
    from synteval.metrics.base import Metric
    from synteval.metrics.views import Parses
    from synteval.results.evaluate import Reporter, SystemInput
    from synteval.results.run import Run


@dataclass(frozen=True)
class Scoring:
    """The systems to score, the metrics, and how texts are parsed; `table` is where the systems came from, if one."""

    inputs: Sequence[SystemInput]
    metrics: Mapping[str, Metric]
    table: Table | None
    # The arguments of `Parses`.
    settings: Mapping[str, Any]
    progress: Reporter
    joins: tuple[str, ...] = ()
    lower_is_better: tuple[str, ...] = ()

    @classmethod
    def of(cls, default_metrics: Sequence[str], options: dict[str, Any]) -> Scoring:
        """From the values of the options in `options`: files are read, and nothing is parsed yet."""
        from synteval.metrics.registry import load_metrics
        from synteval.results.evaluate import needs_references

        if options["quiet"]:
            warnings.simplefilter("ignore")
        joins, lower = options.get("joins", ()), options.get("lower_is_better", ())
        names = [join.partition("=")[0] for join in joins]
        for name in lower:
            if name not in names:
                raise unknown("joined score", name, names)
        metrics = load_metrics(options["specs"] or (() if joins else default_metrics), _lexical(options))
        inputs, table = _read(options, needs_references(metrics))
        return cls(inputs, metrics, table, reading(options), reporter(options["quiet"]), joins, lower)

    def parses(self, **settings: Any) -> Parses:
        """How texts are parsed, with other `settings` where given."""
        from synteval.metrics.views import Parses

        return Parses(**{**self.settings, **settings})

    def run(self) -> Run:
        """Score, join the scores of --join, and warn of what the run has to say."""
        from synteval.results.evaluate import evaluate_inputs

        run = evaluate_inputs(self.inputs, self.metrics, self.parses(), self.progress)
        for note in run.warnings:
            warnings.warn(note, stacklevel=1)
        for join in self.joins:
            run = self._joined(run, join)
        return run

    def _joined(self, run: Run, join: str) -> Run:
        from synteval.results.joined import scores_from_file, scores_from_table

        name, equals, path = join.partition("=")
        if equals:
            scores, source = scores_from_file(path, name, run), Path(path).name
        elif self.table is not None:
            scores, source = scores_from_table(self.table, name), f"column-{name}"
        else:
            raise OptionError(f"--join {name}: without --table there are no columns; write --join {name}=FILE")
        return run.join(name, scores, source=source, lower_is_better=name in self.lower_is_better)


def _read(options: Mapping[str, Any], needed: bool) -> tuple[list[SystemInput], Table | None]:
    """The systems, and the table where they came from one; references where `needed`."""
    from synteval.io import read_table
    from synteval.results.load import systems_from_files, systems_from_table

    hypotheses, references, path = options["hypotheses"], options["references"], options["table"]
    if path is None:
        return systems_from_files(hypotheses, references, options["input_format"], needed), None
    if hypotheses or references:
        raise OptionError("--table holds hypotheses and references; leave HYP and -r out")
    table = read_table(path, options["input_format"])
    return systems_from_table(table, needed), table


def _lexical(options: Mapping[str, Any]) -> dict[str, str]:
    """The options of the run that are options of its lexical metrics."""
    given = {key: options[key] for key in ("tokenize", "case", "boundaries", "reference_length")}
    given["case"] = {"keep": "true", "drop": "false", None: None}[given["case"]]
    return {key: value for key, value in given.items() if value is not None}
