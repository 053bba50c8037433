"""Any arguments to any subcommand, taken from the command itself: new subcommands and options are tried as well.

Laws: the exit code is 0, 1, 2 or 130, without a traceback; 1 and 2 say why in a last line that begins with noughts:
and is printable; 130 is for an interrupt alone, which ends it soon at any moment; no process is left; nothing outside
its folder is changed; a question is answered within seconds of CPU time, whatever the board. Most inputs run in this
process; some once more in a process of their own, which must end alike.

An interrupt may leave `cli.main` as KeyboardInterrupt only where no handler can stand: in its own first and last lines,
around the command's work. One that comes during the work must have been turned into an exit code.
"""

from __future__ import annotations

import faulthandler
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from io import TextIOWrapper
from pathlib import Path
from time import process_time
from types import CodeType, FrameType
from typing import Any, cast

import click
import sandbox
from fuzzing import large_board, mutated, seeds, trace
from laws import require

from noughts import Game, cli

PATIENCE = 1.0  # seconds before the interrupt
QUESTIONS = ("analyze", "review")  # they take no option that asks for more, and so are left to their end
ANSWER = 20.0  # seconds of CPU time for one of them; some solve their game first
STUBBORN = 60  # seconds after which a run that was interrupted counts as hanging
MEMORY = 6 << 30  # bytes of addresses
WORK = cli.cli.main.__code__  # what `cli.main` puts its handlers around
APART = 150  # every so many inputs run in a process of their own

# fmt: off
GAMES = [
    "3x3k3", "3x3k3m", "4x4k4", "1x1k1", "2x2k2", "3x4k3", "4x5k4", "5x5k4", "15x15k5", "4x4", "256x256k256", "9x9",
]
PLAYERS = ["random", "rules", "rules-as-printed", "minimax", "alphabeta:2", "perfect", "mcts:10", "level-1", "level-5"]
FILES = ["mine.py:best", "mine.py:worst", "mine.py", "solved", "game.txt", "out", "out.jsonl", "deep/er/out", "-", "/"]
NUMBERS = ["0", "1", "2", "3", "7", "100", "-1", "1e3", "0.2", "nan", "inf", "1000000", "9" * 30, "", "all", "²", "٣"]
SIZES = ["8GB", "1", "0", "500MB", "2GiB", "1e400GB", "-5", "nan", "3 kB"]
WORDS = [
    "each", "carried", "natural", "centre", "evaluation", "best-known", "prajoda", "gordon", "x", "o", "bash", "zsh",
    "scenarios", "growth", "shifts", "line_sums", "empty", "127.0.0.1", "::1", "0.0.0.0", "localhost",
]
# fmt: on
SLOW = {"bench": 0.05, "papers": 0.02, "tour": 0.1, "atlas": 0.3, "doctor": 0.3}  # seldom: they take their time

MINE = """
from noughts import best_moves
def best(position): return best_moves(position)[0]
def worst(position): return position.moves()[0]
"""


