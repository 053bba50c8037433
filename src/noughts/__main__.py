"""The command, as `noughts` and as `python -m noughts`."""

from typing import NoReturn


def main() -> NoReturn:
    """Load the command and run it: loading takes a moment too, in which Ctrl-C may be pressed."""
    try:
        from noughts.cli import main as command
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    command()


if __name__ == "__main__":
    main()
