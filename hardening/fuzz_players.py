"""Users' Python files, broken in every way, graded, certified and matched.

An input is a file and what is asked of it. Good files (corpus/players) get statements that hang, exit, fork, print,
meddle or eat memory, at any line, and plain mutation; or a player with a memory or with luck, which plays well until it
does not.

Laws: there is a verdict, which can be shown and is JSON, or one short printable line of noughts' own that says why
there is none; it takes no longer than the limits allow; no process is left, not even one that left its group. And what
is certified holds in play: a player that never loses loses none of a series of games, a lost game is lost again, and a
player of which neither is said did answer in two ways.
"""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import sys
import tempfile
import time
from contextlib import redirect_stdout
from pathlib import Path

import sandbox
from fuzzing import HERE, clear, mutated, trace
from laws import Broken, require

from noughts import Mark, Position
from noughts.cli.certify import show
from noughts.play import Certificate, Player, by_name, find_player, user_file
from noughts.play.certification import Side
from noughts.play.matches import Maker, play_number

TIME_LIMIT, TOTAL_LIMIT, LOADING = 0.3, 1.0, 2.0
LONGEST = 60  # seconds for one file on a busy machine
GAMES = 20  # that a certified player plays, each side in turn, against opposition without a plan
ASKED = {  # of each file: what is asked of it, and of which function
    "classroom": (["classroom", "classroom", "classroom", "partly", "certify"], ["minimax", "winner"]),
    "player": (["certify", "certify", "match", "match", "partly"], ["cell", "text", "pair", "several", "first", "os"]),
}

NASTY = """
while True: pass
import time; time.sleep(100)
exit()
raise SystemExit(3)
raise SystemExit({"a": [1]})
import os; os._exit(7)
import os; os.kill(os.getpid(), 9)
import os; os.kill(os.getpid(), 11)
import os; os.abort()
import ctypes; ctypes.string_at(0)
import os; os.fork()
import os; os.fork() or os.setsid()
import os; os.fork() or (os.setsid(), os.fork() or __import__("time").sleep(100))
import os, time; (os.setsid(), time.sleep(100)) if not os.fork() else os._exit(0)
import os, signal; os.kill(os.getppid(), signal.SIGTERM)
import subprocess; subprocess.Popen(["sleep", "100"])
import subprocess, sys; subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"], start_new_session=True)
import threading; threading.Thread(target=lambda: [None for _ in iter(int, 1)]).start()
import threading, time; threading.Thread(target=time.sleep, args=(100,)).start()
import signal; [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 3, 13, 14, 15)]
print("x" * 10**6)
print("\\n" * 10**5)
print("\\ud800 \\x1b[2J \\x00")
import os; [os.write(n, b"garbage\\n") for n in range(12) if n != 2 and os.path.exists(f"/proc/self/fd/{n}")]
import os; [os.write(n, b'{"value": {"odd": 1}}\\n') for n in range(12) if os.path.exists(f"/proc/self/fd/{n}")]
import os; [os.write(n, b'{"value": 1}\\n[]\\n7\\n') for n in range(12) if os.path.exists(f"/proc/self/fd/{n}")]
import os; [os.write(n, b'{"value": {"set": [[1]]}}\\n') for n in range(12) if os.path.exists(f"/proc/self/fd/{n}")]
import os; [os.write(n, b'{"ended": "x"}\\n') for n in range(12) if os.path.exists(f"/proc/self/fd/{n}")]
import os; [os.write(n, b'{"raised": 1}\\n') for n in range(12) if os.path.exists(f"/proc/self/fd/{n}")]
import os; [os.write(n, b'\\xff\\xfe{' * 9) for n in range(12) if os.path.exists(f"/proc/self/fd/{n}")]
import os; os.closerange(0, 20)
import sys; sys.stdout = None
import sys; sys.modules.clear()
import sys; sys.setrecursionlimit(10**6)
import json; json.dumps = lambda *a, **k: "nonsense"
import builtins; builtins.isinstance = None
import builtins; builtins.len = lambda x: -1
raise Exception("\\ud800\\n\\x1b[31m" + "y" * 10**5)
raise KeyboardInterrupt
raise type("E" * 5000, (BaseException,), {})("z")
raise type("E", (Exception,), {"__str__": lambda self: 1 / 0})()
x = bytearray(10**11)
x = [bytearray(10**7) for _ in range(150)]
x = 10**10**7
return {frozenset({1})}
return {(1, (2, frozenset({3})))}
return float("nan")
return "\\ud800"
return "x" * 10**6
return [[[[[[[]]]]]]]
return [0] * 10**6
return type("T", (), {"__repr__": lambda self: 1 / 0})()
return type("T", (), {"__index__": lambda self: 1 / 0})()
return type("T", (), {"__index__": lambda self: 4})()
return type("S", (str,), {"__str__": lambda self: self})("a1")
return type("L", (list,), {"__len__": lambda self: 10**9, "__iter__": lambda self: iter(int, 1)})()
return iter(int, 1)
return -1
return 10**30
return None
return (1, 1, 1)
return (None, "a")
return {"a": 1}
return lambda: 0
yield 1
async def f(): await f()
def cell(): pass
board[0][0] = "X"; board.append(board)
position.__class__ = int
from noughts.rules.position import Position; Position.play = None
import noughts; noughts.__path__ = []
import nosuchmodule
from . import x
if
\t return
""".strip().splitlines()

