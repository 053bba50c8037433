"""Any arguments to any subcommand, taken from the command itself: new subcommands and options are tried as well.

Laws: the exit code is 0, 1, 2 or 130, without a traceback; 1 and 2 say why in a last line that begins with noughts:
and is printable; 130 is for an interrupt alone, which ends it soon at any moment; no process is left; nothing outside
its folder is changed; a question is answered within seconds of CPU time, whatever the board. Each runs in a fork of
this process, which has loaded everything; some once more in a Python of their own, which must end alike.
"""

from __future__ import annotations

import json
import os
import pkgutil
import random
import resource
import select
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NoReturn

import click
import sandbox
from fuzzing import LARGE, board, mutated, seeds
from laws import require, require_alone

import noughts
from noughts import cli
from noughts.__main__ import leave, main

PATIENCE = (0.05, 0.2, 1.0, 1.0)  # seconds before the interrupt
START = 60.0  # for a Python that has loaded nothing
APART = 150  # every so many inputs run in a Python of their own, too
QUESTIONS = ("analyze", "review")  # they take no option that asks for more, and so are left to their end
ANSWER = 20.0  # seconds of CPU time for one of them; some solve their game first
STUBBORN = 60  # seconds after which a process that was interrupted counts as hanging
SLOW = {"bench": 0.05, "papers": 0.02, "tour": 0.1, "atlas": 0.3, "doctor": 0.3}  # seldom: they take their time
GAMES, PLAYERS, FILES, NUMBERS, SIZES, WORDS = (line.decode().split(" ") for line in seeds("cli"))
POOLS = {
    "position": [seed.decode() for seed in seeds("notation")], "game": GAMES, "player": PLAYERS + FILES,
    "players": PLAYERS + FILES[:3], "against": PLAYERS, "memory": SIZES, "games": ["1", "2", "5"],
    **dict.fromkeys(["file", "save", "verify_", "export_", "report", "tree", "dot", "resume", "certificates"], FILES),
}  # fmt: skip
ODD = [*cli.COMMANDS, "-h", "--help", "--version", "--", "-x"]
TYPED = ["b2", "a1", "c3", "5", "hint", "undo", "resign", "save s", "\n", "3x3k3:", "x"]
RECORD = "256x256k5: a1 b9 a2 c9 a3 d9 a4 e9 a9 f9 k9"
MINE = "from noughts import best_moves\ndef best(position): return best_moves(position)[0]\n"
MINE += "def worst(position): return position.moves()[0]\n"
home = Path()
count = interrupted = 0


@contextmanager
def around() -> Iterator[None]:
    """A folder with a file of players, a game, a solution and a certificate, outside which nothing changes any more."""
    global home
    with tempfile.TemporaryDirectory(prefix="noughts-fuzz-cli-", ignore_cleanup_errors=True) as name:
        home = Path(name)
        environment = sandbox.environment(home)
        os.environ.clear()
        os.environ.update(environment)
        tempfile.tempdir = None
        for each in pkgutil.walk_packages(noughts.__path__, "noughts."):
            with suppress(ImportError):
                import_module(each.name)
        signal.signal(signal.SIGINT, leave)  # as `main` has it while it loads; a shell's background jobs ignore it
        sandbox.confine(str(home))
        (home / "files").mkdir()
        (home / "files" / "mine.py").write_text(MINE, encoding="utf-8")
        (home / "files" / "game.txt").write_text("3x3k3: b2 a1 c3\n", encoding="utf-8")
        tidy()
        for line in ("solve 3x3k3 --save ../files/solved", "prove 4x4k4 --save ../files/proof"):
            code, err, *_ = run(line.split(), "", START)
            require(code == 0, f"noughts {line}: {err}")
        yield
        os.chdir(home)  # the names that are removed count as inside


def figures() -> str:
    """What else there is to tell."""
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return f"{interrupted:,} interrupted, {count // APART:,} in a Python of their own, too, {most:,.0f} MB"


# Inputs


def made(rng: random.Random) -> bytes:
    """A command line that makes some sense, or less."""
    name = rng.choices(list(cli.COMMANDS), [SLOW.get(name, 1.0) for name in cli.COMMANDS])[0]
    words = [name]
    for each in cli.load(name).params:
        if isinstance(each, click.Argument):
            several = rng.randint(1, 3) if each.nargs == -1 else rng.random() < 0.97
            words += [_value(rng, each.name) for _ in range(several)]
        elif rng.random() < 0.25:
            words.append(rng.choice([*each.opts, *each.secondary_opts]))
            if not getattr(each, "is_flag", False):
                value = _value(rng, each.name)
                words[-1:] = [f"{words[-1]}={value}"] if rng.random() < 0.3 else [words[-1], value]
    if rng.random() < 0.1:
        rng.shuffle(words)
    if rng.random() < 0.2:  # one more, or one less, or another
        at = rng.randrange(len(words) + 1)
        words[at : at + rng.randrange(2)] = rng.choices(ODD, k=rng.randrange(2))
    typed = rng.choice([" ".join(rng.choices(TYPED, k=9)), _value(rng), "", RECORD])
    return json.dumps({"argv": words, "stdin": typed, "seconds": rng.choice(PATIENCE)}).encode()


