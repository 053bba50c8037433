"""The laws of fuzzing and of the faults can be broken: each check is shown a program that breaks its law."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

HARDENING = Path(__file__).resolve().parents[1] / "hardening"

if not HARDENING.is_dir() or sys.platform != "linux":
    pytest.skip("fuzzing and faults need a checkout, and Linux", allow_module_level=True)
pytest.importorskip("numpy", reason="fuzzing databases needs numpy: pip install noughts[batch]")
sys.path.append(str(HARDENING))

import breaking  # noqa: E402
import faults_disk  # noqa: E402
import fuzz  # noqa: E402
import fuzz_certificates  # noqa: E402
import fuzz_cli  # noqa: E402
import fuzz_database  # noqa: E402
import fuzz_gomocup  # noqa: E402
import fuzz_notation  # noqa: E402
import fuzz_players  # noqa: E402
from fuzzing import clear, large_board  # noqa: E402
from laws import Broken  # noqa: E402

from noughts import Game, Mark, Position, Value  # noqa: E402
from noughts.play import certification  # noqa: E402
from noughts.play.certification import Certificate, Side  # noqa: E402
from noughts.play.consistency import Check, Difference  # noqa: E402
from noughts.play.player import InvalidPlayer  # noqa: E402
from noughts.progress import Progress  # noqa: E402
from noughts.rules.legality import Reason, check  # noqa: E402
from noughts.rules.notation import parse_board  # noqa: E402
from noughts.solve import solve  # noqa: E402
from noughts.solve.problems import Damaged  # noqa: E402
from noughts.threats import completing_moves  # noqa: E402

Patch = pytest.MonkeyPatch


def ended(code: int, said: str = "", out: str = "") -> Any:
    return subprocess.CompletedProcess([], code, out, said)


# Refusals


@pytest.mark.parametrize(
    ("problem", "law"),
    [
        (ValueError("clear"), "ValueError"),
        (InvalidPlayer(""), "not one line"),
        (InvalidPlayer("one\ntwo"), "not one line"),
        (InvalidPlayer("red \x1b[31m"), "not printable"),
        (InvalidPlayer("x" * 1000), "too long"),
    ],
    ids=["foreign", "empty", "lines", "colours", "long"],
)
def test_an_unclear_refusal_of_a_player_is_found(problem: Exception, law: str, monkeypatch: Patch) -> None:
    clear(InvalidPlayer("x" * 999))
    target = fuzz_players.Target()
    with pytest.raises(Broken, match=law):
        _tried(target, _raises(problem), monkeypatch)
    assert target.refused == 0


def test_a_clear_refusal_of_a_player_is_none(monkeypatch: Patch) -> None:
    target = fuzz_players.Target()
    _tried(target, _raises(InvalidPlayer("there is no file x")), monkeypatch)
    assert target.refused == 1


def _tried(target: Any, ask: Callable[..., Any], monkeypatch: Patch, source: str = "", function: str = "cell") -> None:
    monkeypatch.setattr(target, "_ask", ask)
    monkeypatch.setattr(target, "_left", list)
    try:
        target.run(json.dumps({"source": source, "ask": "certify", "function": function}).encode())
    finally:
        target.__exit__()


def _raises(problem: BaseException) -> Callable[..., Any]:
    def raising(*_: object, **__: object) -> None:
        raise problem

    return raising


# Certificates


GOOD = "from noughts import best_moves\n\ndef cell(position): return best_moves(position)[0]\n"
FIRST = "def cell(position): return position.moves()[0]\n"
START = Game().start()


def certificate(x: tuple[int, ...] | None, o: tuple[int, ...] | None, check: Check) -> Certificate:
    sides = (Side(mark, cells, consistent=check.difference is None) for mark, cells in zip(Mark, (x, o), strict=True))
    return Certificate("mine.py:cell", Game(), *sides, check)


@pytest.mark.parametrize(
    ("source", "found", "law"),
    [
        (GOOD, certificate(None, None, Check()), None),
        (FIRST, certificate((0, 1, 2, 4, 3, 7), (0, 1, 3, 2, 6), Check()), None),
        (FIRST, certificate(None, (0, 1, 3, 2, 6), Check()), "as X loses"),
        (FIRST, certificate((0, 1, 2, 4, 3, 7), None, Check()), "as O loses"),
        (FIRST, certificate((8, 1, 2, 4, 3, 7), None, Check()), "not 8 as in"),
        (GOOD, certificate(None, (0, 4, 1, 2, 6, 3, 5, 7, 8), Check()), "as O does not lose"),
        (GOOD, certificate(None, None, Check(difference=Difference(START, "a3", "b2", "in a game"))), None),
        (GOOD, certificate(None, None, Check(difference=Difference(START, "a3", "a3", "in a game"))), "no two answers"),
    ],
    ids=["good", "refuted", "x", "o", "another", "drawn", "two", "one"],
)
def test_a_certificate_that_does_not_hold_in_play_is_found(
    source: str, found: Certificate, law: str | None, monkeypatch: Patch
) -> None:
    target = fuzz_players.Target()
    if law is None:
        _tried(target, lambda *_: found, monkeypatch, source)
        assert target.played == 1
    else:
        with pytest.raises(Broken, match=law):
            _tried(target, lambda *_: found, monkeypatch, source)


def test_a_certificate_of_what_was_asked_once_is_found(monkeypatch: Patch) -> None:
    def asking_once(*_: object) -> Any:
        yield Progress("asked once", 0, 0)
        return Check()

    monkeypatch.setattr(certification, "asking_again", asking_once)
    source = fuzz_players.CHANGING.replace("{when}", "position in seen")
    target = fuzz_players.Target()
    with pytest.raises(Broken, match="loses"):
        _tried(target, target._ask, monkeypatch, source, "changing")


# Command lines


@pytest.fixture
def command_lines(monkeypatch: Patch) -> Iterator[Any]:
    monkeypatch.setattr(fuzz_cli, "PATIENCE", 100)
    monkeypatch.setattr(fuzz_cli, "APART", 1)
    target = fuzz_cli.Target()
    monkeypatch.setattr(target, "_tidy", lambda: None)
    yield target
    target.home.rmdir()


def alarmed() -> None:
    signal.raise_signal(signal.SIGALRM)  # as the clock would
    time.sleep(100)


@pytest.mark.parametrize("problem", [KeyboardInterrupt(), RuntimeError("no")], ids=repr)
def test_what_leaves_the_command_by_itself_is_found(
    problem: BaseException, command_lines: Any, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(fuzz_cli.cli, "main", _raises(problem))
    with pytest.raises(Broken, match=type(problem).__name__):
        command_lines._here([], "")


def test_an_interrupt_may_leave_the_command_only_outside_its_work(command_lines: Any, monkeypatch: Patch) -> None:
    monkeypatch.setattr(fuzz_cli.cli, "main", alarmed)
    assert command_lines._here([], "") == (130, "", True)
    monkeypatch.setattr(fuzz_cli, "WORK", alarmed.__code__)
    with pytest.raises(Broken, match="let an interrupt through"):
        command_lines._here([], "")


def test_an_interrupt_during_the_work_of_the_command_becomes_a_code(command_lines: Any, monkeypatch: Patch) -> None:
    monkeypatch.setattr(fuzz_cli.cli.cli, "invoke", lambda context: alarmed())
    code, said, interrupted = command_lines._here(["doctor"], "")
    assert (code, said.strip(), interrupted) == (130, "noughts: interrupted", True)


@pytest.mark.parametrize("command", ["analyze", "review", "doctor"])
def test_a_question_that_is_not_answered_within_seconds_is_found(
    command: str, command_lines: Any, monkeypatch: Patch
) -> None:
    clock = iter((0.0, 21.0))  # of CPU time
    monkeypatch.setattr(fuzz_cli, "process_time", lambda: next(clock))
    monkeypatch.setattr(fuzz_cli.cli, "main", _raises(SystemExit(0)))
    if command == "doctor":
        assert command_lines._here([command], "") == (0, "", False)
    else:
        with pytest.raises(Broken, match="no answer in 21 seconds"):
            command_lines._here([command], "")


@pytest.mark.parametrize(
    ("here", "apart", "law"),
    [
        ((0, "", False), (0, "", False), None),
        ((130, "", True), (0, "", False), None),
        ((0, "", False), (130, "", True), None),
        ((0, "", False), (2, "noughts: no", False), "0 here, 2 in a process of its own"),
        ((130, "", False), (0, "", False), "130 without an interrupt"),
        ((0, "", False), (130, "", False), "130 without an interrupt"),
        ((3, "", False), (3, "", False), "exit code 3"),
        ((2, "no", False), (2, "noughts: no", False), "exit 2"),
        ((2, "and more\nnoughts: no", False), (2, "noughts: no", False), "exit 2 with"),
        ((1, "Traceback\nnoughts: no", False), (1, "noughts: no", False), "Traceback"),
        ((1, "noughts: \x07", False), (1, "noughts: no", False), "x07"),
        ((1, f"noughts: {'no ' * 1000}", False), (1, "noughts: no", False), "no no"),
    ],
)
def test_two_ends_of_one_command_line_are_compared(
    here: Any, apart: Any, law: str | None, command_lines: Any, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(command_lines, "_here", lambda argv, stdin: here)
    monkeypatch.setattr(command_lines, "_apart", lambda argv, stdin: apart)
    monkeypatch.setattr(fuzz_cli.os, "waitpid", _raises(ChildProcessError()))
    data = b'{"argv": ["doctor"], "stdin": ""}'
    if law is None:
        command_lines.run(data)
        assert command_lines.apart == 1
    else:
        with pytest.raises(Broken, match=law):
            command_lines.run(data)


def test_a_process_that_is_left_is_found(command_lines: Any) -> None:
    with subprocess.Popen(["sleep", "100"]) as left:
        with pytest.raises(Broken, match="left a process"):
            command_lines._judge(["doctor"], 0, "", False)
        left.kill()


# Solutions


class Other:
    """A truth from which every solution differs."""

    levels = [b"other"] * 30

    def __init__(self, game: Game) -> None:
        self.game = game

    def __getitem__(self, position: Position) -> Value:
        return Value("win", 99)

    def values(self, x: Any, o: Any) -> Any:
        return x * 0 + 99, o * 0 + 99

    def __len__(self) -> int:
        return 1


@pytest.mark.parametrize(
    ("game", "ask", "law"),
    [
        ("3x3k3", "read", "and it is win 99"),
        ("3x3k3", "arrays", "wrong values"),
        ("3x3k3", "verify", "was verified, and is wrong"),
        ("3x3k3", "resume", "was verified, and is wrong"),
        ("3x3k3m", "read", "another game"),
        ("3x3k3m", "arrays", "another game"),
        ("3x3k3m", "verify", "another game"),
    ],
)
def test_a_wrong_solution_is_found(game: str, ask: str, law: str, solutions: Any, tmp_path: Path) -> None:
    solve(Game(), save=tmp_path / "solution")
    truth = Other(Game.parse(game))
    solutions.samples = {game: [truth.game.start()]}
    with pytest.raises(Broken, match=law):
        getattr(solutions, f"_{ask}")(tmp_path / "solution", truth, random.Random(0), False)


@pytest.fixture
def solutions(tmp_path: Path, monkeypatch: Patch) -> Iterator[Any]:
    target = fuzz_database.Target()
    game = fuzz_database.CACHED
    monkeypatch.setenv("NOUGHTS_CACHE", str(target.home / "cache"))
    target.truth = {str(game): SimpleNamespace(game=game)}  # type: ignore[dict-item]
    target.samples = {str(game): [game.start()]}
    target.seeds = {f"{game}-raw": {}}
    yield target
    target.__exit__()


def recipe(ask: str, *edits: list[Any]) -> bytes:
    return json.dumps({"seed": f"{fuzz_database.CACHED}-raw", "edits": edits, "ask": ask, "chance": 0}).encode()


def test_a_cache_that_does_not_heal_is_found(solutions: Any, monkeypatch: Patch) -> None:
    monkeypatch.setattr(fuzz_database.proofs, "value", _raises(Damaged("level 3 is damaged")))
    with pytest.raises(Broken, match="does not heal"):
        solutions.run(recipe("cached"))
    assert solutions.refused == 0


def test_what_is_read_behind_right_checksums_is_not_called_right(solutions: Any, monkeypatch: Patch) -> None:
    monkeypatch.setattr(solutions, "_read", lambda *_: None)
    solutions.run(recipe("read"))
    solutions.run(recipe("read", ["page", "level-03.noughts", 0, 0]))
    assert (solutions.answered, solutions.sealed, solutions.refused) == (1, 1, 0)


def test_a_damaged_file_that_is_refused_unclearly_is_found(solutions: Any, monkeypatch: Patch) -> None:
    monkeypatch.setattr(solutions, "_read", _raises(Damaged("one\ntwo")))
    with pytest.raises(Broken, match="not one line"):
        solutions.run(recipe("read"))


# Certificates of positions, and the protocol of managers


@pytest.mark.parametrize(
    ("claim", "reason", "holds", "law"),
    [
        ("tie", "", True, None),
        ("X wins", "", True, "is proven, and is false"),
        ("O wins", "", True, "is proven, and is false"),
        ("X holds", "", True, None),
        ("tie", "", False, "no reason"),
    ],
)
def test_a_false_claim_that_passes_is_found(
    claim: str, reason: str, holds: bool, law: str | None, monkeypatch: Patch
) -> None:
    ruled = SimpleNamespace(game="3x3k3", position=".../.../...", claim=claim, holds=holds, reason=reason)
    monkeypatch.setattr(fuzz_certificates.check, "check_file", lambda file: ruled)
    with pytest.raises(Broken, match=law) if law else nullcontext():
        fuzz_certificates.Target().run(b"")


@pytest.mark.parametrize("says", ["one\ntwo", "red \x1b[31m", "x" * 1000, ""])
def test_an_unclear_refusal_of_a_certificate_is_found(says: str, monkeypatch: Patch) -> None:
    problem = fuzz_certificates.check.Unreadable(says)
    monkeypatch.setattr(fuzz_certificates.check, "check_file", _raises(problem))
    with pytest.raises(Broken):
        fuzz_certificates.Target().run(b"")


@pytest.mark.parametrize(
    ("says", "theirs", "law"),
    [("4,4", [], None), ("5,0", [], "off the board"), ("1,0", [1], "is taken"), ("\x1b", [], "x1b")],
)
def test_a_bad_answer_to_a_manager_is_found(says: str, theirs: list[int], law: str | None, monkeypatch: Patch) -> None:
    brain = SimpleNamespace(answer=lambda line: says, size=(5, 5), mine=[1], theirs=theirs)
    monkeypatch.setattr(fuzz_gomocup, "Brain", lambda: brain)
    with pytest.raises(Broken, match=law) if law else nullcontext():
        fuzz_gomocup.Target().run(b"TURN 2,2")


# Boards, and the runs themselves


def test_boards_are_counted_by_their_verdict() -> None:
    target = fuzz_notation.Target()
    boards = ["X........", "XX.......", "XXX/OOO/...", "XXX/OO./O..", "3x5k3:XXX../OO.OO/XXX.O"]
    for text in ("a1", "3x3k3", *boards):
        target.run(text.encode())
    told = " (5 boards: 1 legal, 1 counts, 1 both complete, 1 move after end, 1 no last move, "
    told += "0 floating, 0 no order, 0 no turns, 0 undecided)"
    assert target.figures() == told


def test_every_verdict_is_reached_by_chance() -> None:
    target, rng = fuzz_notation.Target(), random.Random(0)
    for _ in range(300):
        target.run(target.input(rng))
    seldom = {str(Reason.NO_ORDER), str(Reason.UNDECIDED)}  # of crowded boards where only exactly k count
    assert set(target.verdicts) - seldom == {"legal", *map(str, Reason)} - seldom


def test_a_text_that_takes_too_long_is_found(monkeypatch: Patch) -> None:
    clock = iter((0.0, 31.0))  # of CPU time
    monkeypatch.setattr(fuzz_notation, "process_time", lambda: next(clock))
    with pytest.raises(Broken, match="31 seconds of CPU time"):
        fuzz_notation.Target().run(b".........")


def test_large_boards_of_every_kind_are_among_the_inputs(command_lines: Any) -> None:
    rng = random.Random(0)
    boards = [parse_board(large_board(rng)) for _ in range(60)]
    ongoing = [Position(*board) for board in boards if check(board).legal and not Position(*board).is_over]
    marks = {position.marks for position in ongoing}
    assert max(board.game.cells for board in boards) == 256 * 256
    assert 0 in marks
    assert max(marks) > 5_000
    assert any(0 < position.marks < 40 and completing_moves(position) for position in ongoing)
    assert any(position.game.misere for position in ongoing)
    words = [json.loads(command_lines.input(rng))["argv"] for _ in range(200)]
    assert any(len(word) > 1000 for argv in words for word in argv)


def test_a_steered_run_tells_both_its_parts(tmp_path: Path) -> None:
    own = "FIGURES 5 executions, 1.0/s (2 boards)\n"
    steered = (
        "INFO: Seed: 1\n#3 NEW cov: 283 ft: 661 corp: 52/789b\n"
        "stat::number_of_executed_units: 1234\nstat::average_exec_per_sec:     56\n"
    )
    assert fuzz._figures(own, tmp_path / "figures") == "5 executions, 1.0/s (2 boards)"
    (tmp_path / "figures").write_text(" (7 boards)", encoding="utf-8")
    assert fuzz._figures(own, tmp_path / "figures") == ""  # it did not come to its end
    assert fuzz._figures(steered, tmp_path / "figures") == ""
    assert fuzz._figures(own + steered, tmp_path / "figures") == (
        "steered, 1,234 executions, 56/s, 283 branches and 52 inputs that reach them (7 boards); "
        "by itself, 5 executions, 1.0/s (2 boards)"
    )


@pytest.mark.parametrize("found", [0, 1])
def test_a_steered_target_is_left_to_itself_for_a_third(found: int, tmp_path: Path, monkeypatch: Patch) -> None:
    ran: list[Any] = []
    steering: Any = ModuleType("atheris")
    steering.instrument_imports = lambda include: nullcontext()
    monkeypatch.setitem(sys.modules, "atheris", steering)
    monkeypatch.setattr(fuzz, "find_spec", lambda name: name == "atheris")
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(fuzz, "plain", lambda target, seconds, *_: ran.append(seconds) or found)
    monkeypatch.setattr(fuzz, "guided", lambda target, seconds, *_: ran.append(seconds) or 0)
    assert fuzz.child("notation", 60, tmp_path, 1) == found
    assert ran == ([20] if found else [20, 40])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--replay", "{file}"], "--replay needs the one target"),
        (["cli", "notation", "--replay", "{file}"], "--replay needs the one target"),
        (["notation", "--replay", "{folder}/none"], "none cannot be read: No such file or directory"),
        (["notation", "--replay", "{folder}"], "cannot be read: Is a directory"),
        (["nothing"], "there is no target nothing"),
    ],
)
def test_what_cannot_be_tried_is_told_in_a_line(words: list[str], says: str, tmp_path: Path) -> None:
    file = tmp_path / "input"
    file.write_bytes(b"X")
    line = [sys.executable, str(HARDENING / "fuzz.py"), *(word.format(file=file, folder=tmp_path) for word in words)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert says in done.stderr.splitlines()[-1]


# Faults


def test_what_a_fault_needs_is_no_broken_law(monkeypatch: Patch) -> None:
    monkeypatch.setattr(breaking.os, "geteuid", lambda: 1000)
    with pytest.raises(breaking.Needs, match="needs root, to mount small disks"):
        faults_disk.main()
    assert not issubclass(breaking.Needs, Broken)


@pytest.mark.parametrize(
    ("solved", "verified", "content", "law"),
    [
        (ended(0), ended(0, out="all right"), "right", None),
        (ended(1, "noughts: no"), ended(0, out="all right"), "right", "the next solve failed"),
        (ended(0), ended(0, out="all right"), "wrong", "the files differ"),
        (ended(0), ended(2, "noughts: no"), "right", "does not verify"),
        (ended(0), ended(0), "right", "does not verify"),
    ],
)
def test_a_solve_that_does_not_come_right_is_found(
    solved: Any, verified: Any, content: str, law: str | None, tmp_path: Path, monkeypatch: Patch
) -> None:
    (tmp_path / "level-00.noughts").write_text("right", encoding="utf-8")
    right = breaking.hashes(tmp_path)
    (tmp_path / "level-00.noughts").write_text(content, encoding="utf-8")
    monkeypatch.setattr(breaking, "noughts", lambda *words, **_: verified if "--verify" in words else solved)
    if law is None:
        breaking.completed("3x3k3", tmp_path, right)
    else:
        with pytest.raises(Broken, match=law):
            breaking.completed("3x3k3", tmp_path, right)


@pytest.mark.parametrize("content", ["right", "wrong"])
def test_what_too_little_memory_left_behind_is_compared(content: str, tmp_path: Path, monkeypatch: Patch) -> None:
    failing = {faults_disk.HUGE: 2, faults_disk.LARGE: 3}

    def command(*words: Any, preexec_fn: object = None, **_: object) -> Any:
        game = words[1]
        if preexec_fn is None:
            return ended(2, "noughts: the limit is 100 kB of memory")
        if failing.get(game):
            failing[game] -= 1
            return ended(1, "noughts: there is not enough memory")
        if "--compress" in words:
            write(tmp_path / "tight", content)
        return ended(0)

    def write(folder: Path, content: str) -> dict[str, str]:
        folder.mkdir()
        (folder / "level-00.noughts").write_text(content, encoding="utf-8")
        return breaking.hashes(folder)

    again: list[Any] = []
    monkeypatch.setattr(faults_disk, "noughts", command)
    monkeypatch.setattr(faults_disk, "completed", lambda game, folder, *_: again.append((game, folder.name)))
    right: Any = {(faults_disk.LARGE, form): write(tmp_path / form, "right") for form in ("raw", "zstd")}
    if content == "right":
        assert faults_disk.memory(tmp_path, right) == "too little memory (6 times)"
        assert again == [(faults_disk.LARGE, "small"), (faults_disk.LARGE, "tight")]
    else:
        with pytest.raises(Broken, match="made other files"):
            faults_disk.memory(tmp_path, right)


@pytest.mark.parametrize(
    ("reading", "writing", "law"),
    [
        (0, ended(2, "noughts: s cannot be written: Permission denied"), None),
        (0, ended(0), "exit code 0"),
        (0, ended(2, "noughts: no"), "does not say 'cannot be written'"),
        (1, ended(2, "noughts: s cannot be written: Permission denied"), "can be read"),
    ],
    ids=["told", "written", "unclear", "unread"],
)
def test_a_folder_that_cannot_be_written_is_told_and_read(
    reading: int, writing: Any, law: str | None, tmp_path: Path, monkeypatch: Patch
) -> None:
    writes = {"--save", "--export"}
    monkeypatch.setattr(faults_disk, "noughts", lambda *words, **_: writing if writes & {*words} else ended(reading))
    if law is None:
        assert len(faults_disk._unwritable(tmp_path, "Permission denied")) == 3
    else:
        with pytest.raises(Broken, match=law):
            faults_disk._unwritable(tmp_path, "Permission denied")


def test_a_solve_whose_folder_vanished_is_made_again(tmp_path: Path, monkeypatch: Patch) -> None:
    class Process:
        """A solve that found its folder gone."""

        returncode = 1

        def __init__(self, *_: object, **__: object) -> None:
            (tmp_path / "gone").mkdir()

        def communicate(self, timeout: float) -> tuple[str, str]:
            return "", "noughts: No such file or directory"

    position = SimpleNamespace(play=lambda cell: position)
    solution = SimpleNamespace(game=SimpleNamespace(start=lambda: position), line=lambda position: [0])
    again: list[Any] = []
    (tmp_path / f"{faults_disk.GAME}-raw").mkdir()
    monkeypatch.setattr(faults_disk, "Solution", SimpleNamespace(open=lambda folder: nullcontext(solution)))
    monkeypatch.setattr(faults_disk, "noughts", lambda *_: ended(2, "noughts: removed holds no solution"))
    monkeypatch.setattr(faults_disk.subprocess, "Popen", Process)
    monkeypatch.setattr(faults_disk, "_wait_for", lambda folder, name: None)
    monkeypatch.setattr(faults_disk, "completed", lambda *given: again.append(given))
    games = faults_disk.GAME, faults_disk.LARGE
    right: Any = {(game, "raw"): {"level-00.noughts": game} for game in games}
    faults_disk.removed(tmp_path, right)
    assert again == [
        (game, tmp_path / name, right[game, "raw"]) for game, name in zip(games, ("removed", "gone"), strict=True)
    ]


@pytest.mark.parametrize(
    ("left", "law"),
    [
        ({"index.html": faults_disk.OLD}, None),
        ({"index.html": "half of what was to"}, "on a full disk left 'half of what was to'"),
        ({}, "on a full disk left None"),
        ({"index.html": faults_disk.OLD, "index.part": ""}, "index.part"),
    ],
    ids=["kept", "half", "gone", "beside"],
)
def test_an_old_file_that_a_full_disk_destroys_is_found(
    left: dict[str, str], law: str | None, tmp_path: Path, monkeypatch: Patch
) -> None:
    """The disk is no disk here, and the command does what a bad writer would leave."""
    asked: list[tuple[str, ...]] = []

    def command(*words: str, input: str) -> Any:  # noqa: A002
        folder = tmp_path / "kept"
        if words not in asked:
            for path in folder.iterdir():
                if path.name != "rest":
                    path.unlink()
            for name, content in left.items():
                (folder / name).write_text(content, encoding="utf-8")
        else:
            (folder / "index.html").write_bytes(bytes(5000))
        asked.append(words)

    @contextmanager
    def disk(folder: Path, size: int) -> Iterator[Path]:
        folder.mkdir()
        (folder / "rest").mkdir()  # nothing can be written there, as on a full disk
        yield folder
        shutil.rmtree(folder)

    monkeypatch.setattr(faults_disk, "noughts", command)
    monkeypatch.setattr(faults_disk, "disk", disk)
    monkeypatch.setattr(faults_disk, "remount", lambda folder, option: None)
    if law is None:
        assert faults_disk.kept(tmp_path, {}) == "the old file kept by 6 writers"
        assert len(asked) == 2 * len({*asked}) == 12
    else:
        with pytest.raises(Broken, match=law):
            faults_disk.kept(tmp_path, {})


def test_a_cache_beyond_its_limit_is_found(tmp_path: Path) -> None:
    (tmp_path / "solved-1" / "4x4k4").mkdir(parents=True)
    (tmp_path / "solved-1" / "4x4k4" / "level-00.noughts").write_bytes(bytes(1000))
    assert faults_disk.within(tmp_path, 1000) == 1000
    with pytest.raises(Broken, match="the cache has 1,000 bytes, and may have 999"):
        faults_disk.within(tmp_path, 999)


def test_an_ordinary_user_may_not_write_what_is_somebody_elses(tmp_path: Path) -> None:
    may_read = [*faults_disk.ORDINARY, sys.executable, "-c", "import sys; print(open(sys.argv[1]).read())"]
    (tmp_path / "file").write_text("read", encoding="utf-8")
    try:
        done = subprocess.run([*may_read, tmp_path / "file"], capture_output=True, text=True, timeout=60, check=False)
    except FileNotFoundError:
        pytest.skip("there is no setpriv")
    if done.returncode:
        pytest.skip(f"nobody else can be made: {done.stderr}")
    assert done.stdout == "read\n"
    writing = "import sys; open(sys.argv[1], 'w')"
    line = [*faults_disk.ORDINARY, sys.executable, "-c", writing, str(tmp_path / "new")]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert "PermissionError" in done.stderr
    assert not (tmp_path / "new").exists()