CHANGING = """

import os, pathlib, random
from noughts import move_values

calls = games = 0
before, seen, diary = None, set(), pathlib.Path(__file__).with_suffix(".txt")
starts = len(diary.read_text()) if diary.exists() else 0
diary.write_text("|" * (starts + 1))


def changing(position):
    global before, calls, games
    calls, games, last = calls + 1, games + (position.marks < 2), before
    bad = {when}
    before = position
    seen.add(position)
    values = move_values(position)
    return (min if bad else max)(values, key=values.get)
"""
WHEN = """
calls > {few}
calls % {few} == 0
games > {few}
starts > 0
starts > 1
position in seen
last and last.marks > position.marks
last and last.marks == position.marks - 2
random.random() < {share}
hash(str(position)) % {one} == 0
random.Random(f"{{os.getpid()}} {{position}}").random() < {share}
position.marks == {one} and position in seen
False
""".strip().splitlines()


class Target:
    """Files and questions."""

    name = "players"

    def __init__(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="noughts-fuzz-players-"))
        self.files = {path.stem: path.read_text(encoding="utf-8") for path in (HERE / "corpus" / "players").iterdir()}
        self.verdicts = self.refused = self.played = 0
        self.longest = 0.0

    def __enter__(self) -> Target:
        self.token = f"{os.getpid()}-{time.time_ns()}"
        os.environ.update(sandbox.environment(self.home), NOUGHTS_FUZZED=self.token)
        user_file.LOADING = LOADING
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.home, ignore_errors=True)

    def figures(self) -> str:
        """How they ended."""
        told = f"{self.verdicts:,} verdicts, of which {self.played:,} hold in play, {self.refused:,} refused"
        return f" ({told}, the longest {self.longest:.0f} s)"

    def input(self, rng: random.Random) -> bytes:
        """A file, and what is asked of it."""
        name = rng.choice(sorted(self.files))
        source = self.files[name]
        if rng.random() < 0.2:
            when = rng.choice(WHEN).format(few=rng.randint(2, 400), one=rng.randint(2, 8), share=rng.uniform(0.05, 0.5))
            return json.dumps(
                {"ask": "certify", "function": "changing", "source": source + CHANGING.replace("{when}", when)}
            ).encode()
        for _ in range(rng.choice((0, 1, 1, 1, 2))):
            lines = source.split("\n")
            at = rng.randrange(len(lines))
            while not (inside := lines[at].startswith("    ")) and rng.random() < 0.9:  # most often in a function
                at = rng.randrange(len(lines))
            nasty = rng.choice(NASTY)
            indent = len(lines[at]) - len(lines[at].lstrip()) if inside else 0
            if rng.random() < 0.3 and inside:
                nasty = f"if __import__('random').random() < 0.1: {nasty}"
            lines.insert(at, " " * indent + nasty)
            source = "\n".join(lines)
        if rng.random() < 0.3:
            words = [line.encode() for line in NASTY]
            data = mutated(rng, source.encode(), [file.encode() for file in self.files.values()], words)
            source = data.decode("utf-8", "replace" if rng.random() < 0.5 else "surrogateescape")
        asks, functions = ASKED[name]
        return json.dumps({"ask": rng.choice(asks), "function": rng.choice(functions), "source": source}).encode()

    def run(self, data: bytes) -> None:
        """Ask for a verdict on a file."""
        given = json.loads(data)
        folder = self.home / "work"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        path = folder / "mine.py"
        path.write_bytes(given["source"].encode("utf-8", "surrogateescape"))
        began = time.monotonic()
        shown = io.TextIOWrapper(io.BytesIO(), "utf-8")
        try:
            found = self._ask(str(path), given["ask"], given["function"])
            with redirect_stdout(shown):
                show(found)
            json.dumps(found.to_json())
            self.verdicts += 1
            if isinstance(found, Certificate):
                self._holds(str(path), given["function"], found)
                self.played += 1
        except ValueError as problem:
            clear(problem)
            self.refused += 1
        except Broken:
            raise
        except Exception as problem:
            require(False, f"{problem!r} {trace()}\n{given['source']}")
        took = time.monotonic() - began
        self.longest = max(self.longest, took)
        require(took < LONGEST, f"it took {took:.0f} s:\n{given['source']}")
        left = self._left()
        require(not left, f"processes were left, {left}:\n{given['source']}")

    def _ask(self, path: str, ask: str, function: str):  # type: ignore[no-untyped-def]
        if ask == "match":
            return by_name.match(f"{path}:{function}", "random", games=4, time_limit=TIME_LIMIT)
        if ask == "certify":
            return by_name.certify(f"{path}:{function}", limit=2000, time_limit=TIME_LIMIT)
        return by_name.certify(path, time_limit=TIME_LIMIT, total_limit=TOTAL_LIMIT, partly=ask == "partly")

    def _holds(self, path: str, function: str, found: Certificate) -> None:
        """What was certified must hold in play; an answer that does not come in time is none of that."""
        for side in (found.x, found.o):
            if side.never_loses is None:
                difference = found.difference
                require(difference and difference.first != difference.later, f"no two answers in {difference}")
            elif found.consistent and not side.forfeit:
                with user_file.UserFile(path, TIME_LIMIT) as file:
                    file.starts = 100  # so that sets have an order that was not tried
                    file.start()
                    self._play(user_file.UserPlayer(file, function), found, side)

    def _play(self, player: user_file.UserPlayer, found: Certificate, side: Side) -> None:
        """Play the lost game again, or a series of others."""

        def script(position: Position) -> int:
            return (side.counterexample or ())[position.marks]

        def again(position: Position) -> int:
            now, then = player.choices(position), script(position)
            require(then in now, f"{player} plays {now} in {position}, not {then} as in {side.counterexample}")
            return then

        lost = side.counterexample is not None
        me = again if lost else player
        for seed in range(1 if lost else GAMES):
            other = script if lost else find_player("random", seed)
            x, o = (me, other) if side.mark is Mark.X else (other, me)
            played = play_number(_ready(x), _ready(o), 0, found.game)
            if played.forfeit:
                continue
            says = "does not lose" if lost else "loses"
            wins = played.winner is side.mark.other
            require(wins == lost, f"{player} as {side.mark} {says} {played.end}, seed {seed}")

    def _left(self) -> list[str]:
        """The processes that the file left, known by their environment; one that is ending gets a moment for it."""
        for _ in range(20):
            found = []
            for entry in Path("/proc").iterdir():
                if entry.name.isdigit() and int(entry.name) != os.getpid():
                    try:
                        if self.token.encode() in (entry / "environ").read_bytes():
                            found.append(f"{entry.name} {(entry / 'cmdline').read_bytes()!r}")
                    except OSError:
                        pass
            if not found:
                return []
            time.sleep(0.1)
        for each in found:
            os.kill(int(each.split()[0]), 9)
        return found


def _ready(player: Player) -> Maker:
    return lambda seed: player


assert sys.platform == "linux", "reads /proc"
