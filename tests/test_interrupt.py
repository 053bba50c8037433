"""Ctrl-C ends the command at whatever moment it is pressed, without a traceback; pressed again, at once.

It is pressed at chosen points, not at random times: when a module begins to load, when a function is called. Before
`noughts` itself begins to load nobody can help it: then the interpreter, which is starting, shows a traceback. What our
own code does until it has seen to Ctrl-C is counted instead: two small modules, and nothing that they load.
"""

from __future__ import annotations

import ast
import re
import signal
import subprocess
import sys

import pytest

pytest.importorskip("uvicorn", reason="the web tests need the extra: pip install noughts[web]")
if sys.platform != "linux":
    pytest.skip("processes are forked while they load, which is safe on Linux alone", allow_module_level=True)

PATIENCE = 120  # seconds: only there to end a hang
ENDS = {(130, "noughts: interrupted"), (0, "noughts: stopped")}

# Runs the command. At every point that is new, before there is an event loop, a copy of the process presses Ctrl-C and
# goes on as it likes; the process itself takes down how that copy ended, and does not notice. Of the modules only every
# so many, as the first word says, unless they are named after it.
COPIES = """
import _signal, importlib.machinery, importlib.util, os, sys

every, named, others = int(sys.argv.pop(1)), sys.argv.pop(1).split(), 0
seen = {"noughts", "noughts.__main__", "call __main__.py main"}
watched = ("__main__.py", "interrupt.py", "cli/__init__.py", "cli/serve.py", "server.py")

def press(point):
    loops = sys.modules.get("_asyncio")
    if point in seen or loops and loops._get_running_loop():
        return
    seen.add(point)
    read, write = os.pipe()
    copy = os.fork()
    if not copy:
        seen.add(None)
        sys.setprofile(None)
        sys.meta_path.remove(Presser)
        os.dup2(write, 2)
        os.close(write)
        os.close(read)
        os.close(1)
        _signal.alarm(60)
        os.kill(os.getpid(), _signal.SIGINT)
        return
    os.close(write)
    said = b""
    while some := os.read(read, 65536):
        said += some
    os.close(read)
    code = os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
    os.write(1, repr((point, code, said.decode())).encode() + b"\\n")

class Presser:
    @staticmethod
    def find_spec(name, path=None, target=None):
        global others
        others += 1
        if others % every == 0 or name in named:
            press(name)

def called(frame, event, argument):
    folder, _, name = frame.f_code.co_filename.rpartition("/")
    if folder.endswith("cli"):
        name = "cli/" + name
    if event in ("call", "return") and name in watched and "/noughts" in folder:
        press(event + " " + name + " " + frame.f_code.co_qualname)

sys.meta_path.insert(0, Presser)
from noughts.__main__ import main
sys.setprofile(called)
main()
"""


NAMED = {"signal", "click", "noughts.cli", "noughts.web.server", "fastapi", "pydantic", "uvicorn"}


@pytest.mark.parametrize(("every", "least"), [(60, 12), pytest.param(1, 300, marks=pytest.mark.slow)])
def test_ctrl_c_while_serve_loads_ends_it_without_a_traceback(every: int, least: int) -> None:
    line = [sys.executable, "-c", COPIES, str(every), " ".join(NAMED), "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            assert process.stderr
            told = []
            for text in process.stdout:
                told.append(ast.literal_eval(text))
                if told[-1][0].startswith("return") and told[-1][0].endswith("Server.__init__"):
                    break
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    points = {point for point, *_ in told}
    assert points >= NAMED
    assert len(points) > least
    wrong = [each for each in told if (each[1], each[2].strip().rpartition("\n")[2]) not in ENDS or "Trace" in each[2]]
    assert not wrong, f"{len(wrong)} of {len(told)}: {wrong[:3]}"


# What is loaded, and how many lines are run, from the first line of a script as pip makes it until Ctrl-C is seen to.
BEFORE = """
import re, sys
import _signal, importlib.machinery, importlib.util, os  # an editable install needs them to find files
loaded, lines = [], 0

class Loads:
    @staticmethod
    def find_spec(name, path=None, target=None):
        loaded.append(name)

def count(frame, event, argument):
    global lines
    if "/noughts/" in frame.f_code.co_filename:
        lines += event == "line"
        return count

def seen_to(number, handler):
    sys.settrace(None)
    print((loaded, lines, number == _signal.SIGINT), flush=True)
    os._exit(0)

sys.meta_path.insert(0, Loads)
sys.settrace(count)
_signal.signal = seen_to
from noughts.__main__ import main
main()
"""


def test_nothing_is_loaded_before_ctrl_c_is_seen_to() -> None:
    done = subprocess.run([sys.executable, "-c", BEFORE], capture_output=True, text=True, timeout=PATIENCE, check=True)
    loaded, lines, is_ctrl_c = ast.literal_eval(done.stdout)
    assert is_ctrl_c
    assert loaded == ["noughts", "noughts.__main__"]
    assert lines < 100


def test_a_library_leaves_ctrl_c_as_it_is() -> None:
    code = """
import _signal, contextlib, pkgutil, importlib
import noughts.bridges
for found in pkgutil.walk_packages(noughts.__path__, "noughts."):
    with contextlib.suppress(noughts.bridges.NoBridge):  # its other side is not here
        importlib.import_module(found.name)
    assert _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler, found.name
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_command_in_the_background_of_a_shell_goes_on_ignoring_ctrl_c() -> None:
    code = """
import _signal, sys
_signal.signal(_signal.SIGINT, _signal.SIG_IGN)
sys.argv = ["noughts", "--version"]
from noughts.__main__ import main
try:
    main()
finally:
    assert _signal.getsignal(_signal.SIGINT) == _signal.SIG_IGN
"""
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=PATIENCE, check=False).returncode == 0
    )


# Presses Ctrl-C in the process itself, at the first call of each of the functions that the first word names.
PRESSES = """
import _signal, os, sys, threading
points = sys.argv.pop(1).split()

def called(frame, event, argument):
    if event == "call" and points and frame.f_code.co_qualname == points[0] and "/noughts/" in frame.f_code.co_filename:
        points.pop(0)
        os.kill(os.getpid(), _signal.SIGINT)

from noughts.__main__ import main
sys.setprofile(called)
main()
"""


def later(*points: str) -> list[object]:
    """Points between those that are always tried: a server takes a while to start."""
    return [pytest.param(point, marks=pytest.mark.slow) for point in points]


def pressed(*points: str) -> tuple[int, str]:
    """How a server ends when Ctrl-C is pressed at these calls, one after another, and what it says."""
    line = [sys.executable, "-c", PRESSES, " ".join(points), "serve", "--no-browser", "--port", "0"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE, check=False)
    return done.returncode, re.sub(r"noughts: the laboratory is at .*\n", "", done.stderr)


@pytest.mark.parametrize(
    "point",
    [
        "create_app", "Server.on_tick", "Desk.warm_up", "open_process",
        *later("Server.__init__", "Desk.at_work", "Pool.run", "_start", "Pool._ask"),
        *later("create_app.<locals>.with_a_worker_at_hand"),
    ],
)  # fmt: skip
def test_ctrl_c_while_the_server_starts_stops_it(point: str) -> None:
    assert pressed(point) == (0, "noughts: stopped\n")


@pytest.mark.parametrize("point", ["Server.shutdown", *later("Desk.close", "Pool.close")])
def test_a_second_ctrl_c_ends_the_server_at_once(point: str) -> None:
    assert pressed("Server.on_tick", point) == (130, "noughts: interrupted\n")
