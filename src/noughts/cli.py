"""The command: thin, every subcommand calls one library function and shows what it gives.

Data goes to stdout, progress and complaints to stderr. Exit 0: an answer, whatever it says; 1: failure;
2: bad input, one clear line; 130: interrupted. Heavy imports wait inside the subcommands.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from difflib import get_close_matches
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

import click
from click import argument, option

from noughts import log

if TYPE_CHECKING:
    import logging


class Commands(click.Group):
    """A group that suggests the nearest command."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which one may have been meant."""
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            near = get_close_matches(args[0], self.list_commands(ctx), 1)
            hint = f"did you mean {near[0]}?" if near else "noughts alone lists them"
            raise click.UsageError(f"there is no command {args[0][:40]!r}: {hint}")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which they are written, not by the alphabet."""
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; click itself would call it a failure when the reader of a pipe has seen enough."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise ReaderLeft from None


class ReaderLeft(Exception):
    """Nobody reads on: as with noughts atlas | head."""


class Place(click.Path):
    """The path of a file or folder, which has a name."""

    def __init__(self, **options: Any) -> None:
        super().__init__(path_type=Path, **options)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path; the empty text, which would mean the current folder, is none."""
        if value == "":
            self.fail("it is empty, and should be a path", param, ctx)
        return super().convert(value, param, ctx)


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
    row count, in 3x3k3m (misere) a line loses. A position is its rows from the top, as in X.O/.X./..O, with the game
    in front when it is not 3x3k3: 4x4k4:X.../.O../..../.... A move is a column letter and a row number from the
    bottom: a1 is bottom left.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def standard_input(most: int) -> str:
    """Read at most so many characters from standard input."""
    if sys.stdin is None:
        raise click.UsageError("there is no standard input to read from")
    return sys.stdin.read(most)


def position_text(argument: str) -> str:
    """The position that was typed, or, for a single -, the one on standard input."""
    from noughts.rules.notation import MAX_TEXT

    if argument != "-":
        return argument
    return standard_input(MAX_TEXT + 2).removesuffix("\n").removesuffix("\r")


def output(path: Path) -> AbstractContextManager[TextIO]:
    """A file to write an answer to, or, for a single -, standard output."""
    from noughts.files import writing

    return nullcontext(sys.stdout) if str(path) == "-" else writing(path)


json_option = option("--json", "json_", is_flag=True, help="Answer with JSON.")


def answer(found: Any, json_: bool, show: Callable[[Any], None]) -> None:
    """Print what was found, one thing or a list of them: for programs, or for people as `show` does."""
    if not json_:
        show(found)
    else:
        as_json([each.to_json() for each in found] if isinstance(found, list) else found.to_json())


def as_json(data: Any) -> None:
    """Print an answer for programs."""
    sys.set_int_max_str_digits(0)  # the code of a large board has more digits than Python likes to print
    click.echo(json.dumps(data))


# analyze


@cli.command()
@argument("position")
@json_option
def analyze(position: str, json_: bool) -> None:
    """Say all that is known of POSITION.

    Status, winning lines, whether the board can arise, its code and canonical form, its exact value and
    remoteness (plies to the end), and every move with its value and what it does. A single - reads the
    position from standard input.
    """
    from noughts.analysis import analyze
    from noughts.rules.legality import check
    from noughts.rules.notation import parse_board
    from noughts.rules.position import Position
    from noughts.show import show_analysis

    text = position_text(position)
    board = parse_board(text)
    legality = check(board)
    if not legality.legal:
        if json_:
            as_json(legality.to_json())
        raise click.UsageError(f"{text[:60]} {legality.refusal}")
    answer(analyze(Position.unchecked(*board)), json_, show_analysis)


# search


