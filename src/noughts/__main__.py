"""The command, as `noughts` and as `python -m noughts`."""

import os


def main() -> None:
    """See to Ctrl-C, then load the command and run it."""
    try:
        from noughts.interrupt import CtrlC

        ctrl_c = CtrlC()
    except KeyboardInterrupt:
        os._exit(130)
    from noughts.cli import main as command

    command(ctrl_c)


if __name__ == "__main__":
    main()
