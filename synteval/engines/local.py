"""Work in this process, or in several processes of this machine."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import TypeVar

from synteval.errors import SyntevalError

Task = TypeVar("Task")
Result = TypeVar("Result")


class LocalEngine:
    """One process, or `jobs` of them."""

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = jobs
        self.parallel = jobs > 1
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> LocalEngine:
        return self

    def __exit__(self, *error: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def map(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[tuple[Task, Result]]:
        if not self.parallel:
            for task in tasks:
                yield task, function(task)
            return
        if self._pool is None:
            # Fresh interpreters: a forked copy of a process that holds threads and sessions may hang. They stay for
            # further calls, since starting them costs half a second.
            self._pool = ProcessPoolExecutor(self.jobs, multiprocessing.get_context("spawn"))
        pool, queue = self._pool, iter(tasks)
        running: dict[Future[Result], Task] = {}
        try:
            # A task ahead for every worker keeps them busy.
            running.update((pool.submit(function, task), task) for task in islice(queue, 2 * self.jobs))
            while running:
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    task = running.pop(future)
                    running.update((pool.submit(function, new), new) for new in islice(queue, 1))
                    yield task, future.result()
        except BrokenProcessPool:
            self._pool = None
            raise SyntevalError(
                "a process of this run was killed, perhaps for want of memory; what was parsed is kept: "
                "run it again, with fewer --jobs"
            ) from None
        finally:
            for future in running:
                future.cancel()
