"""Ctrl-C ends the command at whatever moment it is pressed, without a traceback; pressed again, at once.

It is pressed at chosen points, not at random times: when a module begins to load, when a function is called. Before
`noughts` itself begins to load nobody can help it: then the interpreter, which is starting, shows a traceback.
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
ENDS = {(130, ""), (130, "noughts: interrupted"), (0, "noughts: stopped")}  # the first while nothing is loaded yet

# Runs the command. At every point that is new, before there is an event loop, a copy of the process presses Ctrl-C and
# goes on as it likes; the process itself takes down how that copy ended, and does not notice.
COPIES = """
import _signal, importlib.machinery, importlib.util, os, sys

seen = {"noughts", "noughts.__main__", "call __main__.py main"}
watched = ("__main__.py", "interrupt.py", "cli.py", "server.py")

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
        press(name)

def called(frame, event, argument):
    folder, _, name = frame.f_code.co_filename.rpartition("/")
    if event in ("call", "return") and name in watched and "/noughts" in folder:
        press(event + " " + name + " " + frame.f_code.co_qualname)

sys.meta_path.insert(0, Presser)
from noughts.__main__ import main
sys.setprofile(called)
main()
"""


def test_ctrl_c_while_serve_loads_ends_it_without_a_traceback() -> None:
    line = [sys.executable, "-c", COPIES, "serve", "--no-browser", "--port", "0"]
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
    assert {"signal", "click", "noughts.cli", "noughts.web.server", "fastapi", "pydantic", "uvicorn"} <= points
    assert len(points) > 300
    wrong = [each for each in told if (each[1], each[2].strip().rpartition("\n")[2]) not in ENDS or "Trace" in each[2]]
    assert not wrong, f"{len(wrong)} of {len(told)}: {wrong[:3]}"


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


def pressed(*points: str) -> tuple[int, str]:
    """How a server ends when Ctrl-C is pressed at these calls, one after another, and what it says."""
    line = [sys.executable, "-c", PRESSES, " ".join(points), "serve", "--no-browser", "--port", "0"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=PATIENCE, check=False)
    return done.returncode, re.sub(r"noughts: the laboratory is at .*\n", "", done.stderr)


@pytest.mark.parametrize(
    "point",
    [
        "create_app", "Server.__init__", "Server.on_tick", "Desk.at_work", "Desk.warm_up", "Pool.run",
        "_start", "open_process", "_ask", "create_app.<locals>.with_a_worker_at_hand",
    ],
)  # fmt: skip
def test_ctrl_c_while_the_server_starts_stops_it(point: str) -> None:
    assert pressed(point) == (0, "noughts: stopped\n")


@pytest.mark.parametrize("point", ["Server.shutdown", "Desk.close", "Pool.close"])
def test_a_second_ctrl_c_ends_the_server_at_once(point: str) -> None:
    assert pressed("Server.on_tick", point) == (130, "noughts: interrupted\n")
