"""What the library tells without being asked: through `logging`, logger "noughts", level INFO.

`logging` takes a while to load, and is loaded when there is something to tell. A program that shows it to people names
the handler beforehand: `log.make_handler = …`, which is called then.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it: typing itself takes a while to load

if TYPE_CHECKING:
    from collections.abc import Callable
    from logging import Handler

make_handler: Callable[[], Handler] | None = None


def tell(message: str) -> None:
    """Log a message for people."""
    import logging

    logger = logging.getLogger("noughts")
    if make_handler and not logger.handlers:
        logger.addHandler(make_handler())
        logger.setLevel(logging.INFO)
    logger.info(message)
