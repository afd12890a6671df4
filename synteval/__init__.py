"""synteval scores text with syntax and meaning: it parses system output and references, and compares the parses.

    from synteval import STM, HWCM, evaluate, load_parser

Everything is imported when it is first used, so `import synteval` is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from synteval.version import __version__

if TYPE_CHECKING:
    from synteval.errors import SyntevalError as SyntevalError
    from synteval.metrics.base import Metric as Metric
    from synteval.metrics.base import Score as Score
    from synteval.metrics.depf import DependencyF as DependencyF
    from synteval.metrics.dstm import DSTM as DSTM
    from synteval.metrics.dtkm import DTKM as DTKM
    from synteval.metrics.esk import ESK as ESK
    from synteval.metrics.esk import WSK as WSK
    from synteval.metrics.hwcm import HWCM as HWCM
    from synteval.metrics.soft import Soft as Soft
    from synteval.metrics.stm import STM as STM
    from synteval.metrics.tkm import TKM as TKM
    from synteval.metrics.wellformed import WellFormed as WellFormed
    from synteval.parsing.registry import load_parser as load_parser
    from synteval.results.evaluate import evaluate as evaluate
    from synteval.results.run import Run as Run
    from synteval.structures import Segment as Segment
    from synteval.structures import Sentence as Sentence
    from synteval.structures import Tree as Tree

_WHERE = {
    "DSTM": "synteval.metrics.dstm",
    "DTKM": "synteval.metrics.dtkm",
    "DependencyF": "synteval.metrics.depf",
    "ESK": "synteval.metrics.esk",
    "HWCM": "synteval.metrics.hwcm",
    "Metric": "synteval.metrics.base",
    "Run": "synteval.results.run",
    "STM": "synteval.metrics.stm",
    "Score": "synteval.metrics.base",
    "Segment": "synteval.structures",
    "Sentence": "synteval.structures",
    "SyntevalError": "synteval.errors",
    "Soft": "synteval.metrics.soft",
    "TKM": "synteval.metrics.tkm",
    "Tree": "synteval.structures",
    "WSK": "synteval.metrics.esk",
    "WellFormed": "synteval.metrics.wellformed",
    "evaluate": "synteval.results.evaluate",
    "load_parser": "synteval.parsing.registry",
}

__all__ = ["__version__", *_WHERE]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'synteval' has no attribute {name!r}")
    return getattr(importlib.import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
