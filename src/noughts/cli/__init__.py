"""The command: one file here for each subcommand, which reads options, calls the library and prints its answer.

kit     what commands share: games, positions and files on the command line; words, tables and JSON on stdout
meter   how far long work is, on stderr                every other file is the command of its name

Data goes to stdout, progress and complaints to stderr. Exit 0: an answer, whatever it says; 1: failure;
2: bad input, one clear line; 130: interrupted. The file of a command is read when that command is asked for.
"""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, NoReturn

import click

from noughts import log

if TYPE_CHECKING:
    import logging

    from click.shell_completion import CompletionItem

# The registry: a command is a file of this name with a `run` in it, and a line here.
COMMANDS = {
    "analyze": "Say all that is known of POSITION.",
    "search": "Search by minimax or alpha-beta, with counts.",
    "play": "Play a game in the terminal.",
    "puzzle": "Show the puzzle of the day: one right move.",
    "review": "Give the account of a saved game.",
    "certify": "Prove or refute that PLAYER never loses, for each side.",
    "match": "Play a series between players; a round robin.",
    "gomocup": "Play five in a row by the Gomocup protocol.",
    "solve": "Solve a game strongly; save and verify it.",
    "prove": "Prove who wins, or who cannot lose, with a certificate.",
    "check": "Check a certificate with a program of its own.",
    "dataset": "Write labelled positions of GAME to a file.",
    "score": "Say how often a model's moves keep the value.",
    "atlas": "Show the table of solved games.",
    "bench": "Time the detectors, each checked first.",
    "papers": "Check every claim of the five sources.",
    "serve": "Open the web laboratory: play, lose, and see why.",
    "tour": "A first look: a few positions and what noughts says of them.",
    "doctor": "Show what this installation has.",
    "completion": "Print the shell's completion script.",
}


def load(name: str) -> click.Command:
    """The command of this name, from its file."""
    command: click.Command = import_module(f"{__name__}.{name}").run
    command.name = name
    return command


class ReaderLeft(Exception):
    """Nobody reads on: as with noughts atlas | head."""


class Commands(click.Group):
    """All commands; the file of one is read when it is asked for, and none to list them."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, if there is one."""
        return load(cmd_name) if cmd_name in COMMANDS else None

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which they are written, not by the alphabet."""
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands in the help."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands, or options, that begin so."""
        from click.shell_completion import CompletionItem

        fitting = [CompletionItem(name, help=COMMANDS[name]) for name in COMMANDS if name.startswith(incomplete)]
        return fitting + click.Command.shell_complete(self, ctx, incomplete)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which one may have been meant."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, 1)
            hint = f"did you mean {near[0]}?" if near else "noughts alone lists them"
            raise click.UsageError(f"there is no command {args[0][:40]!r}: {hint}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; click itself would call it a failure when the reader of a pipe has seen enough."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise ReaderLeft from None


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100, "show_default": True},
    epilog='Try: noughts analyze "XO./.X./..O"',
)
@click.version_option(package_name="noughts", message="noughts %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """The laboratory for tic-tac-toe and every k-in-a-row game.

    A game is written 3x3k3: rows x columns, k in a row. Letters change its rule: in 15x15k5e only exactly five in a
    row count, in 6x7k4g marks fall, in 3x3k3m (misere) a line loses. A position is its rows from the top, as in
    X.O/.X./..O, with the game in front when it is not 3x3k3: 4x4k4:X.../.O../..../.... A move is a column letter and a
    row number from the bottom: a1 is bottom left.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(at_work: AbstractContextManager[object] | None = None) -> NoReturn:
    """Run the command, in this `with` statement if one is given; every complaint becomes one line and an exit code."""
    log.make_handler = _stderr_handler
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # what is no text in the user's encoding is shown, not raised
    try:
        with at_work or nullcontext():
            code = cli.main(prog_name="noughts", standalone_mode=False)
    except click.exceptions.Exit as exit_:
        code = exit_.exit_code
    except click.ClickException as problem:
        code = _complain(_in_our_words(problem), problem.exit_code)
    except (KeyboardInterrupt, click.Abort):
        code = _complain("interrupted", 130)
    except ReaderLeft:
        _forget_output()
        code = 0
    except ValueError as problem:
        if type(problem).__module__.partition(".")[0] != "noughts":
            raise
        code = _complain(str(problem), 2)
    except (OSError, ImportError) as problem:  # a full disk, a missing extra, a core that is required and not there
        code = _complain(reason(problem), 1)
        _forget_output()
    except MemoryError:
        code = _complain("there is not enough memory for this: try a smaller board", 1)
    sys.exit(code if isinstance(code, int) else 0)


def _stderr_handler() -> logging.Handler:
    """What shows the words of the library to people: on stderr."""
    import logging

    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("noughts: %(message)s"))
    return handler


def _in_our_words(problem: click.ClickException) -> str:
    """A complaint of ours as it is; one of click's with where to read what was expected."""
    words = problem.format_message()
    if type(problem) in (click.ClickException, click.UsageError) and not words.startswith("Got unexpected"):
        return words
    context = getattr(problem, "ctx", None)
    command = context.command_path if context else "noughts"
    return f"{words[:1].lower()}{words[1:].removesuffix('.')} ({command} --help says more)"


def reason(problem: OSError | ImportError) -> str:
    """What the system says, without its number, and of which file; of a missing module, which extra brings it."""
    if isinstance(problem, OSError):
        where = f": {problem.filename}" if problem.filename else ""
        return f"{problem.strerror}{where}" if problem.strerror else str(problem)
    if not isinstance(problem, ModuleNotFoundError):  # such as a core that cannot be used
        return str(problem)
    from noughts.doctor import bringing

    name = (problem.name or "").partition(".")[0]
    extra = bringing(name)
    return f"this needs {name}: pip install 'noughts[{extra}]'" if extra else str(problem)


def _forget_output() -> None:
    """Python flushes stdout once more at exit: let what could not be written go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


LONGEST_LINE = 700  # characters


def _complain(message: str, code: int) -> int:
    """One line, whatever the message quotes: printable, and not too long to read."""
    line = "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in " ".join(message.split())
    )
    click.echo(f"noughts: {line if len(line) <= LONGEST_LINE else f'{line[:400]} ... {line[-200:]}'}", err=True)
    return code
