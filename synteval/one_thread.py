"""Products of small matrices on one thread.

BLAS would share out even a product of 30 x 256 x 50 over all cores: no faster, at twice the processor time, and in the
way of the other processes of a parallel run.
"""

from __future__ import annotations

import functools
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


def one_thread() -> AbstractContextManager[object]:
    """While the context lasts, products are computed by the thread that asks for them."""
    limit: AbstractContextManager[object] = _controller().limit(limits=1, user_api="blas")
    return limit


@functools.cache
def _controller() -> ThreadpoolController:
    import numpy  # noqa: F401 (its BLAS must be there to be found)
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
