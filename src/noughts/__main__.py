"""The command, as `noughts` and as `python -m noughts`.

Until Ctrl-C is seen to it shows a traceback, so nothing is loaded before that which Python has not loaded by itself.
Importing this module changes nothing: only `main` does.
"""

import _signal  # type: ignore[import-not-found]  # signal itself takes a while to load
import os


def leave(*_: object) -> None:
    """End this process at once, and say why: `noughts.interrupt` before it is loaded."""
    os.write(2, b"noughts: interrupted\n")
    os._exit(130)


def main() -> None:
    """See to Ctrl-C, then load the command and run it."""
    try:
        if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:  # not ignored, as in a shell's background
            _signal.signal(_signal.SIGINT, leave)
    except KeyboardInterrupt:
        leave()
    from noughts.interrupt import CtrlC

    ctrl_c = CtrlC(instead=leave)
    from noughts.cli import main as command

    command(ctrl_c)


if __name__ == "__main__":
    main()
