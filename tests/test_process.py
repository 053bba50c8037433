"""Another program: it answers in lines, and whatever else it does costs it the answer, and nobody else anything."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import eventually

from noughts.play.process import Failed, Limits, Process

LONG = 60.0  # seconds: only there to end a hang
posix = pytest.mark.skipif(os.name == "nt", reason="signals, sessions and limits of POSIX")
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to look at processes")


def program(source: str) -> list[str]:
    """The command of a program in Python that has these modules at hand."""
    say = "def say(text): os.write(1, f'{text}\\n'.encode())"  # at once, so that two who speak are not mixed up
    return [sys.executable, "-c", f"import os, signal, sys, time\n{say}\n{source}"]


def alive(pid: int) -> bool:
    """Is this process at work? (One that has ended and waits to be noticed is not.)"""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_each_line_is_answered_by_the_next() -> None:
    with Process(program("for line in sys.stdin: say(line.strip().upper())")) as shouting:
        assert [shouting.ask(text, LONG) for text in ("a", "bc", "ä")] == ["A", "BC", "Ä"]
        shouting.send("one\ntwo")
        assert [shouting.line(LONG), shouting.line(LONG)] == ["ONE", "TWO"]


def test_lines_end_as_they_like() -> None:
    source = r"sys.stdout.buffer.write(b'dos\r\n\nno text \xff\nno end'); sys.stdout.flush()"
    with Process(program(source)) as odd:
        assert [odd.line(LONG) for _ in range(4)] == ["dos", "", "no text \ufffd", "no end"]
        with pytest.raises(Failed, match=r"it ended its process \(status 0\)$"):
            odd.line(LONG)


FAILING = {
    "silent": ("time.sleep(600)", "late", "gave no answer within 0.5 s"),
    "deaf": ("os.closerange(0, 3); time.sleep(600)", "late", "gave no answer within 0.5 s"),
    "dead": ("sys.exit(3)", "ended", r"ended its process \(status 3\)$"),
    "raises": ("1 / 0", "ended", r"\(status 1\), and complained: 'ZeroDivisionError: division by zero'$"),
    "killed": ("os.kill(os.getpid(), signal.SIGKILL)", "ended", r"ended its process by signal 9 \(SIGKILL\)$"),
    "endless": ("while True: sys.stdout.write('x' * 4096)", "flooded", "wrote more than 1.05 MB, and no answer"),
    "loud": ("while True: sys.stderr.write('x' * 99 + '\\n')", "flooded", "to its standard error, and no answer"),
}


@posix
@pytest.mark.parametrize("name", FAILING)
def test_what_does_not_answer_fails_with_a_reason(name: str) -> None:
    source, kind, says = FAILING[name]
    seconds = 0.5 if kind == "late" else LONG
    with Process(program(source)) as bad:
        for _ in range(2):  # and that stays its answer
            with pytest.raises(Failed, match=says) as caught:
                bad.ask("hello", seconds)
            assert caught.value.kind == kind
            assert caught.value.problem.isprintable()
        assert not alive(bad.pid)


@posix
def test_a_flood_of_lines_is_cut_and_nothing_of_it_is_kept() -> None:
    with Process(program("while True: print(1)"), output=10_000) as flood:
        lines: list[str] = []
        with pytest.raises(Failed, match="wrote more than 10 kB, and no answer"):
            lines.extend(iter(lambda: flood.line(LONG), ""))
    assert len(lines) <= 5_000
    assert set(lines) <= {"1"}


@posix
def test_a_program_that_does_not_read_is_late_and_holds_nobody_up() -> None:
    with Process(program("time.sleep(600)")) as asleep, pytest.raises(Failed, match="did not read what it was given"):
        asleep.send("x" * 10_000_000, 0.3)


def test_a_long_line_arrives_whole() -> None:
    with Process(program("for line in sys.stdin: say(len(line))")) as counting:
        assert counting.ask("x" * 1_000_000, LONG) == "1000001"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to its limit")
def test_a_program_has_only_so_much_memory() -> None:
    source = "try: x = bytearray(1 << 28); say('too much')\nexcept MemoryError: say('no more')"
    with Process(program(source), limits=Limits(1 << 27)) as hungry:
        assert hungry.line(LONG) == "no more"


def test_a_program_that_is_not_there_says_so() -> None:
    with Process(["no-such-program"]) as none, pytest.raises(Failed, match=r"127\).*no-such-program: No such file"):
        none.line(LONG)


def test_who_is_told_to_leave_may_say_goodbye(tmp_path: Path) -> None:
    note = tmp_path / "note"
    source = f"word = sys.stdin.readline().strip(); open({str(note)!r}, 'w').write(word)"
    polite = Process(program(source))
    polite.leave("END", LONG)
    assert note.read_text() == "END"
    rude = Process(program("time.sleep(600)"))
    rude.leave("END", 0.1)
    assert not alive(rude.pid)


BREEDING = """
if not os.fork():
    os.setsid()
    if not os.fork():
        say(os.getpid())
        time.sleep(600)
    os._exit(0)
say(os.getpid())
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process of its orphans")
def test_whatever_a_program_starts_ends_with_it() -> None:
    with Process(program(BREEDING)) as breeding:
        family = [int(breeding.line(LONG)) for _ in range(2)]
        assert all(map(alive, family))
    assert not any(map(alive, family))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process of its orphans")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_whatever_a_program_starts_ends_with_us(number: signal.Signals) -> None:
    source = (
        "import sys, time\nfrom noughts.play.process import Process\n"
        f"program = Process({program(BREEDING)!r})\n"
        f"print(program.line({LONG}), program.line({LONG}), flush=True)\ntime.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True) as us:
        assert us.stdout
        family = [int(word) for word in us.stdout.readline().split()]
        assert len(family) == 2
        assert all(map(alive, family))
        us.send_signal(number)
        us.wait(LONG)
    eventually(lambda: not any(map(alive, family)))