@cli.command(short_help="Search by minimax or alpha-beta, with counts.")
@argument("position")
@option(
    "--algorithm",
    default="alphabeta",
    metavar="minimax|alphabeta",
    help="Look at everything, or cut what cannot matter.",
)
@option("--depth", type=int, metavar="PLIES", help="Look so many plies ahead; else to the end of every game.")
@option("--window", metavar="each|carried", help="A window per root move, or one carried over them.")
@option(
    "--order", default="natural", metavar="natural|centre|evaluation|best-known", help="Which moves are tried first."
)
@option("--table", is_flag=True, help="Remember the scores of positions.")
@option("--symmetry", is_flag=True, help="Search only one of symmetric moves.")
@option("--deepening", is_flag=True, help="Search to depth 1, 2, 3, … and try the best moves first.")
@option("--limit", type=int, metavar="NODES", help="Refuse what would enter more nodes than this.")
@option("--compare", "compare_", is_flag=True, help="Show what each improvement saves.")
@option("--replay", is_flag=True, help="Show the search step by step.")
@option("--tree", type=Place(allow_dash=True), metavar="FILE", help="Write the searched tree as JSON.")
@option("--dot", type=Place(allow_dash=True), metavar="FILE", help="Write the tree for Graphviz.")
@option(
    "--keep", type=click.IntRange(1), default=10_000, metavar="NODES", help="How much of the tree to write or replay."
)
@json_option
def search(
    position: str,
    compare_: bool,
    replay: bool,
    tree: Path | None,
    dot: Path | None,
    keep: int,
    json_: bool,
    **options: Any,
) -> None:
    """Search POSITION by minimax or alpha-beta: score, nodes and prunes of every move.

    Scores are the evaluation's (weighted open lines), from X's side. A prune is one cut-off event. The
    window is each unless told otherwise, as in the minimax source; with --compare it is carried. A single -
    reads the position from standard input.
    """
    from noughts.files import check_target
    from noughts.rules.position import Position
    from noughts.search import compare
    from noughts.search import search as run
    from noughts.search.show import show_comparison, show_result

    if replay and json_:
        raise click.UsageError("--replay is for reading: leave --json out, or write the tree with --tree")
    start, recorded = Position.parse(position_text(position)), bool(replay or tree or dot)
    if compare_:
        given = click.get_current_context().get_parameter_source
        for name in ("order", "table", "symmetry", "deepening", "algorithm"):
            if given(name) is click.core.ParameterSource.COMMANDLINE:
                raise click.UsageError(f"--compare tries every {name} itself: leave --{name} out")
        if recorded:
            raise click.UsageError("--compare searches many trees: --tree, --dot and --replay need one")
        picked = {"depth": options["depth"], "limit": options["limit"], "window": options["window"] or "carried"}
        table = compare(start, **picked)
        if table.score is None:
            run(start, **picked)  # not one way fits the limit: this refuses, with the estimate and what would fit
        return answer(table, json_, show_comparison)
    options["window"] = options["window"] or "each"
    for path in (tree, dot):
        if path and str(path) != "-":
            check_target(path)
    found = run(start, **options, record=keep if recorded else None)
    if tree and found.tree:
        with output(tree) as file:
            json.dump(found.tree.to_json(), file)
    if dot and found.tree:
        with output(dot) as file:
            file.write(found.tree.to_dot())
    if replay and found.tree:
        for step in found.tree.replay():
            click.echo("  " * (step.ply + (step.kind == "back")) + step.text)
        click.echo()
    return answer(found, json_, show_result)


# play, review


@cli.command()
@argument("game", required=False)
@option("--against", metavar="PLAYER", help="Your opponent, as in noughts match.")
@option("--side", type=click.Choice(["x", "o"], case_sensitive=False), help="The side you play; X begins.")
@option("--two", is_flag=True, help="Two people play.")
@option("--seed", type=int, help="The opponent's chance: the same seed, the same answers.")
def play(**options: Any) -> None:
    """Play a game in the terminal.

    GAME is a board such as 3x3k3 or 15x15k5. What you do not say you are asked, or, when the moves come from a pipe,
    it is 3x3k3 as X against level-3. Type help in the game to see what you can do; at the end you are told where the
    game slipped.
    """
    from noughts.play.terminal import play

    if options["two"] and (options["against"] or options["side"]):
        raise click.UsageError("--two is a game between people: leave --against and --side out")
    play(sys.stdin, sys.stdout, **options)


@cli.command(short_help="Give the account of a saved game.")
@argument("file", type=Place(allow_dash=True))
@json_option
def review(file: Path, json_: bool) -> None:
    """Give the account of the game in FILE: where its value slipped, and what would have kept it.

    A game is one line such as 3x3k3: b2 a1 c3, as save writes it in noughts play. A single - reads it from
    standard input.
    """
    from noughts.account import review
    from noughts.play.record import MAX_FILE, parse_record, read_record
    from noughts.play.terminal import account

    game, moves = parse_record(standard_input(MAX_FILE)) if str(file) == "-" else read_record(file)
    answer(review(game.start(), moves), json_, lambda _: click.echo("\n".join(account(game, moves))))


