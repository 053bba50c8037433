"""Any arguments to any subcommand, taken from the command itself: new subcommands and options are tried as well.

Laws: the exit code is 0, 1, 2 or 130, without a traceback; 1 and 2 say why in a last line that begins with noughts:
and is printable; 130 is for an interrupt alone, which ends it soon at any moment; no process is left; nothing outside
its folder is changed; a question is answered within seconds of CPU time, whatever the board. Most inputs run in this
process; some once more in a process of their own, which must end alike.

An interrupt may leave `cli.main` as KeyboardInterrupt only where no handler can stand: in its own first and last lines,
around the command's work. One that comes during the work must have been turned into an exit code.
"""

from __future__ import annotations

import json
import logging
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from time import process_time
from types import CodeType, FrameType
from typing import Any, cast

import click
import sandbox
from fuzzing import large_board, mutated, seeds
from laws import Broken, require

from noughts import Game, cli
from noughts.lab.plots import require_matplotlib
from noughts.solve import atlas, solve

PATIENCE = 1.0  # seconds before the interrupt
QUESTIONS = ("analyze", "review")  # they take no option that asks for more, and so are left to their end
ANSWER = 20.0  # seconds of CPU time for one of them; some solve their game first
STUBBORN = 60  # seconds after which a process that was interrupted counts as hanging
MEMORY = 6 << 30  # bytes of addresses
WORK = cli.cli.main.__code__  # what `cli.main` puts its handlers around
APART = 150  # every so many inputs run in a process of their own
SLOW = {"bench": 0.05, "papers": 0.02, "tour": 0.1, "atlas": 0.3, "doctor": 0.3}  # seldom: they take their time
GAMES, PLAYERS, FILES, NUMBERS, SIZES, WORDS = (line.decode().split(" ") for line in seeds("cli"))
POOLS = {
    "position": [seed.decode() for seed in seeds("notation")], "game": GAMES, "player": PLAYERS + FILES,
    "players": PLAYERS + FILES[:3], "against": PLAYERS, "memory": SIZES, "games": ["1", "2", "5"],
    **dict.fromkeys(["file", "save", "verify_", "export_", "report", "tree", "dot", "resume", "certificates"], FILES),
}  # fmt: skip
MINE = "from noughts import best_moves\ndef best(position): return best_moves(position)[0]\n"
MINE += "def worst(position): return position.moves()[0]\n"
home = Path()
environment: dict[str, str] = {}
count = interrupted_runs = 0


@contextmanager
def around() -> Iterator[None]:
    """A folder with a file of players, a game, a solution and a certificate, outside which nothing changes any more."""
    global home
    with tempfile.TemporaryDirectory(prefix="noughts-fuzz-cli-", ignore_cleanup_errors=True) as name:
        home = Path(name)
        environment.update(sandbox.environment(home))
        (home / "mine.py").write_text(MINE, encoding="utf-8")
        (home / "game.txt").write_text("3x3k3: b2 a1 c3\n", encoding="utf-8")
        os.environ.clear()
        os.environ.update(environment)
        solve(Game(), save=home / "solved")
        line = [sys.executable, "-m", "noughts", "prove", "4x4k4", "--save", str(home / "proof")]
        subprocess.run(line, check=True, capture_output=True)
        with suppress(ImportError):
            require_matplotlib()  # an interrupt amid its loading would leave half of it for all that follow
        tempfile.tempdir = None
        atlas.save = lambda rows: None  # type: ignore[assignment, misc]  # --rebuild would write into the package
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sandbox.confine(str(home))
        yield
        os.chdir(home)  # the names that are removed count as inside