class Target:
    """Command lines."""

    name = "cli"

    def __init__(self) -> None:
        self.positions = [seed.decode() for seed in seeds("notation")]
        self.home = Path(tempfile.mkdtemp(prefix="noughts-fuzz-cli-home-"))
        self.codes: dict[int, int] = {}
        self.count = self.interrupted = self.apart = 0

    def __enter__(self) -> Target:
        self.environment = sandbox.environment(self.home)
        work = self.home / "work"
        work.mkdir()
        (self.home / "mine.py").write_text(MINE, encoding="utf-8")
        (self.home / "game.txt").write_text("3x3k3: b2 a1 c3\n", encoding="utf-8")
        os.environ.clear()
        os.environ.update(self.environment)
        from noughts.solve import atlas, solve

        solve(Game(), save=self.home / "solved")
        tempfile.tempdir = None
        atlas.save = lambda rows: None  # type: ignore[assignment, misc]  # --rebuild would write into the package
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sandbox.confine(str(self.home))
        return self

    def __exit__(self, *_: object) -> None:
        os.chdir(self.home)  # the names that are removed count as inside
        shutil.rmtree(self.home, ignore_errors=True)

    def figures(self) -> str:
        """How they ended."""
        ends = ", ".join(f"{count:,} with {code}" for code, count in sorted(self.codes.items()))
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        return f" ({ends}; {self.interrupted:,} interrupted, {self.apart:,} in a process of their own, {most:,.0f} MB)"

    # Inputs

    def input(self, rng: random.Random) -> bytes:
        """A command line that makes some sense, or less."""
        commands = cli.COMMANDS
        weights = [SLOW.get(name, 1.0) for name in commands]
        name = rng.choices(list(commands), weights)[0]
        words = [name]
        for parameter in cli.load(name).params:
            words += self._parameter(rng, parameter)
        if rng.random() < 0.1:
            rng.shuffle(words)
        if rng.random() < 0.15:
            words.insert(
                rng.randrange(len(words) + 1), rng.choice([*commands, "-h", "--help", "--version", "--", "-x"])
            )
        if rng.random() < 0.1:
            del words[rng.randrange(len(words))]
        stdin = " ".join(
            rng.choices(["b2", "a1", "c3", "5", "hint", "undo", "resign", "save s", "\n", "3x3k3:", "x"], k=9)
        )
        record = "256x256k5: a1 b9 a2 c9 a3 d9 a4 e9 a9 f9 k9"
        return json.dumps({"argv": words, "stdin": rng.choice([stdin, self._value(rng), "", record])}).encode()

    def _parameter(self, rng: random.Random, parameter: click.Parameter) -> list[str]:
        if isinstance(parameter, click.Argument):
            return [self._value(rng, parameter.name)] if rng.random() < 0.97 else []
        if rng.random() < 0.75:
            return []
        option = rng.choice([*parameter.opts, *parameter.secondary_opts])
        if getattr(parameter, "is_flag", False):
            return [option]
        value = self._value(rng, parameter.name)
        return [f"{option}={value}"] if rng.random() < 0.3 else [option, value]

    def _value(self, rng: random.Random, name: str | None = None) -> str:
        pools = {
            "position": self.positions, "game": GAMES, "player": PLAYERS + FILES, "a": PLAYERS + FILES[:3],
            "b": PLAYERS + FILES[:3], "against": PLAYERS, "memory": SIZES, "file": FILES, "save": FILES,
            "verify_": FILES, "export_": FILES, "report": FILES, "tree": FILES, "dot": FILES, "games": ["1", "2", "5"],
        }  # fmt: skip
        if name == "position" and rng.random() < 0.1:
            return large_board(rng)
        pool = pools.get(name or "", NUMBERS + WORDS)
        if rng.random() < 0.15:
            pool = rng.choice(list(pools.values()))
        value = rng.choice(pool).encode()
        if rng.random() < 0.2:
            value = mutated(rng, value, [word.encode() for word in pool], [word.encode() for word in NUMBERS + WORDS])
        return value.replace(b"\0", b"0").decode("utf-8", "surrogateescape")

    # Laws

    def run(self, data: bytes) -> None:
        """Run a command line."""
        given = json.loads(data)
        self.count += 1
        twice = self.count % APART == 0 and not {"--rebuild", "--check"} & set(given["argv"])
        if self.count % 50 == 1 or twice:
            self._tidy()
        code, err, interrupted = self._here(given["argv"], given["stdin"])
        self._judge(given["argv"], code, err, interrupted)
        self.codes[code] = self.codes.get(code, 0) + 1
        self.interrupted += interrupted
        if twice:
            self._tidy()
            self.apart += 1
            again, said, stopped = self._apart(given["argv"], given["stdin"])
            self._judge(given["argv"], again, said, stopped)
            ends = f"{code} here, {again} in a process of its own: {err[-500:]!r}, {said[-500:]!r}"
            require(code == again or interrupted or stopped, f"noughts {given['argv']!r} ends with {ends}")

    def _tidy(self) -> None:
        """A folder to work in as it was at first."""
        shutil.rmtree(self.home / "work", ignore_errors=True)
        work = self.home / "work"
        work.mkdir()
        os.chdir(work)
        for name in ("mine.py", "game.txt"):
            shutil.copy(self.home / name, work)
        shutil.copytree(self.home / "solved", work / "solved")

    def _here(self, argv: list[str], stdin: str) -> tuple[int, str, bool]:
        with ExitStack() as opened:
            streams = [
                opened.enter_context(TextIOWrapper(os.fdopen(os.memfd_create(name), "w+b"), "utf-8"))
                for name in ("in", "out", "err")
            ]
            os.pwrite(streams[0].fileno(), stdin.encode("utf-8", "surrogateescape"), 0)
            said = os.dup(streams[2].fileno())  # the command may close its own
            opened.callback(os.close, said)
            code, interrupted = self._ends(argv, streams)
            try:
                for stream in streams[1:]:
                    stream.flush()
            except UnicodeError as problem:
                require(False, f"noughts {argv!r}: {problem!r} at the end")
            return code, os.pread(said, 10_000_000, 0).decode("utf-8", "replace"), interrupted

    def _ends(self, argv: list[str], streams: Sequence[TextIOWrapper[Any]]) -> tuple[int, bool]:
        """Run the command in this process; its exit code, and whether it was interrupted."""
        kept = sys.argv, sys.stdin, sys.stdout, sys.stderr
        interrupted = working = False

        def interrupt(number: int, frame: FrameType | None) -> None:
            nonlocal interrupted, working
            interrupted, working = True, _is_in(frame, WORK)
            raise KeyboardInterrupt

        faulthandler.dump_traceback_later(STUBBORN, exit=True)
        before, code = signal.signal(signal.SIGALRM, interrupt), cast(Any, None)
        asks, began = argv[:1] and argv[0] in QUESTIONS, process_time()
        try:
            sys.argv, (sys.stdin, sys.stdout, sys.stderr) = ["noughts", *argv], streams
            signal.setitimer(signal.ITIMER_REAL, 2 * ANSWER if asks else PATIENCE)
            try:
                cli.main()
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        except SystemExit as end:
            code = end.code
        except KeyboardInterrupt:
            require(interrupted and not working, f"noughts {argv!r}: it let an interrupt through, {trace()}")
            code = 130
        except BaseException as problem:
            require(False, f"noughts {argv!r}: {problem!r} {trace()}")
        finally:
            sys.argv, sys.stdin, sys.stdout, sys.stderr = kept
            signal.signal(signal.SIGALRM, before)
            faulthandler.cancel_dump_traceback_later()
        spent = process_time() - began
        require(not asks or spent <= ANSWER, f"noughts {str(argv)[:200]}: no answer in {spent:.0f} seconds of CPU time")
        return (0 if code is None else code), interrupted

    def _apart(self, argv: list[str], stdin: str) -> tuple[int, str, bool]:
        line = [sys.executable, "-m", "noughts", *argv]
        process = subprocess.Popen(
            line, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=self.environment
        )
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
                require(False, f"noughts {argv!r}: an interrupt did not end it")
        ended_by_it = interrupted and process.returncode == -signal.SIGINT  # it was on its way out already
        return 130 if ended_by_it else process.returncode, err.decode("utf-8", "replace"), interrupted

    def _judge(self, argv: list[str], code: int, err: str, interrupted: bool) -> None:
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
        require(False, f"noughts {argv!r}: left a process, {left}")


def _is_in(frame: FrameType | None, code: CodeType) -> bool:
    """Is this function running, or one that it called?"""
    while frame and frame.f_code is not code:
        frame = frame.f_back
    return frame is not None
