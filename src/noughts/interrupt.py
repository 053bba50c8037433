"""What Ctrl-C does to the command.

    before a command is at work, and after     it ends the process at once
    while something is being loaded            the same: an exception could come out of an import as another one
    while a command is at work                 it raises KeyboardInterrupt, once
    pressed again                              it ends the process at once

So KeyboardInterrupt is never raised where nobody is ready for it. What is saved survives that: it is written whole or
not at all, and the processes that were started end when this one does. This module loads nothing that takes time.
"""

import _signal  # type: ignore[import-not-found]  # signal itself takes a while to load
import os

TYPE_CHECKING = False  # as type checkers know it

if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

LOADING = "<frozen importlib."


class CtrlC:
    """The handler; in its `with` statement a command is at work."""

    def __init__(self, instead: object) -> None:
        """Take the place of this handler; if there is another one, or Ctrl-C is ignored, that stays so."""
        self.raises = False
        if _signal.getsignal(_signal.SIGINT) is instead:
            _signal.signal(_signal.SIGINT, self)

    def __enter__(self) -> None:
        self.raises = True

    def __exit__(self, *_: object) -> None:
        self.raises = False

    def __call__(self, number: int, frame: "FrameType | None") -> None:
        """Ctrl-C was pressed."""
        if not self.raises or is_loading(frame):
            leave()
        self.raises = False
        raise KeyboardInterrupt


def is_loading(frame: "FrameType | None") -> bool:
    """Is this part of an import?"""
    while frame and not frame.f_code.co_filename.startswith(LOADING):
        frame = frame.f_back
    return frame is not None


def leave() -> "NoReturn":
    """End this process at once, and say why."""
    try:
        os.write(2, b"noughts: interrupted\n")
    finally:
        os._exit(130)