# certify, match


SOON = 2.0  # seconds after which a match that is long says so, also where nobody sees the terminal


def _complete_players(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from noughts.play import PLAYERS

    return [name for name in PLAYERS if name.startswith(incomplete)]


@cli.command()
@argument("player", shell_complete=_complete_players)
@option("--game", default="3x3k3", metavar="GAME", help="The board, as in 4x4k4.")
@option("--seed", default=0, help="The chance of mcts; others are followed whatever they choose.")
@option(
    "--limit",
    type=click.IntRange(1),
    default=250_000,
    metavar="POSITIONS",
    help="Explore at most so many a side; those alike by symmetry may count as one.",
)
@option("--time-limit", default=10.0, metavar="SECONDS", help="For one answer of your code.")
@option("--total-limit", default=60.0, metavar="SECONDS", help="For a whole classroom file.")
@option("--classroom", "partly", is_flag=True, help="Grade a classroom file even if functions are missing.")
@json_option
def certify(player: str, json_: bool, **options: Any) -> None:
    """Prove or refute that PLAYER never loses, for each side.

    Every game of the player against all opposition is explored. PLAYER is a name (noughts match --help lists
    them), or a function of yours, path/to/file.py:function, which gets a noughts.Position and returns a cell or
    a move text; it runs in a process of its own. path/to/file.py alone is a classroom file (initial_state,
    player, actions, result, winner, terminal, utility, minimax): each function is graded on every position.

    All is asked more than once, in fresh processes and other orders: of a player of yours that does not always answer
    alike nothing is proven.
    """
    from noughts.meter import finish_showing
    from noughts.play.by_name import certifying
    from noughts.play.show import show

    answer(finish_showing(certifying(player, **options)), json_, show)


@cli.command(short_help="Play a series between two players.")
@argument("a", shell_complete=_complete_players)
@argument("b", shell_complete=_complete_players)
@option("-n", "--games", default=100, help="How many games.")
@option("--game", default="3x3k3", metavar="GAME", help="The board, as in 4x4k4.")
@option("--seed", default=0, help="The same seed plays the same games.")
@option("--time-limit", default=10.0, metavar="SECONDS", help="For one move of your code.")
@json_option
def match(a: str, b: str, json_: bool, **options: Any) -> None:
    """Play a series between A and B, who change sides after each game.

    Players: random, rules-as-printed, rules, minimax, alphabeta, perfect, mcts, level-1 to level-5; with a
    number alphabeta:4 (depth), minimax:4, mcts:2000 (random games a move); or a function of yours,
    path/to/file.py:function.
    """
    from noughts.meter import finish_showing
    from noughts.play.by_name import matching
    from noughts.play.show import series

    answer(finish_showing(matching(a, b, **options), first=SOON), json_, series)


# solve, atlas


def _complete_backends(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from noughts.solve.backends import BACKENDS

    return [name for name in BACKENDS if name.startswith(incomplete)]


@cli.command(short_help="Solve a game strongly; save and verify it.")
@argument("game", required=False)
@option("--threads", type=int, metavar="N", help="How many threads; else one for each processor.")
@option(
    "--backend",
    metavar="NAME",
    shell_complete=_complete_backends,
    help="Who solves, as in python; else the fastest (noughts doctor lists them).",
)
@option("--memory", metavar="SIZE", help="Refuse what takes more memory than this, as in 8GB; else than is free.")
@option("--save", type=Place(), metavar="DIR", help="Keep the solution in DIR, or go on there.")
@option("--compress", is_flag=True, help="Write it compressed (needs the extra db).")
@option("--verify", "verify_", type=Place(), metavar="DIR", help="Check a saved solution.")
@option("--sample", metavar="N|all", help="Derive so many positions again when verifying; else two million.")
@option("--export", "export_", type=Place(), metavar="FILE.jsonl", help="Write every position to FILE.")
@json_option
def solve(json_: bool, **options: Any) -> None:
    """Solve GAME strongly: the exact value and remoteness of every position.

    Any game of at most 25 cells. Says beforehand what it takes, and counts all positions that legal play can
    reach by value, number of marks and remoteness. With --save it can be stopped at any moment: the same command
    goes on. From Python, noughts.solve.Solution.open(DIR) then answers for every position.
    """
    from noughts.solve.show import show, solve_command

    try:
        found = solve_command(**options)
    except (OSError, MemoryError) as problem:
        what = _reason(problem) if isinstance(problem, OSError) else "there is not enough memory for this"
        kept = options["save"] and options["save"].is_dir()  # it may be gone
        goes_on = "; finished levels are kept, and the same command goes on there" if kept else ""
        sys.exit(_complain(f"{what}{goes_on}", 1))
    answer(found, json_, show)


@cli.command(short_help="Show the table of solved games.")
@argument("game", required=False)
@option("--check", is_flag=True, help="Solve the games again, and compare.")
@option("--rebuild", is_flag=True, help="Solve the games again, and write the atlas.")
@option("--large", is_flag=True, help="Do so for 4x6 and 5x5 too: minutes and gigabytes.")
@json_option
def atlas(game: str | None, json_: bool, **options: Any) -> None:
    """Show the table of solved games: who wins, and in how many plies.

    All boards of at most 20 cells with rows <= columns, every k from 2, both rules; 4x6 and 5x5. With a game or a
    board (4x4k4, 4x4) only its rows, and how many positions there are.
    """
    from noughts.solve.show import atlas_command, show_atlas

    answer(atlas_command(game, **options), json_, partial(show_atlas, whole=game is None))


# bench


@cli.command(short_help="Time the detectors, each checked first.")
@option("--detector", "detectors", multiple=True, metavar="NAME", help="Only this one, as in shifts; may be repeated.")
@option(
    "--scenario", "scenarios", multiple=True, metavar="NAME", help="Only this board, as in row_win; may be repeated."
)
@option("--experiment", default="all", metavar="scenarios|growth|all", help="Only one of them.")
@option("--iterations", type=int, metavar="N", help="Calls in a trial of the scenarios; else a few ms.")
@option("--trials", type=int, metavar="N", help="Trials of everything, interleaved; else 10.")
@option("--paper", is_flag=True, help="As in Prajoda's paper: its five boards, 100,000 iterations, 5 trials.")
@option("--baseline", metavar="NAME", help="Compare with this; else the paper's traditional method.")
@option("--seed", type=int, default=0, help="The same seed, the same order of trials.")
@option("--memory/--no-memory", default=True, help="Measure memory as well.")
@option("--report", type=Place(), metavar="DIR", help="Write a page with plots to DIR.")
@json_option
def bench(json_: bool, report: Path | None, **options: Any) -> None:
    """Time the detectors, each checked first, and say what the numbers mean.

    Two experiments. Scenarios: who has won, asked of nine boards, of every detector and of the two methods of
    Prajoda's paper as printed. Growth: the cost of a move on n x n boards up to n = 200. Ctrl-C keeps what was
    measured.
    """
    from noughts.lab import show
    from noughts.lab.bench import benching, read_options
    from noughts.meter import finish_showing

    chosen = read_options(**options)
    if report:
        from noughts.lab import page

        page.ready(report)
    found = finish_showing(benching(chosen), announce=True)
    answer(found, json_, show.show)
    if report:
        click.echo(f"Report: {page.write(found, report)}", err=True)
    if found.partial:
        raise click.Abort


# papers


@cli.command()
@option("--source", metavar="NAME", help="Only this one: prajoda, gordon, lastmove, gamescrafters, minimax.")
@option("--report", type=Place(), metavar="DIR", help="Write a page to DIR.")
@json_option
def papers(source: str | None, report: Path | None, json_: bool) -> None:
    """Check every claim of the five sources.

    Each is computed afresh and shown beside what the source says: whether it holds, and why. What depends on the
    machine is measured and has no verdict.
    """
    from noughts.lab.papers import judging
    from noughts.lab.papers.show import page, print_table
    from noughts.lab.report import prepare
    from noughts.meter import finish_showing

    if report:
        prepare(report)
    verdicts = finish_showing(judging(source), announce=True)
    answer(verdicts, json_, print_table)
    if report:
        click.echo(f"Report: {page(verdicts).write(report)}", err=True)


# serve


@cli.command()
@option(
    "--port",
    type=click.IntRange(0, 65535),
    help="The port; 0 takes any free one.  [default: 8765 or the next free one]",
)
@option("--host", default="127.0.0.1", metavar="ADDRESS", help="The address to listen on.")
@option(
    "--browser/--no-browser",
    default=True,
    show_default=False,
    help="Open the page in the browser (the default), or not.",
)
def serve(port: int | None, host: str, browser: bool) -> None:
    """Open the web laboratory: play, lose, and see why.

    Serves the page and its API on this machine only, unless --host says otherwise, until Ctrl-C.
    """
    try:
        from noughts.web.server import CannotServe, serve
    except ModuleNotFoundError as missing:
        if str(missing.name).partition(".")[0] not in ("fastapi", "starlette", "uvicorn", "pydantic", "anyio"):
            raise
        sys.exit(_complain(f"the web laboratory needs {missing.name}: pip install 'noughts[web]'", 1))
    from noughts.solve.cache import cache_limit

    cache_limit()  # a limit that cannot be read is refused now, not at somebody's first question
    try:
        serve(host, port, browser=browser, say=lambda line: click.echo(line, err=True))
    except CannotServe as problem:
        sys.exit(_complain(str(problem), 1))


# tour


@cli.command()
def tour() -> None:
    """A first look: a few positions and what noughts says of them."""
    from noughts.analysis import analyze
    from noughts.rules.position import Position
    from noughts.show import show_analysis

    stops = {
        "A fork: X can make two threats at once": "XO./.X./..O",
        "The same board in misere, where completing a line loses": "3x3k3m:XO./.X./..O",
        "Any board: four in a row on 4x5, where only one move wins": "4x5k4:XOO.X/.O.X./X..XX/O..OO",
    }
    for title, text in stops.items():
        click.secho(f"{title}\n$ noughts analyze {text}\n", bold=not os.environ.get("NO_COLOR"))
        show_analysis(analyze(Position.parse(text)))
        click.echo()
    click.echo("From Python:  import noughts; noughts.value(noughts.Position.parse('XO./.X./..O'))")
    click.echo("All commands: noughts --help")


# doctor, completion


@cli.command(short_help="Show what this installation has.")
@json_option
def doctor(json_: bool) -> None:
    """Show the version, the native core, CPU features, extras and the cache folder."""
    from noughts.doctor import examine
    from noughts.words import several, size

    facts = examine().to_json()
    if json_:
        as_json(facts)
        return
    click.echo(f"noughts   {facts['version']}")
    click.echo(f"Python    {facts['python']} on {facts['platform']}")
    click.echo(f"core      {facts['native_status']}")
    click.echo(f"CPU       {', '.join(facts['cpu']) or 'no features in use'}")
    click.echo(f"backends  {', '.join(name for name, absence in facts['backends'].items() if not absence)}")
    for name, packages in facts["extras"].items():
        found = [f"{package} {installed}" for package, installed in packages.items() if installed]
        missing = [package for package, installed in packages.items() if not installed]
        state = f"missing {', '.join(missing)}: pip install noughts[{name}]" if missing else ", ".join(found)
        click.echo(f"{name:<9} {state or 'part of Python'}")
    limit = f"of at most {size(facts['cache_limit'])}" if facts["cache_limit"] else "(switched off)"
    if facts["cache_problem"]:
        limit = f"({facts['cache_problem']})"
    held = f"{several(facts['cache_games'], 'game')}, {size(facts['cache_bytes'])}"
    click.echo(f"cache     {facts['cache']}: {held} {limit}")


@cli.command()
@argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the shell's completion script.

    \b
    ~/.bashrc    eval "$(noughts completion bash)"
    ~/.zshrc     eval "$(noughts completion zsh)"
    fish         noughts completion fish > ~/.config/fish/completions/noughts.fish
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    assert made
    click.echo(made(cli, {}, "noughts", "_NOUGHTS_COMPLETE").source())


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
        code = _complain(_in_our_words(problem), 2)
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
        code = _complain(_reason(problem) if isinstance(problem, OSError) else str(problem), 1)
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


def _reason(problem: OSError) -> str:
    """What the system says, without its number, and of which file."""
    where = f": {problem.filename}" if problem.filename else ""
    return f"{problem.strerror}{where}" if problem.strerror else str(problem)


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
