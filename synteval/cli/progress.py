"""Progress bars on a terminal, for work that takes more than a second; nothing in pipes or with --quiet."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager


def reporter(quiet: bool) -> Callable[[str, int], AbstractContextManager[Callable[[int], None]]]:
    """A reporter as `evaluate` takes it."""

    @contextmanager
    def report(name: str, total: int) -> Iterator[Callable[[int], None]]:
        if quiet or not sys.stderr.isatty():
            yield lambda done: None
            return
        from tqdm import tqdm

        with tqdm(total=total, desc=name, unit=" segments", file=sys.stderr, delay=1, leave=False) as bar:
            yield lambda done: (bar.update(done), None)[1]

    return report