def _value(rng: random.Random, name: str | None = None) -> str:
    if name == "position" and rng.random() < 0.1:
        return board(rng, *rng.choices(LARGE, k=2))
    pool = rng.choice(list(POOLS.values())) if rng.random() < 0.1 else POOLS.get(name or "", NUMBERS + WORDS)
    value = rng.choice(pool).encode()
    if rng.random() < 0.1:
        value = mutated(rng, value, [word.encode() for word in pool], [word.encode() for word in NUMBERS + WORDS])
    return value.replace(b"\0", b"0").decode("utf-8", "surrogateescape")


# Laws


def law(data: bytes) -> str:
    """Run a command line."""
    global count, interrupted
    given, count = json.loads(data), count + 1
    argv, stdin, twice = given["argv"], given["stdin"], count % APART == 0
    asks = bool(argv) and argv[0] in QUESTIONS
    if count % 50 == 1 or twice:
        tidy()
    code, err, late, spent = run(argv, stdin, 2 * ANSWER if asks else given["seconds"])
    judge(argv, code, err, late)
    require(spent <= ANSWER or not asks, f"noughts {str(argv)[:200]}: no answer in {spent:.0f} seconds of CPU time")
    interrupted += late
    if twice:
        tidy()
        again, said, stopped, _ = run(argv, stdin, START, apart=True)
        judge(argv, again, said, stopped)
        ends = f"{code} here, {again} in a Python of its own: {err[-500:]!r}, {said[-500:]!r}"
        require(code == again or late or stopped, f"noughts {argv!r} ends with {ends}")
    require_alone()
    return f"with {code}"


def tidy() -> None:
    """A folder to work in as it was at first."""
    os.chdir(home)
    shutil.rmtree(home / "work", ignore_errors=True)
    shutil.copytree(home / "files", home / "work")
    os.chdir(home / "work")


def run(argv: list[str], stdin: str, patience: float, *, apart: bool = False) -> tuple[int, str, bool, float]:
    """Run the command: its exit code, what it said, was it interrupted after so many seconds, and seconds of CPU."""
    with ExitStack() as opened:
        files = [opened.enter_context(os.fdopen(os.memfd_create(name), "w+b", 0)) for name in ("in", "out", "err")]
        files[0].write(stdin.encode("utf-8", "surrogateescape"))
        files[0].seek(0)
        pid = os.fork()
        if not pid:
            _become(argv, files, apart)
        ended = os.pidfd_open(pid)
        opened.callback(os.close, ended)
        late = not select.select([ended], [], [], patience)[0]
        if late:
            os.kill(pid, signal.SIGINT)
            if not select.select([ended], [], [], STUBBORN)[0]:
                os.kill(pid, signal.SIGKILL)
        _, status, used = os.wait4(pid, 0)
        code = os.waitstatus_to_exitcode(status)
        code = 130 if late and code == -signal.SIGINT else code  # it was on its way out already
        err = os.pread(files[2].fileno(), 10_000_000, 0).decode("utf-8", "replace")
        return code, err, late, used.ru_utime + used.ru_stime


def _become(argv: list[str], files: Sequence[IO[bytes]], apart: bool) -> NoReturn:
    """Go on as the command, to its end."""
    code: Any = 1
    try:
        for number, file in enumerate(files):
            os.dup2(file.fileno(), number)
        if apart:
            os.execv(sys.executable, [sys.executable, "-m", "noughts", *argv])
        sys.argv = ["noughts", *argv]
        sys.stdin, sys.stdout, sys.stderr = map(os.fdopen, range(3), "rww")
        main()
    except SystemExit as end:
        code = end.code
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def judge(argv: list[str], code: int, err: str, late: bool) -> None:
    """How a command may end."""
    says = f"noughts {str(argv)[:500]}: exit code {code}, {err[-2000:]!r}"
    require(code != -signal.SIGKILL or not late, f"an interrupt did not end it: {says}")
    require(code in (0, 1, 2, 130), says)
    require(code != 130 or late, f"130 without an interrupt: {says}")
    require("Traceback" not in err, says)
    lines = err.splitlines()
    if code in (1, 2):
        require(lines and lines[-1].startswith("noughts: "), says)
        require(lines[-1].isprintable() and len(lines[-1]) < 1000, says)
        require(code == 1 or all(line.startswith("noughts: ") for line in lines), says)
