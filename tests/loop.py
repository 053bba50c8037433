"""An event loop for a test."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio


def in_a_loop(work: Callable[..., Awaitable[Any]], *given: Any) -> Any:
    """What the work gives, in a thread of its own: a browser of other tests may keep the event loop of this one."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(anyio.run, work, *given).result()
