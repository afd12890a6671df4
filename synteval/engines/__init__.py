"""Where the work of a run is done: in this process, in local processes, or on a Dask cluster. Results never differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

from synteval.errors import OptionError, unknown

Task = TypeVar("Task")
Result = TypeVar("Result")

ENGINES = ("local", "dask")


class Engine(Protocol):
    """Calls a module-level function on tasks. A few tasks are under way at a time, so that memory stays bounded."""

    # Whether tasks leave this process, so that they should be small to send.
    parallel: bool

    def __enter__(self) -> Engine: ...

    def __exit__(self, *error: object) -> None:
        """Leave the workers."""
        ...

    def map(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[tuple[Task, Result]]:
        """Each task with its result, as they are done: not always in order."""
        ...


def load_engine(name: str = "local", *, jobs: int = 1, scheduler: str | None = None) -> Engine:
    """An engine by name, as `--engine`, `--jobs` and `--scheduler` say."""
    if name == "local":
        if scheduler is not None:
            raise OptionError("--scheduler is the address of a Dask cluster; add --engine dask")
        from synteval.engines.local import LocalEngine

        return LocalEngine(jobs)
    if name == "dask":
        from synteval.engines.dask import DaskEngine

        return DaskEngine(scheduler, jobs)
    raise unknown("engine", name, ENGINES)