def figures() -> str:
    """What else there is to tell."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return f"{interrupted_runs:,} interrupted, {count // APART:,} in a process of their own, too, {most:,.0f} MB"


# Inputs


def made(rng: random.Random) -> bytes:
    """A command line that makes some sense, or less."""
    commands = cli.COMMANDS
    name = rng.choices(list(commands), [SLOW.get(name, 1.0) for name in commands])[0]
    words = [name, *(word for parameter in cli.load(name).params for word in _parameter(rng, parameter))]
    if rng.random() < 0.1:
        rng.shuffle(words)
    if rng.random() < 0.15:
        words.insert(rng.randrange(len(words) + 1), rng.choice([*commands, "-h", "--help", "--version", "--", "-x"]))
    if rng.random() < 0.1:
        del words[rng.randrange(len(words))]
    typed = " ".join(rng.choices(["b2", "a1", "c3", "5", "hint", "undo", "resign", "save s", "\n", "3x3k3:", "x"], k=9))
    record = "256x256k5: a1 b9 a2 c9 a3 d9 a4 e9 a9 f9 k9"
    return json.dumps({"argv": words, "stdin": rng.choice([typed, _value(rng), "", record])}).encode()


def _parameter(rng: random.Random, parameter: click.Parameter) -> list[str]:
    if isinstance(parameter, click.Argument):
        several = rng.randint(1, 3) if parameter.nargs == -1 else 1
        return [_value(rng, parameter.name) for _ in range(several)] if rng.random() < 0.97 else []
    if rng.random() < 0.75:
        return []
    option = rng.choice([*parameter.opts, *parameter.secondary_opts])
    if getattr(parameter, "is_flag", False):
        return [option]
    value = _value(rng, parameter.name)
    return [f"{option}={value}"] if rng.random() < 0.3 else [option, value]


def _value(rng: random.Random, name: str | None = None) -> str:
    if name == "position" and rng.random() < 0.1:
        return large_board(rng)
    pool = POOLS.get(name or "", NUMBERS + WORDS)
    if rng.random() < 0.15:
        pool = rng.choice(list(POOLS.values()))
    value = rng.choice(pool).encode()
    if rng.random() < 0.2:
        value = mutated(rng, value, [word.encode() for word in pool], [word.encode() for word in NUMBERS + WORDS])
    return value.replace(b"\0", b"0").decode("utf-8", "surrogateescape")


# Laws


def law(data: bytes) -> str:
    """Run a command line."""
    global count, interrupted_runs
    given = json.loads(data)
    argv, stdin = given["argv"], given["stdin"]
    count += 1
    twice = count % APART == 0 and not {"--rebuild", "--check"} & set(argv)
    if count % 50 == 1 or twice:
        tidy()
    code, err, interrupted = here(argv, stdin)
    judge(argv, code, err, interrupted)
    interrupted_runs += interrupted
    if twice:
        tidy()
        again, said, stopped = apart(argv, stdin)
        judge(argv, again, said, stopped)
        ends = f"{code} here, {again} in a process of its own: {err[-500:]!r}, {said[-500:]!r}"
        require(code == again or interrupted or stopped, f"noughts {argv!r} ends with {ends}")
    return f"with {code}"


def tidy() -> None:
    """A folder to work in as it was at first."""
    work = home / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    os.chdir(work)
    for name in ("mine.py", "game.txt", "proof"):
        shutil.copy(home / name, work)
    shutil.copytree(home / "solved", work / "solved")


def here(argv: list[str], stdin: str) -> tuple[int, str, bool]:
    """Run the command in this process: its exit code, what it said, and whether it was interrupted."""
    with ExitStack() as opened:
        streams = [
            opened.enter_context(TextIOWrapper(os.fdopen(os.memfd_create(name), "w+b"), "utf-8"))
            for name in ("in", "out", "err")
        ]
        os.pwrite(streams[0].fileno(), stdin.encode("utf-8", "surrogateescape"), 0)
        said = os.dup(streams[2].fileno())  # the command may close its own
        opened.callback(os.close, said)
        code, interrupted = _ends(argv, streams)
        for stream in streams[1:]:
            stream.flush()
        return code, os.pread(said, 10_000_000, 0).decode("utf-8", "replace"), interrupted


def _ends(argv: list[str], streams: Sequence[TextIOWrapper[Any]]) -> tuple[int, bool]:
    kept = sys.argv, sys.stdin, sys.stdout, sys.stderr
    interrupted = working = over = False

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal interrupted, working
        if over:  # the clock rang as it was stopped
            return
        if frame and frame.f_code.co_filename.endswith(
            "_weakrefset.py"
        ):  # Python itself throws an interrupt away there
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            return
        interrupted, working = True, _is_in(frame, WORK)
        raise KeyboardInterrupt

    logging.getLogger("noughts").handlers.clear()  # each writes to the stderr of the run that made it
    before, code = signal.signal(signal.SIGALRM, interrupt), cast(Any, None)
    asks, began = argv[:1] and argv[0] in QUESTIONS, process_time()
    try:
        sys.argv, (sys.stdin, sys.stdout, sys.stderr) = ["noughts", *argv], streams
        signal.setitimer(signal.ITIMER_REAL, 2 * ANSWER if asks else PATIENCE)
        try:
            cli.main()
        finally:
            over = True
            signal.setitimer(signal.ITIMER_REAL, 0)
    except SystemExit as end:
        code = end.code
    except KeyboardInterrupt:
        require(interrupted and not working, f"noughts {argv!r}: it let an interrupt through")
        code = 130
    except BaseException as problem:
        raise Broken(f"noughts {argv!r}: {problem!r}") from problem
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr = kept
        signal.signal(signal.SIGALRM, before)
    spent = process_time() - began
    require(not asks or spent <= ANSWER, f"noughts {str(argv)[:200]}: no answer in {spent:.0f} seconds of CPU time")
    return (0 if code is None else code), interrupted


def apart(argv: list[str], stdin: str) -> tuple[int, str, bool]:
    """The same in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "noughts", *argv], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, env=environment,
    )  # fmt: skip
    given, interrupted = stdin.encode("utf-8", "surrogateescape"), False
    try:
        _, err = process.communicate(given, timeout=PATIENCE + 11)
    except subprocess.TimeoutExpired:
        interrupted = True
        process.send_signal(signal.SIGINT)
        try:
            _, err = process.communicate(timeout=STUBBORN)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Broken(f"noughts {argv!r}: an interrupt did not end it") from None
    ended_by_it = interrupted and process.returncode == -signal.SIGINT  # it was on its way out already
    return 130 if ended_by_it else process.returncode, err.decode("utf-8", "replace"), interrupted


def judge(argv: list[str], code: int, err: str, interrupted: bool) -> None:
    """How a command may end."""
    require(code in (0, 1, 2, 130), f"noughts {argv!r}: exit code {code}, {err[-2000:]!r}")
    require(code != 130 or interrupted, f"noughts {argv!r}: 130 without an interrupt, {err[-2000:]!r}")
    require("Traceback" not in err, f"noughts {argv!r}: {err[-2000:]!r}")
    lines = err.splitlines()
    if code in (1, 2):
        require(lines and lines[-1].startswith("noughts: "), f"noughts {argv!r}: exit {code}, {err[-500:]!r}")
        require(lines[-1].isprintable() and len(lines[-1]) < 1000, f"noughts {argv!r}: {lines[-1]!r}")
        others = [line for line in lines if not line.startswith("noughts: ")]
        require(code == 1 or not others, f"noughts {argv!r}: exit 2 with {others!r}")
    try:
        left = os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return
    raise Broken(f"noughts {argv!r}: left a process, {left}")


def _is_in(frame: FrameType | None, code: CodeType) -> bool:
    """Is this function running, or one that it called?"""
    while frame and frame.f_code is not code:
        frame = frame.f_back
    return frame is not None
