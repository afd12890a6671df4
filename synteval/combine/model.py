"""A fitted combination as a file: what it reads, how those scores must have been made, and plain arrays.

`.json` holds everything as text; `.npz` holds the arrays as NumPy writes them and the rest as one JSON string.
Neither is ever unpickled. The model keeps the signature of each metric it was fitted on and refuses scores that were
made otherwise: another option, another parser. The number of references and synteval's version may differ.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from synteval.combine.base import Combiner
from synteval.combine.human_likeness import HumanLikeness
from synteval.combine.linear import WeightedLinear
from synteval.combine.ranking import PairwiseRanking
from synteval.combine.svr import SupportVectorRegression
from synteval.combine.ulc import ULC
from synteval.errors import InputError, StructureError, unknown
from synteval.meta.matrix import FloatArray
from synteval.version import __version__

FORMAT = "synteval-combination"
FORMAT_VERSION = 1
COMBINERS: dict[str, type[Combiner]] = {
    c.kind: c for c in (ULC, WeightedLinear, SupportVectorRegression, PairwiseRanking, HumanLikeness)
}
# Parts of a signature that may differ between the scores a model was fitted on and those it is given.
FREE = ("refs=", "synteval=")


@dataclass(frozen=True)
class Model:
    """A fitted combiner with the names and signatures of the metrics it reads, in order; `notes` is free."""

    combiner: Combiner
    metrics: tuple[str, ...]
    signatures: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.metrics) != self.combiner.n_features_in_:
            raise StructureError(
                f"{len(self.metrics)} metrics are named but the model was fitted on {self.combiner.n_features_in_}"
            )
        strange = [name for name in self.signatures if name not in self.metrics]
        if strange:
            raise StructureError(f"signatures of metrics that the model does not read: {', '.join(strange)}")

    @property
    def signature(self) -> str:
        """One line that identifies the model: its kind, its metrics and a hash of everything it holds."""
        digest = hashlib.sha256(json.dumps(self._header(), sort_keys=True).encode())
        for name, array in sorted(self.combiner.state().items()):
            digest.update(name.encode() + np.ascontiguousarray(array).tobytes())
        kind = self.combiner.kind.upper()
        return f"{kind}|metrics={len(self.metrics)}|model={digest.hexdigest()[:8]}|synteval={__version__}"

    def score(
        self, scores: Mapping[str, Sequence[float] | FloatArray], signatures: Mapping[str, str] | None = None
    ) -> FloatArray:
        """One score a row. `scores` has a column a metric; `signatures` says how they were made."""
        missing = [name for name in self.metrics if name not in scores]
        if missing:
            raise InputError(
                f"the model reads metrics that the scores lack: {', '.join(missing)}; "
                f"score with -m {' -m '.join(self.metrics)}"
            )
        self.check_signatures(signatures)
        columns = [np.asarray(scores[name], dtype=np.float64) for name in self.metrics]
        x = np.stack(columns, axis=1)
        absent = np.isnan(x).any(axis=1)
        result = np.full(len(x), np.nan)
        if not absent.all():
            read = getattr(self.combiner, "decision_function", None) or self.combiner.predict
            result[~absent] = read(x[~absent])
        return result

    def check_signatures(self, signatures: Mapping[str, str] | None) -> None:
        """Raise where scores were made otherwise than those the model was fitted on."""
        if not self.signatures:
            return
        if signatures is None:
            raise InputError(
                "the model knows how its metrics were computed but the scores do not say; give their signatures, "
                "or let synteval compute the scores"
            )
        for name, expected in self.signatures.items():
            given = signatures.get(name)
            if given is None:
                raise InputError(f"the scores have no signature for {name}; the model needs {expected}")
            if _core(given) != _core(expected):
                differ = [f"{g or 'nothing'} instead of {e or 'nothing'}" for e, g in _differences(expected, given)]
                raise InputError(
                    f"{name} was computed otherwise than the model needs: {'; '.join(differ)}; "
                    "score again with the model's settings or fit a new model"
                )

    def save(self, path: str | Path) -> None:
        """Write the model as `.json` or `.npz`."""
        path = Path(path)
        header, state = self._header(), self.combiner.state()
        if path.suffix == ".json":
            header["arrays"] = {name: array.tolist() for name, array in state.items()}
            path.write_text(json.dumps(header, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        elif path.suffix == ".npz":
            np.savez_compressed(path, header=np.array(json.dumps(header)), **state)  # type: ignore[arg-type]
        else:
            raise InputError(f"{path}: a model is saved as .json or .npz")

    @classmethod
    def load(cls, path: str | Path) -> Model:
        """Read a model that `save` wrote."""
        path = Path(path)
        header, state = _read(path)
        if header.get("format") != FORMAT or header.get("version") != FORMAT_VERSION:
            raise StructureError(f"{path}: not a {FORMAT} file of version {FORMAT_VERSION}; fit the model again")
        try:
            kind, params, metrics = header["kind"], header["params"], tuple(header["metrics"])
            signatures, notes = header["signatures"], header["notes"]
            if kind not in COMBINERS:
                raise unknown("kind of combination", str(kind), COMBINERS)
            return cls(COMBINERS[kind].restore(params, state), metrics, signatures, notes)
        except (KeyError, TypeError) as error:
            raise StructureError(f"{path}: the model is damaged ({error}); fit it again") from None

    def _header(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "kind": self.combiner.kind,
            "params": {name: _plain(value) for name, value in self.combiner.get_params(deep=False).items()},
            "metrics": list(self.metrics),
            "signatures": dict(self.signatures),
            "notes": dict(self.notes),
        }


def _read(path: Path) -> tuple[dict[str, Any], dict[str, FloatArray]]:
    try:
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as stored:
                state = {name: stored[name] for name in stored.files if name != "header"}
                header = json.loads(str(stored["header"]))
        else:
            header = json.loads(path.read_text(encoding="utf-8"))
            state = {name: np.asarray(value, dtype=np.float64) for name, value in header.pop("arrays").items()}
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; check the path") from None
    except (ValueError, TypeError, KeyError, OSError, AttributeError, zipfile.BadZipFile) as error:
        raise StructureError(f"{path}: not a model ({error}); fit it again") from None
    if not isinstance(header, dict):
        raise StructureError(f"{path}: not a model; fit it again")
    return header, state


def _core(signature: str) -> list[str]:
    return [part for part in signature.split("|") if not part.startswith(FREE)]


def _differences(expected: str, given: str) -> list[tuple[str, str]]:
    a, b = _core(expected), _core(given)
    only_a, only_b = [p for p in a if p not in b], [p for p in b if p not in a]
    length = max(len(only_a), len(only_b))
    return list(zip(only_a + [""] * (length - len(only_a)), only_b + [""] * (length - len(only_b)), strict=True))


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return value.item() if isinstance(value, np.generic) else value
