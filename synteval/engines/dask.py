"""Work on a Dask cluster: `dask scheduler` and `dask worker ADDRESS` on machines that have synteval installed.

Only this process reads and writes the cache; workers get texts or records and send records or statistics back. A task
whose worker dies is run by another.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from synteval.errors import NotInstalledError, SyntevalError

Task = TypeVar("Task")
Result = TypeVar("Result")


class DaskEngine:
    """A cluster by its scheduler's address, or one of `jobs` processes on this machine where there is none."""

    parallel = True

    def __init__(self, scheduler: str | None = None, jobs: int = 1) -> None:
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise NotInstalledError("Dask is not installed; install it: pip install 'synteval[dask]'") from None
        try:
            self._client: Any = (
                distributed.Client(scheduler, timeout=30)
                if scheduler is not None
                else distributed.Client(
                    n_workers=jobs, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
                )
            )
        except (OSError, ValueError, TimeoutError) as error:
            raise SyntevalError(
                f"no Dask scheduler answers at {scheduler} ({type(error).__name__}); start one with `dask scheduler` "
                "and name its address with --scheduler"
            ) from None

    def map(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[tuple[Task, Result]]:
        distributed: Any = importlib.import_module("distributed")
        queue = iter(tasks)
        running: dict[Any, Task] = {}

        def submit(count: int) -> list[Any]:
            fresh = [(self._client.submit(function, task, pure=False), task) for task in islice(queue, count)]
            running.update(fresh)
            return [future for future, _ in fresh]

        workers = sum(self._client.nthreads().values()) or 1
        done = distributed.as_completed(submit(2 * workers))
        try:
            for future in done:
                task = running.pop(future)
                try:
                    result = future.result()
                except distributed.KilledWorker as error:
                    raise SyntevalError(
                        f"workers of the cluster died again and again on one task ({error}); see their logs"
                    ) from None
                for new in submit(1):
                    done.add(new)
                future.release()
                yield task, result
        finally:
            self._client.cancel(list(running))

    def __enter__(self) -> DaskEngine:
        return self

    def __exit__(self, *error: object) -> None:
        """Leave the cluster."""
        self._client.close()
